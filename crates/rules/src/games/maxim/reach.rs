//! Attacks of knights in Maxim chess, and areas that a king can walk to.

use crate::Squares;

/// Returns the squares that knights on the set reach (rule 2), including occupied squares.
///
/// A knight moves one square along a rank or file, two if the first is empty, and three if the
/// first or second is occupied. The relation is symmetric: if a knight on `a` reaches `b`, a knight
/// on `b` reaches `a`.
#[inline(always)]
pub(super) const fn knights(set: Squares, occupied: Squares) -> Squares {
    let ranks = knights_along::<1, 0>(set, occupied).or(knights_along::<-1, 0>(set, occupied));
    let files = knights_along::<0, 1>(set, occupied).or(knights_along::<0, -1>(set, occupied));
    ranks.or(files)
}

#[inline(always)]
const fn knights_along<const FILES: i32, const RANKS: i32>(set: Squares, occupied: Squares) -> Squares {
    let one = set.step::<FILES, RANKS>();
    let two = one.step::<FILES, RANKS>();
    let over = one.and(occupied).step::<FILES, RANKS>().or(two.and(occupied)).step::<FILES, RANKS>();
    one.or(one.without(occupied).step::<FILES, RANKS>()).or(over)
}

/// Squares where an arriving or leaving piece would let an enemy knight reach the king. See
/// [`knight_screens`].
#[derive(Clone, Copy)]
pub(super) struct Screens {
    /// Squares of single pieces next to the king, with an enemy knight behind. The knight reaches
    /// the king if the piece leaves.
    pub shields: Squares,
    /// Empty squares between the king and an enemy knight three squares away. If one of them were
    /// occupied, the knight could leap to the king.
    pub hurdles: Squares,
}

/// Returns the squares where an arriving or leaving piece would let a knight of `knights` reach the
/// king. `king` is a set of one square that no knight reaches now. `singles` are the squares of the
/// pieces that may leave.
#[inline(always)]
pub(super) const fn knight_screens(
    king: Squares,
    singles: Squares,
    knights: Squares,
    occupied: Squares,
) -> Screens {
    let east = screens_along::<1, 0>(king, knights, occupied);
    let north = screens_along::<0, 1>(king, knights, occupied);
    let west = screens_along::<-1, 0>(king, knights, occupied);
    let south = screens_along::<0, -1>(king, knights, occupied);
    Screens {
        shields: east.shields.or(north.shields).or(west.shields).or(south.shields).and(singles),
        hurdles: east.hurdles.or(north.hurdles).or(west.hurdles).or(south.hurdles),
    }
}

#[inline(always)]
const fn screens_along<const FILES: i32, const RANKS: i32>(
    king: Squares,
    knights: Squares,
    occupied: Squares,
) -> Screens {
    let one = king.step::<FILES, RANKS>();
    let two = one.step::<FILES, RANKS>();
    let three = two.step::<FILES, RANKS>();
    let leaps = three.meets(knights) && !one.or(two).meets(occupied);
    Screens {
        shields: if two.meets(knights) { one } else { Squares::EMPTY },
        hurdles: if leaps { one.or(two) } else { Squares::EMPTY },
    }
}

/// Returns the squares that steps along ranks and files over `passable` squares reach from the set
/// `from`, which is included. The search stops after reaching `enough` squares of `wanted`.
#[inline(always)]
pub(super) fn flood(from: Squares, passable: Squares, wanted: Squares, enough: u32) -> Squares {
    let mut set = from;
    loop {
        let grown = set | set.beside() & passable;
        if grown == set || (grown & wanted).count() >= enough {
            return grown;
        }
        set = grown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;

    fn at(names: &str) -> Squares {
        names.split(' ').map(|name| name.parse::<Square>().unwrap()).collect()
    }

    #[test]
    fn a_knights_reach() {
        let d4 = at("d4");
        assert_eq!(knights(d4, d4), at("c4 b4 e4 f4 d3 d2 d5 d6"));
        // It leaps over the first square, over the second, and over both.
        let occupied = at("d4 c4 d6 e4 f4");
        assert_eq!(knights(d4, occupied), at("c4 a4 e4 g4 d5 d6 d7 d3 d2"));
        assert_eq!(knights(at("h8"), at("h8 g8")), at("g8 e8 h7 h6"));
        let screens = knight_screens(d4, at("d5"), at("d6 g4 d1"), at("d4 d5 d6 g4 d1 d2"));
        assert_eq!((screens.shields, screens.hurdles), (at("d5"), at("e4 f4")));
    }

    #[test]
    fn knights_reach_both_ways() {
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..500 {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).rotate_left(17) ^ 0x1405;
            let occupied: Squares =
                Square::all().filter(|square| random >> square.index() & 1 != 0).collect();
            for from in Square::all() {
                for to in Square::all() {
                    let there = knights(Squares::of(from), occupied).has(to);
                    assert_eq!(there, knights(Squares::of(to), occupied).has(from));
                }
            }
        }
    }

    #[test]
    fn floods_stop_at_walls_and_when_there_is_enough() {
        let wall = Squares::rank(3);
        let below = Squares::rank(0) | Squares::rank(1) | Squares::rank(2);
        assert_eq!(flood(at("a1"), !wall, Squares::FULL, 65), below);
        assert!(flood(at("a1"), !wall, Squares::FULL, 5).count() < 10);
    }
}
