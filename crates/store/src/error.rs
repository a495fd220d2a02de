//! Errors of files, folders and object stores.

use std::io;
use std::path::{Path, PathBuf};

/// A file, folder or object store that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The operating system's error.
        error: io::Error,
    },
    /// The contents of a file are invalid.
    #[error("{} is damaged: {reason}", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The reason.
        reason: String,
    },
    /// Another process uses the folder.
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
    /// An object store does not respond or responds with an error.
    #[error("{place}: {reason}")]
    Unreachable {
        /// URL of the store or of an object.
        place: String,
        /// The reason.
        reason: String,
    },
    /// Nothing exists at a URL.
    #[error("{0}: no run or study exists there")]
    Nothing(String),
    /// This build has no support for object stores over the network.
    #[error("{0}: not in this build; build with `--features objects` (file:///folder is in every one)")]
    NotBuilt(String),
    /// No folder is available to mirror a store in.
    #[error(
        "CATAPULT_CACHE must name a folder that mirrors what lies at a URL: neither XDG_CACHE_HOME nor HOME is set"
    )]
    NoCache,
    /// The published file has another cache key.
    #[error("{} was published with another cache key; choose another place", .0.display())]
    OtherTerms(PathBuf),
    /// The folder belongs to something else.
    #[error("{} is not empty and holds no {marker}", dir.display())]
    Foreign {
        /// The folder.
        dir: PathBuf,
        /// Name of the file that marks the program's folders.
        marker: String,
    },
}

impl StoreError {
    /// Returns true if a retry, here or on another machine, may succeed, because a disk, a network
    /// or another process failed.
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
