//! The difference between equally strong players, by regression.
//!
//! Equal budget is not equal strength, and draw rates move with strength. So the metric of every network, checkpoint and
//! level is explained by its strength and by the arm: value = a + b arm + c strength, and b is the difference at equal
//! strength. Strength is Elo against the fixed players (alpha-beta) in the same rules, so the ruler is itself played by the
//! rules of the arm. Matches tell strength with an error that would draw c towards 0 and b towards the difference that was
//! not matched; since the error is known, it is taken out (Fuller 1987, *Measurement Error Models*, 2.2).

use crate::data::{Checkpoint, NetworkId, SampleId};
use crate::results::{Estimate, Measure, Strength};
use crate::stats::{Difference, error_of, jackknife_of, welch};
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
            return Err(format!(
                "no match tells the strength of {} in {} (one that was won or lost outright does not)",
                side.agent, side.arm
            ));
        }
    }
    if high < control_low || control_high < low {
        return Err(format!(
            "one side is stronger throughout ({low:+.0} to {high:+.0} Elo in {}, {control_low:+.0} to \
             {control_high:+.0} in {})",
            arm.arm, control.arm
        ));
    }
    let too_few = "too few levels have both games and matches to tell strength";
    let value = effect(&points).filter(|_| points.len() > 3).ok_or(too_few)?;

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
    let n = drawn.len().max(1) as f64;
    let mean = drawn.iter().sum::<f64>() / n;
    let scatter = drawn.iter().map(|b| (b - mean).powi(2)).sum::<f64>() / n;
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

/// The arm's coefficient; none if strengths don't differ on either side.
fn effect(points: &[Point]) -> Option<f64> {
    let sides = [false, true].map(|arm| points.iter().filter(move |point| point.arm == arm));
    let [control, arm] = sides.map(|side| {
        let n = side.clone().count() as f64;
        let mean = |of: fn(&Point) -> f64| side.clone().map(of).sum::<f64>() / n;
        (mean(|point| point.strength.0), mean(|point| point.value.0))
    });
    let (mut squares, mut products, mut errors) = (0.0, 0.0, 0.0);
    for point in points {
        let (strength, value) = if point.arm { arm } else { control };
        let off = point.strength.0 - strength;
        squares += off * off;
        products += off * (point.value.0 - value);
        errors += point.strength.1.powi(2);
    }
    // Two means were taken from the same strengths. Never more than half of the scatter is taken for error: the rest
    // would be too little to divide by.
    let n = points.len() as f64;
    let slope = products / (squares - errors * (n - 2.0) / n).max(squares / 2.0);
    let effect = (arm.1 - control.1) - slope * (arm.0 - control.0);
    effect.is_finite().then_some(effect)
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
    let ruler = ruler(found.iter().map(|(.., matches)| matches.as_slice()));
    let point = |(arm, network, value, matches): (bool, NetworkId, (f64, f64), Vec<&Strength>)| {
        let elo = ruler.iter().map(|name| Some(matches.iter().find(|m| m.opponent == *name)?.result.elo));
        let elo = elo.collect::<Option<Vec<_>>>().filter(|elo| !elo.is_empty())?;
        let n = elo.len() as f64;
        let sum: f64 = elo.iter().map(|elo| elo.value).sum();
        let squares: f64 = elo.iter().map(|elo| error_of([elo.low, elo.high]).powi(2)).sum();
        Some(Point { arm, network, strength: (sum / n, squares.sqrt() / n), value })
    };
    found.into_iter().filter_map(point).collect()
}

/// The opponents over whom Elo is averaged: as many points as can be have met them all, and of equal choices the largest.
/// Matches come point by point; it depends on no metric.
fn ruler<'a>(points: impl Iterator<Item = &'a [&'a Strength]> + Clone) -> Vec<String> {
    let mut names: Vec<&str> = points.clone().flatten().map(|m| m.opponent.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    // More than a few are never played; their subsets must be few.
    names.truncate(8);
    let subset = |bits: u32| {
        let in_it = |&(i, _): &(usize, &&str)| bits & 1 << i != 0;
        names.iter().enumerate().filter(in_it).map(|(_, name)| (*name).to_owned()).collect::<Vec<String>>()
    };
    let measured = |names: &[String]| {
        let met =
            |matches: &&[&Strength]| names.iter().all(|name| matches.iter().any(|m| m.opponent == *name));
        points.clone().filter(met).count()
    };
    let subsets = (1..1u32 << names.len()).map(subset);
    // The first of equals: `max_by_key` alone would take the last.
    let subsets: Vec<Vec<String>> = subsets.collect();
    subsets.into_iter().rev().max_by_key(|names| (measured(names), names.len())).unwrap_or_default()
}

/// The matches of a network at the sample's checkpoint and level against fixed players. Whoever won or lost every game is
/// stronger or weaker by nobody knows how much: such a match tells nothing here.
fn matches<'a>(sample: &SampleId, network: &NetworkId, strengths: &'a [Strength]) -> Vec<&'a Strength> {
    let wanted = |strength: &&Strength| {
        let (checkpoint, simulations): (Checkpoint, u32) = (strength.checkpoint, strength.simulations);
        strength.arm == sample.arm
            && strength.network == *network
            && (checkpoint, simulations) == (sample.checkpoint, sample.simulations)
            && strength.opponent.starts_with(FIXED_PLAYERS)
            && strength.result.games > 0
            && !strength.result.pairs.is_saturated()
    };
    strengths.iter().filter(wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::close;

    /// Points of both sides, 150 Elo apart, whose value is strength / 1000 and, in the arm, 0.1 more; strengths are known
    /// with this error.
    fn points(error: f64, seed: u64) -> Vec<Point> {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut normal = || -> f64 { StandardNormal.sample(&mut random) };
        let point = |i: u64| {
            let arm = i.is_multiple_of(2);
            let strength = 100.0 * normal() + if arm { 150.0 } else { 0.0 };
            Point {
                arm,
                network: NetworkId { agent: arm.to_string(), seed: i },
                strength: (strength + error * normal(), error),
                value: (strength / 1000.0 + if arm { 0.1 } else { 0.0 }, 0.0),
            }
        };
        (0..2000).map(point).collect()
    }

    #[test]
    fn the_effect_at_equal_strength_comes_out() {
        close(effect(&points(0.0, 1)).unwrap(), 0.1, 1e-12);
    }

    #[test]
    fn uncertain_strength_is_allowed_for() {
        // With 70 Elo of error the slope would come out a third too small, and the effect 0.05 too large.
        close(effect(&points(70.0, 2)).unwrap(), 0.1, 0.015);
        let mut believed = points(70.0, 2);
        believed.iter_mut().for_each(|point| point.strength.1 = 0.0);
        close(effect(&believed).unwrap(), 0.15, 0.015);
    }

    #[test]
    fn equal_strengths_match_nothing() {
        let mut points = points(0.0, 3);
        points.iter_mut().for_each(|point| point.strength.0 = 200.0);
        assert_eq!(effect(&points), None);
        points.retain(|point| point.arm);
        assert_eq!(effect(&points), None);
    }
}
