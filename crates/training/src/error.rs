//! Errors of training.

use catapult_store::{Stop, StoreError};
use std::path::{Path, PathBuf};

/// Error of a training run.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// The caller set `stop`. The same command resumes the run.
    #[error("stopped; the same command goes on from here")]
    Stopped,
    /// An input of a unit does not exist yet.
    #[error("{0} is not there yet; try again later")]
    NotYet(String),
    /// No unit has this name.
    #[error("{name}: {reason}")]
    NoUnit {
        /// The name.
        name: String,
        /// The reason.
        reason: String,
    },
    /// The folder contains no run.
    #[error("{0} holds no config.toml, so no run has been begun there")]
    NotBegun(PathBuf),
    /// A file or folder cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A config cannot be used.
    #[error("{file}: {reason}")]
    Config {
        /// The config file.
        file: PathBuf,
        /// The key and what is wrong with it.
        reason: String,
    },
    /// The folder contains a run with other settings.
    #[error("{dir} holds a run with another config; choose another --run folder, or change back: {keys}")]
    OtherConfig {
        /// The run's folder.
        dir: PathBuf,
        /// The keys with both values.
        keys: String,
    },
    /// The folder is not empty and contains no run.
    #[error("{0} is not empty and holds no config.toml, so it is not a run; choose another --run folder")]
    NotARun(PathBuf),
    /// The target folder is not empty.
    #[error("{0} is not empty; choose another folder")]
    Taken(PathBuf),
    /// A source contains no game to learn from.
    #[error("{file}: no game of {variants} with a result in it, and none may be learned from without")]
    NoGames {
        /// The source.
        file: PathBuf,
        /// The variants to learn.
        variants: String,
    },
    /// The output file exists. It is not overwritten.
    #[error("{0} is there already; choose another name")]
    Exists(PathBuf),
    /// No generation is complete, so there is nothing to continue from.
    #[error("{0}: no generation is complete; there is nothing to pack")]
    Incomplete(PathBuf),
    /// A shard must be played again, but the network that played it is missing.
    #[error(
        "{dir}: shard {shard} must be played again, but {network} is not there (a packed run leaves early networks out); \
         copy the shard or the network from where the run was packed"
    )]
    NotReplayable {
        /// Folder of the generation's games.
        dir: PathBuf,
        /// Number of the shard.
        shard: u32,
        /// The network that played the shard.
        network: PathBuf,
    },
    /// The network crate failed.
    #[error(transparent)]
    Network(#[from] catapult_network::NetworkError),
    /// A network file cannot be used.
    #[error(transparent)]
    Model(#[from] catapult_network::ModelError),
    /// An endgame tablebase cannot be used.
    #[error(transparent)]
    Endings(#[from] catapult_endings::EndingsError),
    /// The records crate failed.
    #[error(transparent)]
    Records(#[from] catapult_records::RecordError),
    /// A record violates its rules.
    #[error("{file}: {error}")]
    BadGame {
        /// File of the shard.
        file: PathBuf,
        /// Game, ply and reason.
        error: catapult_records::VerifyError,
    },
    /// A shard could not be played.
    #[error(transparent)]
    SelfPlay(catapult_selfplay::SelfPlayError),
    /// The operating system provided no threads.
    #[error("no threads: {0}")]
    Threads(String),
    /// A run cannot be drawn.
    #[error("chart: {0}")]
    Chart(String),
    /// A match cannot be played.
    #[error("match: {0}")]
    Match(String),
}

impl TrainingError {
    /// Returns true if another attempt may succeed, here or on another machine.
    pub fn is_passing(&self) -> bool {
        use catapult_network::NetworkError;
        match self {
            TrainingError::Stopped | TrainingError::NotYet(_) => true,
            TrainingError::Store(error) => error.is_passing(),
            TrainingError::Records(error) => error.is_passing(),
            TrainingError::Threads(_) | TrainingError::Network(NetworkError::NoDevice(_)) => true,
            _ => false,
        }
    }

    pub(crate) fn file(path: &Path, error: std::io::Error) -> TrainingError {
        StoreError::File { file: path.to_owned(), error }.into()
    }

    pub(crate) fn damaged(path: &Path, reason: impl ToString) -> TrainingError {
        StoreError::Damaged { file: path.to_owned(), reason: reason.to_string() }.into()
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

impl From<catapult_arena::MatchError> for TrainingError {
    fn from(error: catapult_arena::MatchError) -> Self {
        match error {
            catapult_arena::MatchError::Stopped => TrainingError::Stopped,
            other => TrainingError::Match(other.to_string()),
        }
    }
}

impl From<catapult_selfplay::SelfPlayError> for TrainingError {
    fn from(error: catapult_selfplay::SelfPlayError) -> Self {
        match error {
            catapult_selfplay::SelfPlayError::Stopped => TrainingError::Stopped,
            other => TrainingError::SelfPlay(other),
        }
    }
}
