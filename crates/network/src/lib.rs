//! Networks in libtorch: training, and evaluation on GPUs.
//!
//! The crate `catapult-model` defines networks. This crate re-exports its public names.
//!
//! * [`Learner`] trains a network on [`TrainingBatch`]es. One file stores its whole state and
//!   restores it exactly.
//! * [`NetworkEvaluator`] evaluates search leaves, in plain Rust on a CPU and in libtorch on a GPU.
//!   On a CPU, an evaluation depends only on the leaf, bit for bit. It does not depend on the other
//!   leaves of its batch.
//!
//! Without the feature `torch` (on by default), the crate builds without libtorch. It then has no
//! [`Learner`], and networks run in plain Rust. GPUs give [`NetworkError::NoTorch`].
//!
//! ```
//! use catapult_encoding::Encode;
//! use catapult_mcts::{Batch, Evaluator};
//! use catapult_network::{EvaluatorSettings, Network, NetworkEvaluator};
//! use catapult_rules::{ChessPp, Plain, Position};
//!
//! let file = std::path::Path::new("../../models/rules-small.safetensors");
//! let network = Network::load(file, &ChessPp::LAYOUT).unwrap();
//! let mut evaluator = NetworkEvaluator::<ChessPp>::new(&network, EvaluatorSettings::default()).unwrap();
//! let start = ChessPp::start(Plain);
//! let mut batch = Batch::default();
//! batch.push(start, 0, &start.legal_moves());
//! evaluator.evaluate(&mut batch).unwrap();
//! assert_eq!(batch.logits.len(), start.legal_moves().len());
//! ```

mod batch;
pub mod device;
mod error;
mod evaluator;
mod losses;
mod optimizer;
mod raw;
mod settings;
mod team;
mod times;

#[cfg(feature = "torch")]
mod torch;
#[cfg(feature = "torch")]
use torch as libtorch;
#[cfg(not(feature = "torch"))]
mod without_torch;
#[cfg(not(feature = "torch"))]
use without_torch as libtorch;

pub use batch::{TrainingBatch, TrainingRow};
pub use catapult_model::{
    Architecture, FORMAT, FUTURE_PLIES, MOVES_LEFT_SCALE, ModelError, Network, NetworkInfo, Parameters,
    Provenance, Role, SparseSizes, Spec, TowerSizes, file_hash, hash, random_positions, shaken_network,
};
pub use device::{Device, DeviceName, usable_threads};
pub use error::NetworkError;
pub use evaluator::{EvaluatorSettings, NetworkEvaluator, Precision};
pub use libtorch::try_libtorch;
pub use losses::{LossWeights, Losses};
pub use optimizer::{AdamW, Optimizer, Sgd};
pub use raw::raw_evaluations;
pub use settings::{TrainingSettings, part_rows};
pub use times::{Stage, Times};
#[cfg(feature = "torch")]
pub use torch::Learner;
