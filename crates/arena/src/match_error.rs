//! Errors of matches.

use crate::player::PlayerError;
use catapult_store::StoreError;

/// Reason for which a match can't begin or was stopped.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// A setting, an opening, a player or its move is invalid, the game has too few openings, the
    /// file of openings cannot be used, or the folder contains another match. The text says why.
    #[error("{0}")]
    Other(String),
    /// A player cannot be built. The error states the reason.
    #[error(transparent)]
    NoPlayer(#[from] PlayerError),
    /// A file of the match can't be read or written, the folder contains files of something else, or
    /// another process plays the match.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The progress callback stopped the match.
    #[error("the match was stopped")]
    Stopped,
}
