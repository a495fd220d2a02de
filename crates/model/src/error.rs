//! What can go wrong with networks and their files.

use catapult_store::BadSetting;
use std::path::PathBuf;

/// An error of the model crate. Its text names the file or key.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is not what it should be, or its content does not have the hash it carries.
    #[error("{path}: {reason}")]
    BadFile {
        /// The file.
        path: PathBuf,
        /// What was found and what is allowed.
        reason: String,
    },
    /// An architecture that cannot be built, or that does not fit.
    #[error("architecture: {0}")]
    BadArchitecture(String),
    /// A size that cannot be built, or that does not fit.
    #[error("architecture: {0}")]
    BadSize(#[from] BadSetting),
}
