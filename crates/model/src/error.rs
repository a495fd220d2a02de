//! Errors of networks and network files.

use catapult_store::BadSetting;
use std::io::ErrorKind;
use std::path::PathBuf;

/// Error of a network or its file. The message names the file or the key.
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
        /// Description of the problem, with the content found and expected.
        reason: String,
    },
    /// The architecture is invalid, or does not fit the network or the game. The value is the
    /// reason.
    #[error("architecture: {0}")]
    BadArchitecture(String),
    /// A size in the architecture is invalid, or a network cannot grow to it.
    #[error("architecture: {0}")]
    BadSize(#[from] BadSetting),
}

impl ModelError {
    /// Returns true if a disk caused the error, so a retry may succeed here or on another machine.
    /// A path that names no file is not such an error.
    pub fn is_transient(&self) -> bool {
        const NO_FILE: [ErrorKind; 3] =
            [ErrorKind::NotFound, ErrorKind::IsADirectory, ErrorKind::NotADirectory];
        matches!(self, ModelError::Io { source, .. } if !NO_FILE.contains(&source.kind()))
    }
}
