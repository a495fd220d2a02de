//! What the parts of a [`Move`] mean in Twenty-First Century Chess.

use super::{CenturyPiece, Square};
use crate::Move;

/// A move of standard chess that is none of the following.
pub(super) const NORMAL: u8 = 0;
/// A pawn's double step.
pub(super) const DOUBLE_PUSH: u8 = 1;
/// A pawn or Jester captures in passing.
pub(super) const EN_PASSANT: u8 = 2;
/// Castling, written as the king's move.
pub(super) const CASTLE: u8 = 3;
/// A pawn or Jester becomes a Sorcerer (rule 2).
pub(super) const PROMOTE: u8 = 4;
/// A pawn is declared a Jester and moves as one (rule 3).
pub(super) const DECLARE: u8 = 5;

/// How a move is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum CenturyMoveKind {
    /// A move of standard chess that is none of the following.
    Normal,
    /// A pawn's double step.
    DoublePush,
    /// A pawn or Jester captures in passing.
    EnPassant,
    /// Castling, written as the king's move.
    Castle,
    /// A pawn is declared a Jester and moves as one (rule 3).
    Declare,
}

/// A move taken apart: what it says of itself. What it captures is the position's to say:
/// [`captures`](super::Century::captures).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CenturyMove {
    /// Where the piece comes from.
    pub from: Square,
    /// Where it ends.
    pub to: Square,
    /// How the move is made.
    pub kind: CenturyMoveKind,
    /// What a pawn or Jester becomes on the last rank: a Sorcerer (rule 2).
    pub promotion: Option<CenturyPiece>,
}

impl CenturyMove {
    /// Takes a legal move apart.
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
