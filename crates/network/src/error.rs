//! What can go wrong with networks.

use catapult_model::ModelError;

/// An error of the network crate. Its text names the file, key or device.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The network itself, or its file.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Training settings or a training batch that cannot be used.
    #[error("training: {0}")]
    BadTraining(String),
    /// A device that is not there.
    #[error("device: {0}")]
    NoDevice(String),
    /// A queue of evaluations that is used out of order.
    #[error("evaluations: {0}")]
    Queue(String),
    /// libtorch refused an operation.
    #[error("libtorch: {}", first_line(.0))]
    Torch(#[from] tch::TchError),
}

/// What libtorch says, without the stack trace that it adds.
fn first_line(error: &tch::TchError) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().to_string()
}
