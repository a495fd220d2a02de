//! What can go wrong with networks.

use catapult_model::ModelError;
use catapult_store::BadSetting;

/// An error of the network crate. Its text names the file, key or device.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The network itself, or its file.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Training settings or a training batch that cannot be used.
    #[error("training: {0}")]
    BadTraining(String),
    /// A training setting that cannot be used.
    #[error("training: {0}")]
    BadSetting(#[from] BadSetting),
    /// A device that is not there.
    #[error("device: {0}")]
    NoDevice(String),
    /// A queue of evaluations that is used out of order.
    #[error("evaluations: {0}")]
    Queue(String),
    /// libtorch refused an operation.
    #[error("libtorch: {0}")]
    Torch(String),
    /// Something that needs libtorch, in a build without it.
    #[error(
        "{0} needs libtorch, and this program was built without it: `scripts/catapult` builds it with libtorch, \
         cargo with the feature `torch`"
    )]
    NoTorch(String),
}
