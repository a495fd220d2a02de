//! What this game asks of the contents of a position.

use super::piece::CenturyPiece;
use super::{Century, Square, Squares};
use crate::Color;
use crate::board::{BoardGame, Cell, Contents, Draws, Rights};

/// What a position consists of. Its own rights are the sides that may still declare a Jester: White 1, Black 2. Its
/// en-passant square is that passed over.
pub(super) type State = Contents<Century, 10, 8, 2, 4>;

impl BoardGame for Century {
    type Kind = CenturyPiece;

    type Extra = ();

    const DRAWS: Draws = Draws {
        first: 0x2_0000,
        cell: [1, 2, 4, 8, 16],
        en_passant: 0x5000,
        side: 0x6000,
        rights: Rights::Bits(0x4000),
        marks: [0; 3],
    };
}

impl State {
    #[inline(always)]
    pub(crate) fn may_declare(&self, side: Color) -> bool {
        self.rights() >> side as u8 & 1 != 0
    }

    /// Grants or takes the right to declare a Jester.
    #[inline(always)]
    pub(crate) fn set_declaring(&mut self, side: Color, may: bool) {
        self.set_rights(self.rights() & !(1 << side as u8) | (may as u8) << side as u8);
    }

    /// What slides diagonally.
    #[inline(always)]
    pub(crate) fn diagonal(&self) -> Squares {
        self.codes()[0]
    }

    /// What slides along files and ranks.
    #[inline(always)]
    pub(crate) fn straight(&self) -> Squares {
        self.codes()[1].without(self.codes()[3])
    }

    /// What leaps as a knight.
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

    /// Pawns and Jesters.
    #[inline(always)]
    pub(crate) fn walkers(&self) -> Squares {
        self.codes()[3].without(self.codes()[1])
    }

    #[inline(always)]
    pub(crate) fn kings(&self) -> Squares {
        self.codes()[3] & self.codes()[1]
    }

    /// The king of a side; some square in a position that garbage has spoilt.
    #[inline(always)]
    pub(crate) fn king(&self, side: Color) -> Square {
        (self.kings() & self.side_pieces(side)).only()
    }

    /// The key from scratch.
    pub(crate) fn key_from_scratch(&self) -> u64 {
        self.recomputed_key(&[], |_| Cell::EMPTY)
    }
}
