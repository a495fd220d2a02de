//! Estimates with intervals, and verdicts on claims.

use super::student::student_quantile;
use serde::{Deserialize, Serialize};

/// An estimate of a metric or of a difference, with its two 95 % intervals.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimated value, in the unit of the metric.
    pub value: f64,
    /// 95 % interval `[low, high]` for exactly these networks. It covers only the randomness of
    /// their openings and games.
    pub agents: [f64; 2],
    /// 95 % interval `[low, high]` for networks of other training seeds, trained in the same way.
    /// `None` with fewer than three seeds, because fewer do not show how much seeds vary.
    pub rule: Option<[f64; 2]>,
}

impl Estimate {
    /// Creates an estimate. `agents` is its interval for these networks. `spread` is its standard
    /// error over networks, with the degrees of freedom.
    ///
    /// The interval for other seeds is Student's, extended to include the interval for these
    /// networks.
    pub(super) fn new(value: f64, agents: [f64; 2], spread: Option<(f64, f64)>) -> Estimate {
        let rule = spread.map(|(error, df)| {
            let half = student_quantile(0.975, df) * error;
            [agents[0].min(value - half), agents[1].max(value + half)]
        });
        Estimate { value, agents, rule }
    }
}

/// Value of a metric for one network of a sample. The networks of a sample differ only in their
/// training seed.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct NetworkValue {
    /// Training seed of the network.
    pub seed: u64,
    /// The metric, computed from this network's games alone.
    pub value: f64,
    /// Standard error of `value` over this network's openings and games.
    pub error: f64,
    /// The metric, computed from the games of all other networks of the sample (jackknife). `None`
    /// if there is no other network or this value is not finite.
    pub without: Option<f64>,
}

/// Effect within one network that played both the arm (the examined rules) and its control. If the
/// arm is compared with a fixed value, the network played only the arm.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeedEffect {
    /// Training seed of the network.
    pub seed: u64,
    /// Effect: the arm's value minus the control's, or minus the fixed value.
    pub value: f64,
    /// Standard error of `value` over this network's openings and games.
    pub error: f64,
}

/// Effect with one network left out, for networks that played both the arm and its control (or the
/// arm alone, against a fixed value).
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct WithoutSeed {
    /// Training seed of the omitted network.
    pub seed: u64,
    /// Effect over the remaining networks: the arm's value minus the control's, or minus the fixed
    /// value.
    pub value: f64,
    /// 95 % interval for other training seeds, from the variance between the remaining networks.
    /// `None` with fewer than three remaining networks.
    pub rule: Option<[f64; 2]>,
}

/// Number of training seeds that a study needs. If the arm and the control have separate networks,
/// each needs this number. The variance between seeds is an estimate, so its 95 % interval gives a
/// range of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeedsNeeded {
    /// Needed number of seeds if the variance is as estimated.
    pub estimate: usize,
    /// Needed number of seeds if the variance is at the lower end of its interval.
    pub low: usize,
    /// Needed number of seeds if the variance is at the upper end of its interval. `None` if ten
    /// thousand seeds are too few.
    pub high: Option<usize>,
}
