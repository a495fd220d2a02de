//! What can go wrong with tables.

use std::path::{Path, PathBuf};

/// What can go wrong with tables.
#[derive(Debug, thiserror::Error)]
pub enum EndingsError {
    /// A file can't be read or written.
    #[error("{}: {source}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file is not what its name says, or its bytes are not those that were written.
    #[error("{}: {reason}", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What was found.
        reason: String,
    },
    /// A table that a position or another table needs is not there.
    #[error("no table {name} in {}; `catapult endings solve` makes it", dir.display())]
    Missing {
        /// The table's name.
        name: String,
        /// The folder.
        dir: PathBuf,
    },
    /// There is less memory than a table takes.
    #[error("{name} takes {needed} MB of memory and {found} MB are free; skipped")]
    Memory {
        /// The table's name.
        name: String,
        /// Megabytes it takes.
        needed: u64,
        /// Megabytes that are free.
        found: u64,
    },
    /// The work was asked to stop.
    #[error("stopped")]
    Stopped,
}

impl EndingsError {
    pub(crate) fn file(file: &Path, source: std::io::Error) -> EndingsError {
        EndingsError::File { file: file.to_owned(), source }
    }

    pub(crate) fn damaged(file: &Path, reason: impl Into<String>) -> EndingsError {
        EndingsError::Damaged { file: file.to_owned(), reason: reason.into() }
    }
}
