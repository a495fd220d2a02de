//! Difference between equally strong players, by regression. It is used if the arm and its control
//! have separate networks.
//!
//! Equal numbers of simulations do not give equal strength, and metrics such as draw rates depend
//! on strength. A regression therefore explains the metric of every network, checkpoint and level:
//! value = a + b arm + c strength. Then b is the difference at equal strength. Strength is Elo
//! against the reference opponents ([`strength`](super::strength)) under the rules of the arm or of
//! the control.
//!
//! Matches measure strength with an error. This error biases c towards 0 and b towards the
//! unmatched difference. The size of the error is known, so the bias is removed (Fuller 1987,
//! *Measurement Error Models*, 2.2, and 3.1 for unequal errors). Points are weighted by their
//! precision.

use super::design::Side;
use super::sides::{Compared, Comparison, scatter, side_of};
use super::strength::{Known, strength};
use crate::results::Unmatched;
use catapult_measures::data::NetworkId;
use catapult_measures::results::Strength;
use catapult_stats::{Difference, Z95, jackknife_of, welch};
use rand::SeedableRng;
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeSet;

/// A point of the regression: one network of the arm or of the control, at one checkpoint and
/// level.
#[derive(Clone, PartialEq, Debug)]
struct Point {
    /// True for the arm, false for the control.
    arm: bool,
    network: NetworkId,
    /// Elo against the reference opponents and its standard error.
    strength: Known,
    /// Value of the metric and its standard error.
    value: Known,
}

/// Returns the difference (arm minus control) at equal strength, over all checkpoints and levels of
/// the two agents. The error is the reason why the difference is unknown.
pub(super) fn matched(
    comparison: &Comparison,
    control: Side,
    strengths: &[Strength],
) -> Result<Compared, Unmatched> {
    let points = points(comparison, control, strengths);
    let range = |side: bool| {
        let all = points.iter().filter(|point| point.arm == side).map(|point| point.strength.0);
        all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
    };
    let ([low, high], [control_low, control_high]) = (range(true), range(false));
    for ((arm, agent), low) in [(comparison.arm, low), (control, control_low)] {
        if low.is_infinite() {
            return Err(Unmatched::NoMatches { arm, agent: agent.to_owned() });
        }
    }
    if high < control_low || control_high < low {
        return Err(Unmatched::StrongerThroughout { arm: [low, high], control: [control_low, control_high] });
    }
    let value = effect(&points).filter(|_| points.len() > 3).ok_or(Unmatched::TooFewLevels)?;

    // For these networks, each point is drawn from its error distribution.
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
    let variance = drawn.iter().map(|b| (b - mean).powi(2)).sum::<f64>() / n;
    let half = Z95 * variance.sqrt();

    // For other seeds, one network is left out at a time, on each side (jackknife).
    let networks = |side: bool| -> BTreeSet<&NetworkId> {
        points.iter().filter(|point| point.arm == side).map(|point| &point.network).collect()
    };
    let without = |side: bool| -> Option<(f64, f64)> {
        let left = networks(side).into_iter().map(|left| {
            let rest = points.iter().filter(|point| point.arm != side || point.network != *left);
            effect(&rest.cloned().collect::<Vec<_>>())
        });
        jackknife_of(&left.collect::<Option<Vec<f64>>>()?)
    };
    let spread = without(true).zip(without(false)).map(welch);
    let difference = Difference::new(value, [value - half, value + half], spread);
    Ok((difference, scatter(&difference, &[true, false].map(|side| networks(side).len()))))
}

/// Returns b, the coefficient of the arm in the regression. `None` if the arm or the control has no
/// points, or if strength does not vary within them.
fn effect(points: &[Point]) -> Option<f64> {
    // The variance of true strength decides how much an error reduces a point's weight.
    let plain = Sums::of(points, |_| 1.0)?;
    let variance = plain.true_squares() / points.len() as f64;
    let sums = Sums::of(points, |point| 1.0 / (variance + point.strength.1.powi(2)))?;
    let slope = sums.products / sums.true_squares();
    let effect = sums.apart.1 - slope * sums.apart.0;
    effect.is_finite().then_some(effect)
}

