//! What a network is: its sizes, its parameters, its file, and its answers in plain Rust. Needs no libtorch, and builds for
//! WebAssembly.
//!
//! A residual convolutional tower with global pooling (Wu 2019, "Accelerating Self-Play Learning in Go") and four
//! heads: policy, win-draw-loss, moves left, and what still stands on each square some plies later.
//!
//! * [`Architecture`] and a game's layout give the [`Model`]: its parts and their parameters, written once.
//! * [`Parameters`] are their values: named `f32` arrays in one fixed order.
//! * [`Network`] is what plays: parameters (averaged weights) with their file format and hash.
//! * [`CpuEvaluator::portable`] answers searches with it.
//! * [`fold()`] takes the batch normalisation out, for whoever computes the network by other means: [`Folded`].
//!
//! # The policy head
//!
//! A wide convolution over all policy planes would cost more than a small tower, for moves that are mostly not legal.
//! Instead the tower gives every square three small vectors, features `F`, query `Q` and key `K`, and a legal move on
//! policy plane `p` has the logit `F[from]·A[p] + F[to]·B[p] + Q[from]·K[to]/√d + c[p]`.
//!
//! ```
//! use catapult_encoding::Encode;
//! use catapult_mcts::{Batch, Evaluator};
//! use catapult_model::{Architecture, CpuEvaluator, Network};
//! use catapult_rules::{Chess, Position, Standard};
//!
//! let architecture = Architecture {
//!     channels: 16,
//!     blocks: 2,
//!     pooled_every: 2,
//!     policy_channels: 16,
//!     attention_channels: 8,
//!     value_channels: 8,
//!     value_hidden: 16,
//! };
//! let network = Network::untrained(architecture, Chess::LAYOUT, 1).unwrap();
//! let mut evaluator = CpuEvaluator::<Chess>::portable(&network).unwrap();
//! let start = Chess::start(Standard);
//! let mut batch = Batch::default();
//! batch.push(start, 0, &start.legal_moves());
//! evaluator.evaluate(&mut batch).unwrap();
//! // A logit a legal move; win, draw and loss.
//! assert_eq!(batch.logits.len(), 20);
//! assert!((batch.values[0].wdl.iter().sum::<f32>() - 1.0).abs() < 1e-5);
//! ```

mod architecture;
mod error;
mod evaluator;
pub mod files;
mod fold;
mod grow;
mod heads;
mod model;
mod network;
mod parameters;
mod samples;
mod spec;
pub mod winograd;

#[cfg(test)]
mod files_tests;
#[cfg(test)]
mod testing;

pub use architecture::Architecture;
pub use error::ModelError;
pub use evaluator::{CpuEvaluator, Portable, fits};
pub use files::{FORMAT, file_hash, hash};
pub use fold::{Block, Convolution, Dense, Folded, fold, input_channels};
pub use heads::value_of;
pub use model::{Input, Linear, Model, Norm, Policy, ResidualBlock};
pub use network::{Network, NetworkInfo, Provenance};
pub use parameters::Parameters;
pub use samples::{random_positions, shaken_network};
pub use spec::{Init, Role, Spec};

/// Plies after a position at which the auxiliary heads say what still stands on each square.
pub const FUTURE_PLIES: [u32; 2] = [8, 24];

/// The moves-left head's unit, in plies: it predicts `softplus(z) * MOVES_LEFT_SCALE`.
pub const MOVES_LEFT_SCALE: f32 = 50.0;

/// Added to variances in batch normalisation.
pub const BATCH_NORM_EPSILON: f64 = 1e-5;
