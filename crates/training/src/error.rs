//! Errors of this crate.

use catapult_arena::MatchError;
use catapult_selfplay::SelfPlayError;
use catapult_store::{Stop, StoreError};
use std::path::{Path, PathBuf};

/// Error of an operation of this crate, such as training, packing or rating.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// The caller set `stop` to true. Repeating the call resumes the run.
    #[error("stopped; rerun the command to resume")]
    Stopped,
    /// An input of a unit does not exist yet. The text names the missing input.
    #[error("{0} does not exist yet; try again later")]
    NotYet(String),
    /// A folder or object store contains no run. The value is its path or URL.
    #[error("{0} contains no config.toml, so it is not a run")]
    NotBegun(String),
    /// A file or folder cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A config cannot be used.
    #[error("{file}: {reason}")]
    Config {
        /// Path of the config file. If there is no file, it is the folder or command-line option
        /// that the config was given for.
        file: PathBuf,
        /// Description of the problem, with the name of the key.
        reason: String,
    },
    /// The folder to create exists and is not empty. The value is its path.
    #[error("{0} is not empty; choose another folder")]
    Taken(PathBuf),
    /// A network could not be evaluated or trained.
    #[error(transparent)]
    Network(#[from] catapult_network::NetworkError),
    /// A network file cannot be used.
    #[error(transparent)]
    Model(#[from] catapult_network::ModelError),
    /// An endgame tablebase cannot be used.
    #[error(transparent)]
    Endings(#[from] catapult_endings::EndingsError),
    /// A shard cannot be read or written.
    #[error(transparent)]
    Records(#[from] catapult_records::RecordError),
    /// Positions could not be evaluated, in self-play or by a teacher.
    #[error(transparent)]
    Evaluation(#[from] catapult_mcts::EvaluationError),
    /// The operating system provided no threads. The text is its error message.
    #[error("no threads: {0}")]
    Threads(String),
    /// A match cannot be played. The reason is neither `Stopped` nor `Store`.
    #[error(transparent)]
    Match(MatchError),
    /// A folder or object store contains a run with another config or something else than a run, a
    /// player cannot play, a unit does not exist, a shard cannot be replayed, a source has no usable
    /// game, a game breaks the rules, an output exists, or there is nothing to pack or to draw. The
    /// text says why.
    #[error("{0}")]
    Other(String),
}

impl TrainingError {
    /// Returns true if repeating the operation may succeed, here or on another machine.
    pub fn is_transient(&self) -> bool {
        match self {
            TrainingError::Stopped | TrainingError::NotYet(_) | TrainingError::Threads(_) => true,
            TrainingError::Store(error) => error.is_transient(),
            TrainingError::Records(error) => error.is_transient(),
            TrainingError::Network(error) => error.is_transient(),
            TrainingError::Model(error) => error.is_transient(),
            TrainingError::Match(error) => error.is_transient(),
            TrainingError::Endings(error) => error.is_transient(),
            // For example, a GPU without free memory.
            TrainingError::Evaluation(_) => true,
            _ => false,
        }
    }

    pub(crate) fn config(file: &Path, reason: impl Into<String>) -> TrainingError {
        TrainingError::Config { file: file.to_owned(), reason: reason.into() }
    }
}

impl Stop for TrainingError {
    fn stopped() -> TrainingError {
        TrainingError::Stopped
    }

    fn is_stopped(&self) -> bool {
        matches!(self, TrainingError::Stopped)
    }
}

impl From<MatchError> for TrainingError {
    fn from(error: MatchError) -> Self {
        match error {
            MatchError::Stopped => TrainingError::Stopped,
            MatchError::Store(error) => error.into(),
            other => TrainingError::Match(other),
        }
    }
}

impl From<SelfPlayError> for TrainingError {
    fn from(error: SelfPlayError) -> Self {
        match error {
            SelfPlayError::Stopped => TrainingError::Stopped,
            SelfPlayError::Endings(error) => error.into(),
            SelfPlayError::Evaluation(error) => error.into(),
        }
    }
}
