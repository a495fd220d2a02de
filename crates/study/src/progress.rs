//! What a study tells whoever watches it.

use catapult_measures::data::NetworkId;
use catapult_selfplay::Counters;
use catapult_store::Tally;
use std::sync::Arc;

/// Watches a study, and the training of its agents. Every method does nothing unless it is overridden.
pub trait StudyProgress: catapult_training::progress::Progress {
    /// An agent is trained to so many generations, or found so.
    fn agent(&self, _network: &NetworkId, _generations: u32) {}
    /// A stage begins; its work changes while it goes on.
    fn stage(&self, _work: &Work) {}
    /// The stage is over.
    fn stage_done(&self) {}
}

impl StudyProgress for catapult_training::progress::Silent {}

/// A stage of a study while it goes on.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// What is done.
    pub name: String,
    /// How far it is; work is counted in evaluations.
    pub tally: Arc<Tally>,
    /// What is being played.
    pub counters: Arc<Counters>,
}
