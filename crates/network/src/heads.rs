//! The heads in plain Rust: a few dot products a legal move, and a dense layer a position.

use crate::fold::Dense;
use crate::memory::Scalar;
use crate::{Architecture, MOVES_LEFT_SCALE, Parameters};
use catapult_encoding::PolicyIndex;
use catapult_mcts::Value;

/// Weights of the heads, and room for the features of one position.
pub(crate) struct Heads {
    policy: usize,
    attention: usize,
    value: usize,
    /// For each policy plane the weights of the origin's features, then of the destination's.
    plane_weights: Vec<f32>,
    plane_bias: Vec<f32>,
    hidden: Dense,
    output: Dense,
    features: Vec<f32>,
    pooled: Vec<f32>,
    hidden_units: Vec<f32>,
}

impl Heads {
    pub fn new(architecture: &Architecture, parameters: &Parameters) -> Heads {
        let policy = architecture.policy_channels;
        let rows = |name| parameters.get(name).chunks_exact(policy);
        let plane_weights =
            rows("policy.from.weight").zip(rows("policy.to.weight")).flat_map(|(from, to)| [from, to]);
        let dense = |name| {
            Dense::new(parameters.get(&format!("{name}.weight")), parameters.get(&format!("{name}.bias")))
        };
        Heads {
            policy,
            attention: architecture.attention_channels,
            value: architecture.value_channels,
            plane_weights: plane_weights.flatten().copied().collect(),
            plane_bias: parameters.get("policy.bias").to_vec(),
            hidden: dense("value.hidden"),
            output: dense("value.output"),
            features: Vec::new(),
            pooled: vec![0.0; 2 * architecture.value_channels],
            hidden_units: vec![0.0; architecture.value_hidden],
        }
    }

    /// Answers one position from its features `[squares, head channels]`; a logit for each move.
    pub fn answer<T: Scalar>(&mut self, features: &[T], moves: &[PolicyIndex], logits: &mut [f32]) -> Value {
        self.features.clear();
        self.features.extend(features.iter().map(|&feature| feature.widen()));
        let channels = self.policy + 2 * self.attention + self.value;
        let keys = self.policy..self.policy + self.attention;
        let values = keys.end..keys.end + self.value;
        let queries = values.end..channels;
        for square in self.features.chunks_exact_mut(channels) {
            square[..self.policy].iter_mut().for_each(|feature| *feature = feature.max(0.0));
        }
        let scale = 1.0 / (self.attention as f32).sqrt();
        for (index, logit) in moves.iter().zip(logits) {
            let from = &self.features[index.square as usize * channels..][..channels];
            let to = &self.features[index.to as usize * channels..][..channels];
            let weights = &self.plane_weights[index.plane as usize * 2 * self.policy..][..2 * self.policy];
            *logit = dot(&from[..self.policy], &weights[..self.policy])
                + dot(&to[..self.policy], &weights[self.policy..])
                + dot(&from[queries.clone()], &to[keys.clone()]) * scale
                + self.plane_bias[index.plane as usize];
        }
        self.value(channels, values)
    }

    fn value(&mut self, channels: usize, values: std::ops::Range<usize>) -> Value {
        let squares = (self.features.len() / channels) as f32;
        let (mean, max) = self.pooled.split_at_mut(self.value);
        mean.fill(0.0);
        max.fill(0.0);
        for square in self.features.chunks_exact(channels) {
            for ((sum, most), &feature) in mean.iter_mut().zip(max.iter_mut()).zip(&square[values.clone()]) {
                let feature = feature.max(0.0);
                *sum += feature;
                *most = most.max(feature);
            }
        }
        mean.iter_mut().for_each(|sum| *sum /= squares);
        self.hidden.apply(&self.pooled, &mut self.hidden_units);
        self.hidden_units.iter_mut().for_each(|unit| *unit = unit.max(0.0));
        let mut output = [0.0; 4];
        self.output.apply(&self.hidden_units, &mut output);
        value_of(output)
    }
}

/// Turns the value head's output (win, draw, loss, moves left) into a value.
pub(crate) fn value_of(output: [f32; 4]) -> Value {
    let [win, draw, loss, moves_left] = output;
    let most = win.max(draw).max(loss);
    let parts = [win, draw, loss].map(|logit| (logit - most).exp());
    let sum: f32 = parts.iter().sum();
    // softplus, in the form that does not overflow
    let softplus = moves_left.max(0.0) + (-moves_left.abs()).exp().ln_1p();
    Value { wdl: parts.map(|part| part / sum), moves_left: softplus * MOVES_LEFT_SCALE }
}

/// A dot product in one fixed order of sums that vectorises: eight partial sums, added pairwise at the end.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0f32; 8];
    let (a_chunks, b_chunks) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f32 = a_chunks.remainder().iter().zip(b_chunks.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a_chunks.zip(b_chunks) {
        for lane in 0..8 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    (sums[0] + sums[4]) + (sums[1] + sums[5]) + ((sums[2] + sums[6]) + (sums[3] + sums[7])) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_products_of_any_length() {
        for len in [0, 1, 7, 8, 9, 31, 32] {
            let a: Vec<f32> = (0..len).map(|x| x as f32).collect();
            let exact: i32 = (0..len).map(|x| x * x).sum();
            assert_eq!(dot(&a, &a), exact as f32);
        }
    }

    #[test]
    fn values_are_probabilities_even_for_large_logits() {
        for output in [[0.0; 4], [1000.0, 0.0, -1000.0, 100.0], [-200.0, -200.0, -200.0, -100.0]] {
            let value = value_of(output);
            assert!((value.wdl.iter().sum::<f32>() - 1.0).abs() < 1e-6 && value.moves_left >= 0.0);
        }
        assert!((value_of([0.0; 4]).moves_left - MOVES_LEFT_SCALE * std::f32::consts::LN_2).abs() < 1e-3);
    }
}
