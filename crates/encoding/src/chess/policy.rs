//! Policy planes of the 8x8 layout, for standard chess and Chess++.
//!
//! The policy output of a move is at a plane and a square, both as seen from the side to move. The
//! square is the origin, or the destination of a placement. Different legal moves of a position
//! differ in the plane or the square, unless a side has four catapults (`+catapults`). The
//! destinations with index 2 then share the planes of index 1, and some pairs share a plane.
//!
//! | planes | moves |
//! |---|---|
//! | 0..56 | queen's moves: `direction * 7 + distance - 1`, directions clockwise from forwards; includes promotions to queen and castling kings |
//! | 56..64 | knights' leaps, clockwise from one right, two forwards |
//! | 64..73 | promotions to knight, bishop or rook: `(file step + 1) * 3 + piece` |
//! | 73..76 | promotions to catapult: `file step + 1` |
//! | 76..100 | catapult moves: `(rank step + 2) * 5 + file step + 2`, without the plane of (0, 0) |
//! | 100..102 | teleports: index of the destination among the own catapults except the origin's, in the view's square order |
//! | 102..108 | teleports with promotion to knight, bishop or rook: `index * 3 + piece` |
//! | 108..114 | instant teleports: index of the ordered pair of own catapults (middle, end) |
//! | 114..132 | instant teleports with promotion to knight, bishop or rook: `pair * 3 + piece` |
//! | 132 | placements |
//!
//! A promotion to queen uses the plane that the move, teleport or instant teleport would have
//! without the promotion. On the last rank, a pawn has no move without a promotion.

use super::view::View8;
use crate::PolicyIndex;
use crate::view::{leap_plane, step_plane};
use catapult_rules::{
    ChessMove, ChessMoveKind, ChessPosition, ChessRules, Move, Position, PromotionTo, Square, Squares,
};

/// Number of policy planes of standard chess and Chess++.
pub const PLANES: u16 = 133;

const KNIGHT: u16 = 56;
const UNDERPROMOTION: u16 = 64;
const TO_CATAPULT: u16 = 73;
const CATAPULT: u16 = 76;
const TELEPORT: u16 = 100;
const TELEPORT_PROMOTION: u16 = 102;
const INSTANT: u16 = 108;
const INSTANT_PROMOTION: u16 = 114;
const PLACE: u16 = 132;

/// Returns the policy index of a legal move. For an illegal move, the result is unspecified but
/// within the layout.
pub(crate) fn index<R: ChessRules>(position: &ChessPosition<R>, mv: Move, view: View8) -> PolicyIndex {
    let parts = ChessMove::of(mv);
    let from = view.square(parts.from);
    let to = view.square(parts.to);
    let ranks = to.rank() as i32 - from.rank() as i32;
    let files = to.file() as i32 - from.file() as i32;
    // Knight 0, bishop 1, rook 2; `None` without promotion and for queens and catapults.
    let under = match parts.promotion {
        Some(to @ (PromotionTo::Knight | PromotionTo::Bishop | PromotionTo::Rook)) => Some(to as u16 - 1),
        _ => None,
    };
    // Number of own catapults on lower squares of the view, without `except`, at most 2.
    let below = |square: Square, except: Squares| {
        let own = view.set(position.catapults(position.side_to_move()));
        (own & !except & Squares::before(square)).count().min(2) as u16
    };
    let plane = match parts.kind {
        ChessMoveKind::Normal
        | ChessMoveKind::DoublePush
        | ChessMoveKind::EnPassant
        | ChessMoveKind::Castle => {
            let forward = (files + 1).clamp(0, 2) as u16;
            match under {
                Some(piece) => UNDERPROMOTION + forward * 3 + piece,
                None if parts.promotion == Some(PromotionTo::Catapult) => TO_CATAPULT + forward,
                None => ordinary(files, ranks),
            }
        }
        ChessMoveKind::Catapult => {
            let offset = ((ranks + 2) * 5 + files + 2).clamp(0, 24) as u16;
            CATAPULT + offset - u16::from(offset > 12)
        }
        ChessMoveKind::Teleport => {
            let which = below(to, Squares::of(from)).min(1);
            under.map_or(TELEPORT + which, |piece| TELEPORT_PROMOTION + which * 3 + piece)
        }
        ChessMoveKind::Instant => {
            let middle = below(parts.mid.map_or(to, |mid| view.square(mid)), Squares::EMPTY);
            let end = below(to, Squares::EMPTY);
            let pair = (middle * 2 + end - u16::from(end > middle)).min(5);
            under.map_or(INSTANT + pair, |piece| INSTANT_PROMOTION + pair * 3 + piece)
        }
        ChessMoveKind::Place => PLACE,
    };
    PolicyIndex { plane, square: from.byte().into(), to: to.byte().into() }
}

/// Returns the plane of a queen's move or a knight's leap. `files` and `ranks` are its displacement
/// as seen from the side to move.
fn ordinary(files: i32, ranks: i32) -> u16 {
    u16::from(ORDINARY[((ranks + 7) as usize & 15) << 4 | (files + 7) as usize & 15])
}

/// Planes of [`ordinary`] by `16 * (ranks + 7) + files + 7`.
const ORDINARY: [u8; 256] = {
    let mut planes = [0; 256];
    let mut at = 0;
    while at < planes.len() {
        let way = (at as i32 % 16 - 7, at as i32 / 16 - 7);
        planes[at] = match leap_plane(way) {
            Some(leap) => KNIGHT + leap,
            None => step_plane(way, 8),
        } as u8;
        at += 1;
    }
    planes
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_planes_are_those_used() {
        let used = [
            0,
            KNIGHT,
            UNDERPROMOTION,
            TO_CATAPULT,
            CATAPULT,
            TELEPORT,
            TELEPORT_PROMOTION,
            INSTANT,
            INSTANT_PROMOTION,
            PLACE,
        ];
        crate::documented_tests::holds(include_str!("policy.rs"), &used, PLANES);
    }

    #[test]
    fn steps_and_leaps_have_planes_of_their_own() {
        let mut seen = std::collections::BTreeSet::new();
        for (files, ranks) in (-7i32..8).flat_map(|f| (-7i32..8).map(move |r| (f, r))) {
            let line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
            if (files, ranks) != (0, 0) && (line || files.abs() * ranks.abs() == 2) {
                assert!(seen.insert(ordinary(files, ranks)));
            }
        }
        assert_eq!(seen, (0..UNDERPROMOTION).collect());
    }
}
