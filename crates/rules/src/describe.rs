//! Text and symbols that describe a game and draw its board.

use crate::{Color, Position};
use arrayvec::ArrayString;

/// A game that can be drawn and described. Move generation, search and training do not use this
/// trait.
pub trait Describe: Position {
    /// Describes the game's special rules in one or two sentences, for readers who know chess.
    fn about(rules: Self::Rules) -> &'static str;

    /// Returns the symbols to draw on the square with this file and rank, both from 0.
    fn shown(&self, file: usize, rank: usize) -> Shown;

    /// Returns a line that explains the symbols of the drawing, or `None` if this position needs no
    /// explanation.
    fn legend(&self) -> Option<&'static str> {
        None
    }
}

/// Symbols to draw on one square of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shown {
    /// FEN letters of the pieces on the square, earlier occupant first. The case shows the side.
    pub pieces: ArrayString<2>,
    /// Catapult or portal on the square: its owner, and the characters drawn before and after the
    /// pieces. `None` if the square has neither.
    pub frame: Option<(Color, [char; 2])>,
}

impl Shown {
    /// Returns the symbols of a square with one piece, given by its FEN letter, or of an empty
    /// square.
    pub(crate) fn of(piece: Option<char>) -> Shown {
        let mut shown = Shown::default();
        if let Some(letter) = piece {
            shown.pieces.push(letter);
        }
        shown
    }
}
