//! Folding of batch normalisation into the preceding convolutions. It makes inference faster.

use crate::BATCH_NORM_EPSILON;
use crate::model::{Input, Norm, ResidualBlock, TowerModel};
use catapult_encoding::Layout;

/// Convolution with bias and stride 1. Zero padding keeps the size of the board.
pub struct Convolution {
    /// Weights in the shape (outputs, inputs, height, width).
    pub weight: Vec<f32>,
    /// Bias, one value per output channel.
    pub bias: Vec<f32>,
    /// Number of output channels.
    pub outputs: usize,
    /// Number of input channels.
    pub inputs: usize,
    /// Height and width of the kernel: 1 or 3.
    pub kernel: usize,
}

/// Dense layer. All weights of one input are adjacent, so that compilers can vectorise the sums
/// along the outputs.
#[derive(Clone)]
pub struct Dense {
    /// Weights in the shape (inputs, outputs).
    pub weight: Vec<f32>,
    /// Bias, one value per output.
    pub bias: Vec<f32>,
}

impl Dense {
    /// Creates a layer from weights in the shape (outputs, inputs). The layer stores the weights
    /// transposed.
    pub fn new(weight: &[f32], bias: &[f32]) -> Dense {
        Dense { weight: transposed(weight, bias.len()), bias: bias.to_vec() }
    }

    /// Overwrites `out` with `weight * input + bias`. Products are summed in the order of the
    /// inputs.
    pub fn apply(&self, input: &[f32], out: &mut [f32]) {
        out.copy_from_slice(&self.bias);
        for (&value, row) in input.iter().zip(self.weight.chunks_exact(out.len())) {
            for (sum, &weight) in out.iter_mut().zip(row) {
                *sum += value * weight;
            }
        }
    }
}

/// Transposes a matrix of `rows` rows.
pub(crate) fn transposed<T: Copy>(values: &[T], rows: usize) -> Vec<T> {
    let columns = values.len() / rows;
    (0..values.len()).map(|at| values[at % rows * columns + at / rows]).collect()
}

/// Residual block: `x = relu(x + second(y) + pool(mean(y), max(y)))` with `y = relu(first(x))`.
/// Mean and maximum are over squares.
pub struct Block {
    /// First convolution, with the folded normalisation.
    pub first: Convolution,
    /// Second convolution, with the folded normalisation.
    pub second: Convolution,
    /// Dense layer of the global pooling, with 2 * channels inputs. `None` if the block has no
    /// pooling.
    pub pool: Option<Dense>,
}

/// Network with folded batch normalisation. It computes the head features of each square from the
/// inputs.
pub struct Folded {
    /// Dense layer with one input per global input and one output per channel. Its output is added
    /// to the output of `input` at every square.
    pub globals: Dense,
    /// First convolution. Its input channels are the planes, followed by unused channels (see
    /// [`input_channels`]).
    pub input: Convolution,
    /// Residual blocks in the order of computation.
    pub blocks: Vec<Block>,
    /// Convolution with a 1x1 kernel to the head features. Their order is policy features, keys,
    /// value features, queries. The queries are divided by the square root of their length.
    pub head: Convolution,
    /// Size of the board: number of ranks, number of files.
    pub board: [i64; 2],
}

/// Returns the number of input channels of a folded network. It is the number of planes, rounded up
/// to a multiple of 16.
pub fn input_channels(layout: &Layout) -> usize {
    layout.planes.next_multiple_of(16)
}

/// Returns a tower with its batch normalisation folded into the convolutions.
pub fn fold(model: &TowerModel<&[f32]>, layout: &Layout) -> Folded {
    let sizes = &model.sizes;
    let block = |block: &ResidualBlock<&[f32]>| Block {
        first: tower_convolution(block.first, &block.first_norm),
        second: tower_convolution(block.second, &block.second_norm),
        pool: block.pool.as_ref().map(|pool| Dense::new(pool.weight, pool.bias)),
    };
    let scale = 1.0 / (sizes.attention_channels as f32).sqrt();
    let with_queries = |features: &[f32], query: &[f32]| {
        [features.to_vec(), query.iter().map(|x| x * scale).collect()].concat()
    };
    let head = Convolution {
        weight: with_queries(model.features.weight, model.query.weight),
        bias: with_queries(model.features.bias, model.query.bias),
        outputs: sizes.head_channels(),
        inputs: sizes.channels,
        kernel: 1,
    };
    Folded {
        globals: global_inputs(&model.input, layout),
        input: input_convolution(&model.input, layout),
        blocks: model.blocks.iter().map(block).collect(),
        head,
        board: [layout.ranks as i64, layout.files as i64],
    }
}

/// Returns scale and shift of a batch normalisation for each channel. They are computed from the
/// running mean and variance.
fn scale_and_shift(norm: &Norm<&[f32]>) -> Vec<(f32, f32)> {
    let of_channel = |channel: usize| {
        let Norm { weight, bias, mean, variance } = norm;
        let [weight, bias, mean, variance] =
            [weight, bias, mean, variance].map(|values| f64::from(values[channel]));
        let scale = weight / (variance + BATCH_NORM_EPSILON).sqrt();
        (scale as f32, (bias - mean * scale) as f32)
    };
    (0..norm.weight.len()).map(of_channel).collect()
}

fn tower_convolution(weight: &[f32], norm: &Norm<&[f32]>) -> Convolution {
    let scales = scale_and_shift(norm);
    let per_output = weight.len() / scales.len();
    let scaled = weight
        .chunks_exact(per_output)
        .zip(&scales)
        .flat_map(|(w, &(scale, _))| w.iter().map(move |x| x * scale));
    Convolution {
        weight: scaled.collect(),
        bias: scales.iter().map(|&(_, shift)| shift).collect(),
        outputs: scales.len(),
        inputs: per_output / 9,
        kernel: 3,
    }
}

/// Returns the first convolution, with zero weights for the unused input channels.
fn input_convolution(input: &Input<&[f32]>, layout: &Layout) -> Convolution {
    let planes = tower_convolution(input.convolution, &input.norm);
    let (used, inputs) = (layout.planes * 9, input_channels(layout));
    let mut weight = vec![0.0; planes.outputs * inputs * 9];
    for (row, planes) in weight.chunks_exact_mut(inputs * 9).zip(planes.weight.chunks_exact(used)) {
        row[..used].copy_from_slice(planes);
    }
    Convolution { weight, inputs, ..planes }
}

fn global_inputs(input: &Input<&[f32]>, layout: &Layout) -> Dense {
    let scales = scale_and_shift(&input.norm);
    let weight = input.globals.iter().enumerate();
    let scaled: Vec<f32> = weight.map(|(at, weight)| weight * scales[at / layout.globals].0).collect();
    Dense::new(&scaled, &vec![0.0; scales.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_layers_multiply() {
        let dense = Dense::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[0.5, -0.5]);
        let mut out = [0.0; 2];
        dense.apply(&[1.0, 10.0, 100.0], &mut out);
        assert_eq!(out, [321.5, 653.5]);
    }
}
