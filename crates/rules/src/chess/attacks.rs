//! Where pieces reach on an 8x8 board, as bits of squares.

use crate::Color;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// All squares one step away, the squares themselves not counted unless neighbours hold them.
#[inline(always)]
pub(crate) const fn neighbours(set: u64) -> u64 {
    let sides = (set & !FILE_H) << 1 | (set & !FILE_A) >> 1;
    let row = set | sides;
    sides | row << 8 | row >> 8
}

/// All squares a knight's leap away.
#[inline(always)]
pub(crate) const fn knight_leaps(set: u64) -> u64 {
    let one = (set & !FILE_H) << 1 | (set & !FILE_A) >> 1;
    let two = (set & !(FILE_H | FILE_H >> 1)) << 2 | (set & !(FILE_A | FILE_A << 1)) >> 2;
    one << 16 | one >> 16 | two << 8 | two >> 8
}

/// Squares a step forward.
#[inline(always)]
pub(crate) const fn forward(set: u64, side: Color) -> u64 {
    match side {
        Color::White => set << 8,
        Color::Black => set >> 8,
    }
}

/// Squares that pawns attack towards the a-file.
#[inline(always)]
pub(crate) const fn pawn_west(set: u64, side: Color) -> u64 {
    forward((set & !FILE_A) >> 1, side)
}

/// Squares that pawns attack towards the h-file.
#[inline(always)]
pub(crate) const fn pawn_east(set: u64, side: Color) -> u64 {
    forward((set & !FILE_H) << 1, side)
}

/// Squares that pawns attack.
#[inline(always)]
pub(crate) const fn pawn_attacks(set: u64, side: Color) -> u64 {
    pawn_west(set, side) | pawn_east(set, side)
}

/// The squares of a side's `n`-th rank, 0 its first.
#[inline(always)]
pub(crate) const fn rank_of(side: Color, n: u32) -> u64 {
    match side {
        Color::White => 0xff << (8 * n),
        Color::Black => 0xff << (8 * (7 - n)),
    }
}

struct Tables {
    king: [u64; 64],
    knight: [u64; 64],
    /// Within two files and two ranks, the square itself not counted.
    near: [u64; 64],
    /// File, rank, diagonal, antidiagonal through a square, itself not counted.
    lines: [[u64; 4]; 64],
}

const fn tables() -> Tables {
    let mut t = Tables { king: [0; 64], knight: [0; 64], near: [0; 64], lines: [[0; 4]; 64] };
    let mut s = 0;
    while s < 64 {
        let bit = 1u64 << s;
        t.king[s] = neighbours(bit);
        t.knight[s] = knight_leaps(bit);
        t.near[s] = neighbours(bit | neighbours(bit)) & !bit;
        let mut o = 0;
        while o < 64 {
            if o != s {
                let (sf, sr, of, or) = (s as i32 & 7, s as i32 >> 3, o as i32 & 7, o as i32 >> 3);
                if sf == of {
                    t.lines[s][0] |= 1 << o;
                }
                if sr == or {
                    t.lines[s][1] |= 1 << o;
                }
                if sf - sr == of - or {
                    t.lines[s][2] |= 1 << o;
                }
                if sf + sr == of + or {
                    t.lines[s][3] |= 1 << o;
                }
            }
            o += 1;
        }
        s += 1;
    }
    t
}

static TABLES: Tables = tables();

const fn between_and_line() -> ([[u64; 64]; 64], [[u64; 64]; 64]) {
    let t = tables();
    let mut between = [[0; 64]; 64];
    let mut line = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let mut i = 0;
            while i < 4 {
                if t.lines[a][i] >> b & 1 != 0 {
                    line[a][b] = t.lines[a][i] | 1 << a;
                    let (low, high) = if a < b { (a, b) } else { (b, a) };
                    let inside = (1u64 << high) - (1u64 << low);
                    between[a][b] = t.lines[a][i] & inside & !(1 << low);
                }
                i += 1;
            }
            b += 1;
        }
        a += 1;
    }
    (between, line)
}

static BETWEEN: [[u64; 64]; 64] = between_and_line().0;
static LINE: [[u64; 64]; 64] = between_and_line().1;

/// Squares strictly between two squares of a line; none if they share no line.
#[inline(always)]
pub(crate) fn between(a: u8, b: u8) -> u64 {
    BETWEEN[a as usize & 63][b as usize & 63]
}

/// The whole line through two squares; none if they share no line.
#[inline(always)]
pub(crate) fn line(a: u8, b: u8) -> u64 {
    LINE[a as usize & 63][b as usize & 63]
}

#[inline(always)]
pub(crate) fn king(square: u8) -> u64 {
    TABLES.king[square as usize & 63]
}

#[inline(always)]
pub(crate) fn knight(square: u8) -> u64 {
    TABLES.knight[square as usize & 63]
}

/// Squares within two files and two ranks: a catapult's first move.
#[inline(always)]
pub(crate) fn near(square: u8) -> u64 {
    TABLES.near[square as usize & 63]
}

/// Attacks along one line by o ^ (o - 2r), forwards and, on the reversed board, backwards.
#[inline(always)]
const fn along(square: u8, line: u64, occupied: u64) -> u64 {
    let blockers = occupied & line;
    let bit = 1u64 << square;
    let up = blockers.wrapping_sub(bit << 1);
    let down = blockers.reverse_bits().wrapping_sub(bit.reverse_bits() << 1).reverse_bits();
    (up ^ down) & line
}

#[cfg(target_feature = "bmi2")]
pub(crate) use super::sliders::{bishop, rook};

/// Squares a rook attacks.
#[cfg(not(target_feature = "bmi2"))]
#[inline(always)]
pub(crate) fn rook(square: u8, occupied: u64) -> u64 {
    rook_along(square & 63, occupied)
}

/// Squares a bishop attacks.
#[cfg(not(target_feature = "bmi2"))]
#[inline(always)]
pub(crate) fn bishop(square: u8, occupied: u64) -> u64 {
    bishop_along(square & 63, occupied)
}

/// A rook's attacks without tables.
#[inline(always)]
pub(crate) const fn rook_along(square: u8, occupied: u64) -> u64 {
    let lines = &TABLES.lines[square as usize];
    along(square, lines[0], occupied) | along(square, lines[1], occupied)
}

/// A bishop's attacks without tables.
#[inline(always)]
pub(crate) const fn bishop_along(square: u8, occupied: u64) -> u64 {
    let lines = &TABLES.lines[square as usize];
    along(square, lines[2], occupied) | along(square, lines[3], occupied)
}
