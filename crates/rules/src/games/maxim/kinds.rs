//! Meaning of the parts of a [`Move`] in Maxim chess.

use crate::{Move, PieceKind, Square};

/// Kinds of decisions other than piece moves, whose kind is the piece's index plus 1.
///
/// The auxiliary byte of a piece move is 0, or the index plus 1 of the square to which it pushes a
/// piece. The origin and destination of `done` are the own king's square, those of a portal its
/// square.
pub(super) const DONE: u8 = 7;
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

/// Kind of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum MaximMoveKind {
    /// A piece moves. If it leaves a stack, it is the member of this kind.
    Piece(PieceKind),
    /// A square is chosen for a portal. It is both origin and destination.
    Portal,
    /// The turn ends without portals. Origin and destination are the king's square.
    Done,
}

/// The parts of a decision. The position knows what it captures:
/// [`captures`](super::Maxim::captures).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MaximMove {
    /// Origin.
    pub from: Square,
    /// Destination before any portal.
    pub to: Square,
    /// Square to which the later of two captured pieces is pushed (rule 4).
    pub push: Option<Square>,
    /// The kind.
    pub kind: MaximMoveKind,
}

impl MaximMove {
    /// Splits a legal decision into its parts.
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
