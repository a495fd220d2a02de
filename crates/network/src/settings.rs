//! Settings of training, with their ranges.

use crate::{Architecture, LossWeights, Optimizer, Precision};
use catapult_store::BadSetting;
use serde::{Deserialize, Serialize};

/// Returns the minimum number of samples in a part of a training step on a CPU.
///
/// A batch is split into parts with fewer than twice this number of samples. A smaller batch is one
/// part. One thread computes a part. In a tower, the part has its own batch statistics. (Ghost
/// batch normalisation: Hoffer et al. 2017, "Train longer, generalize better".) A sparse network
/// has larger parts, because each part has a gradient of all weights.
///
/// Gradients are added in the order of the parts. The result of a step therefore does not depend on
/// the number of threads. Threads synchronise once per step.
pub fn part_rows(architecture: &Architecture) -> usize {
    match architecture {
        Architecture::Tower(_) => 64,
        Architecture::Sparse(_) => 128,
    }
}

catapult_store::settings! {
    /// Settings of training.
    #[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct TrainingSettings {
        /// Optimizer with its hyperparameters.
        optimizer: Optimizer = Optimizer::default();
        /// Number format of the tower. The parameters themselves are always `f32`.
        precision: Precision = Precision::Auto;
        /// Number of threads for one step on a CPU, at least 1. The gradients are computed by at
        /// most as many threads as there are parts of [`part_rows`] samples. Results do not depend
        /// on this number.
        threads: usize = 1, at_least(1);
        /// Maximum norm of the gradient, above 0. A gradient with a larger norm is scaled down to
        /// this norm. Infinity disables clipping.
        clip_norm: f32 = 5.0;
        /// Decay per step of the moving average of the weights, from 0 to below 1. In step n,
        /// counted from 1, the decay is at most (1 + n) / (10 + n).
        averaging: f32 = 0.995, below_one();
        /// Weight of each loss in the total loss.
        loss: LossWeights = LossWeights::default();
    }
}

impl TrainingSettings {
    /// Checks that all settings are in their ranges.
    ///
    /// # Errors
    /// A setting is out of its range. The error has the first such value with its key.
    pub fn validate(&self) -> Result<(), BadSetting> {
        self.check_ranges()?;
        // Infinity disables clipping.
        if self.clip_norm.is_nan() || self.clip_norm <= 0.0 {
            return Err(BadSetting::new("clip_norm", self.clip_norm, "must be above 0"));
        }
        self.loss.check_ranges().map_err(|bad| bad.within("loss"))?;
        self.optimizer.validate().map_err(|bad| bad.within("optimizer"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sgd;

    #[test]
    fn each_spoilt_value_is_refused_by_its_key() {
        assert_eq!(TrainingSettings::default().validate(), Ok(()));
        type Spoil = fn(&mut TrainingSettings);
        let cases: [(&str, Spoil); 10] = [
            ("threads", |s| s.threads = 0),
            ("clip_norm", |s| s.clip_norm = 0.0),
            ("clip_norm", |s| s.clip_norm = f32::NAN),
            ("averaging", |s| s.averaging = 1.0),
            ("loss.policy", |s| s.loss.policy = -1.0),
            ("loss.value", |s| s.loss.value = f32::NAN),
            ("loss.moves_left", |s| s.loss.moves_left = f32::INFINITY),
            ("loss.future", |s| s.loss.future = -0.5),
            ("optimizer.momentum", |s| {
                s.optimizer = Optimizer::Sgd(Sgd { momentum: 2.0, weight_decay: 0.0 });
            }),
            ("optimizer.weight_decay", |s| {
                s.optimizer = Optimizer::Sgd(Sgd { momentum: 0.0, weight_decay: 1.0 });
            }),
        ];
        for (key, spoil) in cases {
            let mut settings = TrainingSettings::default();
            spoil(&mut settings);
            let bad = settings.validate().unwrap_err();
            assert_eq!(bad.key, key);
            assert!(bad.allowed.starts_with("must be "), "{bad}");
        }
    }
}
