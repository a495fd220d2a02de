//! Errors of the network crate.

use catapult_model::ModelError;
use catapult_store::BadSetting;

/// Error of the network crate. Its text names the file, key or device.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// Error of a network or its file.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Invalid training settings, or an invalid training batch.
    #[error("training: {0}")]
    BadTraining(String),
    /// Invalid training setting.
    #[error("training: {0}")]
    BadSetting(#[from] BadSetting),
    /// Unknown or missing device.
    #[error("device: {0}")]
    NoDevice(String),
    /// Queue of evaluations used out of order.
    #[error("evaluations: {0}")]
    Queue(String),
    /// Error of libtorch.
    #[error("libtorch: {0}")]
    Torch(String),
    /// Operation that needs libtorch, in a build without it.
    #[error(
        "{0} needs libtorch, and this program was built without it: `scripts/catapult` builds it with libtorch, \
         cargo with the feature `torch`"
    )]
    NoTorch(String),
}
