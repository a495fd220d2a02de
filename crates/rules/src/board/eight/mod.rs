//! Fast code for the 8x8 board, where a set of squares fits one `u64`. Lines come from tables.
//! Attacks of sliders also come from tables if the build enables BMI2. Otherwise they are computed.
//!
//! Squares are indices below 64. Sets have bit `i` for the square with index `i`.

/// File, rank, diagonal and antidiagonal through each square, without the square itself.
static LINES: [[u64; 4]; 64] = lines();

const fn lines() -> [[u64; 4]; 64] {
    let mut lines = [[0; 4]; 64];
    let mut s = 0;
    while s < 64 {
        let mut o = 0;
        while o < 64 {
            if o != s {
                let (sf, sr, of, or) = (s as i32 & 7, s as i32 >> 3, o as i32 & 7, o as i32 >> 3);
                if sf == of {
                    lines[s][0] |= 1 << o;
                }
                if sr == or {
                    lines[s][1] |= 1 << o;
                }
                if sf - sr == of - or {
                    lines[s][2] |= 1 << o;
                }
                if sf + sr == of + or {
                    lines[s][3] |= 1 << o;
                }
            }
            o += 1;
        }
        s += 1;
    }
    lines
}

const fn between_and_line() -> ([[u64; 64]; 64], [[u64; 64]; 64]) {
    let mut between = [[0; 64]; 64];
    let mut line = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let mut i = 0;
            while i < 4 {
                if LINES[a][i] >> b & 1 != 0 {
                    line[a][b] = LINES[a][i] | 1 << a;
                    let (low, high) = if a < b { (a, b) } else { (b, a) };
                    let inside = (1u64 << high) - (1u64 << low);
                    between[a][b] = LINES[a][i] & inside & !(1 << low);
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

/// Returns the squares strictly between two squares of a line. The result is empty if no line joins
/// the squares.
#[inline(always)]
pub(super) fn between(a: usize, b: usize) -> u64 {
    BETWEEN[a & 63][b & 63]
}

/// Returns the whole line through two squares, both included. The result is empty if no line joins
/// the squares.
#[inline(always)]
pub(super) fn line(a: usize, b: usize) -> u64 {
    LINE[a & 63][b & 63]
}

/// Returns the attacks of a slider along one line by the obstruction difference `o ^ (o - 2r)`.
/// Here `o` is the line's occupied squares and `r` the slider's square. The formula covers one
/// direction, so it is applied to the board and to the reversed board.
#[inline(always)]
const fn along(square: usize, line: u64, occupied: u64) -> u64 {
    let blockers = occupied & line;
    let bit = 1u64 << square;
    let up = blockers.wrapping_sub(bit << 1);
    let down = blockers.reverse_bits().wrapping_sub(bit.reverse_bits() << 1).reverse_bits();
    (up ^ down) & line
}

/// Returns the squares that a rook on `square` attacks, computed line by line.
#[inline(always)]
const fn rook_along(square: usize, occupied: u64) -> u64 {
    let lines = &LINES[square];
    along(square, lines[0], occupied) | along(square, lines[1], occupied)
}

/// Returns the squares that a bishop on `square` attacks, computed line by line.
#[inline(always)]
const fn bishop_along(square: usize, occupied: u64) -> u64 {
    let lines = &LINES[square];
    along(square, lines[2], occupied) | along(square, lines[3], occupied)
}

#[cfg(target_feature = "bmi2")]
mod pext;
#[cfg(target_feature = "bmi2")]
pub(super) use pext::{bishop, rook};

/// Returns the squares that a rook on `square` attacks.
#[cfg(not(target_feature = "bmi2"))]
#[inline(always)]
pub(super) fn rook(square: usize, occupied: u64) -> u64 {
    rook_along(square & 63, occupied)
}

/// Returns the squares that a bishop on `square` attacks.
#[cfg(not(target_feature = "bmi2"))]
#[inline(always)]
pub(super) fn bishop(square: usize, occupied: u64) -> u64 {
    bishop_along(square & 63, occupied)
}
