//! State of a position of Maxim chess.

use super::Maxim;
use super::piece::Code;
use crate::board::{BoardGame, Cell, Contents, KeyLayout, Rights};
use crate::{Color, PieceKind, Square, Squares};

/// Kind of the next decision of a turn of Maxim chess (rule 8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// The next decision moves a piece.
    Move,
    /// The next decision ends the turn, or chooses the first square of a pair of portals.
    First,
    /// The next decision chooses the second square of a pair of portals. The value is the first
    /// square.
    Second(Square),
}

/// Value of the game-specific rights in [`Phase::Move`]. Lower values mean [`Phase::Second`] and
/// are the index of the first portal's square.
const TO_MOVE: u8 = 64;
/// Value of the game-specific rights in [`Phase::First`].
const TO_DECLARE: u8 = 65;

impl BoardGame for Maxim {
    type Kind = PieceKind;

    type Extra = Extra;

    const KEY_LAYOUT: KeyLayout = KeyLayout {
        first: 0x1_0000,
        cell: [1, 2, 4, 16, 8],
        en_passant: 0x2000,
        side: 0x5000,
        rights: Rights::Values { first: 0x3000, nothing: TO_MOVE },
        marks: [0x4000, 0x4100, 0, 0],
    };
}

/// Bit of a [`Cell`] that marks the later of two pieces. Only the key uses it.
const LATER: u8 = 8;

/// State that only Maxim chess has: later pieces and portals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extra {
    /// Bitboard `i` holds the squares whose later piece has bit `i` set in its [`Code`].
    later: [Squares; 3],
    portals: [Squares; 2],
    /// True if the last decision removed a piece from the board. Equality and the key ignore this
    /// field.
    pub took: bool,
}

impl PartialEq for Extra {
    fn eq(&self, other: &Extra) -> bool {
        self.later == other.later && self.portals == other.portals
    }
}

impl Eq for Extra {}

/// State of a position of Maxim chess. The part that all games share holds the earlier piece of
/// each square. [`Extra`] holds the later piece, which belongs to the side of the earlier piece.
///
/// The game-specific rights are the phase of the turn. The en-passant square is the square that the
/// pawn passed.
pub(super) type State = Contents<Maxim, 8, 8, 1, 3>;

impl State {
    /// Creates an empty board with White to move.
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

    /// Returns the squares with two pieces.
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

    /// Returns the squares whose later piece is of a kind.
    #[inline(always)]
    pub(crate) fn later(&self, kind: PieceKind) -> Squares {
        let code = kind as u8 + 1;
        let bit = |i: usize| if code >> i & 1 != 0 { self.extra.later[i] } else { !self.extra.later[i] };
        bit(0) & bit(1) & bit(2)
    }

    /// Returns the squares with at least one piece of a kind.
    #[inline(always)]
    pub(crate) fn of_kind(&self, kind: PieceKind) -> Squares {
        self.kind(kind) | self.later(kind)
    }

    /// Returns the squares with a piece that moves as a bishop.
    #[inline(always)]
    pub(crate) fn diagonal(&self) -> Squares {
        [*self.codes(), self.extra.later].iter().fold(Squares::EMPTY, |set, &[p, q, r]| set | p & (q | r))
    }

    /// Returns the squares with a piece that moves as a rook.
    #[inline(always)]
    pub(crate) fn straight(&self) -> Squares {
        [*self.codes(), self.extra.later].iter().fold(Squares::EMPTY, |set, &[_, q, r]| set | r & !q)
    }

    /// Returns the codes of the pieces on a square: the only or earlier piece, then the later
    /// piece. The code 0 means no piece.
    #[inline(always)]
    pub(crate) fn occupants(&self, square: Square) -> [Code; 2] {
        [*self.codes(), self.extra.later].map(|codes| {
            let bit = |i: usize| codes[i].has(square) as u8;
            bit(0) | bit(1) << 1 | bit(2) << 2
        })
    }

    /// Returns the side of the pieces on an occupied square. The result is unspecified for an empty
    /// square.
    #[inline(always)]
    pub(crate) fn owner(&self, square: Square) -> Color {
        self.cell(square).side()
    }

    /// Replaces the earlier piece of a square. If `new` is 0, the piece is removed.
    #[inline(always)]
    fn set_earlier(&mut self, side: Color, square: Square, new: Code) {
        self.replace(square, self.cell(square), occupant(side, new));
    }

    /// Replaces the later piece of a square, whose code must be `old`. A code of 0 means no piece.
    #[inline(always)]
    fn set_later(&mut self, side: Color, square: Square, old: Code, new: Code) {
        for (i, bits) in self.extra.later.iter_mut().enumerate() {
            if (old ^ new) >> i & 1 != 0 {
                *bits ^= Squares::of(square);
            }
        }
        self.exchange(square, later_occupant(side, old), later_occupant(side, new));
    }

    /// Puts a piece on an empty square, or as the later piece on the square of one own piece.
    #[inline(always)]
    pub(crate) fn add(&mut self, side: Color, square: Square, code: Code) {
        let [first, second] = self.occupants(square);
        if first == 0 {
            self.set_earlier(side, square, code);
        } else {
            self.set_later(side, square, second, code);
        }
    }

    /// Removes a side's piece with this code from a square. If both pieces on the square have this
    /// code, the method removes the later piece.
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

    /// Removes all pieces from a square.
    #[inline(always)]
    pub(crate) fn clear(&mut self, square: Square) {
        let side = self.owner(square);
        let [_, second] = self.occupants(square);
        self.set_later(side, square, second, 0);
        self.set_earlier(side, square, 0);
    }

    /// Replaces a side's portals by none or two squares.
    #[inline(always)]
    pub(crate) fn set_portals(&mut self, side: Color, squares: Squares) {
        for changed in self.portals(side) ^ squares {
            self.mark(side as usize, changed);
        }
        self.extra.portals[side as usize] = squares;
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
