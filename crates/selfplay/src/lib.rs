//! Self-play: plays many games at once and records them.
//!
//! A *shard* is a fixed number of games. They are played in a number of *slots*, each with one game
//! at a time. In each step, every slot's search requests evaluations, and one call evaluates all
//! requests. When a game ends, its slot takes the next game.
//!
//! Each game has its own random numbers, and each evaluation depends only on its position. The
//! games therefore depend only on the shard's settings and its evaluator. They do not depend on the
//! number of slots or threads.
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
mod ending;
mod overlapped;
mod schedule;
mod shard;
mod slot;
#[cfg(test)]
mod slot_tests;

pub use config::{SelfPlayConfig, ShardSettings};
pub use overlapped::play_shard_overlapped;
pub use shard::play_shard;

use catapult_records::GameRecord;
use std::sync::atomic::AtomicU64;

/// A shard that has been played.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// The games, in the order of their numbers.
    pub games: Vec<GameRecord>,
    /// Number of evaluations that the searches requested, cache hits included.
    pub asked: u64,
}

/// Totals over all shards that share these counters. Progress bars and profiles read them.
#[derive(Debug, Default)]
pub struct Counters {
    /// Number of finished games.
    pub games: AtomicU64,
    /// Number of plies played.
    pub plies: AtomicU64,
    /// Number of positions that the evaluator evaluated. Cache hits are not counted.
    pub evaluations: AtomicU64,
    /// Number of positions that needed no evaluation: cache hits and duplicates within a batch.
    pub cache_hits: AtomicU64,
    /// Number of calls to the evaluator, each with one batch of positions.
    pub batches: AtomicU64,
    /// Number of games that reached a position with few enough pieces for a tablebase. They count
    /// even if that tablebase does not exist.
    pub endings: AtomicU64,
    /// Nanoseconds that [`play_shard_overlapped`] spent in searches and moves.
    pub growing: AtomicU64,
    /// Nanoseconds that [`play_shard_overlapped`] spent submitting requests for evaluations. This
    /// includes encoding them.
    pub asking: AtomicU64,
    /// Nanoseconds that [`play_shard_overlapped`] spent waiting for evaluations.
    pub waiting: AtomicU64,
}

/// Reason why a shard ended early. The shard's games are discarded.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// The caller set `stop` to true.
    #[error("stopped")]
    Stopped,
    /// An endgame tablebase cannot be read.
    #[error(transparent)]
    Endings(#[from] catapult_endings::EndingsError),
    /// The evaluator failed.
    #[error(transparent)]
    Evaluation(#[from] catapult_mcts::EvaluationError),
}
