//! The network: model, training step, files, inference (libtorch).
