//! Collection of the facts of a study's games, cell by cell.

use super::facts::{GameFacts, read_game};
use super::replayed::Replays;
use super::sample::Sample;
use crate::MeasureError;
use crate::arms::Arm;
use crate::data::{Cell, SampleId};
use catapult_records::GameRecord;
use catapult_stats::Clustered;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Facts of a study's games, collected cell by cell. A cell is the games of one network in one arm
/// at one search level. The caller needs the records of only one cell in memory at a time.
pub struct StudyGames {
    pub(super) control: Arm,
    samples: BTreeMap<SampleId, Vec<(u64, String, GameFacts)>>,
    replays: Replays,
}

impl StudyGames {
    /// Creates a collection without games. `cells` are all cells whose games [`add`](Self::add)
    /// will get.
    pub fn new(cells: &[Cell], control: impl Into<Arm>) -> StudyGames {
        let control = control.into();
        StudyGames { control, samples: BTreeMap::new(), replays: Replays::new(cells, control) }
    }

    /// Reads the games of a cell and calls `see` with the index and the facts of each game. Cells
    /// must come in the order given to [`new`](Self::new).
    ///
    /// # Errors
    /// A game belongs to another variant, or the rules of the cell contradict it.
    pub fn add(
        &mut self,
        cell: &Cell,
        games: &[GameRecord],
        mut see: impl FnMut(usize, &GameFacts),
    ) -> Result<(), MeasureError> {
        let facts: Result<Vec<GameFacts>, String> =
            games.par_iter().map(|record| read_game(record, cell.arm.rules)).collect();
        let facts = facts.map_err(|reason| MeasureError::Cell { cell: Box::new(cell.clone()), reason })?;
        facts.iter().enumerate().for_each(|(index, game)| see(index, game));
        let seeded = facts.into_iter().map(|game| (cell.network.seed, game.opening.clone(), game));
        self.samples.entry(cell.sample()).or_default().extend(seeded);
        self.replays.add(cell, games)
    }

    pub(super) fn finish(self) -> (Vec<Sample>, Replays) {
        let sample = |(id, games)| Sample { id, games: Clustered::new(games) };
        (self.samples.into_iter().map(sample).collect(), self.replays)
    }
}
