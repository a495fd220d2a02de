//! State of a position of Twenty-First Century Chess.

use super::piece::CenturyPiece;
use super::{Century, Square, Squares};
use crate::Color;
use crate::board::{BoardGame, Contents, KeyLayout, Rights};

/// State of a position of Twenty-First Century Chess.
///
/// The game-specific rights are the sides that may still declare a Jester: bit 1 for White, bit 2
/// for Black. The en-passant square is the square that the pawn passed.
pub(super) type State = Contents<Century, 10, 8, 2, 4>;

impl BoardGame for Century {
    type Kind = CenturyPiece;

    type Extra = ();

    const KEY_LAYOUT: KeyLayout = KeyLayout {
        first: 0x2_0000,
        cell: [1, 2, 4, 8, 16],
        en_passant: 0x5000,
        side: 0x6000,
        rights: Rights::Bits(0x4000),
        marks: [0; 4],
    };
}

impl State {
    #[inline(always)]
    pub(crate) fn may_declare(&self, side: Color) -> bool {
        self.rights() >> side as u8 & 1 != 0
    }

    /// Grants or removes a side's right to declare a Jester.
    #[inline(always)]
    pub(crate) fn set_declaring(&mut self, side: Color, may: bool) {
        self.set_rights(self.rights() & !(1 << side as u8) | (may as u8) << side as u8);
    }

    /// Returns the squares of pieces that slide diagonally.
    #[inline(always)]
    pub(crate) fn diagonal(&self) -> Squares {
        self.codes()[0]
    }

    /// Returns the squares of pieces that slide along files and ranks.
    #[inline(always)]
    pub(crate) fn straight(&self) -> Squares {
        self.codes()[1].without(self.codes()[3])
    }

    /// Returns the squares of pieces that leap as a knight.
    #[inline(always)]
    pub(crate) fn leapers(&self) -> Squares {
        self.codes()[2].without(self.codes()[3])
    }

    #[inline(always)]
    pub(crate) fn pawns(&self) -> Squares {
        self.codes()[3].without(self.codes()[1] | self.codes()[2])
    }

    #[inline(always)]
    pub(crate) fn jesters(&self) -> Squares {
        self.codes()[3] & self.codes()[2]
    }

    /// Returns the squares of pawns and Jesters.
    #[inline(always)]
    pub(crate) fn walkers(&self) -> Squares {
        self.codes()[3].without(self.codes()[1])
    }

    #[inline(always)]
    pub(crate) fn kings(&self) -> Squares {
        self.codes()[3] & self.codes()[1]
    }

    /// Returns the square of a side's king. An invalid position, left by an illegal move, gives an
    /// unspecified square.
    #[inline(always)]
    pub(crate) fn king(&self, side: Color) -> Square {
        (self.kings() & self.side_pieces(side)).only()
    }
}
