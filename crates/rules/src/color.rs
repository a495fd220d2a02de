//! The two sides.

use serde::{Deserialize, Serialize};

/// A side. White moves first in every game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Color {
    /// Moves first.
    White = 0,
    /// Moves second.
    Black = 1,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// Returns the letter in the FEN case of this side: upper case for White.
    pub const fn cased(self, letter: char) -> char {
        match self {
            Color::White => letter.to_ascii_uppercase(),
            Color::Black => letter.to_ascii_lowercase(),
        }
    }

    /// Returns the side of a FEN letter, by its case.
    pub const fn of_case(letter: char) -> Color {
        if letter.is_ascii_lowercase() { Color::Black } else { Color::White }
    }
}

impl std::ops::Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}
