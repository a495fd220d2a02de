//! Policy and value heads in plain Rust. They compute a few dot products per legal move and two
//! dense layers per position.

use crate::fold::Dense;
use crate::{MOVES_LEFT_SCALE, TowerModel};
use catapult_encoding::PolicyIndex;
use catapult_mcts::Value;

/// Weights of the policy and value heads, with buffers for one position.
pub(crate) struct Heads {
    policy: usize,
    attention: usize,
    value: usize,
    /// Weights of each policy plane. A plane's weights for the features of a move's origin come
    /// first, then its weights for the destination.
    plane_weights: Vec<f32>,
    plane_bias: Vec<f32>,
    hidden: Dense,
    output: Dense,
    pooled: Vec<f32>,
    hidden_units: Vec<f32>,
}

impl Heads {
    /// Copies the weights of a network's heads.
    pub(crate) fn new(model: &TowerModel<&[f32]>) -> Heads {
        let TowerModel { sizes, policy: planes, hidden, output, .. } = model;
        let policy = sizes.policy_channels;
        let rows = planes.from.chunks_exact(policy).zip(planes.to.chunks_exact(policy));
        let plane_weights = rows.flat_map(|(from, to)| [from, to]);
        Heads {
            policy,
            attention: sizes.attention_channels,
            value: sizes.value_channels,
            plane_weights: plane_weights.flatten().copied().collect(),
            plane_bias: planes.bias.to_vec(),
            hidden: Dense::new(hidden.weight, hidden.bias),
            output: Dense::new(output.weight, output.bias),
            pooled: vec![0.0; 2 * sizes.value_channels],
            hidden_units: vec![0.0; sizes.value_hidden],
        }
    }

    /// Evaluates positions from their features in the shape (rows, squares, head channels). A row
    /// is a position.
    ///
    /// `counts` has the number of legal moves of each row, and `moves` has the moves of all rows in
    /// order. The function overwrites `logits` with one logit per move, and `values` with one value
    /// per row.
    pub(crate) fn answer_rows(
        &mut self,
        features: &[f32],
        moves: &[PolicyIndex],
        counts: &[usize],
        logits: &mut [f32],
        values: &mut [Value],
    ) {
        let rows = features.chunks_exact((features.len() / counts.len().max(1)).max(1));
        let mut begin = 0;
        for ((features, &count), value) in rows.zip(counts).zip(values) {
            let range = begin..begin + count;
            begin = range.end;
            *value = self.answer(features, &moves[range.clone()], &mut logits[range]);
        }
    }

    /// Evaluates one position from its features in the shape (squares, head channels). Overwrites
    /// `logits` with one logit per move and returns the value.
    fn answer(&mut self, features: &[f32], moves: &[PolicyIndex], logits: &mut [f32]) -> Value {
        let keys = self.policy..self.policy + self.attention;
        let values = keys.end..keys.end + self.value;
        let queries = values.end..values.end + self.attention;
        let channels = queries.end;
        let (mean, max) = self.pooled.split_at_mut(self.value);
        mean.fill(0.0);
        max.fill(0.0);
        for square in features.chunks_exact(channels) {
            for ((sum, most), &feature) in mean.iter_mut().zip(max.iter_mut()).zip(&square[values.clone()]) {
                *sum += relu(feature);
                // `max` starts at zero, which includes the ReLU.
                *most = if feature > *most { feature } else { *most };
            }
        }
        let squares = (features.len() / channels) as f32;
        mean.iter_mut().for_each(|sum| *sum /= squares);

        for (index, logit) in moves.iter().zip(logits) {
            let from = &features[index.square as usize * channels..][..channels];
            let to = &features[index.to as usize * channels..][..channels];
            let weights = &self.plane_weights[index.plane as usize * 2 * self.policy..][..2 * self.policy];
            let mut sums = [0f32; LANES];
            let rest = accumulate(&mut sums, &from[..self.policy], &weights[..self.policy], relu)
                + accumulate(&mut sums, &to[..self.policy], &weights[self.policy..], relu)
                + accumulate(&mut sums, &from[queries.clone()], &to[keys.clone()], |query| query);
            *logit = total(&sums) + rest + self.plane_bias[index.plane as usize];
        }

        self.hidden.apply(&self.pooled, &mut self.hidden_units);
        self.hidden_units.iter_mut().for_each(|unit| *unit = relu(*unit));
        let mut output = [0.0; 4];
        self.output.apply(&self.hidden_units, &mut output);
        value_of(output)
    }
}

/// Returns the larger of a value and 0. `f32::max` would be slower, because it handles NaN.
pub(crate) fn relu(value: f32) -> f32 {
    if value > 0.0 { value } else { 0.0 }
}

/// Converts the value head's output (win, draw, loss, moves left) into probabilities and a number
/// of plies.
pub fn value_of(output: [f32; 4]) -> Value {
    let [win, draw, loss, moves_left] = output;
    let most = win.max(draw).max(loss);
    let parts = [win, draw, loss].map(|logit| libm::expf(logit - most));
    let sum: f32 = parts.iter().sum();
    // Softplus in a form that does not overflow.
    let softplus = moves_left.max(0.0) + libm::log1pf(libm::expf(-moves_left.abs()));
    Value { wdl: parts.map(|part| part / sum), moves_left: softplus * MOVES_LEFT_SCALE }
}

/// Number of partial sums of a dot product. They are added pairwise in a fixed order that compilers
/// can vectorise.
const LANES: usize = 8;

/// Adds the dot product of `activation(a)` and `b` to the partial sums, in whole chunks of
/// [`LANES`] elements. Returns the dot product of the remaining elements, which is not added.
fn accumulate(sums: &mut [f32; LANES], a: &[f32], b: &[f32], activation: impl Fn(f32) -> f32) -> f32 {
    let (a, b) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    for (a, b) in a.0.iter().zip(b.0) {
        for lane in 0..LANES {
            sums[lane] += activation(a[lane]) * b[lane];
        }
    }
    a.1.iter().zip(b.1).map(|(&a, b)| activation(a) * b).sum()
}

fn total(sums: &[f32; LANES]) -> f32 {
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_products_of_any_length() {
        for len in [0, 1, 7, 8, 9, 31, 32] {
            let a: Vec<f32> = (0..len).map(|x| x as f32).collect();
            let exact: i32 = (0..len).map(|x| x * x).sum();
            let mut sums = [0.0; LANES];
            let rest = accumulate(&mut sums, &a, &a, relu);
            assert_eq!(total(&sums) + rest, exact as f32);
        }
    }

    #[test]
    fn values_are_probabilities_even_for_large_logits() {
        for output in [[0.0; 4], [1000.0, 0.0, -1000.0, 100.0], [-200.0, -200.0, -200.0, -100.0]] {
            let value = value_of(output);
            assert!((value.wdl.iter().sum::<f32>() - 1.0).abs() < 1e-6 && value.moves_left >= 0.0);
        }
        assert!((value_of([0.0; 4]).moves_left - MOVES_LEFT_SCALE * std::f32::consts::LN_2).abs() < 1e-3);
        // ln(1 + exp(-0.63145)), rounded correctly. glibc's `log1pf` differs in the last bit.
        assert_eq!(value_of([0.0, 0.0, 0.0, -0.63145]).moves_left, 0.426_456_66 * MOVES_LEFT_SCALE);
    }
}
