//! Where Maxim's own pieces reach, as bits of squares.

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// Squares one step away along ranks.
#[inline(always)]
pub(super) const fn sideways(set: u64) -> u64 {
    (set & !FILE_H) << 1 | (set & !FILE_A) >> 1
}

/// Squares one step away along ranks and files.
#[inline(always)]
pub(super) const fn beside(set: u64) -> u64 {
    sideways(set) | set << 8 | set >> 8
}

#[inline(always)]
const fn step(set: u64, direction: usize) -> u64 {
    match direction {
        0 => (set & !FILE_H) << 1,
        1 => set << 8,
        2 => (set & !FILE_A) >> 1,
        _ => set >> 8,
    }
}

/// Squares that knights reach (rule 2), whatever stands there: one square along a rank or file; two if the first is
/// empty; three if the first or the second is occupied. It is the same from either end.
#[inline(always)]
pub(super) const fn knights(set: u64, occupied: u64) -> u64 {
    let mut reach = 0;
    let mut direction = 0;
    while direction < 4 {
        let one = step(set, direction);
        let two = step(one, direction);
        let over = step(step(one & occupied, direction) | two & occupied, direction);
        reach |= one | step(one & !occupied, direction) | over;
        direction += 1;
    }
    reach
}

/// What a side's king does not mind now, but would: see [`knight_screens`].
#[derive(Clone, Copy)]
pub(super) struct Screens {
    /// Pieces of `singles` beside the king behind which a knight waits: it reaches the king once they are gone.
    pub shields: u64,
    /// Empty squares by way of which a knight would leap to the king, were they occupied.
    pub hurdles: u64,
}

/// How knights that do not reach the king (a set of one square) could come to reach it.
#[inline(always)]
pub(super) const fn knight_screens(king: u64, singles: u64, knights: u64, occupied: u64) -> Screens {
    let mut screens = Screens { shields: 0, hurdles: 0 };
    let mut direction = 0;
    while direction < 4 {
        let back = direction ^ 2;
        let one = step(king, direction);
        let two = step(one, direction);
        let three = step(two, direction);
        screens.shields |= step(two & knights, back) & singles;
        if three & knights != 0 && (one | two) & occupied == 0 {
            screens.hurdles |= one | two;
        }
        direction += 1;
    }
    screens
}

/// The squares that orthogonal steps over `passable` reach from a set: grown until it has `enough` squares of `wanted`,
/// or no more.
#[inline(always)]
pub(super) const fn flood(from: u64, passable: u64, wanted: u64, enough: u32) -> u64 {
    let mut set = from;
    loop {
        let grown = set | beside(set) & passable;
        if grown == set || (grown & wanted).count_ones() >= enough {
            return grown;
        }
        set = grown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const D4: u64 = 1 << 27;

    #[test]
    fn a_knights_reach() {
        let at = |names: &str| {
            names.split(' ').fold(0u64, |set, name| {
                let name = name.as_bytes();
                set | 1 << ((name[1] - b'1') * 8 + (name[0] - b'a'))
            })
        };
        assert_eq!(knights(D4, D4), at("c4 b4 e4 f4 d3 d2 d5 d6"));
        // Over the first, over the second, over both.
        let occupied = at("d4 c4 d6 e4 f4");
        assert_eq!(knights(D4, occupied), at("c4 a4 e4 g4 d5 d6 d7 d3 d2"));
        assert_eq!(knights(at("h8"), at("h8 g8")), at("g8 e8 h7 h6"));
        let screens = knight_screens(D4, at("d5"), at("d6 g4 d1"), at("d4 d5 d6 g4 d1 d2"));
        assert_eq!((screens.shields, screens.hurdles), (at("d5"), at("e4 f4")));
    }

    #[test]
    fn knights_reach_both_ways() {
        let mut occupied = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..500 {
            occupied = occupied.wrapping_mul(0x5851_f42d_4c95_7f2d).rotate_left(17) ^ 0x1405;
            for from in 0..64u64 {
                for to in 0..64 {
                    let there = knights(1 << from, occupied) >> to & 1;
                    assert_eq!(there, knights(1 << to, occupied) >> from & 1);
                }
            }
        }
    }

    #[test]
    fn floods_stop_at_walls_and_when_there_is_enough() {
        let wall = 0xff << 24;
        assert_eq!(flood(1, !wall, !0, 65), (1 << 24) - 1);
        assert!(flood(1, !wall, !0, 5).count_ones() < 10);
    }
}
