//! Networks: sizes, parameters, files, and inference in plain Rust. The crate needs no libtorch and
//! builds for WebAssembly.
//!
//! There are two kinds of network:
//!
//! * A *tower* is a residual convolutional tower with global pooling (Wu 2019, "Accelerating
//!   Self-Play Learning in Go") and four heads: policy, win-draw-loss, moves left, and future
//!   occupancy of each square. Its convolutions are computed in integers: see [`winograd`].
//! * A *sparse network* has one wide layer over the set bits of a position, and no head for future
//!   occupancy. It is computed in integers: see [`SparseModel`] and [`Features`].
//!
//! The main items:
//!
//! * [`Architecture`] and a game's layout determine the [`Model`]: the parts of a network and their
//!   parameters.
//! * [`Parameters`] contains the values of all parameters: named `f32` arrays in a fixed order.
//! * [`Network`] is a network that can play. Its parameters are averaged weights, and it has a file
//!   format and a hash.
//! * [`CpuEvaluator`] evaluates search leaves with a network.
//! * [`fold()`] folds the batch normalisation of a tower into convolutions. The result, [`Folded`],
//!   is the input of other inference engines.
//!
//! # The policy head of a tower
//!
//! A wide convolution over all policy planes would cost more than a small tower, mostly for illegal
//! moves. Instead, the tower gives every square three small vectors: features `F`, query `Q` and
//! key `K`. Query and key have the length `d`. A legal move on policy plane `p` has the logit
//! `F[from]·A[p] + F[to]·B[p] + Q[from]·K[to]/√d + c[p]`. `A`, `B` and `c` are weights of each
//! plane.
//!
//! ```
//! use catapult_encoding::Encode;
//! use catapult_mcts::{Batch, Evaluator};
//! use catapult_model::{Architecture, CpuEvaluator, Network};
//! use catapult_rules::{Chess, Position, Standard};
//!
//! let network = Network::untrained(Architecture::tower(16, 2), Chess::LAYOUT, 1).unwrap();
//! let mut evaluator = CpuEvaluator::<Chess>::new(&network, 128).unwrap();
//! let start = Chess::start(Standard);
//! let mut batch = Batch::default();
//! batch.push(start, 0, &start.legal_moves());
//! evaluator.evaluate(&mut batch).unwrap();
//! // One logit per legal move; probabilities of win, draw and loss.
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
mod sparse;
mod spec;
pub mod winograd;

#[cfg(test)]
mod files_tests;
#[cfg(test)]
mod testing;

pub use architecture::{Architecture, SparseSizes, TowerSizes};
pub use error::ModelError;
pub use evaluator::{CpuEvaluator, Portable, fits};
pub use files::{FORMAT, file_hash, hash};
pub use fold::{Block, Convolution, Dense, Folded, fold, input_channels};
pub use heads::value_of;
pub use model::{Input, Linear, Model, Norm, Policy, ResidualBlock, SparseModel, Table, TowerModel};
pub use network::{Network, NetworkInfo, Provenance};
pub use parameters::Parameters;
pub use samples::{random_positions, shaken_network};
pub use sparse::features::Features;
pub use spec::{Init, Role, Spec};

/// Horizons of the auxiliary head for future occupancy, in plies. The head predicts the occupancy
/// of each square after each horizon.
pub const FUTURE_PLIES: [u32; 2] = [8, 24];

/// Scale of the moves-left head, in plies. With the output z, the head predicts `softplus(z) *
/// MOVES_LEFT_SCALE` plies.
pub const MOVES_LEFT_SCALE: f32 = 50.0;

/// Number that batch normalisation adds to a variance before its square root.
pub const BATCH_NORM_EPSILON: f64 = 1e-5;
