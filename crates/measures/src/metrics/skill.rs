//! Metrics of the room for skill. They are the gain from twice the simulations, the length of the
//! ladder of matches from random play, and the score against more simulations.
//!
//! These metrics describe this search with these networks, not perfect play. For example, doubling
//! the simulations gains nothing if the search considers the same moves with 8 and 16 simulations.
//! Compare only the same search under different rules.

use super::findings::Findings;
use super::sample::grouped;
use crate::data::SampleId;
use crate::results::{HALF, MetricInfo, NetworkValue, Strength, Unit, Warning};
use crate::rows::metrics;
use catapult_stats::{Evidence, Interval, elo_of_score, error_of};
use std::collections::{BTreeMap, BTreeSet};

/// Name of the opponent that plays random moves. It is the start of the ladder.
const RANDOM: &str = "random";
/// Expected score against a player one rung lower on the ladder. It defines the height of a rung
/// (step) in Elo.
const RUNG: f64 = 0.6;

metrics! {
    METRICS =
    ELO_PER_DOUBLING: Strength Elo "elo_per_doubling", "Elo per doubling",
        phrase: Phrase::Noun("the gain from twice the simulations");
        "Elo of a network against itself at half its simulations, mean over networks. It measures this \
         search at these settings, not the game's depth. The moves that the search considers follow from its \
         simulations.";
    ELO_AGAINST_CONTROL: Strength Elo "elo_against_control", "Elo against the control";
        "Elo of a network against the control's network of the same training seed, mean over seeds. It is measured in \
         ablations, whose agents differ in their training.";
    RUNGS: Skill Ratio "skill_rungs", "60 % rungs from random play";
        "Steps of 60 % from the random mover up to this network at this level. The Elo of one simulation \
         against the random mover and of each doubling are summed and divided by the 70 Elo of 60 %. The sum \
         assumes that Elo is additive along the ladder. The ladder ends at this agent; a stronger agent may \
         have a longer one.";
    SCORE_X4: Skill Share "score_x4", "score against 4 times the simulations",
        phrase: Phrase::Noun("the score against four times the simulations");
        "Score of a network against itself at four times its simulations, mean over networks. A smaller \
         score means that more search still finds better moves; one half means no gain. It needs no \
         hand-made player.";
    SCORE_X16: Skill Share "score_x16", "score against 16 times the simulations",
        phrase: Phrase::Noun("the score against sixteen times the simulations");
        "Score of a network against itself at sixteen times its simulations, mean over networks.";
}

/// Names of the opponents that are the network itself at other simulations, each with the metric
/// that the match gives.
const ITSELF: [(&str, &MetricInfo); 3] = [(HALF, &ELO_PER_DOUBLING), ("x4", &SCORE_X4), ("x16", &SCORE_X16)];

/// Value, then its distances to the lower and to the upper end of its interval.
pub(super) type Value = (f64, f64, f64);

/// Adds a metric of matches of a sample's networks. Its value is the mean over networks.
fn against(metric: &MetricInfo, id: &SampleId, matches: &[&Strength], findings: &mut Findings) {
    let value = |found: &&Strength| match metric.unit {
        Unit::Elo => (found.network.seed, offsets(found.result.elo)),
        _ => (found.network.seed, offsets(found.result.score)),
    };
    let games = matches.iter().map(|found| found.result.games as usize).sum();
    findings.add(metric, id, games, mean(&matches.iter().map(value).collect()));
}

