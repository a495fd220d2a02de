//! What people are shown of a game, over its rules.

use crate::{Color, Position};
use arrayvec::ArrayString;

/// A game that can be drawn and told about. Nothing that plays or learns asks for it.
pub trait Drawn: Position {
    /// What is special about the game, in a sentence or two, for someone who knows chess.
    fn about(rules: Self::Rules) -> &'static str;

    /// What a drawing shows on the square of a file and a rank, both from 0.
    fn shown(&self, file: usize, rank: usize) -> Shown;

    /// A line below a drawing that explains its signs, where this position needs one.
    fn legend(&self) -> Option<&'static str> {
        None
    }
}

/// What a drawing of the board shows on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shown {
    /// The letters of FEN of the pieces there, the earlier occupant first; the case tells the side.
    pub pieces: ArrayString<2>,
    /// Signs before and after them, for what lies below the pieces, and whose it is.
    pub frame: Option<(Color, [char; 2])>,
}

impl Shown {
    /// A square with a piece's side and letter, or an empty one.
    pub(crate) fn of(piece: Option<(Color, char)>) -> Shown {
        let mut shown = Shown::default();
        if let Some((side, letter)) = piece {
            shown.pieces.push(side.cased(letter));
        }
        shown
    }
}
