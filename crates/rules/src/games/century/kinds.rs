//! What the kind of a [`Move`](crate::Move) means.

/// A move of standard chess that is none of the following.
pub(super) const NORMAL: u8 = 0;
/// A pawn's double step.
pub(super) const DOUBLE_STEP: u8 = 1;
/// A pawn or Jester captures in passing.
pub(super) const EN_PASSANT: u8 = 2;
/// Castling, written as the king's move.
pub(super) const CASTLE: u8 = 3;
/// A pawn or Jester becomes a Sorcerer (rule 2).
pub(super) const PROMOTE: u8 = 4;
/// A pawn is declared a Jester and moves as one (rule 3).
pub(super) const DECLARE: u8 = 5;

/// How a move is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CenturyMove {
    /// A move of standard chess that is none of the following.
    Normal,
    /// A pawn's double step.
    DoubleStep,
    /// A pawn or Jester captures in passing.
    EnPassant,
    /// Castling, written as the king's move.
    Castle,
    /// A pawn or Jester becomes a Sorcerer (rule 2).
    Promote,
    /// A pawn is declared a Jester and moves as one (rule 3).
    Declare,
}

impl CenturyMove {
    /// The kind of a legal move.
    pub const fn of(mv: crate::Move) -> CenturyMove {
        match mv.kind() {
            DOUBLE_STEP => CenturyMove::DoubleStep,
            EN_PASSANT => CenturyMove::EnPassant,
            CASTLE => CenturyMove::Castle,
            PROMOTE => CenturyMove::Promote,
            DECLARE => CenturyMove::Declare,
            _ => CenturyMove::Normal,
        }
    }
}
