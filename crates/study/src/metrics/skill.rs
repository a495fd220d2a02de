//! Room for skill: what thinking twice as long is worth, and how long the ladder up from random play is.

use super::findings::Findings;
use crate::data::{NetworkId, SampleId};
use crate::results::{MetricInfo, NetworkValue, Strength, Unit};
use crate::stats::{Evidence, error_of};
use catapult_arena::stats::elo_of_score;
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
    definition: "Elo of a network against itself at half its simulations, mean over networks.",
};
const RUNGS: MetricInfo = MetricInfo {
    id: "skill_rungs",
    name: "60 % rungs from random play",
    unit: Unit::Ratio,
    definition: "Steps of skill from the random mover up to this level, each scoring 60 % against the one below: the Elo of one simulation \
                 against the random mover and of each doubling up to the level, summed, over the 70 Elo of 60 %.",
};

pub(super) const METRICS: &[MetricInfo] = &[ELO_PER_DOUBLING, RUNGS];

/// Value and the distances to the ends of its interval.
type Elo = (f64, f64, f64);

pub(super) fn measure(strengths: &[Strength], findings: &mut Findings) {
    let sample = |strength: &Strength| SampleId {
        arm: strength.arm,
        agent: strength.network.agent.clone(),
        checkpoint: strength.checkpoint,
        simulations: strength.simulations,
    };
    let ids: BTreeSet<SampleId> = strengths.iter().map(sample).collect();
    for id in ids {
        let mut doublings = BTreeMap::new();
        let mut rungs = BTreeMap::new();
        let networks: BTreeSet<&NetworkId> = strengths
            .iter()
            .filter(|strength| sample(strength) == id)
            .map(|strength| &strength.network)
            .collect();
        let mut games = 0;
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
            if let Some(ladder) = ladder(id.simulations, find) {
                if ladder.iter().any(|rung| rung.result.pairs.is_saturated()) {
                    findings.warn_of(
                        format!("{} by {network}", id.arm),
                        "A rung of the ladder from random play was won without a loss, so the ladder is longer than told",
                    );
                }
                let per_rung = elo_of_score(RUNG);
                let sum = |part: fn(&Elo) -> f64| ladder.iter().map(|rung| part(&elo(rung))).sum::<f64>();
                let off = |part: fn(&Elo) -> f64| {
                    ladder.iter().map(|rung| part(&elo(rung)).powi(2)).sum::<f64>().sqrt()
                };
                rungs.insert(
                    network.seed,
                    (sum(|e| e.0) / per_rung, off(|e| e.1) / per_rung, off(|e| e.2) / per_rung),
                );
            }
        }
        findings.add(&ELO_PER_DOUBLING, &id, games, mean(&doublings));
        findings.add(&RUNGS, &id, games, mean(&rungs));
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

fn elo(strength: &Strength) -> Elo {
    let elo = strength.result.elo;
    (elo.value, elo.value - elo.low, elo.high - elo.value)
}

/// The mean over networks, each counting alike.
fn mean(networks: &BTreeMap<u64, Elo>) -> Option<Evidence> {
    let n = networks.len() as f64;
    let sum: f64 = networks.values().map(|elo| elo.0).sum();
    let off = |part: fn(&Elo) -> f64| networks.values().map(|elo| part(elo).powi(2)).sum::<f64>().sqrt() / n;
    let (value, below, above) = (sum / n, off(|elo| elo.1), off(|elo| elo.2));
    let network = |(&seed, elo): (&u64, &Elo)| NetworkValue {
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
    use crate::report::synthetic::played;
    use catapult_rules::Variant;

    /// So many pairs won two to nothing, one all, and lost.
    fn strength(seed: u64, simulations: u32, opponent: &str, [won, even, lost]: [u64; 3]) -> Strength {
        let result = played([lost, 0, even, 0, won]);
        Strength {
            arm: Variant::Chess,
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
}
