//! Warnings about the validity of a study. They are about
//!
//! * training that truncated games earlier than the study does,
//! * outcomes that never occurred in training,
//! * kinds of moves whose measured gain in Elo is negative, and
//! * means far above the median.

use super::StudyInput;
use super::endings::CAUSES;
use super::worth::is_worth;
use crate::arms::Arm;
use crate::data::{Checkpoint, NetworkId, SampleId};
use crate::results::{Caps, Measure, Skewed, Warning};
use catapult_rules::Outcome;
use std::collections::BTreeMap;

/// Limits and outcomes of a network's training games. A limit or field that is `None` is unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Training {
    /// The trained network.
    pub network: NetworkId,
    /// Limits at which training truncated games.
    pub caps: Caps,
    /// Number of training games that ended by each outcome.
    pub outcomes: Option<BTreeMap<Outcome, u64>>,
}

/// Returns the outcomes (causes of the end of a game) that a metric counts, each with the id of the
/// metric that counts all games without a winner that end by it. Only outcomes of games without a
/// winner are considered. Empty for all metrics that do not depend on them.
fn counted(metric: &str) -> Vec<(Outcome, &'static str)> {
    let is_counted = |(outcome, metrics): &&(Outcome, [&str; 3])| match metric {
        "draw_rate" => true,
        "undecided_lead" => matches!(outcome, Outcome::HundredPlies | Outcome::Capped),
        _ => metrics.contains(&metric),
    };
    CAUSES.iter().filter(is_counted).map(|(outcome, metrics)| (*outcome, metrics[0])).collect()
}

/// Minimum share of the games counted by a metric that end by an outcome, for the outcome to decide
/// the metric.
const DECIDES: f64 = 0.05;

/// Returns all warnings about validity.
pub(super) fn warnings(input: &StudyInput, measures: &[Measure]) -> Vec<Warning> {
    let mut found = truncated(input);
    found.extend(unknown_outcomes(input, measures));
    found.extend(worthless(measures));
    found.extend(skewed(measures));
    found
}

/// Returns warnings about truncated training games. Some concern networks whose training truncated
/// games earlier than the study does, one warning per pair of limits. Another concerns networks
/// with unknown limits or outcomes.
fn truncated(input: &StudyInput) -> Vec<Warning> {
    let study = input.caps;
    let is_earlier =
        |own: Option<u32>, study: Option<u32>| own.is_some_and(|own| study.is_none_or(|study| own < study));
    let mut earlier: BTreeMap<Caps, Vec<NetworkId>> = BTreeMap::new();
    let mut unknown = Vec::new();
    for training in input.training {
        let caps = training.caps;
        if is_earlier(caps.no_progress, study.no_progress) || is_earlier(caps.plies, study.plies) {
            earlier.entry(caps).or_default().push(training.network.clone());
        }
        if caps.no_progress.is_none() || caps.plies.is_none() || training.outcomes.is_none() {
            unknown.push(training.network.clone());
        }
    }
    let warning = |(training, networks)| Warning::TruncatedEarlier { networks, training, study };
    let mut found: Vec<Warning> = earlier.into_iter().map(warning).collect();
    if !unknown.is_empty() {
        found.push(Warning::TrainingUnknown { networks: unknown });
    }
    found
}

