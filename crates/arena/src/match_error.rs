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
    /// A player cannot be built, or failed during a game.
    #[error("{}{error}", name.as_ref().map(|name| format!("player {name}: ")).unwrap_or_default())]
    Player {
        /// The player's name, if the caller gave one.
        name: Option<String>,
        /// Reason for the failure.
        error: PlayerError,
    },
    /// A file of the match can't be read or written, the folder contains files of something else, or
    /// another process plays the match.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The progress callback stopped the match.
    #[error("the match was stopped")]
    Stopped,
}

impl MatchError {
    /// Returns true if repeating the match may succeed, here or on another machine.
    pub fn is_transient(&self) -> bool {
        match self {
            MatchError::Stopped => true,
            MatchError::Store(error) => error.is_transient(),
            MatchError::Player { error, .. } => match error {
                PlayerError::Model(error) => error.is_transient(),
                PlayerError::Network(error) => error.is_transient(),
                // For example, a GPU without free memory.
                PlayerError::Evaluation(_) => true,
                _ => false,
            },
            MatchError::Other(_) => false,
        }
    }
}
