//! Errors of reading and writing reports.

use catapult_store::StoreError;
use std::path::Path;

/// Error that occurs when a report is read or written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file or folder cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder is not the folder of a finished study, or a comparison has fewer than two studies.
    /// The text says why.
    #[error("{0}")]
    Other(String),
}

impl ReportError {
    pub(crate) fn file(path: &Path, error: std::io::Error) -> ReportError {
        StoreError::File { file: path.to_owned(), error }.into()
    }
}
