//! Policy planes of Maxim chess.
//!
//! The policy output of a decision is at its plane and its origin square, both as seen from the
//! side to move. Different legal decisions of a position differ in the plane or the square. The
//! origin of a portal is its square. The origin of `done`, which ends a turn, is the own king's
//! square.
//!
//! | planes | decisions |
//! |---|---|
//! | 0..56 | moves of a lone piece or a stack's earlier occupant: `direction * 7 + distance - 1`, directions clockwise from forwards |
//! | 56..112 | moves of a stack's later occupant |
//! | 112..336 | as 0..56, with a push of the later of two captured pieces (rule 4): `4 * step + k`; step is the plane in 0..56; k is 0 for a push forwards, 1 to the right, 2 backwards, 3 to the left |
//! | 336..560 | as 56..112, with such a push |
//! | 560 | the first square of a pair of portals (rule 8) |
//! | 561 | the second square |
//! | 562 | `done` |

use crate::{View, step_plane, step_planes};
use catapult_rules::{Maxim, MaximMove, MaximMoveKind, Move, Phase};

/// Number of policy planes of Maxim chess.
pub const PLANES: u16 = DONE + 1;

const STEPS: u16 = step_planes(8);
const PUSH: u16 = 2 * STEPS;
const FIRST: u16 = PUSH + 8 * STEPS;
const SECOND: u16 = FIRST + 1;
const DONE: u16 = FIRST + 2;

/// Returns the policy plane of a legal decision. The result is unspecified for illegal decisions.
pub(crate) fn plane(position: &Maxim, mv: Move, view: View) -> u16 {
    let MaximMove { from, to, push, kind } = MaximMove::of(mv);
    match kind {
        MaximMoveKind::Done => DONE,
        MaximMoveKind::Portal if position.phase() == Phase::First => FIRST,
        MaximMoveKind::Portal => SECOND,
        MaximMoveKind::Piece(piece) => {
            let is_later = position.pieces_at(from).is_some_and(|(_, earlier, later)| {
                // In a stack of equal pieces both choices are the same move.
                later == Some(piece) && earlier != piece
            });
            let step = u16::from(is_later) * STEPS + step_plane(view.way(from.index(), to.index()), 8);
            match push {
                None => step,
                Some(push) => PUSH + 4 * step + direction(view.way(to.index(), push.index())),
            }
        }
    }
}

/// Returns the number of the direction of a push: forwards 0, right 1, backwards 2, left 3.
fn direction((files, ranks): (i32, i32)) -> u16 {
    match (files, ranks) {
        (0, 1..) => 0,
        (1.., _) => 1,
        (0, _) => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_planes_are_those_used() {
        let used = [0, STEPS, PUSH, PUSH + 4 * STEPS, FIRST, SECOND, DONE];
        crate::documented_tests::holds(include_str!("policy.rs"), &used, PLANES);
    }

    #[test]
    fn pushes_have_planes_of_their_own() {
        assert_eq!([(0, 1), (1, 0), (0, -1), (-1, 0)].map(direction), [0, 1, 2, 3]);
    }
}
