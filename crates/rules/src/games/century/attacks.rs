//! Attacks of one side's pieces in Twenty-First Century Chess.

use super::state::State;
use super::{Square, Squares};
use crate::Color;

/// Squares of one side's pieces, grouped by their way of attacking. A piece that attacks in two
/// ways is in two groups.
pub(super) struct Army {
    side: Color,
    pub diagonal: Squares,
    pub straight: Squares,
    pub leapers: Squares,
    pub walkers: Squares,
    pub king: Squares,
}

impl Army {
    #[inline(always)]
    pub(super) fn of(state: &State, side: Color) -> Army {
        let own = state.side_pieces(side);
        Army {
            side,
            diagonal: state.diagonal() & own,
            straight: state.straight() & own,
            leapers: state.leapers() & own,
            walkers: state.walkers() & own,
            king: state.kings() & own,
        }
    }

    /// Returns the squares of the side's sliders that attack a square.
    #[inline(always)]
    pub(super) fn sliders_to(&self, square: Square, occupied: Squares) -> Squares {
        (Squares::bishop(square, occupied) & self.diagonal)
            | (Squares::rook(square, occupied) & self.straight)
    }

    /// Returns the squares of the side's pieces that attack a square by a knight's leap or as a
    /// pawn.
    #[inline(always)]
    pub(super) fn steppers_to(&self, square: Square) -> Squares {
        (Squares::of(square).pawn_attacks(!self.side) & self.walkers)
            | (Squares::knight(square) & self.leapers)
    }

    /// Returns the squares of all of the side's pieces that attack a square.
    #[inline(always)]
    pub(super) fn attackers(&self, square: Square, occupied: Squares) -> Squares {
        self.sliders_to(square, occupied) | self.steppers_to(square) | (Squares::king(square) & self.king)
    }

    /// Returns all squares that the side attacks, including squares of its own pieces.
    pub(super) fn attacked(&self, occupied: Squares) -> Squares {
        let mut set = self.walkers.pawn_attacks(self.side);
        self.king.into_iter().for_each(|from| set |= Squares::king(from));
        self.leapers.into_iter().for_each(|from| set |= Squares::knight(from));
        self.diagonal.into_iter().for_each(|from| set |= Squares::bishop(from, occupied));
        self.straight.into_iter().for_each(|from| set |= Squares::rook(from, occupied));
        set
    }
}
