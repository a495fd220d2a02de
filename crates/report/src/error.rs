//! Errors of this crate.

use catapult_store::StoreError;
use std::path::{Path, PathBuf};

/// Error of reading or writing a report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file or folder cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder does not belong to a finished study.
    #[error("{}: {reason}", dir.display())]
    NotAStudy {
        /// The folder.
        dir: PathBuf,
        /// The defect of the folder.
        reason: String,
    },
    /// A figure or page cannot be created.
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
