//! Errors of reading: each names the field and what was found.

/// A FEN that was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("FEN field {field}: {reason}")]
pub struct FenError {
    /// The field at fault, by name: `placement`, `side to move`, `castling`, `en passant`, ...
    pub field: &'static str,
    /// What was found and what is allowed.
    pub reason: String,
}

/// A move text that was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("move `{text}`: {reason}")]
pub struct MoveError {
    /// The text as it was given.
    pub text: String,
    /// Why it is not a move here.
    pub reason: String,
}
