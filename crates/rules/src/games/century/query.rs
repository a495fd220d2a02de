//! Public queries of a position of Twenty-First Century Chess.

use super::attacks::Army;
use super::kinds::{CenturyMove, CenturyMoveKind};
use super::piece::CenturyPiece;
use super::{Century, Square, Squares};
use crate::engine::board_queries;
use crate::{Color, Move};

impl Century {
    board_queries!(CenturyPiece);

    /// Returns true if a side still has the right to declare a Jester (rule 3).
    #[inline]
    pub fn may_declare(&self, side: Color) -> bool {
        self.state.may_declare(side)
    }

    /// Returns the square that a pawn just passed, if a pawn or Jester of the side to move could
    /// capture there. Otherwise returns `None`.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant()
    }

    /// Returns all squares that a side attacks, even if the opponent is to move. Squares of own
    /// pieces that are guarded are included.
    pub fn attacks(&self, side: Color) -> Squares {
        Army::of(&self.state, side).attacked(self.state.occupied())
    }

    /// Returns the squares of the enemy pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Squares {
        self.king_attackers(self.state.side())
    }

    /// Returns the squares of the enemy pieces that could capture a side's king if the enemy were
    /// to move.
    #[inline]
    pub(super) fn king_attackers(&self, side: Color) -> Squares {
        let s = &self.state;
        Army::of(s, !side).attackers(s.king(side), s.occupied())
    }

    /// Returns a side's mobility: the number of squares without own pieces that a piece reaches,
    /// summed over its pieces.
    ///
    /// Kings, pawns and Jesters are excluded. Pins and the side to move are ignored.
    pub fn mobility(&self, side: Color) -> u32 {
        let s = &self.state;
        let (own, occupied) = (s.side_pieces(side), s.occupied());
        let count = |pieces: Squares, reach: &dyn Fn(Square) -> Squares| -> u32 {
            (pieces & own).into_iter().map(|from| reach(from).without(own).count()).sum()
        };
        count(s.leapers(), &Squares::knight)
            + count(s.diagonal(), &|from| Squares::bishop(from, occupied))
            + count(s.straight(), &|from| Squares::rook(from, occupied))
    }

    /// Returns the square of the piece that a legal move captures, or the empty set if it captures
    /// none.
    pub fn captures(&self, mv: Move) -> Squares {
        let CenturyMove { to, kind, .. } = CenturyMove::of(mv);
        match kind {
            CenturyMoveKind::EnPassant => Squares::of(to).forward(!self.state.side()),
            _ => Squares::of(to) & self.state.side_pieces(!self.state.side()),
        }
    }
}
