//! Decisions of Maxim chess as text: `e2e4`, `Ne2g2` (from a stack), `e2e5>d5` (with a push), `@c3`
//! (portal), `done`.

use super::Maxim;
use super::kinds::{MaximMove, MaximMoveKind};
use super::state::{Phase, State};
use crate::{Move, MoveError, Position};

/// Returns the text of a decision, such as `e2e4` or `@c3`.
pub(super) fn write(state: &State, mv: Move) -> String {
    let MaximMove { from, to, push, kind } = MaximMove::of(mv);
    match kind {
        MaximMoveKind::Done => "done".to_owned(),
        MaximMoveKind::Portal => format!("@{to}"),
        MaximMoveKind::Piece(piece) => {
            let [first, second] = state.occupants(from);
            let letter = piece.letter().to_ascii_uppercase().to_string();
            let letter = if second != 0 && first != second { letter } else { String::new() };
            let push = push.map_or(String::new(), |square| format!(">{square}"));
            format!("{letter}{from}{to}{push}")
        }
    }
}

/// Returns the legal decision with this text. If no legal decision has the text, the error shows
/// examples for the phase of the turn.
pub(super) fn read(position: &Maxim, text: &str) -> Result<Move, MoveError> {
    let found = position.legal_moves().into_iter().find(|mv| write(&position.state, *mv) == text);
    found.ok_or_else(|| {
        let reason = match position.phase() {
            Phase::Move => "not legal in this position; moves look like `e2e4`, `Ne2g2` or `e2e5>d5`",
            Phase::First => "not legal in this position, where `done` or a portal such as `@c3` is expected",
            Phase::Second(_) => "not legal in this position, where a second portal such as `@f6` is expected",
        };
        MoveError { text: text.to_owned(), reason: reason.to_owned() }
    })
}