/// Adds the metrics of strength and skill. `control` contains matches against the control's network
/// with the same training seed.
pub(super) fn measure(strengths: &[Strength], control: &[Strength], findings: &mut Findings) {
    for (id, matches) in grouped(control, Strength::sample) {
        against(&ELO_AGAINST_CONTROL, &id, &matches, findings);
    }
    let mut saturated = Vec::new();
    for (id, matches) in grouped(strengths, Strength::sample) {
        for (opponent, metric) in ITSELF {
            let its: Vec<_> = matches.iter().copied().filter(|found| found.opponent == opponent).collect();
            against(metric, &id, &its, findings);
        }
        let (mut games, mut rungs) = (0, BTreeMap::new());
        for network in matches.iter().map(|found| &found.network).collect::<BTreeSet<_>>() {
            let find = |simulations: u32, opponent: &str| {
                let level = SampleId { simulations, ..id.clone() };
                let is_it = |found: &&Strength| found.network == *network && found.opponent == opponent;
                strengths.iter().filter(is_it).find(|found| found.sample() == level)
            };
            let Some(ladder) = ladder(id.simulations, find) else { continue };
            let subject = (id.arm, network.clone());
            if ladder.iter().any(|rung| rung.result.pairs.is_saturated()) && !saturated.contains(&subject) {
                saturated.push(subject);
            }
            games += ladder.iter().map(|rung| rung.result.games as usize).sum::<usize>();
            let steps: Vec<Value> = ladder.iter().map(|rung| offsets(rung.result.elo)).collect();
            rungs.insert(network.seed, sum_over(steps.iter(), elo_of_score(RUNG)));
        }
        findings.add(&RUNGS, &id, games, mean(&rungs));
    }
    if !saturated.is_empty() {
        findings.measured.warnings.push(Warning::SaturatedLadder { networks: saturated });
    }
}

/// Returns the search levels of the ladder from random play up to the level `simulations`, weakest
/// first. The first level is one simulation, and each level is half of the next.
pub fn ladder_levels(simulations: u32) -> Vec<u32> {
    let half = |level: &u32| (*level > 1).then_some(level / 2);
    let mut levels: Vec<u32> = std::iter::successors(Some(simulations), half).collect();
    levels.reverse();
    levels
}

/// Returns the matches of the ladder from random play up to the level `simulations`, in this order.
/// `find` returns the match of the network at a level against an opponent. `None` if a match is
/// missing.
fn ladder<'a>(
    simulations: u32,
    find: impl Fn(u32, &str) -> Option<&'a Strength>,
) -> Option<Vec<&'a Strength>> {
    let step = |level: u32| find(level, if level == 1 { RANDOM } else { HALF });
    ladder_levels(simulations).into_iter().map(step).collect()
}

/// Returns the value of an interval, then its distances to the lower and to the upper end.
pub(super) fn offsets(found: Interval) -> Value {
    (found.value, found.value - found.low, found.high - found.value)
}

/// Returns the sum of independent estimates, divided by `divisor`, then its distances to the lower
/// and to the upper end of its interval. The ends are computed by variance recovery (MOVER), as for
/// shares.
pub(super) fn sum_over<'a>(values: impl Iterator<Item = &'a Value> + Clone, divisor: f64) -> Value {
    let off = |part: fn(&Value) -> f64| values.clone().map(|value| part(value).powi(2)).sum::<f64>().sqrt();
    let sum: f64 = values.clone().map(|value| value.0).sum();
    (sum / divisor, off(|value| value.1) / divisor, off(|value| value.2) / divisor)
}

/// Returns the unweighted mean over networks. The keys of `networks` are training seeds. `None` if
/// there are no networks.
pub(super) fn mean(networks: &BTreeMap<u64, Value>) -> Option<Evidence> {
    let n = networks.len() as f64;
    let sum: f64 = networks.values().map(|elo| elo.0).sum();
    let (value, below, above) = sum_over(networks.values(), n);
    let network = |(&seed, elo): (&u64, &Value)| NetworkValue {
        seed,
        value: elo.0,
        error: error_of([elo.0 - elo.1, elo.0 + elo.2]),
        without: (n > 1.0).then(|| (sum - elo.0) / (n - 1.0)),
    };
    let networks: Vec<_> = networks.iter().map(network).collect();
    (!networks.is_empty()).then(|| Evidence::new(value, [value - below, value + above], networks))
}

#[cfg(test)]
mod tests {
    use super::super::testing::RESAMPLING;
    use super::*;
    use crate::data::{Checkpoint, NetworkId};
    use crate::testing::played;
    use catapult_rules::Variant;

    /// Returns a match with these numbers of pairs of games won 2:0, drawn 1:1 and lost 0:2, from
    /// the network's side.
    fn strength(seed: u64, simulations: u32, opponent: &str, [won, even, lost]: [u64; 3]) -> Strength {
        let result = played([lost, 0, even, 0, won]);
        Strength {
            arm: Variant::Chess.into(),
            network: NetworkId { agent: "agent".to_owned(), seed },
            checkpoint: Checkpoint::Last,
            simulations,
            opponent: opponent.to_owned(),
            result,
        }
    }

