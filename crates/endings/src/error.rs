//! Errors of tablebases.

use std::fmt::Display;
use std::path::{Path, PathBuf};

/// An error of a tablebase.
#[derive(Debug, thiserror::Error)]
pub enum EndingsError {
    /// A file cannot be read or written.
    #[error("{}: {source}", file.display())]
    File {
        /// Path of the file.
        file: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// A table that a position or another table needs does not exist.
    #[error("no table {name} in {}; `catapult endings solve` makes it", dir.display())]
    Missing {
        /// Name of the table.
        name: String,
        /// Folder of the tables.
        dir: PathBuf,
    },
    /// The contents of a file are invalid, or do not match its name or its hash, or a table needs
    /// more memory than is free. The text says which.
    #[error("{0}")]
    Unusable(String),
    /// The caller's report function returned false, which stopped the work.
    #[error("stopped")]
    Stopped,
}

impl EndingsError {
    /// Returns true if a disk caused the error, so a retry may succeed here or on another machine.
    /// A path that names no file is not such an error.
    pub fn is_transient(&self) -> bool {
        use std::io::ErrorKind::{IsADirectory, NotADirectory, NotFound};
        matches!(self, EndingsError::File { source, .. }
            if !matches!(source.kind(), NotFound | IsADirectory | NotADirectory))
    }

    pub(crate) fn file(file: &Path, source: std::io::Error) -> EndingsError {
        EndingsError::File { file: file.to_owned(), source }
    }

    pub(crate) fn damaged(file: &Path, reason: impl Display) -> EndingsError {
        EndingsError::Unusable(format!("{}: {reason}", file.display()))
    }
}
