//! Questions to a position.

use super::attacks::Army;
use super::kinds::{CenturyMove, CenturyMoveKind};
use super::piece::CenturyPiece;
use super::{Century, Square, Squares};
use crate::castling::castling_bit;
use crate::{Color, Move};

impl Century {
    /// A side's pieces of a kind.
    #[inline]
    pub fn pieces(&self, side: Color, kind: CenturyPiece) -> Squares {
        self.state.kind(kind) & self.state.side_pieces(side)
    }

    /// A side's pieces.
    #[inline]
    pub fn occupied_by(&self, side: Color) -> Squares {
        self.state.side_pieces(side)
    }

    /// What stands on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<(Color, CenturyPiece)> {
        let cell = self.state.cell(square);
        Some((cell.side(), cell.kind()?))
    }

    /// Whether a side still has the right to castle on the king's or the queen's side.
    #[inline]
    pub fn may_castle(&self, side: Color, kingside: bool) -> bool {
        self.state.castling() & castling_bit(side, kingside) != 0
    }

    /// Whether a side may still declare a Jester (rule 3).
    #[inline]
    pub fn may_declare(&self, side: Color) -> bool {
        self.state.may_declare(side)
    }

    /// The square where the side to move could capture in passing, if a pawn or Jester of its stands so that it could.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant()
    }

    /// All squares that a side attacks, whoever is to move: those of its own pieces are counted where they are guarded.
    pub fn attacks(&self, side: Color) -> Squares {
        Army::of(&self.state, side).attacked(self.state.occupied())
    }

    /// The enemy pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Squares {
        self.king_attackers(self.state.side())
    }

    /// The pieces that could capture a side's king, were the other side to move.
    #[inline]
    pub(super) fn king_attackers(&self, side: Color) -> Squares {
        let s = &self.state;
        Army::of(s, !side).attackers(s.king(side), s.occupied())
    }

    /// Squares that a side's pieces reach, kings, pawns and Jesters aside, counted once for each piece and way of moving;
    /// whoever is to move, pins disregarded.
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

    /// The square of the piece that a legal move captures, if it captures one.
    pub fn captures(&self, mv: Move) -> Squares {
        let CenturyMove { to, kind, .. } = CenturyMove::of(mv);
        match kind {
            CenturyMoveKind::EnPassant => Squares::of(to).forward(!self.state.side()),
            _ => Squares::of(to) & self.state.side_pieces(!self.state.side()),
        }
    }

    /// The key from scratch: what [`Position::key`](crate::Position::key) must always equal.
    pub fn recomputed_key(&self) -> u64 {
        self.state.key_from_scratch()
    }
}
