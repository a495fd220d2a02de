//! Errors of shards and records.

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
    /// The file name is not the name of a shard.
    #[error("{}: not a shard's name; expected NAME-<16 hex digits>.parquet", path.display())]
    Name {
        /// Path of the file.
        path: PathBuf,
    },
    /// The file's hash differs from the hash in its name.
    #[error("{}: damaged: its name says {expected}, its bytes hash to {found}", path.display())]
    Damaged {
        /// Path of the file.
        path: PathBuf,
        /// First hex digits of the hash, from the file name.
        expected: String,
        /// First hex digits of the hash, computed from the bytes.
        found: String,
    },
    /// The file is not Parquet, or its columns or values differ from the format.
    #[error("{}: not a shard of format {}: {reason}", path.display(), crate::FORMAT)]
    Format {
        /// Path of the file.
        path: PathBuf,
        /// Description of what differs from the format.
        reason: String,
    },
    /// A game has an impossible value, such as a probability above 1.
    #[error("{}: game {game}: {field}: {reason}", path.display())]
    Value {
        /// Path of the file.
        path: PathBuf,
        /// Index of the game in its run.
        game: u64,
        /// Name of the column, or names separated by commas.
        field: &'static str,
        /// The value found and the reason why it is impossible.
        reason: String,
    },
    /// A published file cannot be used. Contains the complete message.
    #[error("{0}")]
    Unusable(String),
    /// A folder or object store could not be read or written.
    #[error(transparent)]
    Store(#[from] catapult_store::StoreError),
}

impl RecordError {
    /// Returns true if a disk, a network or another process caused the error, so a retry may
    /// succeed here or on another machine.
    pub fn is_passing(&self) -> bool {
        match self {
            RecordError::Io { .. } => true,
            RecordError::Store(error) => error.is_passing(),
            _ => false,
        }
    }

    pub(crate) fn io(path: &Path, action: &'static str, source: std::io::Error) -> RecordError {
        RecordError::Io { path: path.to_owned(), action, source }
    }

    pub(crate) fn format(path: &Path, reason: impl ToString) -> RecordError {
        RecordError::Format { path: path.to_owned(), reason: reason.to_string() }
    }
}

/// Error in a record, such as a game that violates the rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}, ply {ply}: {reason}")]
pub struct VerifyError {
    /// Index of the game in its run.
    pub game: u64,
    /// Number of plies before the error.
    pub ply: usize,
    /// Description of the error.
    pub reason: String,
}
