//! Moves of Twenty-First Century Chess as text: `e2e4`, `e7e8s` (promotion), `e2e3j` (the pawn
//! becomes a Jester).

use super::CenturyPiece;
use super::kinds::{CenturyMove, CenturyMoveKind};
use crate::Move;

/// Returns the text of a move, such as `e2e4`.
pub(super) fn write(mv: Move) -> String {
    let CenturyMove { from, to, kind, promotion } = CenturyMove::of(mv);
    let mut text = format!("{from}{to}");
    if let Some(piece) = promotion {
        text.push(piece.letter());
    }
    if kind == CenturyMoveKind::Declare {
        text.push(CenturyPiece::Jester.letter());
    }
    text
}
