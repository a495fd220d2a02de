//! Steps of optimizers. Parameters, gradients and moments are flat tensors on the learner's device.

use crate::{NetworkError, Optimizer};
use tch::{Kind, Tensor};

impl Optimizer {
    /// Makes step number `step`, counted from 1, and updates `values` and `moments`. Weight decay
    /// applies to values whose entry in `decays` is 1. A value whose gradient is always 0 and whose
    /// entry in `decays` is 0 does not change.
    pub(crate) fn step(
        &self,
        step: u64,
        learning_rate: f32,
        values: &mut Tensor,
        decays: &Tensor,
        gradient: &Tensor,
        moments: &mut [Tensor; 2],
    ) -> Result<(), NetworkError> {
        let learning_rate = f64::from(learning_rate);
        let [first, second] = moments;
        let (change, weight_decay) = match *self {
            Optimizer::AdamW { beta1, beta2, epsilon, weight_decay } => {
                let [beta1, beta2] = [beta1, beta2].map(f64::from);
                let correction = |beta: f64| 1.0 - beta.powf(step as f64);
                *first *= beta1;
                *first += gradient * (1.0 - beta1);
                *second *= beta2;
                *second += gradient.f_square()? * (1.0 - beta2);
                let root = second.f_sqrt()? / correction(beta2).sqrt() + f64::from(epsilon);
                (&*first * (learning_rate / correction(beta1)) / root, weight_decay)
            }
            Optimizer::Sgd { momentum, weight_decay } => {
                *first *= f64::from(momentum);
                *first += gradient;
                (&*first * learning_rate, weight_decay)
            }
        };
        *values *= 1.0 - decays * (learning_rate * f64::from(weight_decay));
        *values -= change;
        Ok(())
    }
}

/// Scales the gradient down to the norm `most` if its norm is larger. Returns the norm before
/// scaling.
pub(crate) fn clip(gradient: &mut Tensor, most: f32) -> Result<f32, NetworkError> {
    let norm = gradient.f_to_kind(Kind::Double)?.f_square()?.f_sum(Kind::Double)?.f_double_value(&[])?.sqrt();
    if norm > f64::from(most) {
        *gradient *= f64::from(most) / norm;
    }
    Ok(norm as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the values of a weight and of a bias after each step. Both parameters get the
    /// gradients in `gradients`.
    fn follow(optimizer: Optimizer, gradients: &[f32], rate: f32) -> (Vec<f32>, Vec<f32>) {
        // The third value is a statistic, which has no gradients.
        let mut values = Tensor::from_slice(&[1f32, 1.0, 0.7]);
        let decays = Tensor::from_slice(&[1f32, 0.0, 0.0]);
        let mut moments = [values.zeros_like(), values.zeros_like()];
        let mut seen = (Vec::new(), Vec::new());
        for (step, &gradient) in gradients.iter().enumerate() {
            let gradient = Tensor::from_slice(&[gradient, gradient, 0.0]);
            optimizer.step(step as u64 + 1, rate, &mut values, &decays, &gradient, &mut moments).unwrap();
            let now = Vec::<f32>::try_from(&values).unwrap();
            assert_eq!(now[2], 0.7, "statistics are not trained");
            seen.0.push(now[0]);
            seen.1.push(now[1]);
        }
        seen
    }

    fn assert_close(found: &[f32], expected: &[f32]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 2e-6, "{found} is not {expected}");
        }
    }

    #[test]
    fn adamw_makes_the_steps_of_the_paper() {
        // Three steps computed by hand from the paper's update, with gradients 0.5, -1, 2, rate
        // 0.1, betas 0.9 and 0.99.
        let optimizer = Optimizer::AdamW { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weight_decay: 0.1 };
        let (weight, bias) = follow(optimizer, &[0.5, -1.0, 2.0], 0.1);
        // Step 1: m/(1-0.9) = 0.5, v/(1-0.99) = 0.25: a whole rate. Step 2: m = -0.055, v =
        // 0.012475; -0.055/0.19 = -0.289474, sqrt(0.012475/0.0199) = 0.791759; ratio -0.365608.
        // Step 3: m = 0.1505, v = 0.05235025; 0.1505/0.271 = 0.555351, sqrt(0.05235025/0.029701) =
        // 1.327624; 0.418304.
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
        let mut gradient = Tensor::from_slice(&[3f32, 4.0]);
        let values = |gradient: &Tensor| Vec::<f32>::try_from(gradient).unwrap();
        assert_eq!(clip(&mut gradient, 10.0).unwrap(), 5.0);
        assert_eq!(values(&gradient), [3.0, 4.0]);
        assert_eq!(clip(&mut gradient, 1.0).unwrap(), 5.0);
        assert_close(&values(&gradient), &[0.6, 0.8]);
    }
}
