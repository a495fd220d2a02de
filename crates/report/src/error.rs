//! What can go wrong, by name.

use catapult_store::StoreError;
use std::path::{Path, PathBuf};

/// Why a report could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file or folder can't be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder is not a finished study's.
    #[error("{}: {reason}", dir.display())]
    NotAStudy {
        /// The folder.
        dir: PathBuf,
        /// What it lacks, or holds.
        reason: String,
    },
    /// A figure or page could not be made.
    #[error("report: {0}")]
    Report(String),
}

impl ReportError {
    pub(crate) fn file(path: &Path, error: std::io::Error) -> ReportError {
        StoreError::File { file: path.to_owned(), error }.into()
    }

    pub(crate) fn damaged(path: &Path, reason: impl ToString) -> ReportError {
        StoreError::Damaged { file: path.to_owned(), reason: reason.to_string() }.into()
    }
}
