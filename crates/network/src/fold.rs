//! Batch normalisation folded into the convolutions before it, for inference.

use crate::{Architecture, BATCH_NORM_EPSILON, Parameters};
use catapult_encoding::Layout;

/// A convolution with bias, stride 1, padded to keep the board's size.
pub(crate) struct Convolution {
    /// Out, in, height, width.
    pub weight: Vec<f32>,
    pub bias: Vec<f32>,
    pub outputs: usize,
    pub inputs: usize,
    /// 1 or 3: height and width.
    pub kernel: usize,
}

/// A dense layer, its weights stored input by input so that the outputs are computed side by side.
pub(crate) struct Dense {
    /// In, out.
    pub weight: Vec<f32>,
    pub bias: Vec<f32>,
}

impl Dense {
    /// From parameters stored as out, in.
    pub fn new(weight: &[f32], bias: &[f32]) -> Dense {
        let (outputs, inputs) = (bias.len(), weight.len() / bias.len());
        let weight = (0..inputs * outputs).map(|at| weight[at % outputs * inputs + at / outputs]).collect();
        Dense { weight, bias: bias.to_vec() }
    }

    /// `out = weight * input + bias`, summed in the order of the inputs.
    pub fn apply(&self, input: &[f32], out: &mut [f32]) {
        out.copy_from_slice(&self.bias);
        for (&value, row) in input.iter().zip(self.weight.chunks_exact(out.len())) {
            for (sum, &weight) in out.iter_mut().zip(row) {
                *sum += value * weight;
            }
        }
    }
}

pub(crate) struct Block {
    pub first: Convolution,
    pub second: Convolution,
    pub pool: Option<Dense>,
}

/// What inference computes: the tower and the features of the heads.
pub(crate) struct Folded {
    /// Reads planes, then global inputs as constant planes, then unused channels (see [`input_channels`]).
    pub input: Convolution,
    pub blocks: Vec<Block>,
    /// Policy features, keys, value features, queries.
    pub head: Convolution,
}

/// Input channels of the folded network: planes and global inputs, rounded up to what convolutions like.
pub(crate) fn input_channels(layout: &Layout) -> usize {
    (layout.planes + layout.globals).next_multiple_of(16)
}

/// Folds a network.
pub(crate) fn fold(architecture: &Architecture, layout: &Layout, parameters: &Parameters) -> Folded {
    let block = |block: usize| Block {
        first: tower_convolution(
            parameters,
            &format!("block.{block}.conv1"),
            &format!("block.{block}.norm1"),
        ),
        second: tower_convolution(
            parameters,
            &format!("block.{block}.conv2"),
            &format!("block.{block}.norm2"),
        ),
        pool: architecture.is_pooled(block).then(|| {
            let get = |part| parameters.get(&format!("block.{block}.pool.{part}"));
            Dense::new(get("weight"), get("bias"))
        }),
    };
    let part = |part| {
        [parameters.get(&format!("head.features.{part}")), parameters.get(&format!("head.query.{part}"))]
    };
    let head = Convolution {
        weight: part("weight").concat(),
        bias: part("bias").concat(),
        outputs: architecture.head_channels(),
        inputs: architecture.channels,
        kernel: 1,
    };
    Folded {
        input: input_convolution(parameters, layout),
        blocks: (0..architecture.blocks).map(block).collect(),
        head,
    }
}

/// The factor and the offset that batch normalisation applies to each channel.
fn scale_and_shift(parameters: &Parameters, norm: &str) -> Vec<(f32, f32)> {
    let get = |part| parameters.get(&format!("{norm}.{part}")).iter().map(|&x| f64::from(x));
    let affine = get("weight").zip(get("bias"));
    affine
        .zip(get("mean").zip(get("variance")))
        .map(|((weight, bias), (mean, variance))| {
            let scale = weight / (variance + BATCH_NORM_EPSILON).sqrt();
            (scale as f32, (bias - mean * scale) as f32)
        })
        .collect()
}

fn tower_convolution(parameters: &Parameters, conv: &str, norm: &str) -> Convolution {
    let scales = scale_and_shift(parameters, norm);
    let weight = parameters.get(&format!("{conv}.weight"));
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

/// The first convolution. What the training graph adds to a channel for a global input is the same as a constant
/// plane seen by the middle of the kernel only.
fn input_convolution(parameters: &Parameters, layout: &Layout) -> Convolution {
    let planes = tower_convolution(parameters, "input.conv", "input.norm");
    let scales = scale_and_shift(parameters, "input.norm");
    let globals = parameters.get("input.globals.weight");
    let inputs = input_channels(layout);
    let mut weight = vec![0.0; planes.outputs * inputs * 9];
    for (output, row) in weight.chunks_exact_mut(inputs * 9).enumerate() {
        row[..layout.planes * 9]
            .copy_from_slice(&planes.weight[output * layout.planes * 9..][..layout.planes * 9]);
        for global in 0..layout.globals {
            row[(layout.planes + global) * 9 + 4] =
                globals[output * layout.globals + global] * scales[output].0;
        }
    }
    Convolution { weight, inputs, ..planes }
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
