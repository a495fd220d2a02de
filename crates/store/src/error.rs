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
    /// An object store does not respond or responds with an error, or its URL is invalid.
    #[error("{place}: {reason}")]
    Unreachable {
        /// URL of the store or of an object.
        place: String,
        /// Description of the fault.
        reason: String,
    },
    /// No run or study exists at a URL. The value is the URL.
    #[error("{0}: no run or study exists there")]
    Nothing(String),
    /// An object store needs a build with the feature `objects`. The value is the store's URL.
    #[error("{0}: not in this build; build with `--features objects` (file:///folder is in every one)")]
    NotBuilt(String),
    /// No folder is known in which to mirror an object store: `CATAPULT_CACHE`, `XDG_CACHE_HOME`
    /// and `HOME` are not set.
    #[error(
        "CATAPULT_CACHE must name a folder that mirrors what lies at a URL: neither XDG_CACHE_HOME nor HOME is set"
    )]
    NoCache,
    /// A published file has another cache key than the one requested. The value is the file's path.
    #[error("{} was published with another cache key; choose another place", .0.display())]
    OtherTerms(PathBuf),
    /// A folder is not empty and does not belong to this program.
    #[error("{} is not empty and holds no {marker}", dir.display())]
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
    pub fn is_passing(&self) -> bool {
        match self {
            StoreError::File { .. } | StoreError::InUse(_) | StoreError::Unreachable { .. } => true,
            StoreError::Damaged { .. } | StoreError::Foreign { .. } | StoreError::OtherTerms(_) => false,
            StoreError::Nothing(_) | StoreError::NotBuilt(_) | StoreError::NoCache => false,
        }
    }

    pub(crate) fn file(path: &Path, error: io::Error) -> StoreError {
        StoreError::File { file: path.to_owned(), error }
    }
}
