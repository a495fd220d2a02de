//! Optimizers in plain Rust over one flat array, so that their state is saved and restored exactly.

use crate::parameters::{Parameters, Role};
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

    /// Makes step number `step` (from 1). Statistics are left alone.
    pub(crate) fn step(
        &self,
        step: u64,
        learning_rate: f32,
        parameters: &mut Parameters,
        gradients: &[f32],
        moments: &mut [Vec<f32>; 2],
    ) {
        for spec in parameters.specs().to_vec().iter().filter(|spec| spec.role != Role::Statistic) {
            let range = spec.range();
            let decays = spec.role == Role::Weight;
            let values = &mut parameters.values[range.clone()];
            let [first, second] = moments.each_mut().map(|moment| &mut moment[range.clone()]);
            let gradients = &gradients[range];
            match *self {
                Optimizer::AdamW { beta1, beta2, epsilon, weight_decay } => {
                    let keep = if decays { 1.0 - learning_rate * weight_decay } else { 1.0 };
                    // Bias corrections in f64: 1 - beta2^step loses digits in f32.
                    let correction = |beta: f32| 1.0 - f64::from(beta).powf(step as f64);
                    let rate = (f64::from(learning_rate) / correction(beta1)) as f32;
                    let root = correction(beta2).sqrt() as f32;
                    for (((value, &gradient), m), v) in
                        values.iter_mut().zip(gradients).zip(first).zip(second)
                    {
                        *m = beta1 * *m + (1.0 - beta1) * gradient;
                        *v = beta2 * *v + (1.0 - beta2) * gradient * gradient;
                        *value = *value * keep - rate * *m / (v.sqrt() / root + epsilon);
                    }
                }
                Optimizer::Sgd { momentum, weight_decay } => {
                    let keep = if decays { 1.0 - learning_rate * weight_decay } else { 1.0 };
                    for ((value, &gradient), m) in values.iter_mut().zip(gradients).zip(first) {
                        *m = momentum * *m + gradient;
                        *value = *value * keep - learning_rate * *m;
                    }
                }
            }
        }
    }
}

/// Scales gradients down so that their norm is at most `most`; gives the norm they had.
pub(crate) fn clip(gradients: &mut [f32], most: f32) -> f32 {
    let norm = gradients.iter().map(|&gradient| f64::from(gradient).powi(2)).sum::<f64>().sqrt() as f32;
    if norm > most {
        let scale = most / norm;
        gradients.iter_mut().for_each(|gradient| *gradient *= scale);
    }
    norm
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Architecture;
    use catapult_encoding::Layout;

    const LAYOUT: Layout = Layout {
        name: "optimizer-test",
        ranks: 1,
        files: 1,
        planes: 1,
        globals: 0,
        policy_planes: 1,
        future_planes: 1,
    };

    /// One weight (in `input.conv.weight`) and one bias (`policy.bias`) followed through steps.
    fn follow(optimizer: Optimizer, gradients: &[f32], rate: f32) -> (Vec<f32>, Vec<f32>) {
        let architecture = Architecture { value_hidden: 1, ..Architecture::new(1, 0) };
        let mut parameters = Parameters::untrained(&architecture, &LAYOUT, 0).unwrap();
        let place = |name: &str| parameters.specs().iter().find(|spec| spec.name == name).unwrap().offset;
        let places = ["input.conv.weight", "policy.bias"].map(place);
        let mean = place("input.norm.mean");
        let size = parameters.values.len();
        let mut moments = [vec![0.0; size], vec![0.0; size]];
        places.iter().for_each(|&place| parameters.values[place] = 1.0);
        let mut seen = (Vec::new(), Vec::new());
        for (step, &gradient) in gradients.iter().enumerate() {
            optimizer.step(step as u64 + 1, rate, &mut parameters, &vec![gradient; size], &mut moments);
            seen.0.push(parameters.values[places[0]]);
            seen.1.push(parameters.values[places[1]]);
        }
        assert_eq!(parameters.values[mean], 0.0, "statistics are not trained");
        seen
    }

    fn assert_close(found: &[f32], expected: &[f32]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 2e-6, "{found} is not {expected}");
        }
    }

    #[test]
    fn adamw_makes_the_steps_of_the_paper() {
        // Three steps by hand from the paper's update with gradients 0.5, -1, 2, rate 0.1, betas 0.9 and 0.99.
        let optimizer = Optimizer::AdamW { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weight_decay: 0.1 };
        let (weight, bias) = follow(optimizer, &[0.5, -1.0, 2.0], 0.1);
        // Step 1: m/(1-0.9) = 0.5, v/(1-0.99) = 0.25: a whole rate. Step 2: m = -0.055, v = 0.012475;
        // -0.055/0.19 = -0.289474, sqrt(0.012475/0.0199) = 0.791759; ratio -0.365608.
        // Step 3: m = 0.1505, v = 0.05235025; 0.1505/0.271 = 0.555351, sqrt(0.05235025/0.029701) = 1.327624; 0.418304.
        assert_close(&bias, &[0.9, 0.936_560_8, 0.894_730_4]);
        assert_close(&weight, &[0.89, 0.917_660_8, 0.866_653_8]);
    }

    #[test]
    fn momentum_accumulates() {
        let (weight, bias) = follow(Optimizer::Sgd { momentum: 0.5, weight_decay: 0.1 }, &[1.0, 1.0], 0.1);
        assert_close(&bias, &[0.9, 0.75]);
        assert_close(&weight, &[0.89, 0.7311]);
    }

    #[test]
    fn clipping_keeps_the_direction() {
        let mut gradients = [3.0, 4.0];
        assert_eq!(clip(&mut gradients, 10.0), 5.0);
        assert_eq!(gradients, [3.0, 4.0]);
        assert_eq!(clip(&mut gradients, 1.0), 5.0);
        assert_close(&gradients, &[0.6, 0.8]);
    }

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
