//! Errors of files, folders and object stores.

use std::io;
use std::path::{Path, PathBuf};

/// Error of a file, a folder or an object store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// Path of the file or folder.
        file: PathBuf,
        /// Error of the operating system.
        error: io::Error,
    },
    /// A file has invalid contents.
    #[error("{} is damaged: {reason}", file.display())]
    Damaged {
        /// Path of the file.
        file: PathBuf,
        /// Description of the fault.
        reason: String,
    },
    /// Another process has locked the folder. The value is the folder's path.
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
    /// An object store does not respond or responds with an error.
    #[error("{place}: {reason}")]
    Unreachable {
        /// URL of the store or of an object.
        place: String,
        /// Description of the fault.
        reason: String,
    },
    /// A folder, an object store or a file in it cannot be used as requested. The text says why.
    #[error("{0}")]
    Unusable(String),
    /// A folder is not empty and does not belong to this program.
    #[error("{} is not empty and contains no {marker}", dir.display())]
    Foreign {
        /// Path of the folder.
        dir: PathBuf,
        /// Name of the file that identifies folders of this program.
        marker: String,
    },
}

impl StoreError {
    /// Returns true if a disk, a network or another process caused the error, so a retry may
    /// succeed here or on another machine.
    pub fn is_transient(&self) -> bool {
        matches!(self, StoreError::File { .. } | StoreError::InUse(_) | StoreError::Unreachable { .. })
    }

    /// Creates the error of a file or folder that cannot be read or written.
    pub fn file(path: &Path, error: io::Error) -> StoreError {
        StoreError::File { file: path.to_owned(), error }
    }

    /// Creates the error of a file with invalid contents.
    pub fn damaged(path: &Path, reason: impl ToString) -> StoreError {
        StoreError::Damaged { file: path.to_owned(), reason: reason.to_string() }
    }
}
