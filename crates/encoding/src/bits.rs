//! Whole-board steps and rays on sets of squares (bit = rank * 8 + file), for knowledge that the rules do not need.

use catapult_rules::{Bitboard, Color};

const FILE_A: u64 = 0x0101_0101_0101_0101;
const NOT_A: u64 = !FILE_A;
const NOT_H: u64 = !(FILE_A << 7);

/// How a board is seen: squares of the position to squares of the planes.
#[derive(Clone, Copy)]
pub(crate) struct BitView {
    flip_ranks: bool,
    flip_files: bool,
}

impl BitView {
    pub(crate) fn new(side: Color, mirror: bool) -> BitView {
        BitView { flip_ranks: side == Color::Black, flip_files: mirror }
    }

    #[inline(always)]
    pub(crate) fn square(self, index: usize) -> usize {
        index ^ if self.flip_ranks { 56 } else { 0 } ^ if self.flip_files { 7 } else { 0 }
    }

    #[inline(always)]
    pub(crate) fn set(self, set: Bitboard) -> u64 {
        let set = if self.flip_ranks { set.flip_ranks() } else { set };
        if self.flip_files { set.flip_files().0 } else { set.0 }
    }
}

/// The set moved one file and one rank at most; what leaves the board is lost.
#[inline(always)]
const fn step(set: u64, files: i32, ranks: i32) -> u64 {
    let set = match files {
        1 => (set & NOT_H) << 1,
        -1 => (set & NOT_A) >> 1,
        _ => set,
    };
    match ranks {
        1 => set << 8,
        -1 => set >> 8,
        _ => set,
    }
}

/// Squares that pawns attack which move towards higher ranks.
#[inline(always)]
pub(crate) const fn pawns_up(set: u64) -> u64 {
    step(set, -1, 1) | step(set, 1, 1)
}

/// Squares that pawns attack which move towards lower ranks.
#[inline(always)]
pub(crate) const fn pawns_down(set: u64) -> u64 {
    step(set, -1, -1) | step(set, 1, -1)
}

/// Squares a knight's leap away.
#[inline(always)]
pub(crate) const fn knights(set: u64) -> u64 {
    let one = step(set, 1, 0) | step(set, -1, 0);
    let two = step(step(set, 1, 0), 1, 0) | step(step(set, -1, 0), -1, 0);
    one << 16 | one >> 16 | two << 8 | two >> 8
}

/// The squares themselves and those one step away.
#[inline(always)]
pub(crate) const fn grown(set: u64) -> u64 {
    let row = set | step(set, 1, 0) | step(set, -1, 0);
    row | row << 8 | row >> 8
}

/// Squares that sliders see in one direction, the first occupied one included.
#[inline(always)]
const fn ray(sliders: u64, empty: u64, files: i32, ranks: i32) -> u64 {
    let mut seen = 0;
    let mut front = sliders;
    // Seven steps cross the board.
    let mut i = 0;
    while i < 7 {
        front = step(front, files, ranks);
        seen |= front;
        front &= empty;
        i += 1;
    }
    seen
}

/// Squares that bishops attack.
#[inline(always)]
pub(crate) const fn bishops(set: u64, empty: u64) -> u64 {
    ray(set, empty, 1, 1) | ray(set, empty, 1, -1) | ray(set, empty, -1, 1) | ray(set, empty, -1, -1)
}

/// Squares that rooks attack.
#[inline(always)]
pub(crate) const fn rooks(set: u64, empty: u64) -> u64 {
    ray(set, empty, 1, 0) | ray(set, empty, -1, 0) | ray(set, empty, 0, 1) | ray(set, empty, 0, -1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares reached from one square by a list of (file, rank) offsets.
    fn leaps(square: u32, offsets: &[(i32, i32)]) -> u64 {
        let (file, rank) = ((square % 8) as i32, (square / 8) as i32);
        let inside = |(f, r): (i32, i32)| {
            let (f, r) = (file + f, rank + r);
            ((0..8).contains(&f) && (0..8).contains(&r)).then_some(r * 8 + f)
        };
        offsets.iter().filter_map(|&offset| inside(offset)).fold(0, |set, at| set | 1 << at)
    }

    #[test]
    fn steps_agree_with_offsets_on_every_square() {
        let knight = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
        let near: Vec<_> = (-1..=1).flat_map(|f| (-1..=1).map(move |r| (f, r))).collect();
        for square in 0..64 {
            let set = 1u64 << square;
            assert_eq!(knights(set), leaps(square, &knight));
            assert_eq!(grown(set), leaps(square, &near));
            assert_eq!(pawns_up(set), leaps(square, &[(-1, 1), (1, 1)]));
            assert_eq!(pawns_down(set), leaps(square, &[(-1, -1), (1, -1)]));
        }
    }

    #[test]
    fn rays_stop_at_the_first_piece() {
        // Bishop c1 with pieces on e3 and a3: b2, a3, d2, e3. Rook a1 with pieces on a3 and h1: a2, a3, b1 to h1.
        let at = |names: &str| {
            names.split(' ').fold(0u64, |set, name| {
                let name = name.as_bytes();
                set | 1 << ((name[1] - b'1') * 8 + (name[0] - b'a'))
            })
        };
        assert_eq!(bishops(at("c1"), !at("c1 e3 a3")), at("b2 a3 d2 e3"));
        assert_eq!(rooks(at("a1"), !at("a1 a3 h1")), at("a2 a3 b1 c1 d1 e1 f1 g1 h1"));
        assert_eq!(rooks(at("d4"), !0).count_ones(), 14);
        assert_eq!(bishops(at("d4"), !0).count_ones(), 13);
    }
}
