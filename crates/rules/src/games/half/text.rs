//! Moves of Chess and a Half as text in UCI style: `e2e5`, `e11e12q`, `g1i1o` (castling),
//! `e10e12xe11s` (capture on the way and promotion).

use super::kinds::{HalfMove, HalfMoveKind};
use super::{Half, Square};
use crate::{Move, MoveError, Position};
use arrayvec::ArrayString;
use std::fmt::Write;

/// Returns the text of a move, such as `e2e4`.
pub(super) fn write(mv: Move) -> ArrayString<16> {
    let HalfMove { from, to, on_the_way, kind, promotion } = HalfMove::of(mv);
    let mut text = ArrayString::new();
    // The text has at most 15 characters, so writing cannot fail.
    let _ = write!(text, "{from}{to}");
    for square in on_the_way.into_iter().flatten() {
        let _ = write!(text, "x{square}");
    }
    if let Some(piece) = promotion {
        text.push(piece.letter());
    }
    if kind == HalfMoveKind::Castle {
        text.push('o');
    }
    text
}

/// Returns the legal move with this text. If no legal move has the text, the error says whether the
/// text is well-formed.
pub(super) fn read(position: &Half, text: &str) -> Result<Move, MoveError> {
    let error = |reason: &str| MoveError { text: text.to_owned(), reason: reason.to_owned() };
    let Some((from, to)) = ends(text) else {
        return Err(error(
            "not a move; expected squares such as `e2e4`, then `x` and a square for each capture on the way, then a \
             promotion letter or `o` for castling",
        ));
    };
    let moves = position.legal_moves();
    let mut between = moves.into_iter().filter(|mv| (mv.from(), mv.to()) == (from.byte(), to.byte()));
    between.find(|mv| write(*mv).as_str() == text).ok_or_else(|| error("not legal in this position"))
}

/// Returns origin and destination of a well-formed move text, or `None` for other texts.
fn ends(text: &str) -> Option<(Square, Square)> {
    let (from, rest) = Square::split_from(text)?;
    let (to, mut rest) = Square::split_from(rest)?;
    for _ in 0..2 {
        if let Some(captured) = rest.strip_prefix('x') {
            rest = Square::split_from(captured)?.1;
        }
    }
    matches!(rest, "" | "q" | "r" | "b" | "n" | "g" | "c" | "s" | "h" | "o").then_some((from, to))
}
