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

/// Replays the games of a cell and returns their facts, in the order of the games.
///
/// # Errors
/// A game belongs to another variant, or the rules of the cell contradict it.
pub fn read_games(cell: &Cell, games: &[GameRecord]) -> Result<Vec<GameFacts>, MeasureError> {
    let facts: Result<Vec<GameFacts>, String> =
        games.par_iter().map(|record| read_game(record, cell.arm.rules)).collect();
    facts.map_err(|reason| MeasureError { cell: Box::new(cell.clone()), reason })
}

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

    /// Adds the games of a cell, with their facts ([`read_games`]) in the same order. Cells must
    /// come in the order given to [`new`](Self::new).
    ///
    /// # Errors
    /// The record of a game of chess is damaged.
    pub fn add(
        &mut self,
        cell: &Cell,
        games: &[GameRecord],
        facts: Vec<GameFacts>,
    ) -> Result<(), MeasureError> {
        let seeded = facts.into_iter().map(|game| (cell.network.seed, game.opening.clone(), game));
        self.samples.entry(cell.sample()).or_default().extend(seeded);
        self.replays.add(cell, games)
    }

    pub(super) fn finish(self) -> (Vec<Sample>, Replays) {
        let sample = |(id, games)| Sample { id, games: Clustered::new(games) };
        (self.samples.into_iter().map(sample).collect(), self.replays)
    }
}

#[cfg(test)]
mod tests {
    use super::read_games;
    use crate::metrics::testing::{cell, record};
    use catapult_records::GameRecord;
    use catapult_rules::Move;

    #[test]
    fn an_illegal_move_is_named() {
        let mut moves = record("chess", "", "e2e4 e7e5").moves;
        moves[1] = Move::new(60, 4, 0, 0);
        let damaged = GameRecord { game: 5, moves, ..record("chess", "", "e2e4 e7e5") };
        let (cell, games) = cell("chess", "agent", 1, 64, vec![damaged]);
        let error = read_games(&cell, &games).unwrap_err().to_string();
        assert!(error.starts_with(&cell.to_string()) && error.contains("game 5, ply 1"), "{error}");
    }
}
