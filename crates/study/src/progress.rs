//! Progress reports of a study.

use catapult_measures::data::NetworkId;
use catapult_selfplay::Counters;
use catapult_store::Tally;
use std::sync::Arc;

/// Observer of a study and of its agents' training. Every method does nothing by default.
pub trait StudyProgress: catapult_training::progress::Progress {
    /// Called before a network is trained up to `generations`, or found trained.
    fn agent(&self, _network: &NetworkId, _generations: u32) {}
    /// Called when a stage begins. `work` is updated while the stage runs.
    fn stage(&self, _work: &Work) {}
    /// Called when the stage ends.
    fn stage_done(&self) {}
}

impl StudyProgress for catapult_training::progress::Silent {}

/// Progress of a stage.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Title of the stage.
    pub name: String,
    /// Units done and their work, counted in evaluations.
    pub tally: Arc<Tally>,
    /// Counters of the games in progress.
    pub counters: Arc<Counters>,
}
