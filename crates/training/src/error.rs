//! What can go wrong, by name.

use std::path::{Path, PathBuf};

/// Why a run could not go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// It was asked to stop; the same command goes on from here.
    #[error("stopped; the same command goes on from here")]
    Stopped,
    /// A file could not be read or written.
    #[error("{file}: {error}")]
    File {
        /// The file.
        file: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// A config that can't be used.
    #[error("{file}: {reason}")]
    Config {
        /// The config file.
        file: PathBuf,
        /// The key and what is wrong with it.
        reason: String,
    },
    /// A file whose content is not what was written.
    #[error("{file} is damaged: {reason}")]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong.
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
    /// Another process works on the run.
    #[error("{0} is in use by another process")]
    InUse(PathBuf),
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
        error: catapult_rows::BadGame,
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
    pub(crate) fn file(path: &Path, error: std::io::Error) -> TrainingError {
        TrainingError::File { file: path.to_owned(), error }
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
