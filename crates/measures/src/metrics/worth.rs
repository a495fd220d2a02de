//! What it is worth to have a kind of move, by matches of each network against itself without it.

use super::findings::Findings;
use super::skill::{Value, mean, offsets};
use crate::data::SampleId;
use crate::results::{Chapter, Estimate, MetricInfo, RowNames, Strength, TableInfo, Unit};
use catapult_arena::Forbidden;
use catapult_rules::ForbiddenKind;
use catapult_stats::wilson;
use std::collections::BTreeMap;

const fn worth(id: &'static str, name: &'static str, definition: &'static str) -> MetricInfo {
    MetricInfo { id, name, unit: Unit::Elo, chapter: Chapter::NewRules, neutral: None, definition }
}

const fn forced(id: &'static str, name: &'static str, definition: &'static str) -> MetricInfo {
    MetricInfo { id, name, unit: Unit::Share, chapter: Chapter::NewRules, neutral: None, definition }
}

pub(super) const METRICS: &[MetricInfo] = &[
    worth(
        "worth_teleports",
        "worth of teleports",
        "Elo of a network against itself when the other side may not teleport, mean over networks. Pairs of \
         games with swapped colours start from random balanced openings. Both sides search by these rules, but \
         judge positions as they have learned to. It is the cost of losing the kind of move at once, without \
         getting used to it.",
    ),
    forced(
        "worth_teleports_forced",
        "teleports that had to be allowed",
        "Turns on which the player without teleports had no other move and was allowed to teleport, of its \
         turns.",
    ),
    worth(
        "worth_catapult_moves",
        "worth of moving catapults",
        "Elo of a network against itself when the other side may not move its catapults by themselves (see worth \
         of teleports).",
    ),
    forced(
        "worth_catapult_moves_forced",
        "moves of catapults that had to be allowed",
        "Turns on which the player without moves of its catapults had no other move, of its turns.",
    ),
    worth(
        "worth_catapult_captures",
        "worth of capturing catapults",
        "Elo of a network against itself when the other side may not capture catapults (see worth of teleports).",
    ),
    forced(
        "worth_catapult_captures_forced",
        "captures of catapults that had to be allowed",
        "Turns on which the player without captures of catapults had no other move, of its turns.",
    ),
];

pub(super) const TABLE: TableInfo = TableInfo {
    id: "worth",
    chapter: Chapter::NewRules,
    title: "What kinds of moves are worth",
    columns: &[
        ("worth", Unit::Elo),
        ("turns on which it was taken away", Unit::Share),
        ("turns on which it had to be allowed", Unit::Share),
    ],
    rows: RowNames::Verbatim,
    note: None,
};

/// Whether a metric is the worth of a kind of move, in Elo.
pub(super) fn is_worth(metric: &str) -> bool {
    ForbiddenKind::ALL.into_iter().any(|kind| metrics(kind).0.id == metric)
}

/// The metrics of a kind: its worth, and how often it had to be allowed.
fn metrics(kind: ForbiddenKind) -> (&'static MetricInfo, &'static MetricInfo) {
    match kind {
        ForbiddenKind::Teleports => (&METRICS[0], &METRICS[1]),
        ForbiddenKind::CatapultMoves => (&METRICS[2], &METRICS[3]),
        ForbiddenKind::CatapultCaptures => (&METRICS[4], &METRICS[5]),
    }
}

/// What the networks of a sample lost without a kind of move, by training seed.
#[derive(Default)]
struct Lost {
    games: usize,
    elo: BTreeMap<u64, Value>,
    /// Shares of turns on which the kind was allowed, and on which it was taken away.
    allowed: BTreeMap<u64, Value>,
    restricted: BTreeMap<u64, Value>,
}

