//! How gradients become steps.

use serde::{Deserialize, Serialize};

/// How gradients become steps. Weight decay is decoupled (Loshchilov and Hutter 2019) and leaves out biases and
/// batch normalisation.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Optimizer {
    /// Adam with decoupled weight decay.
    AdamW {
        /// Decay of the first moment.
        #[serde(default = "beta1")]
        beta1: f32,
        /// Decay of the second moment.
        #[serde(default = "beta2")]
        beta2: f32,
        /// Added to the root of the second moment.
        #[serde(default = "epsilon")]
        epsilon: f32,
        /// Share of a weight lost a step, as a multiple of the learning rate.
        #[serde(default = "weight_decay")]
        weight_decay: f32,
    },
    /// Stochastic gradient descent with momentum (`m = momentum * m + g`, as in PyTorch).
    Sgd {
        /// Decay of the momentum.
        #[serde(default = "beta1")]
        momentum: f32,
        /// Share of a weight lost a step, as a multiple of the learning rate.
        #[serde(default = "weight_decay")]
        weight_decay: f32,
    },
}

fn beta1() -> f32 {
    0.9
}
fn beta2() -> f32 {
    0.999
}
fn epsilon() -> f32 {
    1e-8
}
fn weight_decay() -> f32 {
    1e-2
}

impl Default for Optimizer {
    fn default() -> Self {
        Optimizer::AdamW { beta1: beta1(), beta2: beta2(), epsilon: epsilon(), weight_decay: weight_decay() }
    }
}

impl Optimizer {
    /// Refuses values that cannot work; the error names the key.
    pub fn validate(&self) -> Result<(), String> {
        let share = |key: &str, value: f32| match value {
            0.0..1.0 => Ok(()),
            _ => Err(format!("optimizer.{key} = {value}: it may be from 0 to below 1")),
        };
        match *self {
            Optimizer::AdamW { beta1, beta2, epsilon, weight_decay } => {
                share("beta1", beta1)?;
                share("beta2", beta2)?;
                share("weight_decay", weight_decay)?;
                if epsilon > 0.0 {
                    Ok(())
                } else {
                    Err(format!("optimizer.epsilon = {epsilon}: it must be positive"))
                }
            }
            Optimizer::Sgd { momentum, weight_decay } => {
                share("momentum", momentum)?;
                share("weight_decay", weight_decay)
            }
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
        let wrong = Optimizer::Sgd { momentum: 1.0, weight_decay: 0.0 };
        assert!(wrong.validate().unwrap_err().contains("momentum = 1"));
    }
}
