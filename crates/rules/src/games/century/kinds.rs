//! Meaning of the parts of a [`Move`] in Twenty-First Century Chess.

use super::{CenturyPiece, Square};
use crate::Move;

/// Number of the move kind for moves without a special kind.
pub(super) const NORMAL: u8 = 0;
/// Number of the move kind for a pawn's double push.
pub(super) const DOUBLE_PUSH: u8 = 1;
/// Number of the move kind for a capture en passant by a pawn or Jester.
pub(super) const EN_PASSANT: u8 = 2;
/// Number of the move kind for castling. Origin and destination are the king's.
pub(super) const CASTLE: u8 = 3;
/// Number of the move kind for a promotion: a pawn or Jester becomes a Sorcerer (rule 2).
pub(super) const PROMOTE: u8 = 4;
/// Number of the move kind for a declaration: a pawn becomes a Jester and moves as a Jester in the
/// same turn (rule 3).
pub(super) const DECLARE: u8 = 5;

/// Kind of a move in Twenty-First Century Chess.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum CenturyMoveKind {
    /// A move without a special kind, or a promotion.
    Normal,
    /// A pawn's double push.
    DoublePush,
    /// A capture en passant by a pawn or Jester.
    EnPassant,
    /// Castling. Origin and destination of the move are the king's.
    Castle,
    /// A declaration: a pawn becomes a Jester and moves as a Jester in the same turn (rule 3).
    Declare,
}

/// The parts of a move in Twenty-First Century Chess. The captured piece depends on the position:
/// see [`captures`](super::Century::captures).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CenturyMove {
    /// Square that the moving piece leaves.
    pub from: Square,
    /// Square on which the moving piece arrives.
    pub to: Square,
    /// Kind of the move.
    pub kind: CenturyMoveKind,
    /// Piece that a pawn or Jester becomes on the last rank: a Sorcerer (rule 2). `None` for other
    /// moves.
    pub promotion: Option<CenturyPiece>,
}

impl CenturyMove {
    /// Splits a legal move of Twenty-First Century Chess into its parts. Moves of other games give
    /// meaningless parts.
    #[inline]
    pub const fn of(mv: Move) -> CenturyMove {
        let kind = match mv.kind() {
            DOUBLE_PUSH => CenturyMoveKind::DoublePush,
            EN_PASSANT => CenturyMoveKind::EnPassant,
            CASTLE => CenturyMoveKind::Castle,
            DECLARE => CenturyMoveKind::Declare,
            _ => CenturyMoveKind::Normal,
        };
        let promotion = if mv.kind() == PROMOTE { Some(CenturyPiece::Sorcerer) } else { None };
        CenturyMove { from: Square::of(mv.from()), to: Square::of(mv.to()), kind, promotion }
    }
}
