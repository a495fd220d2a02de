//! The bare contents of a position, and the only functions that change them: each keeps the key.

use super::piece::{Cell, CenturyPiece};
use super::{Square, Squares};
use crate::Color;
use crate::keys::{fill, of_sets, random};

/// Random numbers of everything that makes positions the same.
struct Keys {
    /// `[cell][square]`; the empty cell's are zero.
    pieces: [[u64; 80]; 32],
    castling: [u64; 16],
    declaring: [u64; 4],
    en_passant: [u64; 80],
    /// Black to move.
    side: u64,
}

static KEYS: Keys = {
    let mut pieces = [[0; 80]; 32];
    let mut cell = 1;
    while cell < 32 {
        pieces[cell] = fill(0x2_0000 + cell as u64 * 80);
        cell += 1;
    }
    Keys {
        pieces,
        castling: of_sets(0x2_3000),
        declaring: of_sets(0x2_4000),
        en_passant: fill(0x2_5000),
        side: random(0x2_6000),
    }
};

/// What a position consists of. `planes` holds the bits of each square's [`Cell`].
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    planes: [Squares; 5],
    key: u64,
    pub halfmove_clock: u16,
    pub fullmove_number: u16,
    castling: u8,
    /// The sides that may still declare a Jester: White 1, Black 2.
    declaring: u8,
    en_passant: Option<Square>,
    side: Color,
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.planes == other.planes
            && self.castling == other.castling
            && self.declaring == other.declaring
            && self.en_passant == other.en_passant
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
            declaring: 0,
            en_passant: None,
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
    pub fn may_declare(&self, side: Color) -> bool {
        self.declaring >> side as u8 & 1 != 0
    }

    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    #[inline(always)]
    pub fn occupied(&self) -> Squares {
        let [diagonal, straight, leaps, walks, _] = self.planes;
        diagonal | straight | leaps | walks
    }

    #[inline(always)]
    pub fn side_pieces(&self, side: Color) -> Squares {
        match side {
            Color::White => self.occupied().without(self.planes[4]),
            Color::Black => self.planes[4],
        }
    }

    /// What slides diagonally.
    #[inline(always)]
    pub fn diagonal(&self) -> Squares {
        self.planes[0]
    }

    /// What slides along files and ranks.
    #[inline(always)]
    pub fn straight(&self) -> Squares {
        self.planes[1].without(self.planes[3])
    }

    /// What leaps as a knight.
    #[inline(always)]
    pub fn leapers(&self) -> Squares {
        self.planes[2].without(self.planes[3])
    }

    #[inline(always)]
    pub fn pawns(&self) -> Squares {
        self.planes[3].without(self.planes[1] | self.planes[2])
    }

    #[inline(always)]
    pub fn jesters(&self) -> Squares {
        self.planes[3] & self.planes[2]
    }

    /// Pawns and Jesters.
    #[inline(always)]
    pub fn walkers(&self) -> Squares {
        self.planes[3].without(self.planes[1])
    }

    #[inline(always)]
    pub fn kings(&self) -> Squares {
        self.planes[3] & self.planes[1]
    }

    /// The king of a side; a1 in a position that garbage has spoilt.
    #[inline(always)]
    pub fn king(&self, side: Color) -> Square {
        (self.kings() & self.side_pieces(side)).first().unwrap_or(Square::of(0))
    }

    /// The pieces of a kind, of both sides.
    pub fn kind(&self, kind: CenturyPiece) -> Squares {
        let bits = self.planes[..4].iter().enumerate();
        bits.fold(
            Squares::FULL,
            |set, (i, plane)| {
                if kind.code() >> i & 1 != 0 { set & *plane } else { set.without(*plane) }
            },
        )
    }

    #[inline(always)]
    pub fn cell(&self, square: Square) -> Cell {
        let bit = |i: usize| (self.planes[i].has(square) as u8) << i;
        Cell(bit(0) | bit(1) | bit(2) | bit(3) | bit(4))
    }

    /// Changes what stands on a square from `old` to `new`.
    #[inline(always)]
    pub fn replace(&mut self, square: Square, old: Cell, new: Cell) {
        debug_assert_eq!(self.cell(square), old);
        let here = Squares::of(square);
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

    /// Grants or takes the right to declare a Jester.
    #[inline(always)]
    pub fn set_declaring(&mut self, side: Color, may: bool) {
        let sides = self.declaring & !(1 << side as u8) | (may as u8) << side as u8;
        self.key ^= KEYS.declaring[self.declaring as usize] ^ KEYS.declaring[sides as usize];
        self.declaring = sides;
    }

    #[inline(always)]
    pub fn set_en_passant(&mut self, square: Option<Square>) {
        for changed in [self.en_passant, square].into_iter().flatten() {
            self.key ^= KEYS.en_passant[changed.index()];
        }
        self.en_passant = square;
    }

    #[inline(always)]
    pub fn pass_turn(&mut self) {
        self.key ^= KEYS.side;
        self.side = !self.side;
    }

    /// The key from scratch.
    pub fn recomputed_key(&self) -> u64 {
        let mut key = KEYS.castling[self.castling as usize] ^ KEYS.declaring[self.declaring as usize];
        if let Some(square) = self.en_passant {
            key ^= KEYS.en_passant[square.index()];
        }
        if self.side == Color::Black {
            key ^= KEYS.side;
        }
        Square::all().fold(key, |key, square| key ^ KEYS.pieces[self.cell(square).0 as usize][square.index()])
    }
}
