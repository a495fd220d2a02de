//! What can go wrong with a shard; every message names the file.

use std::path::{Path, PathBuf};

/// A shard could not be written or was refused.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The operating system refused.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// The system's answer.
        source: std::io::Error,
    },
    /// The file's name is not that of a shard.
    #[error("{}: not a shard's name; expected NAME-<16 hex digits>.parquet", path.display())]
    Name {
        /// The file.
        path: PathBuf,
    },
    /// The bytes are not those that were written.
    #[error("{}: damaged: its name says {expected}, its bytes hash to {found}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Hash prefix in the name.
        expected: String,
        /// Hash prefix of the bytes.
        found: String,
    },
    /// Not a Parquet file, or one with other columns.
    #[error("{}: not a shard of format {}: {reason}", path.display(), crate::FORMAT)]
    Format {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
    /// A value that no game can have.
    #[error("{}: game {game}: {field}: {reason}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// Index of the game in its run.
        game: u64,
        /// The column.
        field: &'static str,
        /// What was found and what is allowed.
        reason: String,
    },
    /// What is published for good can't be used.
    #[error("{0}")]
    Unusable(String),
    /// A place can't be read or written.
    #[error(transparent)]
    Store(#[from] catapult_store::StoreError),
}

impl RecordError {
    /// Whether another try, here or on another machine, may do better: what failed is a disk or a network.
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

/// A record that the rules contradict.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}, ply {ply}: {reason}")]
pub struct VerifyError {
    /// Index of the game in its run.
    pub game: u64,
    /// Plies played before the fault.
    pub ply: usize,
    /// What was found.
    pub reason: String,
}
