//! Plays many games at once and records them.
//!
//! A *shard* plays its games through a number of slots. Every step, each slot's search hands out the positions it
//! wants evaluated; all of them go to the evaluator in one batch and the answers go back. A finished game's slot
//! takes the next game. A game's random stream belongs to the game, and the answer to a position depends on nothing
//! but the position, so a shard is a function of its settings and its evaluator alone: not of the number of slots,
//! nor of the thread that plays it.
//!
//! ```
//! use catapult_mcts::{SearchConfig, evaluators::Material};
//! use catapult_rules::{Chess, Standard, Variant};
//! use catapult_selfplay::{Counters, SelfPlayConfig, ShardSettings, play_shard};
//! use std::sync::atomic::AtomicBool;
//!
//! let selfplay = SelfPlayConfig { simulations: 8, ply_cap: 40, ..Default::default() };
//! let search = SearchConfig::default();
//! let settings = |slots| ShardSettings { selfplay: &selfplay, search: &search, games: 3, slots, seed: 7, network: "material", endings: None };
//! let play = |slots| {
//!     play_shard::<Chess>(&[(Variant::Chess, Standard)], &settings(slots), &mut Material, &Counters::default(), &AtomicBool::new(false)).unwrap()
//! };
//! // The games do not depend on how many are under way at once.
//! assert_eq!(play(1), play(3));
//! ```

mod config;
mod overlapped;
mod schedule;
mod shard;
mod slot;
#[cfg(test)]
mod slot_tests;

pub use config::{SelfPlayConfig, ShardSettings};
pub use overlapped::play_shard_overlapped;
pub use shard::play_shard;

use std::sync::atomic::AtomicU64;

/// What has been done so far, summed over the shards that share it; for progress bars, profiles and budgets.
#[derive(Debug, Default)]
pub struct Counters {
    /// Games finished.
    pub games: AtomicU64,
    /// Plies played.
    pub plies: AtomicU64,
    /// Positions evaluated by the evaluator.
    pub evaluations: AtomicU64,
    /// Positions asked for again, and answered from memory.
    pub remembered: AtomicU64,
    /// Calls of the evaluator.
    pub batches: AtomicU64,
    /// Games that got to a position of which there could be a table, whether or not there is one.
    pub endings: AtomicU64,
    /// Where the time of [`play_shard_overlapped`] goes, in nanoseconds: growing trees, asking the evaluator (which encodes), waiting
    /// for its answers.
    pub growing: AtomicU64,
    /// Asking.
    pub asking: AtomicU64,
    /// Waiting.
    pub waiting: AtomicU64,
}

/// Why a shard ended early.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// It was asked to stop; its games are forgotten.
    #[error("stopped")]
    Stopped,
    /// A table of endings can't be read.
    #[error(transparent)]
    Endings(#[from] catapult_endings::EndingsError),
    /// The evaluator failed.
    #[error(transparent)]
    Evaluation(#[from] catapult_mcts::EvaluationError),
}
