//! What can go wrong, by name.

use std::io;
use std::path::{Path, PathBuf};

/// Why a file or folder could not be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file could not be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A file whose content is not what was written.
    #[error("{} is damaged: {reason}", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Another process works on the folder.
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
    /// The folder holds something else.
    #[error("{} is not empty and holds no {marker}", dir.display())]
    Foreign {
        /// The folder.
        dir: PathBuf,
        /// The file that a folder of ours has.
        marker: String,
    },
}

impl StoreError {
    pub(crate) fn file(path: &Path, error: io::Error) -> StoreError {
        StoreError::File { file: path.to_owned(), error }
    }
}
