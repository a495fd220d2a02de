//! What a run tells whoever watches it.

use crate::report::GenerationReport;
use catapult_network::Losses;
use catapult_selfplay::Counters;

/// Watches a run. Every method may be called often and does nothing unless it is overridden.
pub trait Progress: Sync {
    /// A generation's games begin; `counters` change while they are played.
    fn playing(
        &self,
        _generation: u32,
        _games: u64,
        _simulations: u32,
        _counters: &std::sync::Arc<Counters>,
    ) {
    }
    /// A shard has been played or found.
    fn shard_done(&self, _shard: u32, _of: u32) {}
    /// Training begins.
    fn learning(&self, _generation: u32, _steps: u64, _window_rows: u64) {}
    /// A training step has been made; the losses are means since the generation began.
    fn step(&self, _step: u64, _losses: &Losses) {}
    /// A generation is complete, of so many, as far as is known: `trained` now, or else found so.
    fn generation_done(&self, _report: &GenerationReport, _of: u32, _trained: bool) {}
    /// A match begins.
    fn match_begins(&self, _name: &str, _games: u32) {}
    /// Games of the match that are over.
    fn match_progress(&self, _games: u32) {}
    /// Something went wrong that does not end the run.
    fn warn(&self, _message: &str) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {}