/// Returns warnings about outcomes that decide an endpoint's metric but never ended a training game
/// of some networks.
fn unknown_outcomes(input: &StudyInput, measures: &[Measure]) -> Vec<Warning> {
    type Key<'a> = (&'a String, Outcome, Vec<NetworkId>);
    let mut found: Vec<(Key, Vec<(SampleId, f64)>)> = Vec::new();
    for (arm, control, metric) in input.endpoints {
        for (outcome, rate) in counted(metric) {
            let never = |training: &&Training| {
                let outcomes = training.outcomes.as_ref();
                outcomes.is_some_and(|outcomes| outcomes.get(&outcome).is_none_or(|games| *games == 0))
            };
            let networks: Vec<NetworkId> =
                input.training.iter().filter(never).map(|training| training.network.clone()).collect();
            let is_its = |it: &&Measure| {
                it.metric == rate && (it.sample.arm == *arm || Some(it.sample.arm) == *control)
            };
            let rates = strongest(measures.iter().filter(is_its), input.deep);
            let shares: Vec<(SampleId, f64)> =
                rates.into_iter().map(|it| (it.sample.clone(), it.estimate.value)).collect();
            let decides = |(sample, value): &(SampleId, f64)| {
                let all = measures.iter().find(|it| it.metric == *metric && it.sample == *sample);
                *value > 0.0 && all.is_some_and(|all| *value >= DECIDES * all.estimate.value)
            };
            if !networks.is_empty() && shares.iter().any(decides) {
                let key = (metric, outcome, networks);
                match found.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, known)) => {
                        let new = shares.into_iter().filter(|share| !known.contains(share));
                        known.extend(new.collect::<Vec<_>>());
                    }
                    None => found.push((key, shares)),
                }
            }
        }
    }
    let warning = |((metric, outcome, networks), shares): (Key, _)| Warning::UnknownOutcome {
        metric: metric.clone(),
        outcome,
        shares,
        networks,
    };
    found.into_iter().map(warning).collect()
}

/// Returns one measure per arm and agent, at the strongest search level of the last checkpoint. The
/// levels `deep`, which have fewer games, come after all others.
fn strongest<'a>(measures: impl Iterator<Item = &'a Measure>, deep: &[u32]) -> Vec<&'a Measure> {
    let rank = |measure: &Measure| (!deep.contains(&measure.sample.simulations), measure.sample.simulations);
    let mut best: BTreeMap<(Arm, &str), &Measure> = BTreeMap::new();
    for measure in measures.filter(|measure| measure.sample.checkpoint == Checkpoint::Last) {
        let known = best.entry((measure.sample.arm, &measure.sample.agent)).or_insert(measure);
        if rank(measure) > rank(known) {
            *known = measure;
        }
    }
    best.into_values().collect()
}

/// Returns a warning for each kind of move whose measured gain in Elo is negative.
fn worthless(measures: &[Measure]) -> Vec<Warning> {
    let lost = measures.iter().filter(|measure| is_worth(&measure.metric) && measure.estimate.value < 0.0);
    let warning = |measure: &Measure| Warning::Worthless {
        metric: measure.metric.clone(),
        sample: measure.sample.clone(),
        worth: measure.estimate,
    };
    lost.map(warning).collect()
}

/// Returns a warning per metric whose mean per game is above twice the median, or above 1 if the
/// median is 0. Within a warning, samples of the last checkpoint and the strongest level come
/// first.
fn skewed(measures: &[Measure]) -> Vec<Warning> {
    let mut found: Vec<(&str, Vec<Skewed>)> = Vec::new();
    for measure in measures {
        let Some(median) = measure.median else { continue };
        let mean = measure.estimate.value;
        if mean <= if median > 0.0 { 2.0 * median } else { 1.0 } {
            continue;
        }
        let skewed = Skewed { sample: measure.sample.clone(), mean, median };
        match found.iter_mut().find(|(metric, _)| *metric == measure.metric) {
            Some((_, samples)) => samples.push(skewed),
            None => found.push((&measure.metric, vec![skewed])),
        }
    }
    let warning = |(metric, mut samples): (&str, Vec<Skewed>)| {
        samples
            .sort_by_key(|skewed| std::cmp::Reverse((skewed.sample.checkpoint, skewed.sample.simulations)));
        Warning::Skewed { metric: metric.to_owned(), samples }
    };
    found.into_iter().map(warning).collect()
}

#[cfg(test)]
#[path = "validity_tests.rs"]
mod tests;
