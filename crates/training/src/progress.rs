//! Progress reports of a run.

use crate::TrainingError;
use crate::report::GenerationReport;
use catapult_network::Losses;
use catapult_selfplay::Counters;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// Observer of a run's progress. Its methods may be called often, from several threads. By default,
/// they do nothing.
pub trait Progress: Sync {
    /// Called when a generation's games begin. `_counters` change while the games are played.
    /// `_simulations` is the number per move.
    fn playing(
        &self,
        _generation: u32,
        _games: u64,
        _simulations: u32,
        _counters: &std::sync::Arc<Counters>,
    ) {
    }
    /// Called when a shard has been played, or found on disk.
    fn shard_done(&self) {}
    /// Called when the training of a generation begins.
    fn learning(&self, _generation: u32, _steps: u64) {}
    /// Called after each training step. `_step` is its number in the generation, from 1. `_losses`
    /// are means over the generation's steps so far.
    fn step(&self, _step: u64, _losses: &Losses) {}
    /// Called when a generation is complete. `_of` is the expected last generation. `_trained` is
    /// false if the generation was complete before the call that trains the run.
    fn generation_done(&self, _report: &GenerationReport, _of: u32, _trained: bool) {}
    /// Called when a match of `_games` games begins. `_name` contains the names of both players.
    fn match_begins(&self, _name: &str, _games: u32) {}
    /// Called when games of the match have ended. `_games` is the number of finished games so far.
    fn match_progress(&self, _games: u32) {}
    /// Called when a problem occurred that does not end the run.
    fn warn(&self, _message: &str) {}
}

/// Observer that ignores all progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {}

/// Observer of work, and the flag that stops the work once it is true.
#[derive(Clone, Copy)]
pub(crate) struct Watch<'a> {
    pub progress: &'a dyn Progress,
    pub stop: &'a AtomicBool,
}

impl Watch<'_> {
    /// Returns an error if the work is to stop.
    pub(crate) fn check(self) -> Result<(), TrainingError> {
        if self.stop.load(Ordering::Relaxed) { Err(TrainingError::Stopped) } else { Ok(()) }
    }

    /// Reports the progress of a match, and stops the match if the work is to stop.
    pub(crate) fn of_match(self, games_done: u32) -> ControlFlow<()> {
        self.progress.match_progress(games_done);
        self.check().map_or(ControlFlow::Break(()), ControlFlow::Continue)
    }
}
