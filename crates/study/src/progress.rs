//! Progress reports of a study.

use catapult_measures::data::NetworkId;
use catapult_selfplay::Counters;
use catapult_store::Tally;
use std::sync::Arc;

/// Observer of a study and of its agents' training. Every method does nothing by default.
pub trait StudyProgress: catapult_training::progress::Progress {
    /// Called before a network is trained up to generation `_generations`. Also called if the
    /// network is already trained.
    fn agent(&self, _network: &NetworkId, _generations: u32) {}
    /// Called when a stage begins. `_work` is updated while the stage runs.
    fn stage(&self, _work: &Work) {}
    /// Called when a stage has ended.
    fn stage_done(&self, _work: &Work) {}
}

impl StudyProgress for catapult_training::progress::Silent {}

/// Progress of a stage, shared with the threads that work on it.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Title of the stage.
    pub name: String,
    /// Number of units done, and their work in expected evaluations.
    pub tally: Arc<Tally>,
    /// Counters of games and evaluations of the units in progress.
    pub counters: Arc<Counters>,
}
