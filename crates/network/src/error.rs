//! Errors of the network crate.

use catapult_model::ModelError;
use catapult_store::BadSetting;

/// Error of training or evaluating a network. The text names the file, the key or the device.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// A network or its file is invalid.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The training settings or a training batch are invalid.
    #[error("training: {0}")]
    BadTraining(String),
    /// A training setting is invalid.
    #[error("training: {0}")]
    BadSetting(#[from] BadSetting),
    /// The device is unknown, or this machine does not have it.
    #[error("device: {0}")]
    NoDevice(String),
    /// The queue of evaluations was used in the wrong order: too many requests, or a reply without
    /// a request.
    #[error("evaluations: {0}")]
    Queue(String),
    /// An operation of libtorch failed.
    #[error("libtorch: {0}")]
    Torch(String),
    /// The operation needs libtorch, and this build has none. The value names the operation.
    #[error(
        "{0} needs libtorch, and this program was built without it: `scripts/catapult` builds it with libtorch, \
         cargo with the feature `torch`"
    )]
    NoTorch(String),
}

impl NetworkError {
    /// Returns true if a disk, a missing device or libtorch caused the error, so a retry may succeed
    /// here or on another machine. Libtorch fails, for example, if a GPU has no free memory.
    pub fn is_transient(&self) -> bool {
        match self {
            NetworkError::NoDevice(_) | NetworkError::Torch(_) => true,
            NetworkError::Model(error) => error.is_transient(),
            _ => false,
        }
    }
}
