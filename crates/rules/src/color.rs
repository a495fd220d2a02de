//! The two sides.

use serde::{Deserialize, Serialize};

named! {
    /// A side: White or Black.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Color {
        /// The side that moves first in a game.
        White = "white",
        /// The side that moves second.
        Black = "black",
    }
}

impl Color {
    /// Returns an ASCII letter in this side's FEN case: upper case for White, lower case for Black.
    pub const fn cased(self, letter: char) -> char {
        match self {
            Color::White => letter.to_ascii_uppercase(),
            Color::Black => letter.to_ascii_lowercase(),
        }
    }

    /// Returns the side of a FEN letter: Black for a lower-case ASCII letter, White for other
    /// characters.
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
