//! The bare contents of a position, and the only functions that change them: each keeps the key.

use super::piece::{Cell, HalfPiece};
use super::zobrist::KEYS;
use super::{Square, Squares};
use crate::Color;

/// Where knights stand at the start, in the order of their bits: b1, k1, b12, k12.
pub(super) const KNIGHTS: [Square; 4] = [Square::of(1), Square::of(10), Square::of(133), Square::of(142)];

/// The set of each square: a load, where a shift would go by way of the stack.
static ONE: crate::grid::PerSquare<Squares, 12, 12> = Squares::leaps(&[(0, 0)]);

/// The set of one square.
#[inline(always)]
pub(super) fn one(square: Square) -> Squares {
    ONE[square]
}

/// What a position consists of. `planes` holds the bits of each square's [`Cell`].
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    planes: [Squares; 5],
    key: u64,
    pub halfmove_clock: u16,
    pub fullmove_number: u16,
    castling: u8,
    /// The knights of [`KNIGHTS`] that have never moved, as bits.
    unmoved: u8,
    /// The pawn that has just passed squares on which it can be captured.
    passed: Option<Square>,
    side: Color,
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.planes == other.planes
            && self.castling == other.castling
            && self.unmoved == other.unmoved
            && self.passed == other.passed
            && self.side == other.side
    }
}

impl Eq for State {}

impl State {
    pub fn empty() -> State {
        State {
            planes: [Squares::EMPTY; 5],
            key: 0,
            halfmove_clock: 0,
            fullmove_number: 1,
            castling: 0,
            unmoved: 0,
            passed: None,
            side: Color::White,
        }
    }

    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    #[inline(always)]
    pub fn side(&self) -> Color {
        self.side
    }

    #[inline(always)]
    pub fn castling(&self) -> u8 {
        self.castling
    }

    #[inline(always)]
    pub fn unmoved(&self) -> u8 {
        self.unmoved
    }

    /// The knights of both sides that have never moved.
    #[inline(always)]
    pub fn unmoved_knights(&self) -> Squares {
        let mut squares = Squares::EMPTY;
        for (i, square) in KNIGHTS.into_iter().enumerate() {
            if self.unmoved >> i & 1 != 0 {
                squares |= one(square);
            }
        }
        squares
    }

    #[inline(always)]
    pub fn passed(&self) -> Option<Square> {
        self.passed
    }

    #[inline(always)]
    pub fn occupied(&self) -> Squares {
        let [a, b, c, d, _] = self.planes;
        a | b | c | d
    }

    #[inline(always)]
    pub fn side_pieces(&self, side: Color) -> Squares {
        match side {
            Color::White => self.occupied().without(self.planes[4]),
            Color::Black => self.planes[4],
        }
    }

    /// The pieces of a kind, of both sides.
    #[inline(always)]
    pub fn kind(&self, kind: HalfPiece) -> Squares {
        let code = kind as u8 + 1;
        // Every kind but the pawn has two bits or more that no lesser code has; three planes at most decide.
        let mut set = Squares::FULL;
        for (i, plane) in self.planes[..4].iter().enumerate() {
            set = if code >> i & 1 != 0 { set & *plane } else { set.without(*plane) };
        }
        set
    }

    #[inline(always)]
    pub fn cell(&self, square: Square) -> Cell {
        let bit = |i: usize| self.planes[i].has(square) as u8;
        Cell(bit(0) | bit(1) << 1 | bit(2) << 2 | bit(3) << 3 | bit(4) << 4)
    }

    /// Changes what stands on a square from `old` to `new`.
    #[inline(always)]
    pub fn replace(&mut self, square: Square, old: Cell, new: Cell) {
        debug_assert_eq!(self.cell(square), old);
        let here = one(square);
        for (i, plane) in self.planes.iter_mut().enumerate() {
            if (old.0 ^ new.0) >> i & 1 != 0 {
                *plane ^= here;
            }
        }
        self.key ^= KEYS.pieces[old.0 as usize][square.index()] ^ KEYS.pieces[new.0 as usize][square.index()];
    }

    #[inline(always)]
    pub fn set_castling(&mut self, rights: u8) {
        self.key ^= KEYS.castling[self.castling as usize] ^ KEYS.castling[rights as usize];
        self.castling = rights;
    }

    #[inline(always)]
    pub fn set_unmoved(&mut self, knights: u8) {
        self.key ^= KEYS.unmoved[self.unmoved as usize] ^ KEYS.unmoved[knights as usize];
        self.unmoved = knights;
    }

    #[inline(always)]
    pub fn set_passed(&mut self, pawn: Option<Square>) {
        for changed in [self.passed, pawn].into_iter().flatten() {
            self.key ^= KEYS.passed[changed.index()];
        }
        self.passed = pawn;
    }

    #[inline(always)]
    pub fn pass_turn(&mut self) {
        self.key ^= KEYS.side;
        self.side = !self.side;
    }

    /// The key from scratch.
    pub fn recomputed_key(&self) -> u64 {
        let mut key = KEYS.castling[self.castling as usize] ^ KEYS.unmoved[self.unmoved as usize];
        if let Some(pawn) = self.passed {
            key ^= KEYS.passed[pawn.index()];
        }
        if self.side == Color::Black {
            key ^= KEYS.side;
        }
        Square::all().fold(key, |key, square| key ^ KEYS.pieces[self.cell(square).0 as usize][square.index()])
    }
}
