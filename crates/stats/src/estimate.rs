//! Estimates and verdicts.

use serde::{Deserialize, Serialize};

/// A number with its 95 % intervals.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Interval for these networks: openings and games are resampled.
    pub agents: [f64; 2],
    /// Interval for other seeds of this recipe: training seeds are resampled too. `None` means
    /// *open*, because fewer than three seeds do not show how another one varies.
    pub rule: Option<[f64; 2]>,
}

/// Contribution of one network to a metric of a sample.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct NetworkValue {
    /// Training seed.
    pub seed: u64,
    /// The metric of its own games.
    pub value: f64,
    /// Standard error of `value` over openings and games of this network.
    pub error: f64,
    /// The metric of all other networks' games (jackknife). `None` for the only network.
    pub without: Option<f64>,
}

/// Effect within one network that played both sides.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeedEffect {
    /// Training seed.
    pub seed: u64,
    /// Arm minus control.
    pub value: f64,
    /// Standard error of `value` over openings and games of this network.
    pub error: f64,
}

/// Effect without one of the networks that played both sides.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct WithoutSeed {
    /// The omitted training seed.
    pub seed: u64,
    /// Arm minus control, over the other networks.
    pub value: f64,
    /// 95 % interval for other seeds of this recipe, from the variance of the other networks.
    /// `None` with fewer than three of them.
    pub rule: Option<[f64; 2]>,
}

/// Required number of training seeds, with an interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeedsNeeded {
    /// From the estimated variance.
    pub estimate: usize,
    /// From the lower end of the variance's interval.
    pub low: usize,
    /// From the upper end. `None` if ten thousand are too few.
    pub high: Option<usize>,
}

/// Verdict on a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The effect exists.
    Supported,
    /// The opposite effect exists.
    Contradicted,
    /// Any effect is below the smallest effect of interest.
    Equivalent,
    /// The data do not decide.
    Open,
}
