//! Policy planes of Twenty-First Century Chess.
//!
//! The policy output of a move is at its plane and its origin square, both as seen from the side to
//! move. Different legal moves of a position differ in the plane or the square.
//!
//! | planes | moves |
//! |---|---|
//! | 0..72 | queen's moves: `direction * 9 + distance - 1`, directions clockwise from forwards; includes promotions (there is one choice) and castling kings |
//! | 72..80 | knights' leaps, clockwise from one right, two forwards |
//! | 80..84 | pawns declared Jesters (rule 3): one step left, ahead or right, two steps ahead |

use crate::{View, leap_plane, step_plane, step_planes};
use catapult_rules::{CenturyMove, CenturyMoveKind, Move};

/// Number of policy planes of Twenty-First Century Chess.
pub const PLANES: u16 = DECLARATIONS + 4;

const LEAPS: u16 = step_planes(10);
const DECLARATIONS: u16 = LEAPS + 8;

/// Returns the policy plane of a legal move. The result is unspecified for illegal moves.
pub(crate) fn plane(mv: Move, view: View) -> u16 {
    let CenturyMove { from, to, kind, .. } = CenturyMove::of(mv);
    let way = view.way(from.index(), to.index());
    if kind == CenturyMoveKind::Declare {
        let (files, ranks) = way;
        return DECLARATIONS + if ranks == 2 { 3 } else { (files + 1).clamp(0, 2) as u16 };
    }
    leap_plane(way).map_or_else(|| step_plane(way, 10), |leap| LEAPS + leap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_planes_are_those_used() {
        crate::documented_tests::holds(include_str!("policy.rs"), &[0, LEAPS, DECLARATIONS], PLANES);
    }
}
