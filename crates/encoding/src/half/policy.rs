//! Policy planes of Chess and a Half.
//!
//! The policy output of a move is at its plane and its origin square, both as seen from the side to
//! move. Different legal moves of a position differ in the plane or the square.
//!
//! | planes | moves |
//! |---|---|
//! | 0..88 | queen's moves: `direction * 11 + distance - 1`, directions clockwise from forwards; includes promotions to queen and jumps of Cats without captures on the way |
//! | 88..128 | knights' leaps: `leap * 5 + repetitions - 1`, clockwise from one right, two forwards |
//! | 128..143 | promotions to rook, bishop, knight, Guard or Cat: `(file step + 1) * 5 + piece` |
//! | 143..175 | captures on the way (rule 3): `direction * 4 + k`; k is 0 for a jump of two squares; for a jump of three, k is 1 if the first square is captured, 2 if the second, 3 if both |
//! | 175..184 | promotions of Cats to Star Cats: `(file step + 1) * 3 + k`; k is 0 for a jump of one square, 1 of two, 2 of two with a capture on the way |
//! | 184..192 | promotions of knights to Nightriders: `leap * 2 + repetitions - 1`, the four leaps forwards from the left |
//! | 192..201 | castling: the king's five steps to the left, longest first, then four to the right |

use crate::{View, leap_plane, step_plane, step_planes};
use catapult_rules::{HalfMove, HalfMoveKind, HalfPiece, Move};

/// Number of policy planes of Chess and a Half.
pub const PLANES: u16 = 201;

const LEAP: u16 = step_planes(12);
const UNDERPROMOTION: u16 = 128;
const ON_THE_WAY: u16 = 143;
const TO_STAR_CAT: u16 = 175;
const TO_NIGHTRIDER: u16 = 184;
const CASTLE: u16 = 192;

/// Returns the policy plane of a legal move. The result is unspecified for illegal moves.
pub(crate) fn plane(mv: Move, view: View) -> u16 {
    let parts = HalfMove::of(mv);
    let (files, ranks) = view.way(parts.from.index(), parts.to.index());
    let forward = (files.signum() + 1) as u16;
    let taken = parts.on_the_way.map(|square| u16::from(square.is_some()));
    let choice = taken[0] + 2 * taken[1];
    let distance = files.abs().max(ranks.abs());
    match (parts.kind, parts.promotion) {
        (HalfMoveKind::Castle, _) => CASTLE + (files + 5 - i32::from(files > 0)).clamp(0, 8) as u16,
        (_, Some(HalfPiece::StarCat)) => TO_STAR_CAT + forward * 3 + u16::from(distance > 1) + taken[0],
        (_, Some(HalfPiece::Nightrider)) => TO_NIGHTRIDER + to_nightrider(files, ranks),
        (_, Some(piece)) if piece != HalfPiece::Queen => {
            let order = HalfPiece::PROMOTIONS.iter().take_while(|other| **other != piece).count() as u16;
            UNDERPROMOTION + forward * 5 + order.clamp(1, 5) - 1
        }
        _ if choice == 0 => ordinary(files, ranks),
        _ => {
            let direction = step_plane((files.signum(), ranks.signum()), 2);
            ON_THE_WAY + direction * 4 + if distance == 3 { choice } else { 0 }
        }
    }
}

/// Returns the plane of a displacement (files, ranks) by a queen's move, or by up to five equal
/// knight's leaps.
fn ordinary(files: i32, ranks: i32) -> u16 {
    let times = files.abs().min(ranks.abs()).clamp(1, 5);
    let leap =
        leap_plane((files / times, ranks / times)).filter(|_| files % times == 0 && ranks % times == 0);
    leap.map_or(step_plane((files, ranks), 12), |leap| LEAP + leap * 5 + times as u16 - 1)
}

/// Returns the offset, from the plane `TO_NIGHTRIDER`, of a displacement (files, ranks) by one or
/// two equal forward leaps.
fn to_nightrider(files: i32, ranks: i32) -> u16 {
    let times = files.abs().min(ranks.abs()).clamp(1, 2);
    let leap = match files / times {
        ..=-2 => 0,
        -1 => 1,
        0 | 1 => 2,
        2.. => 3,
    };
    leap * 2 + times as u16 - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_documented_planes_are_those_used() {
        let used = [0, LEAP, UNDERPROMOTION, ON_THE_WAY, TO_STAR_CAT, TO_NIGHTRIDER, CASTLE];
        crate::documented_tests::holds(include_str!("policy.rs"), &used, PLANES);
    }

    #[test]
    fn steps_and_leaps_have_planes_of_their_own() {
        let mut seen = BTreeSet::new();
        for (files, ranks) in (-11i32..12).flat_map(|f| (-11i32..12).map(move |r| (f, r))) {
            let (f, r) = (files.abs(), ranks.abs());
            let straight = f == 0 || r == 0 || f == r;
            if (f, r) != (0, 0) && (straight || f == 2 * r || r == 2 * f) {
                assert!(seen.insert(ordinary(files, ranks)));
            }
        }
        assert_eq!(seen, (0..UNDERPROMOTION).collect());
    }

    #[test]
    fn leaps_to_the_last_rank_have_planes_of_their_own() {
        let leaps = [(-2, 1), (-4, 2), (-1, 2), (-2, 4), (1, 2), (2, 4), (2, 1), (4, 2)];
        assert_eq!(leaps.map(|(files, ranks)| to_nightrider(files, ranks)), [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
