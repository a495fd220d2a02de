//! Room for skill: what thinking twice as long is worth, how long the ladder up from random play is, and how much the same
//! network finds with more thinking.
//!
//! All of it is of this search with these networks, not of the best play: a search that looks at as many moves with eight
//! simulations as with sixteen gains nothing by the doubling, whatever the game has to offer. What can be compared is the same
//! search under other rules.

use super::findings::Findings;
use crate::data::{NetworkId, SampleId};
use crate::results::{Chapter, MetricInfo, NetworkValue, Strength, Unit, Warning};
use catapult_stats::{Evidence, error_of};
use catapult_stats::{Interval, elo_of_score};
use std::collections::{BTreeMap, BTreeSet};

/// The opponent that is the player at half its simulations.
const HALF: &str = "half";
/// The opponent at the foot of the ladder.
const RANDOM: &str = "random";
/// The score that makes a rung.
const RUNG: f64 = 0.6;

const ELO_PER_DOUBLING: MetricInfo = MetricInfo {
    id: "elo_per_doubling",
    name: "Elo per doubling",
    unit: Unit::Elo,
    chapter: Chapter::Strength,
    neutral: None,
    definition: "Elo of a network against itself at half its simulations, mean over networks. It is the worth of \
                 a doubling to this search at these settings, not what the game has to offer. The moves that the \
                 search considers follow from its simulations.",
};
const RUNGS: MetricInfo = MetricInfo {
    id: "skill_rungs",
    name: "60 % rungs from random play",
    unit: Unit::Ratio,
    chapter: Chapter::Skill,
    neutral: None,
    definition: "Steps of 60 % from the random mover up to this network at this level. The Elo of one simulation \
                 against the random mover and of each doubling are summed and divided by the 70 Elo of 60 %. Elo \
                 is taken to be additive along the ladder. The ladder ends at this agent; a stronger one might \
                 go on.",
};
const SCORE_X4: MetricInfo = MetricInfo {
    id: "score_x4",
    name: "score against 4 times the simulations",
    unit: Unit::Share,
    chapter: Chapter::Skill,
    neutral: None,
    definition: "Score of a network against itself at four times its simulations, mean over networks. The \
                 smaller it is, the more there was to find beyond this level; one half is none. It needs no \
                 hand-made player.",
};
const SCORE_X16: MetricInfo = MetricInfo {
    id: "score_x16",
    name: "score against 16 times the simulations",
    unit: Unit::Share,
    chapter: Chapter::Skill,
    neutral: None,
    definition: "Score of a network against itself at sixteen times its simulations, mean over networks.",
};

pub(super) const METRICS: &[MetricInfo] = &[ELO_PER_DOUBLING, RUNGS, SCORE_X4, SCORE_X16];

/// Opponents that think longer, and the metrics of the scores against them.
const LONGER: [(&str, &MetricInfo); 2] = [("x4", &SCORE_X4), ("x16", &SCORE_X16)];

/// Value and the distances to the ends of its interval.
pub(super) type Value = (f64, f64, f64);

