//! Games of chess replayed under other rules. They show how much of chess the other rules contain.

use super::facts::OPENING_LINE;
use super::findings::Findings;
use crate::MeasureError;
use crate::arms::Arm;
use crate::data::{Cell, Checkpoint, SampleId};
use crate::rows::metrics;
use catapult_records::GameRecord;
use catapult_rules::{PgnGame, PgnMove, Variant, replay_chess};
use catapult_stats::{Clustered, share};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

metrics! {
    METRICS =
    LEGAL: Superset Share "superset_games", "games of chess that stay legal";
        "The control's games of chess in which every move is legal under the arm's rules, of all its games. Catapults stand \
         where they do at the start. A teleport that nobody played may give check or bar a move.";
    SAME: Superset Share "superset_same_end", "games of chess that stay legal and end alike";
        "Games of chess that stay legal and end in the same way under the arm's rules, of all the control's games.";
    PLIES: Superset Share "superset_plies", "plies of chess that stay legal",
        phrase: Phrase::Noun("the share of plies of chess that stay legal");
        "Plies of the control's games of chess before the first that is illegal under the arm's rules, of all their plies.";
}

/// Returns true if the metric with this id is measured on the control's games of chess, replayed
/// under the arm's rules.
pub fn is_replayed(metric: &str) -> bool {
    METRICS.iter().any(|info| info.id == metric)
}

/// Result of a replay under other rules. The elements are: true if all moves are legal, true if the
/// game also ends in the same way, the number of legal plies, and the number of all plies.
type Replayed = (bool, bool, f64, f64);

/// The control's games of chess, replayed under the rules of all other arms.
pub(super) struct Replays {
    control: Arm,
    /// All arms of the study's cells except the control.
    arms: BTreeSet<Arm>,
    /// Training seed, opening and result of each replay, by the sample of the arm under whose rules
    /// the game is replayed.
    samples: BTreeMap<SampleId, Vec<(u64, String, Replayed)>>,
}

impl Replays {
    pub(super) fn new(cells: &[Cell], control: Arm) -> Replays {
        let arms = cells.iter().map(|cell| cell.arm).filter(|arm| *arm != control).collect();
        Replays { control, arms, samples: BTreeMap::new() }
    }

    /// Replays the games of chess of a cell under the rules of each arm. Ignores cells of arms
    /// except the control, and cells of the early checkpoint.
    pub(super) fn add(&mut self, cell: &Cell, games: &[GameRecord]) -> Result<(), MeasureError> {
        if cell.arm != self.control || cell.checkpoint != Checkpoint::Last {
            return Ok(());
        }
        for &arm in &self.arms {
            let of_chess = games.par_iter().filter(|record| record.variant == Variant::Chess);
            let replays: Result<Vec<Option<_>>, String> = of_chess
                .map(|record| {
                    let moves = record.texts().map_err(|error| error.to_string())?.moves;
                    let opening = moves[..moves.len().min(OPENING_LINE)].join(" ");
                    Ok(replay(record, moves, arm.rules)?.map(|found| (cell.network.seed, opening, found)))
                })
                .collect();
            let replays = replays.map_err(|reason| MeasureError { cell: Box::new(cell.clone()), reason })?;
            let id = SampleId { arm, ..cell.sample() };
            self.samples.entry(id).or_default().extend(replays.into_iter().flatten());
        }
        Ok(())
    }

    pub(super) fn measure(self, findings: &mut Findings) {
        for (id, replays) in self.samples {
            let games = Clustered::new(replays);
            findings.add(&LEGAL, &id, games.len(), share(&games, |replayed| (f64::from(replayed.0), 1.0)));
            findings.add(&SAME, &id, games.len(), share(&games, |replayed| (f64::from(replayed.1), 1.0)));
            findings.add(&PLIES, &id, games.len(), share(&games, |replayed| (replayed.2, replayed.3)));
        }
    }
}

/// Replays a game of chess under an arm's rules. `moves` are the texts of the record's moves.
/// `None` if the rules are unrelated to chess. The error means that the record cannot be replayed.
fn replay(record: &GameRecord, moves: Vec<String>, arm: Variant) -> Result<Option<Replayed>, String> {
    let moves = moves.into_iter().map(|text| PgnMove { text, line: 0 });
    let tags = vec![("FEN".to_owned(), record.start_fen.clone())];
    let game = PgnGame { tags, moves: moves.collect(), ..PgnGame::default() };
    let Some(replay) = replay_chess(&game, arm) else { return Ok(None) };
    let replay = replay.map_err(|error| format!("game {}: {error}", record.game))?;
    Ok(Some((replay.broken.is_none(), replay.is_same(), replay.legal as f64, replay.plies as f64)))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{RESAMPLING, cell, record, value};
    use super::*;

    #[test]
    fn a_king_that_walks_into_a_teleport_leaves_the_rules() {
        // The knight on b8 attacks f8 by teleport, which chess does not have.
        let fen = "1n5k/8/6K1/8/8/8/8/8 w - - 0 1";
        let broken = record("chess", fen, "g6f7 h8h7 f7f8 h7h8");
        let legal = record("chess", "", "f2f3 e7e5 g2g4 d8h4");
        let cells =
            [cell("chess", "agent", 1, 8, vec![broken, legal]), cell("chesspp", "agent", 1, 8, Vec::new())];
        let mut findings = Findings::new(RESAMPLING);
        let names: Vec<Cell> = cells.iter().map(|(cell, _)| cell.clone()).collect();
        let mut replays = Replays::new(&names, Variant::Chess.into());
        for (cell, games) in &cells {
            replays.add(cell, games).unwrap();
        }
        replays.measure(&mut findings);
        let measured = findings.finish(Variant::Chess);
        assert_eq!(value(&measured.measures, "superset_games"), 0.5);
        assert_eq!(value(&measured.measures, "superset_same_end"), 0.5);
        assert_eq!(value(&measured.measures, "superset_plies"), 6.0 / 8.0);
        assert!(measured.measures.iter().all(|found| found.sample.arm.to_string() == "chesspp"));
    }
}
