//! What the parts of a [`Move`] mean.

use super::Maxim;
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

/// A decision taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// A piece is moved.
    Move {
        /// Which kind: of a stack's two members, that one.
        piece: PieceKind,
        /// Where it comes from.
        from: Square,
        /// Where it goes, before any portal.
        to: Square,
        /// Where the later of two captured pieces is pushed (rule 4).
        push: Option<Square>,
    },
    /// A square is chosen for a portal.
    Portal(Square),
    /// The turn ends without portals.
    Done,
}

impl Maxim {
    /// Takes a decision apart.
    #[inline]
    pub fn decision(mv: Move) -> Decision {
        match mv.kind() {
            PORTAL => Decision::Portal(Square::of(mv.to())),
            kind @ 1..=6 => Decision::Move {
                piece: PieceKind::ALL[kind as usize - 1],
                from: Square::of(mv.from()),
                to: Square::of(mv.to()),
                push: pushed_to(mv),
            },
            _ => Decision::Done,
        }
    }
}
