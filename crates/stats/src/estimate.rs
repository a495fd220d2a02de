//! Estimates with intervals, and verdicts on claims.

use serde::{Deserialize, Serialize};

/// An estimate with its two 95 % intervals.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate itself.
    pub value: f64,
    /// Interval for these networks: the networks are fixed, and their openings and games are
    /// resampled.
    pub agents: [f64; 2],
    /// Interval for networks of other training seeds, trained in the same way. `None` with fewer
    /// than three seeds, which do not show how seeds vary.
    pub rule: Option<[f64; 2]>,
}

/// Contribution of one network to a metric of a sample.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct NetworkValue {
    /// Training seed of the network.
    pub seed: u64,
    /// The metric of this network's games.
    pub value: f64,
    /// Standard error of `value` over this network's openings and games.
    pub error: f64,
    /// The metric of the games of all other networks (jackknife). `None` if there is no other
    /// network or the metric of its games is not finite.
    pub without: Option<f64>,
}

/// Effect within one network that played both sides.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeedEffect {
    /// Training seed of the network.
    pub seed: u64,
    /// Effect: arm minus control.
    pub value: f64,
    /// Standard error of `value` over this network's openings and games.
    pub error: f64,
}

/// Effect without one of the networks that played both sides.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct WithoutSeed {
    /// Training seed of the omitted network.
    pub seed: u64,
    /// Effect over the remaining networks: arm minus control.
    pub value: f64,
    /// 95 % interval for other training seeds, from the variance between the remaining networks.
    /// `None` with fewer than three remaining networks.
    pub rule: Option<[f64; 2]>,
}

/// Required number of training seeds per side, with the uncertainty that follows from the
/// variance's 95 % interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeedsNeeded {
    /// Required number of seeds if the variance is as estimated.
    pub estimate: usize,
    /// Required number of seeds if the variance is at the lower end of its interval.
    pub low: usize,
    /// Required number of seeds if the variance is at the upper end of its interval. `None` if ten
    /// thousand are too few.
    pub high: Option<usize>,
}

/// Verdict on a claim about an effect or about equivalence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The data support the claim.
    Supported,
    /// The data contradict the claim.
    Contradicted,
    /// Any effect is smaller than the smallest effect of interest.
    Equivalent,
    /// The data do not decide.
    Open,
}