pub(super) fn measure(strengths: &[Strength], findings: &mut Findings) {
    let sample = |strength: &Strength| SampleId {
        arm: strength.arm,
        agent: strength.network.agent.clone(),
        checkpoint: strength.checkpoint,
        simulations: strength.simulations,
    };
    let ids: BTreeSet<SampleId> = strengths.iter().map(sample).collect();
    let mut saturated = Vec::new();
    for id in ids {
        let mut doublings = BTreeMap::new();
        let mut rungs = BTreeMap::new();
        let mut longer = LONGER.map(|_| (0, BTreeMap::new()));
        let networks: BTreeSet<&NetworkId> = strengths
            .iter()
            .filter(|strength| sample(strength) == id)
            .map(|strength| &strength.network)
            .collect();
        let (mut games, mut rung_games) = (0, 0);
        for network in networks {
            let find = |simulations: u32, opponent: &str| {
                strengths.iter().find(|strength| {
                    strength.network == *network
                        && sample(strength) == SampleId { simulations, ..id.clone() }
                        && strength.opponent == opponent
                })
            };
            if let Some(doubling) = find(id.simulations, HALF) {
                games += doubling.result.games as usize;
                doublings.insert(network.seed, elo(doubling));
            }
            for ((opponent, _), (games, scores)) in LONGER.into_iter().zip(&mut longer) {
                if let Some(found) = find(id.simulations, opponent) {
                    *games += found.result.games as usize;
                    scores.insert(network.seed, offsets(found.result.score));
                }
            }
            if let Some(ladder) = ladder(id.simulations, find) {
                let subject = (id.arm, network.clone());
                if ladder.iter().any(|rung| rung.result.pairs.is_saturated()) && !saturated.contains(&subject)
                {
                    saturated.push(subject);
                }
                rung_games += ladder.iter().map(|rung| rung.result.games as usize).sum::<usize>();
                let per_rung = elo_of_score(RUNG);
                let sum = |part: fn(&Value) -> f64| ladder.iter().map(|rung| part(&elo(rung))).sum::<f64>();
                let off = |part: fn(&Value) -> f64| {
                    ladder.iter().map(|rung| part(&elo(rung)).powi(2)).sum::<f64>().sqrt()
                };
                rungs.insert(
                    network.seed,
                    (sum(|e| e.0) / per_rung, off(|e| e.1) / per_rung, off(|e| e.2) / per_rung),
                );
            }
        }
        findings.add(&ELO_PER_DOUBLING, &id, games, mean(&doublings));
        findings.add(&RUNGS, &id, rung_games, mean(&rungs));
        for ((_, metric), (games, scores)) in LONGER.into_iter().zip(longer) {
            findings.add(metric, &id, games, mean(&scores));
        }
    }
    if !saturated.is_empty() {
        findings.warn(Warning::SaturatedLadder { networks: saturated });
    }
}

/// The matches of the ladder up to a level, random play first; none if one is missing.
fn ladder<'a>(
    simulations: u32,
    find: impl Fn(u32, &str) -> Option<&'a Strength>,
) -> Option<Vec<&'a Strength>> {
    let mut levels = vec![simulations];
    while let Some(&level) = levels.last().filter(|&&level| level > 1) {
        levels.push(level / 2);
    }
    let steps = levels.iter().rev().map(|&level| find(level, if level == 1 { RANDOM } else { HALF }));
    steps.collect()
}

fn elo(strength: &Strength) -> Value {
    offsets(strength.result.elo)
}

/// An estimate with how far the ends of its interval are below and above it.
pub fn offsets(found: Interval) -> Value {
    (found.value, found.value - found.low, found.high - found.value)
}

/// The mean over networks, each counting alike.
pub fn mean(networks: &BTreeMap<u64, Value>) -> Option<Evidence> {
    let n = networks.len() as f64;
    let sum: f64 = networks.values().map(|elo| elo.0).sum();
    let off =
        |part: fn(&Value) -> f64| networks.values().map(|elo| part(elo).powi(2)).sum::<f64>().sqrt() / n;
    let (value, below, above) = (sum / n, off(|elo| elo.1), off(|elo| elo.2));
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
    use crate::data::Checkpoint;
    use crate::testing::played;
    use catapult_rules::Variant;

    /// So many pairs won two to nothing, one all, and lost.
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
        // 60 % at one simulation against random, 60 % and 75 % (191 Elo) for the two doublings.
        let strengths = [
            strength(1, 1, RANDOM, [20, 80, 0]),
            strength(1, 2, HALF, [20, 80, 0]),
            strength(1, 4, HALF, [50, 50, 0]),
            // Another network has no ladder, for a rung is missing.
            strength(2, 4, HALF, [20, 80, 0]),
        ];
        let mut findings = Findings::new(RESAMPLING);
        measure(&strengths, &mut findings);
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
    fn the_score_against_longer_thinking_is_the_room_that_is_left() {
        // 25 %, and 10 % by two networks that differ.
        let strengths = [
            strength(1, 16, "x4", [0, 50, 50]),
            strength(1, 16, "x16", [0, 40, 60]),
            strength(2, 16, "x16", [0, 0, 100]),
        ];
        let mut findings = Findings::new(RESAMPLING);
        measure(&strengths, &mut findings);
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
