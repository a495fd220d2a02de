//! Slider attacks by one table look-up. The instruction PEXT packs the relevant occupied squares
//! into the table's index.

use super::{bishop_along, rook_along};
use std::arch::x86_64::_pext_u64;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const RANK_1: u64 = 0xff;

/// Removes from a slider's attacks the edge square at the end of each line. The slider stops there
/// anyway, so a piece on an edge square has no effect.
const fn without_far_edges(square: usize, attacks: u64) -> u64 {
    let (file, rank) = (square & 7, square >> 3);
    let mut edges = 0;
    if file != 0 {
        edges |= FILE_A;
    }
    if file != 7 {
        edges |= FILE_A << 7;
    }
    if rank != 0 {
        edges |= RANK_1;
    }
    if rank != 7 {
        edges |= RANK_1 << 56;
    }
    attacks & !edges
}

#[derive(Clone, Copy)]
struct Entry {
    mask: u64,
    /// Index of the square's first entry in the table of attacks.
    base: usize,
}

const fn entries(rook: bool) -> [Entry; 64] {
    let mut all = [Entry { mask: 0, base: 0 }; 64];
    let mut base = 0;
    let mut square = 0;
    while square < 64 {
        let attacks = if rook { rook_along(square, 0) } else { bishop_along(square, 0) };
        let mask = without_far_edges(square, attacks);
        all[square] = Entry { mask, base };
        base += 1 << mask.count_ones();
        square += 1;
    }
    all
}

const fn table<const N: usize>(entries: &[Entry; 64], rook: bool) -> [u64; N] {
    let mut table = [0; N];
    let mut square = 0;
    while square < 64 {
        let Entry { mask, base } = entries[square];
        // This visits the subsets of the mask in the order of their packed index.
        let (mut occupied, mut index) = (0u64, 0);
        loop {
            table[base + index] =
                if rook { rook_along(square, occupied) } else { bishop_along(square, occupied) };
            occupied = occupied.wrapping_sub(mask) & mask;
            index += 1;
            if occupied == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

static ROOK_ENTRIES: [Entry; 64] = entries(true);
static BISHOP_ENTRIES: [Entry; 64] = entries(false);
// The compiler fills the tables in one or two seconds, which the lint mistakes for an endless loop.
#[allow(long_running_const_eval)]
static ROOK: [u64; 102_400] = table(&entries(true), true);
#[allow(long_running_const_eval)]
static BISHOP: [u64; 5_248] = table(&entries(false), false);

#[inline(always)]
fn pack(occupied: u64, mask: u64) -> usize {
    // SAFETY: this module is compiled only if the build enables BMI2, which `_pext_u64` requires.
    #[allow(unsafe_code)]
    let index = unsafe { _pext_u64(occupied, mask) };
    index as usize
}

/// Returns the squares that a rook on `square` attacks.
#[inline(always)]
pub(in crate::board) fn rook(square: usize, occupied: u64) -> u64 {
    let entry = &ROOK_ENTRIES[square & 63];
    ROOK[entry.base + pack(occupied, entry.mask)]
}

/// Returns the squares that a bishop on `square` attacks.
#[inline(always)]
pub(in crate::board) fn bishop(square: usize, occupied: u64) -> u64 {
    let entry = &BISHOP_ENTRIES[square & 63];
    BISHOP[entry.base + pack(occupied, entry.mask)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_agree_with_the_lines() {
        let mut occupied = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..2_000 {
            occupied = occupied.wrapping_mul(0x5851_f42d_4c95_7f2d).rotate_left(17) ^ 0x1405;
            for square in 0..64 {
                assert_eq!(rook(square, occupied), rook_along(square, occupied));
                assert_eq!(bishop(square, occupied), bishop_along(square, occupied));
            }
        }
    }
}
