//! Errors of the network crate.

use catapult_model::ModelError;
use catapult_store::BadSetting;

/// Error of the network crate. The text names the file, the key or the device.
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
    /// The device is unknown or missing.
    #[error("device: {0}")]
    NoDevice(String),
    /// The queue of evaluations was used in the wrong order.
    #[error("evaluations: {0}")]
    Queue(String),
    /// An operation of libtorch failed.
    #[error("libtorch: {0}")]
    Torch(String),
    /// The operation needs libtorch, and this build has none.
    #[error(
        "{0} needs libtorch, and this program was built without it: `scripts/catapult` builds it with libtorch, \
         cargo with the feature `torch`"
    )]
    NoTorch(String),
}
