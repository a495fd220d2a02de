//! What this game asks of the contents of a position.

use super::piece::CenturyPiece;
use super::{Square, Squares};
use crate::{Color, board};

/// What a position consists of. Its own rights are the sides that may still declare a Jester: White 1, Black 2. Its
/// en-passant square is that passed over.
pub(super) type State = board::State<CenturyPiece, 10, 8, 2>;

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
        self.plane(0)
    }

    /// What slides along files and ranks.
    #[inline(always)]
    pub(crate) fn straight(&self) -> Squares {
        self.plane(1).without(self.plane(3))
    }

    /// What leaps as a knight.
    #[inline(always)]
    pub(crate) fn leapers(&self) -> Squares {
        self.plane(2).without(self.plane(3))
    }

    #[inline(always)]
    pub(crate) fn pawns(&self) -> Squares {
        self.plane(3).without(self.plane(1) | self.plane(2))
    }

    #[inline(always)]
    pub(crate) fn jesters(&self) -> Squares {
        self.plane(3) & self.plane(2)
    }

    /// Pawns and Jesters.
    #[inline(always)]
    pub(crate) fn walkers(&self) -> Squares {
        self.plane(3).without(self.plane(1))
    }

    #[inline(always)]
    pub(crate) fn kings(&self) -> Squares {
        self.plane(3) & self.plane(1)
    }

    /// The king of a side; a1 in a position that garbage has spoilt.
    #[inline(always)]
    pub(crate) fn king(&self, side: Color) -> Square {
        (self.kings() & self.side_pieces(side)).first().unwrap_or(Square::of(0))
    }
}
