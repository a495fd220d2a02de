//! Games of chess replayed under other rules: how nearly the rules contain chess.

use super::findings::Findings;
use crate::StudyError;
use crate::data::{CellGames, Checkpoint, SampleId};
use crate::games::StudiedGame;
use crate::results::{MetricInfo, Unit};
use crate::stats::{Clustered, share};
use catapult_records::GameRecord;
use catapult_rules::{ChessReplay, PgnGame, PgnMove, Variant, with_variant};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const LEGAL: MetricInfo = MetricInfo {
    id: "superset_games",
    name: "games of chess that stay legal",
    unit: Unit::Share,
    definition: "The control's games of chess whose every move is legal when they are replayed under the arm's rules, of all its games \
                 (catapults where they stand at the start; a teleport that nobody played may give check or bar a move).",
};
const SAME: MetricInfo = MetricInfo {
    id: "superset_same_end",
    name: "games of chess that stay legal and end alike",
    unit: Unit::Share,
    definition: "Those of superset_games that also end in the same way under the arm's rules.",
};
const PLIES: MetricInfo = MetricInfo {
    id: "superset_plies",
    name: "plies of chess that stay legal",
    unit: Unit::Share,
    definition: "Plies of the control's games of chess before the first that is illegal under the arm's rules, of all their plies.",
};

pub(super) const METRICS: &[MetricInfo] = &[LEGAL, SAME, PLIES];

/// What a replay says: whether it is legal to its end, whether it ends alike, its legal plies and all of them.
type Replayed = (bool, bool, f64, f64);

pub(super) fn measure(
    cells: &[CellGames],
    control: Variant,
    findings: &mut Findings,
) -> Result<(), StudyError> {
    let arms: BTreeSet<Variant> =
        cells.iter().map(|cell| cell.cell.arm).filter(|arm| *arm != control).collect();
    let chess = Variant::Chess.to_string();
    for arm in arms {
        let mut by_sample: BTreeMap<SampleId, Vec<(u64, Vec<String>, Replayed)>> = BTreeMap::new();
        let of_control =
            |cell: &&CellGames| cell.cell.arm == control && cell.cell.checkpoint == Checkpoint::Last;
        for CellGames { cell, games } in cells.iter().filter(of_control) {
            let of_chess = games.par_iter().filter(|record| record.variant == chess);
            let replays: Result<Vec<Option<_>>, String> = of_chess
                .map(|record| {
                    let opening: Vec<String> =
                        record.moves.iter().take(super::facts::OPENING_LINE).cloned().collect();
                    Ok(replay(record, arm)?.map(|replayed| (cell.network.seed, opening, replayed)))
                })
                .collect();
            let replays =
                replays.map_err(|reason| StudyError::Cell { cell: Box::new(cell.clone()), reason })?;
            let id = SampleId { arm, ..cell.sample() };
            by_sample.entry(id).or_default().extend(replays.into_iter().flatten());
        }
        for (id, replays) in by_sample {
            let games = Clustered::new(replays);
            let one = |holds: bool| (f64::from(u8::from(holds)), 1.0);
            findings.add(&LEGAL, &id, games.len(), share(&games, |replayed| one(replayed.0)));
            findings.add(&SAME, &id, games.len(), share(&games, |replayed| one(replayed.1)));
            findings.add(&PLIES, &id, games.len(), share(&games, |replayed| (replayed.2, replayed.3)));
        }
    }
    Ok(())
}

/// Replays a game of chess under an arm's rules; none for rules under which that makes no sense.
fn replay(record: &GameRecord, arm: Variant) -> Result<Option<Replayed>, String> {
    let moves = record.moves.iter().map(|text| PgnMove { text: text.clone(), line: 0 });
    let game = PgnGame { moves: moves.collect(), ..PgnGame::default() };
    let replay: Option<Result<ChessReplay, _>> =
        with_variant!(arm, |P, rules| <P as StudiedGame>::replay_chess(&game, rules));
    let Some(replay) = replay else { return Ok(None) };
    let replay = replay.map_err(|error| format!("game {}: {error}", record.game))?;
    Ok(Some((replay.broken.is_none(), replay.is_same(), replay.legal as f64, replay.plies as f64)))
}
