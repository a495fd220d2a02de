//! The network in libtorch: the training step, and inference where that is faster than plain Rust (bfloat16 on a CPU, GPUs).
//!
//! What a network is stands in the crate `catapult-model`, whose names are here too.
//!
//! * [`Learner`] makes training steps on [`TrainingBatch`]es; its whole state goes into one file and comes back exactly.
//! * [`NetworkEvaluator`] answers searches on any device. On a CPU an answer depends on nothing but the leaf, bit for bit: not on the
//!   size of the batch nor on the leaf's place in it.

mod backend;
mod batch;
pub mod device;
mod error;
mod evaluator;
mod event;
mod graph;
mod learner;
mod loss;
mod memory;
mod optimizer;
mod queue;
mod raw;
mod settings;
mod times;
mod tower;

#[cfg(test)]
mod files_tests;
#[cfg(test)]
mod inference_tests;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod training_tests;

pub use batch::{TrainingBatch, TrainingRow};
pub use catapult_model::{
    Architecture, FORMAT, FUTURE_PLIES, MOVES_LEFT_SCALE, ModelError, Network, NetworkInfo, Parameters,
    Provenance, Role, Spec, file_hash, random_positions, shaken_network,
};
pub use error::NetworkError;
pub use evaluator::{EvaluatorSettings, NetworkEvaluator, Precision};
pub use learner::{Learner, PART_ROWS};
pub use loss::{LossWeights, Losses};
pub use optimizer::Optimizer;
pub use raw::raw_evaluations;
pub use settings::TrainingSettings;
pub use times::{Stage, Times};
