//! The network: model, training step, files, inference (libtorch, or plain Rust on CPUs without bfloat16).
//!
//! A residual convolutional tower with global pooling (Wu 2019, "Accelerating Self-Play Learning in Go") and four
//! heads: policy, win-draw-loss, moves left, and what still stands on each square some plies later.
//!
//! * [`Architecture`] and a game's layout give the [`Parameters`]: named `f32` arrays in one fixed order.
//! * [`Learner`] makes training steps on [`TrainingBatch`]es; its whole state goes into one file and comes back exactly.
//! * [`Network`] is what plays: parameters (averaged weights) with their file format and hash.
//! * [`NetworkEvaluator`] answers searches with it. An answer depends on nothing but the leaf, bit for bit: not on the
//!   size of the batch nor on the leaf's place in it.
//!
//! # The policy head
//!
//! A wide convolution over all policy planes would cost more than a small tower, for moves that are mostly not legal.
//! Instead the tower gives every square three small vectors, features `F`, query `Q` and key `K`, and a legal move on
//! policy plane `p` has the logit `F[from]·A[p] + F[to]·B[p] + Q[from]·K[to]/√d + c[p]`.

mod architecture;
mod backend;
mod batch;
pub mod device;
mod error;
mod evaluator;
mod event;
mod files;
mod fold;
mod graph;
mod grow;
mod heads;
mod learner;
mod loss;
mod memory;
mod network;
mod optimizer;
mod parameters;
mod positions;
mod queue;
mod raw;
mod settings;
mod times;
mod tower;
mod winograd;

#[cfg(test)]
mod files_tests;
#[cfg(test)]
mod inference_tests;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod training_tests;

pub use architecture::Architecture;
pub use batch::{TrainingBatch, TrainingRow};
pub use error::NetworkError;
pub use evaluator::{EvaluatorSettings, NetworkEvaluator, Precision};
pub use files::{FORMAT, file_hash};
pub use learner::{Learner, PART_ROWS};
pub use loss::{LossWeights, Losses};
pub use network::{Network, NetworkInfo, Provenance};
pub use optimizer::Optimizer;
pub use parameters::{Parameters, Role, Spec};
pub use positions::random_positions;
pub use raw::raw_evaluations;
pub use settings::TrainingSettings;
pub use times::{Stage, Times};

/// Plies after a position at which the auxiliary heads say what still stands on each square.
pub const FUTURE_PLIES: [u32; 2] = [8, 24];

/// The moves-left head's unit, in plies: it predicts `softplus(z) * MOVES_LEFT_SCALE`.
pub const MOVES_LEFT_SCALE: f32 = 50.0;

/// Added to variances in batch normalisation.
pub(crate) const BATCH_NORM_EPSILON: f64 = 1e-5;
