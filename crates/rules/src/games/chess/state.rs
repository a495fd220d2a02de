//! The bare contents of a position, and the only functions that change them: each keeps the key.

use super::zobrist::KEYS;
use crate::Color;
use std::fmt::Debug;

/// The second layer of the board: where the catapults are.
pub trait Layer: Copy + Eq + Debug + Default + Send + Sync + 'static {
    /// A side's catapults, as bits of squares.
    fn catapults(&self, side: Color) -> u64;
    /// Catapults of both sides that have not moved yet.
    fn fresh(&self) -> u64;
    /// Replaces a side's catapults.
    fn set_catapults(&mut self, side: Color, squares: u64);
    /// Replaces the set of catapults that have not moved yet.
    fn set_fresh(&mut self, squares: u64);
}

/// No second layer: standard chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoLayer;

impl Layer for NoLayer {
    #[inline(always)]
    fn catapults(&self, _: Color) -> u64 {
        0
    }
    #[inline(always)]
    fn fresh(&self) -> u64 {
        0
    }
    #[inline(always)]
    fn set_catapults(&mut self, _: Color, _: u64) {}
    #[inline(always)]
    fn set_fresh(&mut self, _: u64) {}
}

/// The second layer of Chess++.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CatapultLayer {
    sides: [u64; 2],
    fresh: u64,
}

impl Layer for CatapultLayer {
    #[inline(always)]
    fn catapults(&self, side: Color) -> u64 {
        self.sides[side as usize]
    }
    #[inline(always)]
    fn fresh(&self) -> u64 {
        self.fresh
    }
    #[inline(always)]
    fn set_catapults(&mut self, side: Color, squares: u64) {
        self.sides[side as usize] = squares;
    }
    #[inline(always)]
    fn set_fresh(&mut self, squares: u64) {
        self.fresh = squares;
    }
}

/// What stands on a square: 0 for nothing, else the kind plus 1, plus 8 for Black.
pub(super) type Cell = u8;

/// No en-passant square.
pub(super) const NO_SQUARE: u8 = 64;

/// What a position consists of. `planes` holds the bits of each square's [`Cell`].
#[derive(Clone, Copy, Debug)]
pub(super) struct State<L> {
    planes: [u64; 4],
    layer: L,
    key: u64,
    pub halfmove_clock: u16,
    pub fullmove_number: u16,
    castling: u8,
    en_passant: u8,
    side: Color,
    /// Catapults still to be placed: White's in the low four bits, Black's in the high ones.
    to_place: u8,
}

impl<L: Layer> PartialEq for State<L> {
    fn eq(&self, other: &Self) -> bool {
        self.planes == other.planes
            && self.layer == other.layer
            && self.castling == other.castling
            && self.en_passant == other.en_passant
            && self.side == other.side
            && self.to_place == other.to_place
    }
}

impl<L: Layer> Eq for State<L> {}

impl<L: Layer> State<L> {
    pub(super) fn empty() -> State<L> {
        State {
            planes: [0; 4],
            layer: L::default(),
            key: 0,
            halfmove_clock: 0,
            fullmove_number: 1,
            castling: 0,
            en_passant: NO_SQUARE,
            side: Color::White,
            to_place: 0,
        }
    }

    #[inline(always)]
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    #[inline(always)]
    pub(super) fn side(&self) -> Color {
        self.side
    }

    #[inline(always)]
    pub(super) fn castling(&self) -> u8 {
        self.castling
    }

    #[inline(always)]
    pub(super) fn en_passant(&self) -> u8 {
        self.en_passant
    }

    #[inline(always)]
    pub(super) fn left_to_place(&self, side: Color) -> u8 {
        self.to_place >> (side as u8 * 4) & 15
    }

    #[inline(always)]
    pub(super) fn placing(&self) -> bool {
        self.to_place != 0
    }

    #[inline(always)]
    pub(super) fn catapults(&self, side: Color) -> u64 {
        self.layer.catapults(side)
    }

    #[inline(always)]
    pub(super) fn fresh(&self) -> u64 {
        self.layer.fresh()
    }

    #[inline(always)]
    pub(super) fn occupied(&self) -> u64 {
        self.planes[0] | self.planes[1] | self.planes[2]
    }

    #[inline(always)]
    pub(super) fn side_pieces(&self, side: Color) -> u64 {
        match side {
            Color::White => self.occupied() & !self.planes[3],
            Color::Black => self.planes[3],
        }
    }

    #[inline(always)]
    pub(super) fn pawns(&self) -> u64 {
        self.planes[0] & !self.planes[1] & !self.planes[2]
    }

    #[inline(always)]
    pub(super) fn knights(&self) -> u64 {
        self.planes[1] & !self.planes[0] & !self.planes[2]
    }

    #[inline(always)]
    pub(super) fn bishops(&self) -> u64 {
        self.planes[0] & self.planes[1]
    }

