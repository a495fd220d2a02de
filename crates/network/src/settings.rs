//! How to train.

use crate::{LossWeights, NetworkError, Optimizer, Precision};
use serde::{Deserialize, Serialize};

/// On a CPU a step is made in parts of so many rows, or up to twice as many less one. Each part is one thread's, with
/// batch statistics of its own (Hoffer et al. 2017, "Train longer, generalize better": ghost batch normalisation), and
/// gradients are added in the order of the parts. So a step does not depend on the number of threads, and threads meet
/// once a step.
pub const PART_ROWS: usize = 64;

/// How to train.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainingSettings {
    /// How gradients become steps.
    pub optimizer: Optimizer,
    /// The tower's number format; parameters are always `f32`.
    pub precision: Precision,
    /// Threads of one step on a CPU; at most one for every [`PART_ROWS`] rows has work. Results do not depend on it.
    pub threads: usize,
    /// Gradients longer than this are shortened to it.
    pub clip_norm: f32,
    /// Decay a step of the averaged weights; the first steps use (1 + step) / (10 + step) where that is less.
    pub averaging: f32,
    /// What each loss weighs.
    pub loss: LossWeights,
}

impl Default for TrainingSettings {
    fn default() -> Self {
        TrainingSettings {
            optimizer: Optimizer::default(),
            precision: Precision::Auto,
            threads: 1,
            clip_norm: 5.0,
            averaging: 0.995,
            loss: LossWeights::default(),
        }
    }
}

impl TrainingSettings {
    /// Refuses impossible values; the error names the key.
    pub fn validate(&self) -> Result<(), NetworkError> {
        let LossWeights { policy, value, moves_left, future } = self.loss;
        let weights = [policy, value, moves_left, future];
        let problem = if self.threads == 0 {
            Some("threads = 0: it must be at least 1".to_string())
        } else if self.clip_norm.is_nan() || self.clip_norm <= 0.0 {
            Some(format!("clip_norm = {}: it must be positive", self.clip_norm))
        } else if !(0.0..1.0).contains(&self.averaging) {
            Some(format!("averaging = {}: it may be from 0 to below 1", self.averaging))
        } else if weights.iter().any(|weight| !weight.is_finite() || *weight < 0.0) {
            Some(format!("{:?}: weights must be finite and not negative", self.loss))
        } else {
            self.optimizer.validate().err()
        };
        problem.map_or(Ok(()), |problem| Err(NetworkError::BadTraining(problem)))
    }
}