    #[test]
    fn doublings_add_up_to_a_ladder() {
        // The score is 60 % with one simulation against random, then 60 % and 75 % (191 Elo) per
        // doubling.
        let strengths = [
            strength(1, 1, RANDOM, [20, 80, 0]),
            strength(1, 2, HALF, [20, 80, 0]),
            strength(1, 4, HALF, [50, 50, 0]),
            // The second network has no ladder because a match is missing.
            strength(2, 4, HALF, [20, 80, 0]),
        ];
        let mut findings = Findings::new(RESAMPLING);
        measure(&strengths, &[], &mut findings);
        let measured = findings.finish(Variant::Chess);
        let value = |metric: &str, simulations: u32| {
            let of = |found: &&crate::results::Measure| {
                found.metric == metric && found.sample.simulations == simulations
            };
            measured.measures.iter().find(of).unwrap().estimate.value
        };
        let rung = 400.0 * 1.5f64.log10();
        let step = 400.0 * 3f64.log10();
        assert!((value("elo_per_doubling", 2) - rung).abs() < 1e-9);
        assert!((value("elo_per_doubling", 4) - (step + rung) / 2.0).abs() < 1e-9);
        for (simulations, rungs) in [(1, 1.0), (2, 2.0), (4, 2.0 + step / rung)] {
            assert!((value("skill_rungs", simulations) - rungs).abs() < 1e-9, "{simulations}");
        }
        assert!(measured.warnings.is_empty());
    }

    #[test]
    fn the_effect_is_the_mean_over_seeds_with_students_interval() {
        // Scores of 60, 55 and 65 % are 70.437, 34.860 and 107.536 Elo: mean 70.944, standard
        // deviation 36.340.
        let pairs = [[20, 80, 0], [10, 90, 0], [30, 70, 0]];
        let control: Vec<Strength> = (1..)
            .zip(pairs)
            .map(|(seed, pairs)| strength(seed, 8, &format!("plain-{seed}"), pairs))
            .collect();
        let mut findings = Findings::new(RESAMPLING);
        measure(&[], &control, &mut findings);
        let measured = findings.finish(Variant::Chess).measures;
        let [effect] = measured.as_slice() else { panic!("{measured:?}") };
        assert_eq!((effect.metric.as_str(), effect.observations), ("elo_against_control", 600));
        assert!((effect.estimate.value - 70.944).abs() < 1e-3);
        // t(0.975, 2) = 4.302653; 4.302653 * 36.340 / sqrt(3) = 90.274.
        let [low, high] = effect.estimate.rule.unwrap();
        assert!((low + 19.33).abs() < 0.02 && (high - 161.22).abs() < 0.02, "{low} {high}");
        // The interval for these networks excludes 0. The interval for other seeds does not.
        assert!(effect.estimate.agents[0] > 40.0 && effect.estimate.agents[1] < 100.0);
    }

    #[test]
    fn the_score_against_longer_thinking_is_the_room_that_is_left() {
        // The scores are 25 %, and on average 10 % for two different networks.
        let strengths = [
            strength(1, 16, "x4", [0, 50, 50]),
            strength(1, 16, "x16", [0, 40, 60]),
            strength(2, 16, "x16", [0, 0, 100]),
        ];
        let mut findings = Findings::new(RESAMPLING);
        measure(&strengths, &[], &mut findings);
        let measured = findings.finish(Variant::Chess).measures;
        let of = |metric: &str| measured.iter().find(|found| found.metric == metric).unwrap();
        assert_eq!(of("score_x4").estimate.value, 0.25);
        assert_eq!((of("score_x4").networks.len(), of("score_x4").observations), (1, 200));
        assert_eq!(of("score_x16").estimate.value, 0.1);
        assert_eq!(of("score_x16").networks.iter().map(|n| n.value).collect::<Vec<_>>(), [0.2, 0.0]);
        assert!(of("score_x16").networks[1].error > 0.0, "a match that was lost outright is no certainty");
        assert_eq!(measured.len(), 2);
    }
}
