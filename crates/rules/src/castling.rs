//! Castling rights as a set of four bits, and their FEN field.

use crate::board::{BoardGame, Contents, Squares};
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

/// Reads the castling field of a FEN and sets the rights in `state`.
///
/// `king` is the kind and the start file of kings. `rook` is the kind of rooks, with the start
/// files of the kingside and the queenside rook. A right without both pieces on their start squares
/// is an error.
pub(crate) fn read_castling<G: BoardGame, const F: usize, const R: usize, const W: usize, const B: usize>(
    text: &str,
    state: &mut Contents<G, F, R, W, B>,
    king: (G::Kind, usize),
    rook: (G::Kind, [usize; 2]),
) -> Result<(), FenError> {
    const FIELD: &str = "castling";
    if text == "-" {
        return Ok(());
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
        let home = state.side_pieces(side) & Squares::rank_of(side, 0);
        let stands = |kind, file| home.meets(state.kind(kind) & Squares::file(file));
        if !stands(king.0, king.1) || !stands(rook.0, rook.1[!kingside as usize]) {
            return Err(error(FIELD, format!("`{letter}` without king and rook at home")));
        }
        rights |= right;
    }
    state.set_castling(rights);
    Ok(())
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
