//! What is estimated, and what can be said of it.

use serde::{Deserialize, Serialize};

/// A number with its 95 % intervals.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// For these networks: openings and games are resampled.
    pub agents: [f64; 2],
    /// For other seeds of this recipe: training seeds are resampled too. None is *open*: fewer than three seeds say nothing about
    /// another.
    pub rule: Option<[f64; 2]>,
}

/// What one network of a sample contributes to a metric.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct NetworkValue {
    /// Its training seed.
    pub seed: u64,
    /// The metric of its games alone.
    pub value: f64,
    /// Standard error of that: other openings and games of the same network.
    pub error: f64,
    /// The metric of all games but its own: how much the sample's value owes to it. None where it is the only one.
    pub without: Option<f64>,
}

/// The effect inside one network that played both sides.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeedEffect {
    /// Its training seed.
    pub seed: u64,
    /// Arm less control.
    pub value: f64,
    /// Standard error of that: other openings and games of the same network.
    pub error: f64,
}

/// An effect without one of the networks that played both sides.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct WithoutSeed {
    /// The training seed that is left out.
    pub seed: u64,
    /// Arm less control, of the others.
    pub value: f64,
    /// 95 % interval for other seeds of this recipe, from the scatter of the others; none with fewer than three of them.
    pub rule: Option<[f64; 2]>,
}

/// A number of training seeds, and between which numbers it lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeedsNeeded {
    /// By the scatter as estimated.
    pub estimate: usize,
    /// By the least scatter that is likely.
    pub low: usize,
    /// By the most; none where ten thousand would be too few.
    pub high: Option<usize>,
}

/// What can be said of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The effect is there.
    Supported,
    /// The opposite is.
    Contradicted,
    /// Any effect is smaller than the smallest worth knowing.
    Equivalent,
    /// Neither can be said.
    Open,
}
