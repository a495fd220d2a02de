//! Moves of chess and Chess++ as text in UCI style: `e2e4`, `e7e8q`, `e1g1`, `b1f1t` (teleport),
//! `a1b1f1` (instant), `c@b1` (placement).

use super::ChessPosition;
use super::kinds::{ChessMoveKind, promotion_of};
use super::rules::ChessRules;
use crate::{Move, MoveError, MoveList, Position, Square};
use arrayvec::ArrayString;
use std::fmt::Write;

/// Returns the text of a move, such as `e2e4`.
pub(super) fn write(mv: Move) -> ArrayString<12> {
    let mut text = ArrayString::new();
    let kind = ChessMoveKind::of(mv);
    let (from, to) = (Square::of(mv.from()), Square::of(mv.to()));
    // The text has at most eight characters, so writing cannot fail.
    let _ = match kind {
        ChessMoveKind::Place => write!(text, "c@{to}"),
        ChessMoveKind::Instant => write!(text, "{from}{}{to}", Square::of(mv.aux())),
        _ => write!(text, "{from}{to}"),
    };
    if let Some(promotion) = promotion_of(mv) {
        text.push(promotion.letter());
    }
    if kind == ChessMoveKind::Teleport {
        text.push('t');
    }
    text
}

/// Returns the legal move with this text. If no legal move has the text, the error says whether the
/// text is well-formed.
pub(super) fn read<R: ChessRules>(position: &ChessPosition<R>, text: &str) -> Result<Move, MoveError> {
    let mut moves = MoveList::new();
    position.legal_moves_into(&mut moves);
    let error = |reason: &str| MoveError { text: text.to_owned(), reason: reason.to_owned() };
    moves.into_iter().find(|mv| write(*mv).as_str() == text).ok_or_else(|| {
        if is_well_formed(text) {
            error("not legal in this position")
        } else {
            error(
                "not a move; expected squares such as `e2e4`, then a promotion letter or `t` for a teleport",
            )
        }
    })
}

fn is_well_formed(text: &str) -> bool {
    let square = |range: std::ops::Range<usize>| text.get(range).is_some_and(|t| t.parse::<Square>().is_ok());
    if let Some(place) = text.strip_prefix("c@") {
        return place.parse::<Square>().is_ok();
    }
    if !(square(0..2) && square(2..4)) {
        return false;
    }
    let rest = text.get(if square(4..6) { 6.. } else { 4.. }).unwrap_or("");
    matches!(
        rest.as_bytes(),
        [] | [b't'] | [b'q' | b'r' | b'b' | b'n' | b'c'] | [b'q' | b'r' | b'b' | b'n', b't']
    )
}
