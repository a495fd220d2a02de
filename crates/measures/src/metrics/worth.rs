//! Worth of a kind of move: the gain in Elo from having it. It is measured in matches of each
//! network against itself without the kind of move.

use super::findings::Findings;
use super::sample::grouped;
use super::skill::{mean, offsets};
use crate::results::{MetricInfo, RowNames, Strength};
use crate::rows::{metrics, table};
use catapult_arena::Forbidden;
use catapult_rules::ForbiddenKind;
use catapult_stats::wilson;

metrics! {
    METRICS =
    TELEPORTS: NewRules Elo "worth_teleports", "worth of teleports";
        "Elo of a network against itself when the other side may not teleport, mean over networks. Pairs of \
         games with swapped colours start from random balanced openings. Both sides search by these rules, \
         but their networks were trained with the move. It is the cost of losing the kind of move without \
         retraining.";
    TELEPORTS_FORCED: NewRules Share "worth_teleports_forced", "turns with only teleports legal";
        "Turns on which the player without teleports had no other move and was allowed to teleport, of its turns.";
    MOVES: NewRules Elo "worth_catapult_moves", "worth of moving catapults";
        "Elo of a network against itself when the other side may not move its catapults by themselves (see worth of \
         teleports).";
    MOVES_FORCED: NewRules Share "worth_catapult_moves_forced", "turns with only catapult moves legal";
        "Turns on which the player without moves of its catapults had no other move, of its turns.";
    CAPTURES: NewRules Elo "worth_catapult_captures", "worth of capturing catapults";
        "Elo of a network against itself when the other side may not capture catapults (see worth of teleports).";
    CAPTURES_FORCED: NewRules Share "worth_catapult_captures_forced", "turns with only catapult captures legal";
        "Turns on which the player without captures of catapults had no other move, of its turns.";
}

table! {
    TABLE: NewRules "worth", "Worth of kinds of moves";
        Elo "worth", Share "turns on which the kind was removed", Share "turns with only this kind legal";
        RowNames::Verbatim;
}

/// Returns true if the metric with this id is the worth of a kind of move (the gain in Elo from
/// it).
pub(super) fn is_worth(metric: &str) -> bool {
    ForbiddenKind::ALL.into_iter().any(|kind| metrics(kind)[0].id == metric)
}

/// Returns the two metrics of a kind of move. They are its worth in Elo, and the share of turns on
/// which it had to be allowed because no other move was legal.
fn metrics(kind: ForbiddenKind) -> [&'static MetricInfo; 2] {
    match kind {
        ForbiddenKind::Teleports => [&TELEPORTS, &TELEPORTS_FORCED],
        ForbiddenKind::CatapultMoves => [&MOVES, &MOVES_FORCED],
        ForbiddenKind::CatapultCaptures => [&CAPTURES, &CAPTURES_FORCED],
    }
}

pub(super) fn measure(matches: &[Strength], findings: &mut Findings) {
    for (id, matches) in grouped(matches, Strength::sample) {
        let mut rows = Vec::new();
        for kind in ForbiddenKind::ALL {
            let lost = matches.iter().filter_map(|found| Some((*found, found.result.forbidden?)));
            let lost: Vec<(&Strength, Forbidden)> =
                lost.filter(|(_, without)| without.kind == kind).collect();
            if lost.is_empty() {
                continue;
            }
            let games = lost.iter().map(|(found, _)| found.result.games as usize).sum();
            let elo = mean(&lost.iter().map(|(it, _)| (it.network.seed, offsets(it.result.elo))).collect());
            let share = |part: fn(&Forbidden) -> u64| {
                let of = |(found, without): &(&Strength, Forbidden)| {
                    let share = part(without) as f64 / without.turns.max(1) as f64;
                    // Turns of one game are not independent, so each game counts as one trial.
                    (found.network.seed, offsets(wilson(share, f64::from(found.result.games))))
                };
                mean(&lost.iter().map(of).collect()).map(|found| found.within([0.0, 1.0]))
            };
            let (restricted, allowed) =
                (share(|without| without.restricted), share(|without| without.allowed));
            let cells = [&elo, &restricted, &allowed].map(|cell| cell.as_ref().map(|found| found.estimate));
            rows.push((kind.name().to_owned(), cells.to_vec()));
            for (metric, evidence) in metrics(kind).into_iter().zip([elo, allowed]) {
                findings.add(metric, &id, games, evidence);
            }
        }
        findings.table(&TABLE, &id, rows, Vec::new());
    }
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
        // Scores of 60 % (400 log10 1.5 Elo) and 50 %. The worth of moving catapults is negative.
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
            let [worth, forced] = metrics(kind);
            assert_eq!(worth.id, format!("worth_{}", kind.name().replace('-', "_")));
            assert_eq!(forced.id, format!("{}_forced", worth.id));
        }
    }
}