/// Weighted sums over the points of the regression. `squares`, `errors` and `products` use
/// deviations from the mean over the arm's points, or over the control's points.
struct Sums {
    /// Sum of the squared strengths. `errors` is the part of `squares` that errors of measurement
    /// explain.
    squares: f64,
    errors: f64,
    /// Sum of the products of strength and value.
    products: f64,
    /// Mean strength of the arm's points minus mean strength of the control's points, then the same
    /// difference for the values.
    apart: (f64, f64),
}

impl Sums {
    /// Computes the sums. `weight` returns the weight of a point. `None` if the arm or the control
    /// has no points.
    fn of(points: &[Point], weight: impl Fn(&Point) -> f64) -> Option<Sums> {
        let mut sums = Sums { squares: 0.0, errors: 0.0, products: 0.0, apart: (0.0, 0.0) };
        for (side, sign) in [(true, 1.0), (false, -1.0)] {
            let its = || points.iter().filter(|point| point.arm == side).map(|point| (point, weight(point)));
            let all: f64 = its().map(|(_, w)| w).sum();
            let mean = |of: fn(&Point) -> f64| its().map(|(point, w)| w * of(point)).sum::<f64>() / all;
            let (strength, value) = (mean(|point| point.strength.0), mean(|point| point.value.0));
            for (point, w) in its() {
                let off = point.strength.0 - strength;
                sums.squares += w * off * off;
                sums.products += w * off * (point.value.0 - value);
                // The factor corrects for the mean, which comes from the same strengths.
                sums.errors += w * point.strength.1.powi(2) * (1.0 - w / all);
            }
            sums.apart.0 += sign * strength;
            sums.apart.1 += sign * value;
        }
        sums.apart.0.is_finite().then_some(sums)
    }

    /// Returns `squares` minus the part that errors of measurement explain. The result is at least
    /// half of `squares`, because the slope is divided by it.
    fn true_squares(&self) -> f64 {
        (self.squares - self.errors).max(self.squares / 2.0)
    }
}

/// Returns the points of the arm and of the control. Networks without a measured strength are left
/// out.
fn points(comparison: &Comparison, control: Side, strengths: &[Strength]) -> Vec<Point> {
    let (metric, arm) = (&comparison.endpoint.metric, comparison.arm);
    let mut found = Vec::new();
    for measure in comparison.measures.iter().filter(|measure| measure.metric == *metric) {
        let of = side_of(&measure.sample);
        if of != arm && of != control {
            continue;
        }
        for own in &measure.networks {
            let network = NetworkId { agent: of.1.to_owned(), seed: own.seed };
            let known =
                strength(&measure.sample, &network, &comparison.design.reference_opponents, strengths);
            if let Some(strength) = known {
                found.push(Point { arm: of == arm, network, strength, value: (own.value, own.error) });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_stats::testing::close;

    /// Returns 2000 points, half of them of the arm. The arm is 150 Elo stronger on average. The
    /// value is strength / 1000, plus 0.1 in the arm. Strengths have a standard error of `error`.
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
        // Uncorrected, an error of 70 Elo would reduce the slope by a third and raise the effect by
        // 0.05.
        close(effect(&points(70.0, 2)).unwrap(), 0.1, 0.015);
        let mut believed = points(70.0, 2);
        believed.iter_mut().for_each(|point| point.strength.1 = 0.0);
        close(effect(&believed).unwrap(), 0.15, 0.015);
    }

    #[test]
    fn strengths_that_are_hardly_known_hardly_count() {
        // Every fifth match was won outright, so its strength is nearly unknown.
        let mut points = points(0.0, 4);
        let mut random = Pcg64Mcg::seed_from_u64(5);
        for point in points.iter_mut().step_by(5) {
            let z: f64 = StandardNormal.sample(&mut random);
            point.strength = (point.strength.0 + 250.0 * z, 250.0);
        }
        close(effect(&points).unwrap(), 0.1, 0.01);
        // If these strengths counted as known, they would hide the influence of strength.
        points.iter_mut().for_each(|point| point.strength.1 = 0.0);
        assert!(effect(&points).unwrap() > 0.13);
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
