//! Meaning of the parts of a [`Move`] in Maxim chess.
//!
//! The kind of a piece's move is the index of its [`PieceKind`] plus 1. The auxiliary byte is 0, or
//! the index plus 1 of the square to which the move pushes a piece.

use crate::{Move, PieceKind, Square};

/// Number of the move kind for the decision `done`, which ends a turn. Origin and destination are
/// the own king's square.
pub(super) const DONE: u8 = 7;
/// Number of the move kind for the choice of a portal. Origin and destination are the portal's
/// square.
pub(super) const PORTAL: u8 = 8;

pub(super) const fn pushing(square: Square) -> u8 {
    square.byte() + 1
}

pub(super) const fn pushed_to(mv: Move) -> Option<Square> {
    match mv.aux() {
        0 => None,
        aux => Some(Square::of(aux - 1)),
    }
}

/// Kind of a decision in Maxim chess.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum MaximMoveKind {
    /// A piece of this kind moves. On a square with two pieces, the kind determines which piece
    /// moves.
    Piece(PieceKind),
    /// The side chooses a square for a portal. Origin and destination are this square.
    Portal,
    /// The turn ends without portals. Origin and destination are the king's square.
    Done,
}

/// The parts of a decision in Maxim chess. The captured pieces depend on the position: see
/// [`captures`](super::Maxim::captures).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MaximMove {
    /// Square that the moving piece leaves.
    pub from: Square,
    /// Square on which the piece arrives before it passes any portal.
    pub to: Square,
    /// Square to which the later of two captured pieces is pushed (rule 4). `None` if no piece is
    /// pushed.
    pub push: Option<Square>,
    /// Kind of the decision.
    pub kind: MaximMoveKind,
}

impl MaximMove {
    /// Splits a legal decision of Maxim chess into its parts. Moves of other games give meaningless
    /// parts.
    #[inline]
    pub const fn of(mv: Move) -> MaximMove {
        let kind = match mv.kind() {
            PORTAL => MaximMoveKind::Portal,
            kind @ 1..=6 => MaximMoveKind::Piece(PieceKind::ALL[kind as usize - 1]),
            _ => MaximMoveKind::Done,
        };
        MaximMove { from: Square::of(mv.from()), to: Square::of(mv.to()), push: pushed_to(mv), kind }
    }
}
