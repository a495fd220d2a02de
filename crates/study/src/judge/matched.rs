//! The difference between equally strong players, by regression.
//!
//! Equal budget is not equal strength, and draw rates move with strength. So the metric of every network, checkpoint and
//! level is explained by its strength and by the arm: value = a + b arm + c strength, and b is the difference at equal
//! strength. Strength is Elo against the fixed players (alpha-beta) in the same rules, the mean over those that every
//! network met. That ruler is itself played by the rules of the arm, and matches tell strength with an error that draws
//! c towards 0; so b leans towards the difference that was not matched.

use crate::data::{Checkpoint, NetworkId, SampleId};
use crate::results::{Estimate, Measure, Strength};
use crate::stats::{Difference, Row, coefficients, error_of, jackknife_of, welch};
use catapult_arena::stats::Z95;
use rand::SeedableRng;
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeSet;

/// What the opponents' names begin with that are the same for every network: a fixed ruler.
const FIXED_PLAYERS: &str = "alphabeta:";

/// A network at one checkpoint and level: a point of the regression.
#[derive(Clone, PartialEq, Debug)]
struct Point {
    /// Whether it is the arm's.
    arm: bool,
    network: NetworkId,
    /// Elo, and its standard error.
    strength: (f64, f64),
    /// The metric, and its standard error.
    value: (f64, f64),
}

/// The difference (arm less control) at equal strength, over all checkpoints and levels of the two agents; or in words
/// why it can't be told.
pub(super) fn matched(
    (arm, control): (&SampleId, &SampleId),
    metric: &str,
    measures: &[Measure],
    strengths: &[Strength],
) -> Result<Estimate, String> {
    let points = points((arm, control), metric, measures, strengths);
    let range = |side: bool| {
        let all = points.iter().filter(|point| point.arm == side).map(|point| point.strength.0);
        all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
    };
    let ([low, high], [control_low, control_high]) = (range(true), range(false));
    for (side, low) in [(arm, low), (control, control_low)] {
        if low.is_infinite() {
            return Err(format!("no match tells the strength of {} in {}", side.agent, side.arm));
        }
    }
    if high < control_low || control_high < low {
        return Err(format!(
            "one side is stronger throughout ({low:+.0} to {high:+.0} Elo in {}, {control_low:+.0} to \
             {control_high:+.0} in {})",
            arm.arm, control.arm
        ));
    }
    let value = effect(&points).filter(|_| points.len() > 3);
    let value = value.ok_or("too few levels have both games and matches to tell strength")?;

    // For these agents: each point moves by its errors.
    let mut random = Pcg64Mcg::seed_from_u64(0);
    let mut move_by = |(value, error): (f64, f64)| {
        let z: f64 = StandardNormal.sample(&mut random);
        (value + z * error, error)
    };
    let drawn = (0..1000).filter_map(|_| {
        let moved = points.iter().map(|point| Point {
            strength: move_by(point.strength),
            value: move_by(point.value),
            ..point.clone()
        });
        effect(&moved.collect::<Vec<_>>())
    });
    let drawn: Vec<f64> = drawn.collect();
    let scatter = drawn.iter().map(|b| (b - value).powi(2)).sum::<f64>() / drawn.len().max(1) as f64;
    let half = Z95 * scatter.sqrt();

    // For the rule: one network is left out at a time, on each side, or on both if it plays both.
    let without = |side: Option<bool>| -> Option<(f64, f64)> {
        let on_side = |point: &&Point| side.is_none_or(|side| point.arm == side);
        let networks: BTreeSet<&NetworkId> =
            points.iter().filter(on_side).map(|point| &point.network).collect();
        let left = networks.iter().map(|&left| {
            let rest = points.iter().filter(|point| !(on_side(point) && point.network == *left));
            effect(&rest.cloned().collect::<Vec<_>>())
        });
        jackknife_of(&left.collect::<Option<Vec<f64>>>()?)
    };
    let spread = if arm.agent == control.agent {
        without(None)
    } else {
        without(Some(true)).zip(without(Some(false))).map(welch)
    };
    Ok(Difference::new(value, [value - half, value + half], spread).estimate)
}

/// The arm's coefficient.
fn effect(points: &[Point]) -> Option<f64> {
    let rows: Vec<Row> = points
        .iter()
        .map(|point| Row {
            // In units of 400 Elo, so that the columns are of one size.
            x: vec![1.0, f64::from(point.arm), point.strength.0 / 400.0],
            y: point.value.0,
            weight: 1.0,
        })
        .collect();
    Some(coefficients(&rows)?[1])
}

/// The points of both sides that have a strength.
fn points(
    (arm, control): (&SampleId, &SampleId),
    metric: &str,
    measures: &[Measure],
    strengths: &[Strength],
) -> Vec<Point> {
    let mut found = Vec::new();
    for measure in measures.iter().filter(|measure| measure.metric == metric) {
        let is = |side: &SampleId| measure.sample.arm == side.arm && measure.sample.agent == side.agent;
        if !is(arm) && !is(control) {
            continue;
        }
        for value in &measure.networks {
            let network = NetworkId { agent: measure.sample.agent.clone(), seed: value.seed };
            let matches = matches(&measure.sample, &network, strengths);
            if !matches.is_empty() {
                found.push((is(arm), network, (value.value, value.error), matches));
            }
        }
    }
    let met =
        |opponent: &str| found.iter().all(|(.., matches)| matches.iter().any(|m| m.opponent == opponent));
    let one_sided = |opponent: &str| {
        let all = found.iter().flat_map(|(.., matches)| matches);
        all.filter(|m| m.opponent == opponent).any(|m| m.result.pairs.is_saturated())
    };
    let names: BTreeSet<&str> = found.iter().flat_map(|(.., m)| m).map(|m| m.opponent.as_str()).collect();
    // Whoever won every game is stronger by nobody knows how much: such an opponent is no ruler.
    let ruler: Vec<&str> = names.into_iter().filter(|name| met(name) && !one_sided(name)).collect();
    if ruler.is_empty() {
        return Vec::new();
    }
    let point = |(arm, network, value, matches): &(bool, NetworkId, (f64, f64), Vec<&Strength>)| {
        let elo = matches.iter().filter(|m| ruler.contains(&m.opponent.as_str())).map(|m| m.result.elo);
        let n = ruler.len() as f64;
        let (sum, squares) = elo.fold((0.0, 0.0), |(sum, squares), elo| {
            (sum + elo.value, squares + error_of([elo.low, elo.high]).powi(2))
        });
        Point { arm: *arm, network: network.clone(), strength: (sum / n, squares.sqrt() / n), value: *value }
    };
    found.iter().map(point).collect()
}

/// The matches of a network at the sample's checkpoint and level against fixed players.
fn matches<'a>(sample: &SampleId, network: &NetworkId, strengths: &'a [Strength]) -> Vec<&'a Strength> {
    let wanted = |strength: &&Strength| {
        let (checkpoint, simulations): (Checkpoint, u32) = (strength.checkpoint, strength.simulations);
        strength.arm == sample.arm
            && strength.network == *network
            && (checkpoint, simulations) == (sample.checkpoint, sample.simulations)
            && strength.opponent.starts_with(FIXED_PLAYERS)
            && strength.result.games > 0
    };
    strengths.iter().filter(wanted).collect()
}
