//! Castling rights as a set of four bits, and their FEN field.

use crate::fen::error;
use crate::{Color, FenError};
use std::fmt;

/// Side, kingside flag and FEN letter of each castling right, in FEN order.
const LETTERS: [(Color, bool, char); 4] = [
    (Color::White, true, 'K'),
    (Color::White, false, 'Q'),
    (Color::Black, true, 'k'),
    (Color::Black, false, 'q'),
];

/// Returns the bit of a castling right: White's kingside 1 and queenside 2, Black's kingside 4 and
/// queenside 8.
#[inline(always)]
pub(crate) const fn castling_bit(side: Color, kingside: bool) -> u8 {
    1 << (side as u8 * 2 + !kingside as u8)
}

/// Reads the castling field of a FEN. Returns the set of rights as bits.
///
/// `at_home` takes a side and a kingside flag. It returns true if the side's king and its rook on
/// that wing are on their start squares. A right without both pieces there is an error.
pub(crate) fn read_castling(text: &str, at_home: impl Fn(Color, bool) -> bool) -> Result<u8, FenError> {
    const FIELD: &str = "castling";
    if text == "-" {
        return Ok(0);
    }
    let mut rights = 0;
    for letter in text.chars() {
        let Some(&(side, kingside, _)) = LETTERS.iter().find(|(_, _, known)| *known == letter) else {
            return Err(error(FIELD, format!("`{letter}` is not one of K, Q, k and q")));
        };
        let right = castling_bit(side, kingside);
        if rights & right != 0 {
            return Err(error(FIELD, format!("`{letter}` occurs twice")));
        }
        if !at_home(side, kingside) {
            return Err(error(FIELD, format!("`{letter}` without king and rook at home")));
        }
        rights |= right;
    }
    Ok(rights)
}

/// Writes the castling field of a FEN, or `-` if there are no rights.
pub(crate) fn write_castling(f: &mut fmt::Formatter<'_>, rights: u8) -> fmt::Result {
    for (side, kingside, letter) in LETTERS {
        if rights & castling_bit(side, kingside) != 0 {
            write!(f, "{letter}")?;
        }
    }
    if rights == 0 { f.write_str("-") } else { Ok(()) }
}
