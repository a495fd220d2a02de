//! Moves that one side may not make: a game in which a kind of move is taken from a side is searched as that game.

use catapult_rules::{Color, Move, MoveList, Position};

/// Forbids one side some of its legal moves, wherever it has others; where all are of that kind they stay allowed, so that
/// nobody is mated or stalemated by it. Check remains the rules': a king may not go where a forbidden move would take it.
#[derive(Clone, Copy, Debug)]
pub struct Mask<P> {
    /// The side.
    pub side: Color,
    /// Whether a legal move of this position is of the kind.
    pub forbids: fn(&P, Move) -> bool,
}

/// What a mask does to the moves of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Masked {
    /// None of them is of the kind, or the other side is to move.
    Untouched,
    /// Some are taken away.
    Restricted,
    /// All are of the kind, and so all are allowed.
    Allowed,
}

impl<P: Position> Mask<P> {
    /// Whether this legal move is the side's and of the kind; it may be made all the same where all others are too.
    pub(crate) fn forbids_here(&self, position: &P, mv: Move) -> bool {
        position.side_to_move() == self.side && (self.forbids)(position, mv)
    }

    /// Takes the forbidden among these legal moves of a position away, the others staying in order.
    pub fn apply(&self, position: &P, moves: &mut MoveList) -> Masked {
        if position.side_to_move() != self.side {
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
