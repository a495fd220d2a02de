//! Samples: games and analyses, grouped by arm, agent, checkpoint and search level.

use super::facts::GameFacts;
use crate::analysis::NetworkAnalysis;
use crate::data::{Cell, SampleId};
use catapult_stats::Clustered;
use std::collections::BTreeMap;

/// A sample with the facts of its games.
pub(super) struct Sample {
    /// Arm, agent, checkpoint and search level.
    pub id: SampleId,
    /// Facts of each game, grouped by training seed and opening.
    pub games: Clustered<GameFacts>,
}

/// A sample with the analyses of its networks.
pub(super) struct Analysed<'a> {
    /// Arm, agent, checkpoint and search level.
    pub id: SampleId,
    /// Training seed and analysis of each network, by increasing seed.
    pub networks: Vec<(u64, &'a NetworkAnalysis)>,
}

/// Groups items by sample. `sample` returns the sample of an item.
pub(super) fn grouped<T>(played: &[T], sample: impl Fn(&T) -> SampleId) -> BTreeMap<SampleId, Vec<&T>> {
    let mut groups: BTreeMap<SampleId, Vec<&T>> = BTreeMap::new();
    played.iter().for_each(|found| groups.entry(sample(found)).or_default().push(found));
    groups
}

/// Groups the analyses of cells by sample.
pub(super) fn analysed<'a>(analyses: &'a [(Cell, NetworkAnalysis)]) -> Vec<Analysed<'a>> {
    let sample = |(id, found): (SampleId, Vec<&'a (Cell, NetworkAnalysis)>)| {
        let networks = found.into_iter().map(|(cell, analysis)| (cell.network.seed, analysis));
        let mut networks: Vec<(u64, &NetworkAnalysis)> = networks.collect();
        networks.sort_by_key(|(seed, _)| *seed);
        Analysed { id, networks }
    };
    grouped(analyses, |(cell, _)| cell.sample()).into_iter().map(sample).collect()
}
