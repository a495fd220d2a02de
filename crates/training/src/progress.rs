//! Progress reports of a run.

use crate::report::GenerationReport;
use catapult_network::Losses;
use catapult_selfplay::Counters;

/// Receives the progress of a run. Methods may be called often and do nothing by default.
pub trait Progress: Sync {
    /// A generation's games begin. `counters` change during play.
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
    /// A training step is done. The losses are means since the generation began.
    fn step(&self, _step: u64, _losses: &Losses) {}
    /// A generation is complete. `of` is the expected last generation. `trained` is false if the
    /// generation was already complete.
    fn generation_done(&self, _report: &GenerationReport, _of: u32, _trained: bool) {}
    /// A match begins.
    fn match_begins(&self, _name: &str, _games: u32) {}
    /// Games of the match have ended. `_games` is the number of finished games.
    fn match_progress(&self, _games: u32) {}
    /// A problem occurred that does not end the run.
    fn warn(&self, _message: &str) {}
}

/// Ignores all reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {}
