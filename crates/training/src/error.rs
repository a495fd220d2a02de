//! What can go wrong, by name.

use catapult_store::{Stop, StoreError};
use std::path::{Path, PathBuf};

/// Why a run could not go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// It was asked to stop; the same command goes on from here.
    #[error("stopped; the same command goes on from here")]
    Stopped,
    /// What a unit is made of is not there yet.
    #[error("{0} is not there yet; try again later")]
    NotYet(String),
    /// A name of no unit.
    #[error("{name}: {reason}")]
    NoUnit {
        /// The name.
        name: String,
        /// What there is.
        reason: String,
    },
    /// There is no run.
    #[error("{0} holds no config.toml, so no run has been begun there")]
    NotBegun(PathBuf),
    /// A file or folder can't be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A config that can't be used.
    #[error("{file}: {reason}")]
    Config {
        /// The config file.
        file: PathBuf,
        /// The key and what is wrong with it.
        reason: String,
    },
    /// The folder holds a run with other settings.
    #[error("{dir} holds a run with another config; choose another --run folder, or change back: {keys}")]
    OtherConfig {
        /// The run's folder.
        dir: PathBuf,
        /// The keys with both values.
        keys: String,
    },
    /// The folder is not empty and not a run.
    #[error("{0} is not empty and holds no config.toml, so it is not a run; choose another --run folder")]
    NotARun(PathBuf),
    /// A folder that would have to be empty.
    #[error("{0} is not empty; choose another folder")]
    Taken(PathBuf),
    /// No game to learn from.
    #[error("{file}: no game of {variants} with a result in it, and none may be learned from without")]
    NoGames {
        /// What was read.
        file: PathBuf,
        /// The games that would do.
        variants: String,
    },
    /// A file that is not to be overwritten.
    #[error("{0} is there already; choose another name")]
    Exists(PathBuf),
    /// There is nothing yet to go on from.
    #[error("{0}: no generation is complete; there is nothing to pack")]
    Incomplete(PathBuf),
    /// A shard of an earlier generation is damaged or lost, and so is what would play it again.
    #[error(
        "{dir}: shard {shard} must be played again, but {network} is not there (a packed run leaves early networks out); \
         copy the shard or the network from where the run was packed"
    )]
    NotReplayable {
        /// The generation's games.
        dir: PathBuf,
        /// The shard's number.
        shard: u32,
        /// The network that played it.
        network: PathBuf,
    },
    /// The network crate failed.
    #[error(transparent)]
    Network(#[from] catapult_network::NetworkError),
    /// A network's file that can't be used.
    #[error(transparent)]
    Model(#[from] catapult_network::ModelError),
    /// The tables of endings can't be used.
    #[error(transparent)]
    Endings(#[from] catapult_endings::EndingsError),
    /// The records crate failed.
    #[error(transparent)]
    Records(#[from] catapult_records::RecordError),
    /// A record that does not fit its rules.
    #[error("{file}: {error}")]
    BadGame {
        /// The shard's file.
        file: PathBuf,
        /// Game, ply and reason.
        error: catapult_records::VerifyError,
    },
    /// A shard could not be played.
    #[error(transparent)]
    SelfPlay(catapult_selfplay::SelfPlayError),
    /// The system gave no threads.
    #[error("no threads: {0}")]
    Threads(String),
    /// A run could not be drawn.
    #[error("chart: {0}")]
    Chart(String),
    /// A match could not be played.
    #[error("match: {0}")]
    Match(String),
}

impl TrainingError {
    /// Whether another try, here or on another machine, may do better.
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
