//! Effects that vary between training seeds no more than the finite number of games alone explains.

use crate::results::Judgement;
use catapult_measures::results::{Alike, Warning};
use catapult_stats::seed_variance;
use std::collections::BTreeMap;

/// Significance level of the test for variance between networks of different seeds.
const ALIKE: f64 = 0.05;

/// Returns warnings about judged effects whose variance between networks is not significant, one
/// warning per number of networks. Effects between arms with separate networks are not tested.
pub fn alike(judgements: &[Judgement]) -> Vec<Warning> {
    let mut found: BTreeMap<u64, Vec<Alike>> = BTreeMap::new();
    for judgement in judgements {
        let Some(effect) = &judgement.effect else { continue };
        let values: Vec<(f64, f64)> = judgement.seeds.iter().map(|seed| (seed.value, seed.error)).collect();
        let Some(variance) = seed_variance(&values).filter(|variance| variance.p > ALIKE) else { continue };
        let alike = Alike {
            metric: effect.metric.clone(),
            arm: effect.arm.clone(),
            control: effect.control.clone(),
            between: variance.between,
            within: variance.within,
            p: variance.p,
        };
        let known = found.entry(values.len() as u64).or_default();
        if !known.contains(&alike) {
            known.push(alike);
        }
    }
    found.into_iter().map(|(networks, endpoints)| Warning::NoSeedVariance { networks, endpoints }).collect()
}
