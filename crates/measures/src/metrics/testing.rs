//! Helpers for the tests of metrics: games, samples and inputs.

use super::findings::Findings;
use super::sample::Sample;
use super::{GameFacts, StudyGames, StudyInput, read_game, read_games};
use crate::data::{Cell, Checkpoint, NetworkId};
use crate::results::{Caps, Measure, Measured};
use catapult_records::GameRecord;
use catapult_rules::Variant;
use catapult_stats::Resampling;

/// A cell and its games.
pub(super) type CellGames = (Cell, Vec<GameRecord>);

pub(super) const RESAMPLING: Resampling = Resampling { replicates: 200, seed: 1 };

/// Returns a game of `moves` from a FEN (empty for the start position). If the rules do not end
/// the game after these moves, it is truncated. It has no recorded values and policies.
pub(super) fn record(variant: &str, fen: &str, moves: &str) -> GameRecord {
    let fen = (!fen.is_empty()).then_some(fen);
    GameRecord::of_texts(variant.parse().unwrap(), fen, moves).unwrap()
}

pub(super) fn facts(variant: &str, fen: &str, moves: &str) -> GameFacts {
    read_game(&record(variant, fen, moves), variant.parse().unwrap()).unwrap()
}

pub(super) fn cell(
    variant: &str,
    agent: &str,
    seed: u64,
    simulations: u32,
    games: Vec<GameRecord>,
) -> CellGames {
    let network = NetworkId { agent: agent.to_owned(), seed };
    let arm = variant.parse().unwrap();
    (Cell { arm, network, checkpoint: Checkpoint::Last, simulations }, games)
}

/// Returns the results that `measure` adds for games that each of four networks played, so that two
/// games determine an interval. `observations` are four times the observations in `games`.
pub(super) fn found(
    variant: &str,
    games: Vec<GameRecord>,
    measure: impl Fn(&Sample, &mut Findings),
) -> Measured {
    let samples = samples(&[1, 2, 3, 4].map(|seed| cell(variant, "agent", seed, 32, games.clone())));
    let mut findings = Findings::new(RESAMPLING);
    measure(&samples[0], &mut findings);
    findings.finish(Variant::Chess)
}

pub(super) fn games(cells: &[CellGames]) -> StudyGames {
    let names: Vec<Cell> = cells.iter().map(|(cell, _)| cell.clone()).collect();
    let mut games = StudyGames::new(&names, Variant::Chess);
    for (cell, records) in cells {
        games.add(cell, records, read_games(cell, records).unwrap()).unwrap();
    }
    games
}

pub(super) fn samples(cells: &[CellGames]) -> Vec<Sample> {
    games(cells).finish().0
}

pub(super) const INPUT: StudyInput<'static> = StudyInput {
    analyses: &[],
    strengths: &[],
    control: &[],
    population: &[],
    worth: &[],
    endings: &[],
    training: &[],
    caps: Caps { no_progress: Some(100), plies: Some(400) },
    endpoints: &[],
    deep: &[],
    sampled_plies: 20,
    resampling: RESAMPLING,
};

pub(super) fn value(measures: &[Measure], metric: &str) -> f64 {
    let found: Vec<&Measure> = measures.iter().filter(|measure| measure.metric == metric).collect();
    assert_eq!(found.len(), 1, "{metric} was measured {} times", found.len());
    found[0].estimate.value
}
