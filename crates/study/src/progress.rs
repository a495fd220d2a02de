//! What a study tells whoever watches it.

use crate::data::NetworkId;
use catapult_selfplay::Counters;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Watches a study, and the training of its agents. Every method does nothing unless it is overridden.
pub trait Progress: catapult_training::progress::Progress {
    /// An agent is trained to so many generations, or found so.
    fn agent(&self, _network: &NetworkId, _generations: u32) {}
    /// A stage begins; its work changes while it goes on.
    fn stage(&self, _work: &Arc<Work>) {}
    /// The stage is over.
    fn stage_done(&self) {}
}

impl Progress for catapult_training::progress::Silent {}

/// How far a stage is.
#[derive(Debug, Default)]
pub struct Work {
    /// What is done.
    pub name: String,
    /// Units in all.
    pub units: u64,
    /// Evaluations that all units are expected to take: what time left is reckoned by.
    pub expected: u64,
    /// Units that are done, played now or found.
    pub done: AtomicU64,
    /// What was expected of those played now.
    pub worked: AtomicU64,
    /// What was expected of those found.
    pub found: AtomicU64,
    /// What is being played.
    pub counters: Counters,
}

impl Work {
    /// Counts a unit in.
    pub fn finish(&self, expected: u64, is_found: bool) {
        let counter = if is_found { &self.found } else { &self.worked };
        counter.fetch_add(expected, Ordering::Relaxed);
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Seconds left after so many seconds of work; none before there is anything to reckon by.
    pub fn seconds_left(&self, seconds: f64) -> Option<f64> {
        let [worked, found] = [&self.worked, &self.found].map(|counter| counter.load(Ordering::Relaxed));
        let left = self.expected.saturating_sub(worked + found);
        (worked > 0).then(|| seconds * left as f64 / worked as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_is_reckoned_by_what_was_worked_now() {
        let work = Work { units: 4, expected: 1000, ..Default::default() };
        work.finish(400, true);
        assert_eq!(work.seconds_left(10.0), None, "what was found says nothing of the speed");
        work.finish(200, false);
        assert_eq!(work.seconds_left(10.0), Some(20.0), "200 in 10 seconds, 400 are left");
        assert_eq!(work.done.load(Ordering::Relaxed), 2);
    }
}
