//! What this game asks of the contents of a position, and what it has besides.

use super::Maxim;
use super::piece::Code;
use crate::board::{BoardGame, Cell, Contents, Draws, Rights};
use crate::{Color, PieceKind, Square, Squares};

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

/// [`Phase::Move`] as the contents have it; lower numbers are the square of a pair's first portal.
const TO_MOVE: u8 = 64;
/// [`Phase::First`] likewise.
const TO_DECLARE: u8 = 65;

impl BoardGame for Maxim {
    type Kind = PieceKind;

    type Extra = Extra;

    const DRAWS: Draws = Draws {
        first: 0x1_0000,
        cell: [1, 2, 4, 16, 8],
        en_passant: 0x2000,
        side: 0x5000,
        rights: Rights::Values { first: 0x3000, nothing: TO_MOVE },
        marks: [0x4000, 0x4100, 0],
    };
}

/// The bit of a [`Cell`] that tells a later occupant, for the key.
const LATER: u8 = 8;

/// What only this game has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extra {
    /// The three bits of the [`Code`] of the later occupant of each square.
    later: [Squares; 3],
    portals: [Squares; 2],
    /// Whether the last decision took a piece off the board: no part of what makes positions the same.
    pub took: bool,
}

impl PartialEq for Extra {
    fn eq(&self, other: &Extra) -> bool {
        self.later == other.later && self.portals == other.portals
    }
}

impl Eq for Extra {}

/// What a position consists of: the earlier or only occupants, and besides the later ones, which are of the same side. Its own
/// rights are the phase, its en-passant square is that passed over.
pub(super) type State = Contents<Maxim, 8, 8, 1, 3>;

impl State {
    /// An empty board.
    pub(crate) fn new() -> State {
        State::empty(TO_MOVE)
    }

    #[inline(always)]
    pub(crate) fn phase(&self) -> Phase {
        match self.rights() {
            TO_MOVE => Phase::Move,
            TO_DECLARE => Phase::First,
            first => Phase::Second(Square::of(first)),
        }
    }

    #[inline(always)]
    pub(crate) fn set_phase(&mut self, phase: Phase) {
        self.set_rights(match phase {
            Phase::Move => TO_MOVE,
            Phase::First => TO_DECLARE,
            Phase::Second(first) => first.byte(),
        });
    }

    /// Squares with two pieces.
    #[inline(always)]
    pub(crate) fn stacks(&self) -> Squares {
        let [a, b, c] = self.extra.later;
        a | b | c
    }

    #[inline(always)]
    pub(crate) fn portals(&self, side: Color) -> Squares {
        self.extra.portals[side as usize]
    }

    #[inline(always)]
    pub(crate) fn all_portals(&self) -> Squares {
        let [white, black] = self.extra.portals;
        white | black
    }

    /// Squares whose later occupant is of a kind.
    #[inline(always)]
    pub(crate) fn later(&self, kind: PieceKind) -> Squares {
        let code = kind as u8 + 1;
        let bit = |i: usize| if code >> i & 1 != 0 { self.extra.later[i] } else { !self.extra.later[i] };
        bit(0) & bit(1) & bit(2)
    }

    /// Squares with at least one piece of a kind.
    #[inline(always)]
    pub(crate) fn of_kind(&self, kind: PieceKind) -> Squares {
        self.kind(kind) | self.later(kind)
    }

    /// Squares with a piece that moves as a bishop does.
    #[inline(always)]
    pub(crate) fn diagonal(&self) -> Squares {
        [*self.codes(), self.extra.later].iter().fold(Squares::EMPTY, |set, &[p, q, r]| set | p & (q | r))
    }

    /// Squares with a piece that moves as a rook does.
    #[inline(always)]
    pub(crate) fn straight(&self) -> Squares {
        [*self.codes(), self.extra.later].iter().fold(Squares::EMPTY, |set, &[_, q, r]| set | r & !q)
    }

    /// What stands on a square: the earlier or only occupant, the later one.
    #[inline(always)]
    pub(crate) fn occupants(&self, square: Square) -> [Code; 2] {
        [*self.codes(), self.extra.later].map(|codes| {
            let bit = |i: usize| codes[i].has(square) as u8;
            bit(0) | bit(1) << 1 | bit(2) << 2
        })
    }

    /// Whose pieces stand on an occupied square.
    #[inline(always)]
    pub(crate) fn owner(&self, square: Square) -> Color {
        self.cell(square).side()
    }

    /// Changes the earlier occupant of a square.
    #[inline(always)]
    fn set_earlier(&mut self, side: Color, square: Square, new: Code) {
        self.replace(square, self.cell(square), occupant(side, new));
    }

    /// Changes the later occupant of a square.
    #[inline(always)]
    fn set_later(&mut self, side: Color, square: Square, old: Code, new: Code) {
        for (i, bits) in self.extra.later.iter_mut().enumerate() {
            if (old ^ new) >> i & 1 != 0 {
                *bits ^= Squares::of(square);
            }
        }
        self.exchange(square, later_occupant(side, old), later_occupant(side, new));
    }

    /// Puts a piece on an empty square, or as the later occupant on that of a friend.
    #[inline(always)]
    pub(crate) fn add(&mut self, side: Color, square: Square, code: Code) {
        let [first, second] = self.occupants(square);
        if first == 0 {
            self.set_earlier(side, square, code);
        } else {
            self.set_later(side, square, second, code);
        }
    }

    /// Takes a piece of a kind off its square, the later occupant if both are of the kind.
    #[inline(always)]
    pub(crate) fn remove(&mut self, side: Color, square: Square, code: Code) {
        let [_, second] = self.occupants(square);
        if second == 0 {
            self.set_earlier(side, square, 0);
            return;
        }
        if second != code {
            self.set_earlier(side, square, second);
        }
        self.set_later(side, square, second, 0);
    }

    /// Takes all that stands on a square.
    #[inline(always)]
    pub(crate) fn clear(&mut self, square: Square) {
        let side = self.owner(square);
        let [_, second] = self.occupants(square);
        self.set_later(side, square, second, 0);
        self.set_earlier(side, square, 0);
    }

    /// Replaces a side's portals: none or two squares.
    #[inline(always)]
    pub(crate) fn set_portals(&mut self, side: Color, squares: Squares) {
        for changed in self.portals(side) ^ squares {
            self.mark(side as usize, changed);
        }
        self.extra.portals[side as usize] = squares;
    }

    /// The key from scratch.
    pub(crate) fn key_from_scratch(&self) -> u64 {
        self.recomputed_key(&self.extra.portals, |square| {
            later_occupant(self.owner(square), self.occupants(square)[1])
        })
    }
}

#[inline(always)]
fn occupant(side: Color, code: Code) -> Cell {
    if code == 0 { Cell::EMPTY } else { Cell(code | (side as u8) << 4) }
}

#[inline(always)]
fn later_occupant(side: Color, code: Code) -> Cell {
    if code == 0 { Cell::EMPTY } else { Cell(code | LATER | (side as u8) << 4) }
}
