//! The bare contents of a position, and the only functions that change them: each keeps the key.

use super::piece::Code;
use super::zobrist::{KEYS, TO_MOVE};
use crate::PieceKind;
use crate::{Color, Square};

/// No en-passant square.
pub(super) const NO_SQUARE: u8 = 64;
/// What is decided next (rule 8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// A piece is moved.
    Move,
    /// The turn ends, or the first square of a pair of portals is chosen.
    First,
    /// The pair's second square is chosen; this is the first.
    Second(Square),
}

/// What a position consists of. `planes` hold, layer by layer, the three bits of each square's [`Code`]: the earlier or
/// only occupant, then the later one. Both are of one side.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    planes: [[u64; 3]; 2],
    black: u64,
    portals: [u64; 2],
    key: u64,
    pub halfmove_clock: u16,
    pub fullmove_number: u16,
    en_passant: u8,
    phase: u8,
    side: Color,
    /// Whether the last decision took a piece off the board: no part of what makes positions the same.
    pub took: bool,
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.planes == other.planes
            && self.black == other.black
            && self.portals == other.portals
            && self.en_passant == other.en_passant
            && self.phase == other.phase
            && self.side == other.side
    }
}

impl Eq for State {}

impl State {
    pub(super) fn empty() -> State {
        State {
            planes: [[0; 3]; 2],
            black: 0,
            portals: [0; 2],
            key: 0,
            halfmove_clock: 0,
            fullmove_number: 1,
            en_passant: NO_SQUARE,
            phase: TO_MOVE,
            side: Color::White,
            took: false,
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
    pub(super) fn en_passant(&self) -> u8 {
        self.en_passant
    }

    #[inline(always)]
    pub(super) fn phase(&self) -> u8 {
        self.phase
    }

    #[inline(always)]
    pub(super) fn occupied(&self) -> u64 {
        self.planes[0][0] | self.planes[0][1] | self.planes[0][2]
    }

    /// Squares with two pieces.
    #[inline(always)]
    pub(super) fn stacks(&self) -> u64 {
        self.planes[1][0] | self.planes[1][1] | self.planes[1][2]
    }

    /// Squares with pieces of a side.
    #[inline(always)]
    pub(super) fn held(&self, side: Color) -> u64 {
        match side {
            Color::White => self.occupied() & !self.black,
            Color::Black => self.black,
        }
    }

    #[inline(always)]
    pub(super) fn portals(&self, side: Color) -> u64 {
        self.portals[side as usize]
    }

    #[inline(always)]
    pub(super) fn all_portals(&self) -> u64 {
        self.portals[0] | self.portals[1]
    }

    /// Squares whose earlier or only (layer 0) or later (layer 1) occupant is of a kind.
    #[inline(always)]
    pub(super) fn layer(&self, layer: usize, code: Code) -> u64 {
        let bit = |i: usize| if code >> i & 1 != 0 { self.planes[layer][i] } else { !self.planes[layer][i] };
        bit(0) & bit(1) & bit(2)
    }

    /// Squares with at least one piece of a kind.
    #[inline(always)]
    pub(super) fn of_kind(&self, kind: PieceKind) -> u64 {
        let code = kind as u8 + 1;
        self.layer(0, code) | self.layer(1, code)
    }

    /// Squares with a piece that moves as a bishop does.
    #[inline(always)]
    pub(super) fn diagonal(&self) -> u64 {
        self.planes.iter().fold(0, |set, [p, q, r]| set | p & (q | r))
    }

    /// Squares with a piece that moves as a rook does.
    #[inline(always)]
    pub(super) fn straight(&self) -> u64 {
        self.planes.iter().fold(0, |set, [_, q, r]| set | r & !q)
    }

    /// What stands on a square: the earlier or only occupant, the later one.
    #[inline(always)]
    pub(super) fn codes(&self, square: u8) -> [Code; 2] {
        self.planes.map(|planes| {
            let bit = |i: usize| ((planes[i] >> square) & 1) as u8;
            bit(0) | bit(1) << 1 | bit(2) << 2
        })
    }

    /// Whose pieces stand on an occupied square.
    #[inline(always)]
    pub(super) fn owner(&self, square: u8) -> Color {
        if self.black >> square & 1 == 0 { Color::White } else { Color::Black }
    }

    /// Changes what a side has on a square in one layer from `old` to `new`.
    #[inline(always)]
    fn change(&mut self, layer: usize, side: Color, square: u8, old: Code, new: Code) {
        for (i, plane) in self.planes[layer].iter_mut().enumerate() {
            *plane ^= (((old ^ new) >> i & 1) as u64) << square;
        }
        let keys = &KEYS.pieces[layer];
        let number = |code: Code| match code {
            0 => 0,
            _ => keys[(code | (side as u8) << 3) as usize][square as usize],
        };
        self.key ^= number(old) ^ number(new);
    }

    /// Puts a piece on an empty square, or as the later occupant on that of a friend.
    #[inline(always)]
    pub(super) fn add(&mut self, side: Color, square: u8, code: Code) {
        let [first, second] = self.codes(square);
        if first == 0 {
            self.change(0, side, square, 0, code);
            self.black |= (side as u64) << square;
        } else {
            self.change(1, side, square, second, code);
        }
    }

    /// Takes a piece of a kind off its square, the later occupant if both are of the kind.
    #[inline(always)]
    pub(super) fn remove(&mut self, side: Color, square: u8, code: Code) {
        let [first, second] = self.codes(square);
        if second == 0 {
            self.change(0, side, square, first, 0);
            self.black &= !(1 << square);
            return;
        }
        if second != code {
            self.change(0, side, square, first, second);
        }
        self.change(1, side, square, second, 0);
    }

    /// Takes all that stands on a square.
    #[inline(always)]
    pub(super) fn clear(&mut self, square: u8) {
        let side = self.owner(square);
        let [first, second] = self.codes(square);
        self.change(0, side, square, first, 0);
        self.change(1, side, square, second, 0);
        self.black &= !(1 << square);
    }

    /// Replaces a side's portals: none or two squares.
    #[inline(always)]
    pub(super) fn set_portals(&mut self, side: Color, squares: u64) {
        let portals = &mut self.portals[side as usize];
        let keys = &KEYS.portals[side as usize];
        let mut changed = *portals ^ squares;
        while changed != 0 {
            self.key ^= keys[changed.trailing_zeros() as usize];
            changed &= changed - 1;
        }
        *portals = squares;
    }

    #[inline(always)]
    pub(super) fn set_en_passant(&mut self, square: u8) {
        self.key ^= KEYS.en_passant[self.en_passant as usize] ^ KEYS.en_passant[square as usize];
        self.en_passant = square;
    }

    #[inline(always)]
    pub(super) fn set_phase(&mut self, phase: u8) {
        self.key ^= KEYS.phases[self.phase as usize] ^ KEYS.phases[phase as usize];
        self.phase = phase;
    }

    /// The other side's turn begins.
    #[inline(always)]
    pub(super) fn pass_turn(&mut self) {
        self.set_phase(TO_MOVE);
        self.key ^= KEYS.side;
        self.side = !self.side;
    }

    /// The key from scratch.
    pub(super) fn recomputed_key(&self) -> u64 {
        let mut key = KEYS.en_passant[self.en_passant as usize] ^ KEYS.phases[self.phase as usize];
        if self.side == Color::Black {
            key ^= KEYS.side;
        }
        for square in 0..64 {
            let side = self.owner(square) as u8;
            for (layer, code) in self.codes(square).into_iter().enumerate() {
                if code != 0 {
                    key ^= KEYS.pieces[layer][(code | side << 3) as usize][square as usize];
                }
            }
            for (portals, keys) in self.portals.iter().zip(&KEYS.portals) {
                if portals >> square & 1 != 0 {
                    key ^= keys[square as usize];
                }
            }
        }
        key
    }
}
