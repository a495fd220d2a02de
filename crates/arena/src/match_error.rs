//! Errors of matches.

use crate::openings::{OpeningError, OpeningFileError};
use crate::player::PlayerError;
use catapult_store::StoreError;
use std::path::Path;

/// Reason for which a match can't begin or was stopped.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// A setting, an opening, a player or its move is invalid, or the folder contains another
    /// match. The text says why.
    #[error("{0}")]
    Other(String),
    /// The game has too few openings.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// A player cannot be built. The error states the reason.
    #[error(transparent)]
    NoPlayer(#[from] PlayerError),
    /// The file of openings cannot be used.
    #[error(transparent)]
    OpeningFile(#[from] OpeningFileError),
    /// A file of the match can't be read or written, or another process plays the match.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The progress callback stopped the match.
    #[error("the match was stopped")]
    Stopped,
}

impl MatchError {
    pub(crate) fn file(path: &Path, error: std::io::Error) -> MatchError {
        StoreError::File { file: path.to_owned(), error }.into()
    }

    pub(crate) fn damaged(path: &Path, reason: String) -> MatchError {
        StoreError::Damaged { file: path.to_owned(), reason }.into()
    }
}
