//! Where pieces reach on an 8x8 board, as bits of squares.

pub(crate) use super::lines8::{between, line};
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
}

const fn tables() -> Tables {
    let mut t = Tables { king: [0; 64], knight: [0; 64], near: [0; 64] };
    let mut s = 0;
    while s < 64 {
        let bit = 1u64 << s;
        t.king[s] = neighbours(bit);
        t.knight[s] = knight_leaps(bit);
        t.near[s] = neighbours(bit | neighbours(bit)) & !bit;
        s += 1;
    }
    t
}

static TABLES: Tables = tables();

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

#[cfg(target_feature = "bmi2")]
pub(crate) use super::sliders8::{bishop, rook};

/// Squares a rook attacks.
#[cfg(not(target_feature = "bmi2"))]
#[inline(always)]
pub(crate) fn rook(square: u8, occupied: u64) -> u64 {
    super::lines8::rook_along(square & 63, occupied)
}

/// Squares a bishop attacks.
#[cfg(not(target_feature = "bmi2"))]
#[inline(always)]
pub(crate) fn bishop(square: u8, occupied: u64) -> u64 {
    super::lines8::bishop_along(square & 63, occupied)
}
