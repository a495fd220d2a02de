//! Errors of shards. Every message names the file.

use std::path::{Path, PathBuf};

/// A shard could not be written, read or accepted.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The operating system reported an error.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The attempted action.
        action: &'static str,
        /// The system's error.
        source: std::io::Error,
    },
    /// The file name is not the name of a shard.
    #[error("{}: not a shard's name; expected NAME-<16 hex digits>.parquet", path.display())]
    Name {
        /// The file.
        path: PathBuf,
    },
    /// The bytes do not match the hash in the file name.
    #[error("{}: damaged: its name says {expected}, its bytes hash to {found}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Hash prefix in the name.
        expected: String,
        /// Hash prefix of the bytes.
        found: String,
    },
    /// The file is not Parquet or has other columns.
    #[error("{}: not a shard of format {}: {reason}", path.display(), crate::FORMAT)]
    Format {
        /// The file.
        path: PathBuf,
        /// The difference.
        reason: String,
    },
    /// A value is impossible for a game.
    #[error("{}: game {game}: {field}: {reason}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// Index of the game in its run.
        game: u64,
        /// The column.
        field: &'static str,
        /// The found and the allowed value.
        reason: String,
    },
    /// A published file cannot be used.
    #[error("{0}")]
    Unusable(String),
    /// A location could not be read or written.
    #[error(transparent)]
    Store(#[from] catapult_store::StoreError),
}

impl RecordError {
    /// True if a retry may succeed, here or on another machine, because a disk or network failed.
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

/// A record that violates the rules of its game.
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
