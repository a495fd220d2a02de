//! Errors of FENs and move texts. Each error names the wrong part.

/// A FEN that is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("FEN field {field}: {reason}")]
pub struct FenError {
    /// Name of the invalid field: `placement`, `side to move`, `castling`, `en passant`, ...
    pub field: &'static str,
    /// Reason why the field is invalid.
    pub reason: String,
}

/// A move text that is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("move `{text}`: {reason}")]
pub struct MoveError {
    /// Move text as given by the caller.
    pub text: String,
    /// Reason why the text is not a legal move.
    pub reason: String,
}
