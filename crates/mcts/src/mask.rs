//! Masks: kinds of moves that one side or both may not make. A search with a mask searches the game
//! without these moves.

use catapult_rules::{Color, ForbiddenKind, Move, MoveList, Position};

/// Forbids a kind of move to one side or to both.
///
/// If all legal moves of a position are of the kind, they stay allowed. So a mask causes neither
/// checkmate nor stalemate. Check follows the rules: a king may not move to a square where a forbidden
/// move could capture it.
#[derive(Clone, Copy, Debug)]
pub struct Mask<P> {
    /// Side that may not make these moves. `None` means both sides.
    pub side: Option<Color>,
    /// Test for legal moves of the kind.
    pub forbids: fn(&P, Move) -> bool,
}

/// Effect of a mask on the moves of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Masked {
    /// No move is of the kind, or the side to move may make such moves.
    Untouched,
    /// The mask removed some moves.
    Restricted,
    /// All moves are of the kind, so all stay allowed.
    Allowed,
}

impl<P: Position> Mask<P> {
    /// Creates a mask that forbids a kind of move to a side, or to both. Returns `None` if the rules
    /// have no such moves.
    pub fn new(rules: P::Rules, kind: ForbiddenKind, side: Option<Color>) -> Option<Mask<P>> {
        P::is_of_kind(rules, kind).map(|forbids| Mask { side, forbids })
    }

    /// Returns true if the mask applies to the side to move.
    pub fn is_of_mover(&self, position: &P) -> bool {
        self.side.is_none_or(|side| side == position.side_to_move())
    }

    /// Returns true if the mask forbids this legal move. A side whose moves are all forbidden may
    /// make them.
    pub(crate) fn forbids_here(&self, position: &P, mv: Move) -> bool {
        self.is_of_mover(position) && (self.forbids)(position, mv)
    }

    /// Removes the forbidden moves and keeps the order. If all moves are forbidden, it removes none.
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

/// The moves that may be made: the legal ones less what is forbidden.
pub fn allowed_moves<P: Position>(position: &P, mask: Option<&Mask<P>>) -> MoveList {
    let mut moves = position.legal_moves();
    if let Some(mask) = mask {
        mask.apply(position, &mut moves);
    }
    moves
}