pub(super) fn measure(matches: &[Strength], findings: &mut Findings) {
    let mut samples: BTreeMap<SampleId, [Lost; ForbiddenKind::ALL.len()]> = BTreeMap::new();
    for found in matches {
        let Some(Forbidden { kind, turns, restricted, allowed, .. }) = found.result.forbidden else {
            continue;
        };
        let id = SampleId {
            arm: found.arm,
            agent: found.network.agent.clone(),
            checkpoint: found.checkpoint,
            simulations: found.simulations,
        };
        let lost = &mut samples.entry(id).or_default()[place(kind)];
        // Turns of a game are alike, so that a game counts as one trial.
        let games = f64::from(found.result.games);
        let share = |part: u64| offsets(wilson(part as f64 / turns.max(1) as f64, games));
        let seed = found.network.seed;
        lost.games += found.result.games as usize;
        lost.elo.insert(seed, offsets(found.result.elo));
        lost.allowed.insert(seed, share(allowed));
        lost.restricted.insert(seed, share(restricted));
    }
    for (id, kinds) in samples {
        let mut rows = Vec::new();
        for (kind, lost) in ForbiddenKind::ALL.into_iter().zip(&kinds) {
            let (worth, forced) = metrics(kind);
            findings.add(worth, &id, lost.games, mean(&lost.elo));
            findings.add(forced, &id, lost.games, mean(&lost.allowed));
            if lost.games > 0 {
                let share = |values| mean(values).map(|found| found.within([0.0, 1.0]).estimate);
                let worth: Option<Estimate> = mean(&lost.elo).map(|found| found.estimate);
                rows.push((
                    kind.name().to_owned(),
                    vec![worth, share(&lost.restricted), share(&lost.allowed)],
                ));
            }
        }
        findings.table(&TABLE, &id, rows, Vec::new());
    }
}

/// A kind's place in [`ForbiddenKind::ALL`].
fn place(kind: ForbiddenKind) -> usize {
    ForbiddenKind::ALL.iter().position(|other| *other == kind).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::testing::RESAMPLING;
    use super::*;
    use crate::data::{Checkpoint, NetworkId};
    use crate::testing::played;
    use catapult_rules::Variant;

    fn without(kind: ForbiddenKind, seed: u64, pairs: [u64; 5], allowed: u64) -> Strength {
        let mut result = played(pairs);
        result.forbidden = Some(Forbidden { kind, both: false, turns: 4000, restricted: 1000, allowed });
        Strength {
            arm: "chesspp".parse().unwrap(),
            network: NetworkId { agent: "agent".to_owned(), seed },
            checkpoint: Checkpoint::Last,
            simulations: 64,
            opponent: format!("without-{kind}"),
            result,
        }
    }

    #[test]
    fn worth_is_the_elo_of_having_the_kind() {
        use ForbiddenKind::{CatapultMoves, Teleports};
        // 60 % (400 log10 1.5 Elo) and 50 %; the worth of moving catapults is negative.
        let matches = [
            without(Teleports, 1, [0, 0, 80, 0, 20], 40),
            without(Teleports, 2, [0, 0, 100, 0, 0], 0),
            without(CatapultMoves, 1, [20, 0, 80, 0, 0], 4000),
        ];
        let mut findings = Findings::new(RESAMPLING);
        measure(&matches, &mut findings);
        let measured = findings.finish(Variant::Chess);
        let of = |metric: &str| measured.measures.iter().find(|found| found.metric == metric).unwrap();
        let rung = 400.0 * 1.5f64.log10();
        assert!((of("worth_teleports").estimate.value - rung / 2.0).abs() < 1e-9);
        assert_eq!((of("worth_teleports").networks.len(), of("worth_teleports").observations), (2, 400));
        assert!((of("worth_catapult_moves").estimate.value + rung).abs() < 1e-9);
        assert!((of("worth_teleports_forced").estimate.value - 0.005).abs() < 1e-12);
        assert_eq!(of("worth_catapult_moves_forced").estimate.value, 1.0);
        assert_eq!(measured.measures.len(), 4, "captures were not forbidden");
        let table = &measured.tables[0];
        let rows: Vec<&str> = table.rows.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(rows, ["teleports", "catapult-moves"]);
        assert_eq!(table.rows[0].1[1].unwrap().value, 0.25);
    }

    #[test]
    fn every_kind_has_metrics_of_its_name() {
        for kind in ForbiddenKind::ALL {
            let (worth, forced) = metrics(kind);
            assert_eq!(worth.id, format!("worth_{}", kind.name().replace('-', "_")));
            assert_eq!(forced.id, format!("{}_forced", worth.id));
        }
    }
}