    #[inline(always)]
    pub(super) fn rooks(&self) -> u64 {
        self.planes[2] & !self.planes[0] & !self.planes[1]
    }

    #[inline(always)]
    pub(super) fn queens(&self) -> u64 {
        self.planes[0] & self.planes[2]
    }

    #[inline(always)]
    pub(super) fn kings(&self) -> u64 {
        self.planes[1] & self.planes[2]
    }

    /// Bishops and queens.
    #[inline(always)]
    pub(super) fn diagonal(&self) -> u64 {
        self.planes[0] & (self.planes[1] | self.planes[2])
    }

    /// Rooks and queens.
    #[inline(always)]
    pub(super) fn straight(&self) -> u64 {
        self.planes[2] & !self.planes[1]
    }

    #[inline(always)]
    pub(super) fn cell(&self, square: u8) -> Cell {
        let bit = |i: usize| ((self.planes[i] >> square) & 1) as u8;
        bit(0) | bit(1) << 1 | bit(2) << 2 | bit(3) << 3
    }

    /// Changes what stands on a square from `old` to `new`.
    #[inline(always)]
    pub(super) fn replace(&mut self, square: u8, old: Cell, new: Cell) {
        debug_assert_eq!(self.cell(square), old);
        for (i, plane) in self.planes.iter_mut().enumerate() {
            *plane ^= (((old ^ new) >> i & 1) as u64) << square;
        }
        self.key ^= KEYS.pieces[old as usize][square as usize] ^ KEYS.pieces[new as usize][square as usize];
    }

    /// Moves `cell` from one square to another, onto `captured` (or nothing).
    #[inline(always)]
    pub(super) fn move_piece(&mut self, from: u8, to: u8, cell: Cell, captured: Cell) {
        debug_assert!(self.cell(from) == cell && self.cell(to) == captured);
        let keep = !(1u64 << from | 1u64 << to);
        for (i, plane) in self.planes.iter_mut().enumerate() {
            *plane = *plane & keep | ((cell >> i & 1) as u64) << to;
        }
        let own = &KEYS.pieces[cell as usize];
        self.key ^= own[from as usize] ^ own[to as usize] ^ KEYS.pieces[captured as usize][to as usize];
    }

    #[inline(always)]
    pub(super) fn set_castling(&mut self, rights: u8) {
        self.key ^= KEYS.castling[self.castling as usize] ^ KEYS.castling[rights as usize];
        self.castling = rights;
    }

    #[inline(always)]
    pub(super) fn set_en_passant(&mut self, square: u8) {
        self.key ^= KEYS.en_passant[self.en_passant as usize] ^ KEYS.en_passant[square as usize];
        self.en_passant = square;
    }

    #[inline(always)]
    pub(super) fn pass_turn(&mut self) {
        self.key ^= KEYS.side;
        self.side = !self.side;
    }

    pub(super) fn set_to_place(&mut self, white: u8, black: u8) {
        let packed = white & 15 | black << 4;
        self.key ^= KEYS.to_place[self.to_place as usize] ^ KEYS.to_place[packed as usize];
        self.to_place = packed;
    }

    /// Adds a catapult.
    #[inline(always)]
    pub(super) fn add_catapult(&mut self, side: Color, square: u8, fresh: bool) {
        self.layer.set_catapults(side, self.layer.catapults(side) | 1 << square);
        self.key ^= KEYS.catapults[side as usize][square as usize];
        if fresh {
            self.layer.set_fresh(self.layer.fresh() | 1 << square);
            self.key ^= KEYS.fresh[square as usize];
        }
    }

    /// Takes a catapult off the board.
    #[inline(always)]
    pub(super) fn remove_catapult(&mut self, side: Color, square: u8) {
        self.layer.set_catapults(side, self.layer.catapults(side) & !(1 << square));
        self.key ^= KEYS.catapults[side as usize][square as usize];
        if self.layer.fresh() >> square & 1 != 0 {
            self.layer.set_fresh(self.layer.fresh() & !(1 << square));
            self.key ^= KEYS.fresh[square as usize];
        }
    }

    /// The key from scratch.
    pub(super) fn recomputed_key(&self) -> u64 {
        let mut key = KEYS.castling[self.castling as usize]
            ^ KEYS.en_passant[self.en_passant as usize]
            ^ KEYS.to_place[self.to_place as usize];
        if self.side == Color::Black {
            key ^= KEYS.side;
        }
        for square in 0..64 {
            key ^= KEYS.pieces[self.cell(square) as usize][square as usize];
            for side in Color::ALL {
                if self.catapults(side) >> square & 1 != 0 {
                    key ^= KEYS.catapults[side as usize][square as usize];
                }
            }
            if self.fresh() >> square & 1 != 0 {
                key ^= KEYS.fresh[square as usize];
            }
        }
        key
    }
}
