//! Placebos: rules of an arm that no game used. Games cannot show an effect of such a rule.

use super::facts::GameFacts;
use super::rule_use::made;
use super::sample::Sample;
use crate::arms::Arm;
use crate::data::Checkpoint;
use crate::games::GameInfo;
use crate::results::Placebo;
use std::collections::BTreeMap;

/// Returns each added rule of an arm that no game of the last checkpoint used. Games of all agents
/// and search levels count together.
pub(super) fn find(samples: &[Sample]) -> Vec<Placebo> {
    let mut by_arm: BTreeMap<Arm, Vec<&GameFacts>> = BTreeMap::new();
    for sample in samples.iter().filter(|sample| sample.id.checkpoint == Checkpoint::Last) {
        by_arm.entry(sample.id.arm).or_default().extend(sample.games.iter());
    }
    let mut found = Vec::new();
    for (arm, games) in by_arm.into_iter().filter(|(_, games)| !games.is_empty()) {
        let info = GameInfo::of(arm.rules);
        for rule in &info.added_rules {
            let uses = if rule.uses.is_empty() { u16::MAX } else { info.use_bits(rule.uses) };
            if games.iter().all(|game| made(game, |made| made & uses != 0) == 0.0) {
                found.push(Placebo { arm, rule: rule.id.to_owned(), games: games.len() as u64 });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::testing::{CellGames, cell, record, samples};
    use super::*;

    fn found(cells: &[CellGames]) -> Vec<(String, u64)> {
        let placebos = find(&samples(cells));
        placebos.into_iter().map(|placebo| (placebo.rule, placebo.games)).collect()
    }

    #[test]
    fn a_rule_that_was_never_used_is_found() {
        let quiet = record("chesspp+promote", "", "b1c3 b8c6 b1b3");
        let teleport = record("chesspp+promote", "", "b1c3 b8c6 f1b1t");
        let promotes = record("chesspp+promote", "5n1k/4P3/8/8/8/8/8/4K3 w - - 3 1 a1/-", "e7f8c");
        let of = |games: Vec<_>| found(&[cell("chesspp+promote", "agent", 1, 8, games)]);
        let unused = |games: u64| vec![("+promote".to_owned(), games)];
        assert_eq!(of(vec![quiet.clone(); 240]), unused(240));
        assert_eq!(of(vec![teleport; 2]), unused(2));
        assert_eq!(of(vec![quiet.clone(), promotes.clone()]), []);
        // All agents and levels count together. Chess adds no rules.
        let elsewhere = [
            cell("chess", "agent", 1, 8, vec![record("chess", "", "e2e4")]),
            cell("chesspp+promote", "agent", 1, 8, vec![quiet]),
            cell("chesspp+promote", "other", 7, 64, vec![promotes]),
        ];
        assert_eq!(found(&elsewhere), []);
    }

    #[test]
    fn each_rule_of_an_arm_is_asked_for() {
        let all = "chesspp+free+instant+pawns+promote+third";
        // Both sides place catapults on the squares of the plain game, and move none.
        let usual = "c@b1 c@b8 c@f1 c@f8 c@d1 c@d8";
        let idle =
            |placed: &str| vec![cell(all, "agent", 1, 8, vec![record(all, "", &format!("{placed} e2e4"))])];
        let rules = |cells: &[_]| -> Vec<String> { found(cells).into_iter().map(|(rule, _)| rule).collect() };
        assert_eq!(rules(&idle(usual)), ["catapults", "+free", "+instant", "+pawns", "+promote", "+third"]);
        let aside = "c@a1 c@b8 c@f1 c@f8 c@d1 c@d8";
        assert_eq!(rules(&idle(aside)), ["catapults", "+instant", "+pawns", "+promote", "+third"]);
        // A pawn moves and teleports in the same turn, among three catapults.
        let pawn = record(all, "7k/8/8/8/8/8/2P5/4K3 w - - 4 1 a1c3g6/-", "c2c3g6");
        assert_eq!(rules(&[cell(all, "agent", 1, 8, vec![pawn])]), ["+free", "+promote"]);
        let century = |moves: &str| vec![cell("century", "agent", 1, 8, vec![record("century", "", moves)])];
        assert_eq!(rules(&century("")), ["own-rules"]);
    }
}
