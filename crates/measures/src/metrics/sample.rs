//! Games and analyses, grouped into samples.

use super::facts::{GameFacts, read_game};
use crate::MeasureError;
use crate::analysis::NetworkAnalysis;
use crate::data::{Cell, CellGames, SampleId};
use catapult_stats::Clustered;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The games of a sample.
pub(super) struct Sample {
    /// Whose they are.
    pub id: SampleId,
    /// What is known of each.
    pub games: Clustered<GameFacts>,
}

/// Reads all games and groups them.
pub(super) fn samples(cells: &[CellGames]) -> Result<Vec<Sample>, MeasureError> {
    let mut by_sample: BTreeMap<SampleId, Vec<(u64, Vec<String>, GameFacts)>> = BTreeMap::new();
    for CellGames { cell, games } in cells {
        let facts: Result<Vec<GameFacts>, String> =
            games.par_iter().enumerate().map(|(index, record)| read_game(record, index, cell.arm)).collect();
        let facts = facts.map_err(|reason| MeasureError::Cell { cell: Box::new(cell.clone()), reason })?;
        let seeded = facts.into_iter().map(|game| (cell.network.seed, game.opening.clone(), game));
        by_sample.entry(cell.sample()).or_default().extend(seeded);
    }
    let sample = |(id, games)| Sample { id, games: Clustered::new(games) };
    Ok(by_sample.into_iter().map(sample).collect())
}

/// The analyses of the networks of a sample, by rising seed.
pub(super) struct Analysed<'a> {
    /// Whose they are.
    pub id: SampleId,
    /// Training seed and analysis.
    pub networks: Vec<(u64, &'a NetworkAnalysis)>,
}

/// Groups analyses.
pub(super) fn analysed<'a>(analyses: &'a [(Cell, NetworkAnalysis)]) -> Vec<Analysed<'a>> {
    let mut by_sample: BTreeMap<SampleId, Vec<(u64, &'a NetworkAnalysis)>> = BTreeMap::new();
    for (cell, analysis) in analyses {
        by_sample.entry(cell.sample()).or_default().push((cell.network.seed, analysis));
    }
    let sample = |(id, mut networks): (SampleId, Vec<(u64, &'a NetworkAnalysis)>)| {
        networks.sort_by_key(|(seed, _)| *seed);
        Analysed { id, networks }
    };
    by_sample.into_iter().map(sample).collect()
}
