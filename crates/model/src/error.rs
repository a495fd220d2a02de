//! Errors of networks and their files.

use catapult_store::BadSetting;
use std::path::PathBuf;

/// An error of this crate. The message names the file or key.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A file has the wrong format, or its content does not match its hash.
    #[error("{path}: {reason}")]
    BadFile {
        /// The file.
        path: PathBuf,
        /// The found and the allowed content.
        reason: String,
    },
    /// An architecture that is invalid or does not match.
    #[error("architecture: {0}")]
    BadArchitecture(String),
    /// A size that is invalid or does not match.
    #[error("architecture: {0}")]
    BadSize(#[from] BadSetting),
}
