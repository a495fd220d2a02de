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
    /// A store of objects that gives no answer, or not the one that was asked for.
    #[error("{place}: {reason}")]
    Unreachable {
        /// Its URL, or that of an object.
        place: String,
        /// What it says.
        reason: String,
    },
    /// Nothing lies at a URL.
    #[error("{0}: nothing has been begun there")]
    Nothing(String),
    /// This build knows no stores of objects over the network.
    #[error("{0}: not in this build; build with `--features objects` (file:///folder is in every one)")]
    NotBuilt(String),
    /// No folder to mirror a store in.
    #[error(
        "CATAPULT_CACHE must name a folder that mirrors what lies at a URL: neither XDG_CACHE_HOME nor HOME is set"
    )]
    NoCache,
    /// What is published for good was made on other terms.
    #[error("{} was published on other terms; choose another place", .0.display())]
    OtherTerms(PathBuf),
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
    /// Whether another try, here or on another machine, may do better: what failed is a disk, a network or a neighbour.
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
