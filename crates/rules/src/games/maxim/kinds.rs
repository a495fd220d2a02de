//! What the parts of a [`Move`] mean in Maxim chess.

use crate::{Move, PieceKind, Square};

/// Kinds of decisions: a move's kind is that of its piece plus 1, and these two. A move's auxiliary byte is the square plus
/// 1 to which it pushes a piece, 0 if it pushes none; `done` has the own king's square twice, a portal its own.
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

/// How a decision is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum MaximMoveKind {
    /// A piece is moved: of a stack's two members, the one of this kind.
    Piece(PieceKind),
    /// A square is chosen for a portal: origin and destination.
    Portal,
    /// The turn ends without portals; origin and destination are the king's square.
    Done,
}

/// A decision taken apart: what it says of itself. What it captures is the position's to say:
/// [`captures`](super::Maxim::captures).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MaximMove {
    /// Where the piece comes from.
    pub from: Square,
    /// Where it goes, before any portal.
    pub to: Square,
    /// Where the later of two captured pieces is pushed (rule 4).
    pub push: Option<Square>,
    /// What is decided.
    pub kind: MaximMoveKind,
}

impl MaximMove {
    /// Takes a legal decision apart.
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
