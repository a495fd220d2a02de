//! Optimizers of training and their hyperparameters.

use catapult_store::BadSetting;
use serde::{Deserialize, Serialize};

/// Optimizer with its hyperparameters. Weight decay is decoupled (Loshchilov and Hutter 2019). It
/// does not apply to biases and batch normalisation.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Optimizer {
    /// Adam with decoupled weight decay.
    AdamW(AdamW),
    /// Stochastic gradient descent with momentum. As in PyTorch, `m = momentum * m + g`.
    Sgd(Sgd),
}

catapult_store::settings! {
    /// Hyperparameters of [`Optimizer::AdamW`].
    #[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct AdamW {
        /// Factor by which the first moment decays per step, from 0 to below 1.
        beta1: f32 = 0.9, below_one();
        /// Factor by which the second moment decays per step, from 0 to below 1.
        beta2: f32 = 0.999, below_one();
        /// Number that is added to the root of the second moment, so that no division by 0 occurs.
        /// It is above 0.
        epsilon: f32 = 1e-8, above_zero();
        /// Weight decay. A step multiplies each weight by 1 - `weight_decay` * learning rate.
        weight_decay: f32 = 1e-2, below_one();
    }

    /// Hyperparameters of [`Optimizer::Sgd`].
    #[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct Sgd {
        /// Factor by which the momentum decays per step, from 0 to below 1.
        momentum: f32 = 0.9, below_one();
        /// Weight decay. A step multiplies each weight by 1 - `weight_decay` * learning rate.
        weight_decay: f32 = 1e-2, below_one();
    }
}

impl Default for Optimizer {
    fn default() -> Self {
        Optimizer::AdamW(AdamW::default())
    }
}

impl Optimizer {
    /// Checks that all hyperparameters are in their ranges.
    ///
    /// # Errors
    /// A hyperparameter is out of its range. The error has the first such value with its key.
    pub fn validate(&self) -> Result<(), BadSetting> {
        match self {
            Optimizer::AdamW(settings) => settings.check_ranges(),
            Optimizer::Sgd(settings) => settings.check_ranges(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_and_impossible_settings_are_refused() {
        let parse = serde_json::from_str::<Optimizer>;
        assert!(parse(r#"{"kind": "adamw", "momentum": 0.9}"#).is_err());
        assert!(parse(r#"{"kind": "lion"}"#).is_err());
        assert_eq!(parse(r#"{"kind": "adamw"}"#).unwrap(), Optimizer::default());
        let wrong = Optimizer::Sgd(Sgd { momentum: 1.0, weight_decay: 0.0 });
        assert_eq!(wrong.validate().unwrap_err().to_string(), "momentum = 1: must be from 0 to below 1");
        let spoilt: [(&str, Optimizer); 5] = [
            ("beta1", parse(r#"{"kind": "adamw", "beta1": 1.0}"#).unwrap()),
            ("beta2", parse(r#"{"kind": "adamw", "beta2": -0.1}"#).unwrap()),
            ("epsilon", parse(r#"{"kind": "adamw", "epsilon": 0.0}"#).unwrap()),
            ("weight_decay", parse(r#"{"kind": "adamw", "weight_decay": 1.0}"#).unwrap()),
            ("weight_decay", parse(r#"{"kind": "sgd", "weight_decay": 1.0}"#).unwrap()),
        ];
        for (key, optimizer) in spoilt {
            assert_eq!(optimizer.validate().unwrap_err().key, key);
        }
    }
}
