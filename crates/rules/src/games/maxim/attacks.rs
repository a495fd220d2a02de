//! Attackers of a square in Maxim chess, and the test if a king can be captured (rule 10). A
//! *stack* is a square with two pieces.

use super::reach::knights;
use super::state::State;
use crate::{Color, PieceKind, Square, Squares};

impl State {
    /// Returns the square of a side's king.
    #[inline(always)]
    pub(super) fn king(&self, side: Color) -> Square {
        (self.of_kind(PieceKind::King) & self.side_pieces(side)).only()
    }

    /// Returns true if a side's king is the later piece of a stack. Such a king can be captured
    /// only if it cannot be pushed away.
    #[inline(always)]
    pub(super) fn later_king(&self, side: Color) -> bool {
        self.later(PieceKind::King).meets(self.side_pieces(side))
    }

    /// Returns the squares of a side's pawns that are alone on their squares.
    #[inline(always)]
    pub(super) fn lone_pawns(&self, side: Color) -> Squares {
        self.kind(PieceKind::Pawn) & self.side_pieces(side) & !self.stacks()
    }

    /// Returns the squares that a side's pawns share with another piece.
    #[inline(always)]
    pub(super) fn sharing_pawns(&self, side: Color) -> Squares {
        self.of_kind(PieceKind::Pawn) & self.side_pieces(side) & self.stacks()
    }

    /// Returns the squares from which pieces of the side `by` would capture an enemy on `square`.
    #[inline(always)]
    pub(super) fn attackers(&self, square: Square, by: Color) -> Squares {
        let occupied = self.occupied();
        let bit = Squares::of(square);
        let mut found = Squares::rook(square, occupied) & self.straight();
        found |= Squares::bishop(square, occupied) & self.diagonal();
        found |= Squares::king(square) & self.of_kind(PieceKind::King);
        found |= knights(bit, occupied) & self.of_kind(PieceKind::Knight);
        found &= self.side_pieces(by);
        found | bit.pawn_attacks(!by) & self.lone_pawns(by) | bit.sideways() & self.sharing_pawns(by)
    }

    /// Returns the squares from which enemies attack a side's king. Squares next to the king that
    /// the capturing piece would leave empty are excluded, because the king could be pushed there.
    #[inline(always)]
    pub(super) fn hard_attackers(&self, side: Color) -> Squares {
        let king = self.king(side);
        self.attackers(king, !side) & !(Squares::of(king).beside() & !self.stacks())
    }

    /// Returns the squares from which a side's king could be captured if the opponent were to move.
    #[inline(always)]
    pub(super) fn king_capturers(&self, side: Color) -> Squares {
        let king = self.king(side);
        let attackers = self.attackers(king, !side);
        if attackers.is_empty() || !self.later_king(side) {
            return attackers;
        }
        if Squares::of(king).beside().meets(!(self.occupied() | self.all_portals())) {
            return Squares::EMPTY;
        }
        self.hard_attackers(side)
    }
}
