//! Errors of shards and records.

use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Error of writing, reading or publishing a shard.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The operating system reported an error.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// Path of the file or folder.
        path: PathBuf,
        /// The attempted action as a verb phrase, such as "read".
        action: &'static str,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// A file is not a shard, it is damaged, a game has an impossible value, or a published file is
    /// missing. Contains the complete message, which names the file.
    #[error("{0}")]
    Unusable(String),
    /// A folder or object store could not be read or written.
    #[error(transparent)]
    Store(#[from] catapult_store::StoreError),
}

impl RecordError {
    /// Returns true if a disk, a network or another process caused the error, so a retry may
    /// succeed here or on another machine.
    pub fn is_transient(&self) -> bool {
        match self {
            RecordError::Io { .. } => true,
            RecordError::Store(error) => error.is_transient(),
            _ => false,
        }
    }

    pub(crate) fn io(path: &Path, action: &'static str, source: std::io::Error) -> RecordError {
        RecordError::Io { path: path.to_owned(), action, source }
    }

    pub(crate) fn unusable(path: &Path, reason: impl Display) -> RecordError {
        RecordError::Unusable(format!("{}: {reason}", path.display()))
    }

    /// Creates the error of a file that is not Parquet, or whose columns or values differ from the
    /// format.
    pub(crate) fn format(path: &Path, reason: impl Display) -> RecordError {
        RecordError::unusable(path, format!("not a shard of format {}: {reason}", crate::FORMAT))
    }
}

/// Error in a record, such as a game that violates the rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}, ply {ply}: {reason}")]
pub struct VerifyError {
    /// Index of the game in its shard.
    pub game: u64,
    /// Number of plies before the error.
    pub ply: usize,
    /// Description of the error.
    pub reason: String,
}
