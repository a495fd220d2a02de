//! Masks, which forbid a kind of move to one side or to both. A search with a mask makes a
//! forbidden move only in positions without another legal move.

use catapult_rules::{Color, ForbiddenKind, Move, MoveList, Position};

/// Forbids a kind of move to one side or to both.
///
/// If all legal moves of a position are of the forbidden kind, they stay allowed. So a mask causes
/// neither checkmate nor stalemate. A mask does not change check: a king may not move to a square
/// where a forbidden move could capture it.
#[derive(Clone, Copy, Debug)]
pub struct Mask<P> {
    /// Side that may not make moves of this kind. `None` forbids them to both sides.
    pub side: Option<Color>,
    /// Function that returns true if a legal move of the position is of the forbidden kind.
    pub forbids: fn(&P, Move) -> bool,
}

/// Effect of a mask on the legal moves of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Masked {
    /// The mask removed no move: none is of the forbidden kind, or the mask does not apply to the
    /// side to move.
    Untouched,
    /// The mask removed some moves, but not all.
    Restricted,
    /// All moves are of the forbidden kind, so all stay allowed.
    Allowed,
}

impl<P: Position> Mask<P> {
    /// Creates a mask that forbids moves of this kind to `side`, or to both sides if it is `None`.
    /// Returns `None` if the rules have no moves of this kind.
    pub fn new(rules: P::Rules, kind: ForbiddenKind, side: Option<Color>) -> Option<Mask<P>> {
        P::is_of_kind(rules, kind).map(|forbids| Mask { side, forbids })
    }

    /// Returns true if the mask applies to the side to move.
    pub fn is_of_mover(&self, position: &P) -> bool {
        self.side.is_none_or(|side| side == position.side_to_move())
    }

    /// Returns true if the mask applies to the side to move and this legal move is of the forbidden
    /// kind. It ignores that the move stays allowed if there is no other.
    pub(crate) fn forbids_here(&self, position: &P, mv: Move) -> bool {
        self.is_of_mover(position) && (self.forbids)(position, mv)
    }

    /// Removes the forbidden moves from the legal `moves`. The remaining moves keep their order. If
    /// all moves are forbidden, it removes none.
    pub fn apply(&self, position: &P, moves: &mut MoveList) -> Masked {
        if !self.is_of_mover(position) {
            return Masked::Untouched;
        }
        let forbidden = moves.iter().filter(|&&mv| (self.forbids)(position, mv)).count();
        if forbidden == 0 {
            Masked::Untouched
        } else if forbidden == moves.len() {
            Masked::Allowed
        } else {
            moves.retain(|mv| !(self.forbids)(position, *mv));
            Masked::Restricted
        }
    }
}

/// Returns the legal moves that the mask does not forbid. If it forbids all of them, returns all.
/// Without a mask, returns the legal moves.
pub fn allowed_moves<P: Position>(position: &P, mask: Option<&Mask<P>>) -> MoveList {
    let mut moves = position.legal_moves();
    if let Some(mask) = mask {
        mask.apply(position, &mut moves);
    }
    moves
}
