//! Moves of Twenty-First Century Chess as text: `e2e4`, `e7e8s` (promotion), `e2e3j` (the pawn
//! becomes a Jester).

use super::CenturyPiece;
use super::kinds::{CenturyMove, CenturyMoveKind};
use crate::Move;
use arrayvec::ArrayString;
use std::fmt::Write;

/// Returns the text of a move, such as `e2e4`.
pub(super) fn write(mv: Move) -> ArrayString<8> {
    let mut text = ArrayString::new();
    let CenturyMove { from, to, kind, promotion } = CenturyMove::of(mv);
    // The text has at most five characters, so writing cannot fail.
    let _ = write!(text, "{from}{to}");
    if let Some(piece) = promotion {
        text.push(piece.letter());
    }
    if kind == CenturyMoveKind::Declare {
        text.push(CenturyPiece::Jester.letter());
    }
    text
}
