//! Moves as text: `e2e4`, `e7e8s` (promotion), `e2e3j` (declared a Jester).

use super::Square;
use super::kinds::CenturyMove;
use crate::Move;
use arrayvec::ArrayString;
use std::fmt::Write;

/// The text of a move.
pub(super) fn write(mv: Move) -> ArrayString<8> {
    let mut text = ArrayString::new();
    // Five characters at most: writing never fails.
    let _ = write!(text, "{}{}", Square::of(mv.from()), Square::of(mv.to()));
    match CenturyMove::of(mv) {
        CenturyMove::Promote => text.push('s'),
        CenturyMove::Declare => text.push('j'),
        _ => {}
    }
    text
}
