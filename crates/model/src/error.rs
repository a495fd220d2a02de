//! Errors of networks and network files.

use catapult_store::BadSetting;
use std::path::PathBuf;

/// Error of a network or a network file. The message names the file or the key.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// A file has the wrong format, or its content does not match its hash.
    #[error("{path}: {reason}")]
    BadFile {
        /// Path of the file.
        path: PathBuf,
        /// The content found and the content expected.
        reason: String,
    },
    /// The architecture is invalid or does not fit. Contains the reason.
    #[error("architecture: {0}")]
    BadArchitecture(String),
    /// A size of the architecture is invalid or does not fit.
    #[error("architecture: {0}")]
    BadSize(#[from] BadSetting),
}
