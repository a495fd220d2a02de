//! Sparse network in integers.
//!
//! Weights of features and vectors of moves are 8-bit integers, from -1 to 1 in steps of 1/127. The
//! wide layer has 16-bit sums and 7-bit squared activations. Its saturating sums are in a fixed
//! order, and so are the `f32` sums of the small layers after it. Vectors of every width therefore
//! give the same bits.

pub(crate) mod features;
#[cfg(test)]
mod tests;

use crate::fold::transposed;
use crate::heads::relu;
use crate::spec::{ONE, bytes};
use crate::winograd::Vectors;
use crate::{Dense, Features, SparseModel, SparseSizes, Table, value_of};
use catapult_encoding::PolicyIndex;
use catapult_mcts::Value;
use features::TABLES;

/// Bits by which a squared sum is shifted to an activation of 7 bits.
const ACTIVATION_SHIFT: u32 = 7;

/// Largest activation.
const MOST_ACTIVATION: f32 = 126.0;

/// Activation that stands for 1.
const ACTIVATION: f32 = ONE * ONE / (1 << ACTIVATION_SHIFT) as f32;

/// Number of units of the wide layer that are summed at once. The width is a multiple of it.
const BLOCK: usize = 64;

/// Half of a block. A 16-bit word contains two weights: one for a unit of each half.
const HALF: usize = BLOCK / 2;

/// Offset that converts the 8-bit weight of a feature to an unsigned byte.
const OFFSET: i16 = 128;

/// Number of features whose words are summed at once: the sum of their upper bytes fits 16 bits.
const SUMMED: usize = 256;

/// Number of elements of a vector of a move that are summed at once. The size is a multiple of it.
const CHUNK: usize = 16;

/// Number of outputs of the dense layers that are summed at once.
const OUTPUTS: usize = 48;

/// Bits after the binary point of a global input.
const GLOBAL_BITS: u32 = 12;

/// Additional bits of a global input's weight, compared with the sums. A product is shifted by 16
/// bits, which is one AVX2 instruction.
const GLOBAL_WEIGHT_BITS: u32 = 16 - GLOBAL_BITS;

/// Integer that stands for 1 in queries.
const QUERY: f32 = 256.0;

/// A position to evaluate: its features, its globals and its legal moves.
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a> {
    pub features: &'a Features,
    pub globals: &'a [f32],
    pub moves: &'a [PolicyIndex],
}

/// Sparse network with integer weights, and buffers for one position.
pub(crate) struct Sparse {
    vectors: Vectors,
    weights: Weights,
    scratch: Scratch,
}

struct Weights {
    width: usize,
    size: usize,
    /// Largest integer in a query, so that a logit fits 32 bits.
    most_query: f32,
    /// Weights of features in the shape (features, width / 2), two to a word, and of globals in the
    /// shape (globals, width).
    bits: Vec<u16>,
    globals: Vec<i16>,
    bias: Vec<i16>,
    /// Number of globals up to the last one with a weight other than 0.
    used_globals: usize,
    /// Weights of the value head's first layer and of the query, as integers in the shape (width,
    /// outputs). Outputs are padded to a multiple of [`OUTPUTS`].
    dense: Vec<f32>,
    /// Real value of one step of these layers' integer sums.
    dense_scale: f32,
    dense_bias: Vec<f32>,
    hidden: Dense,
    output: Dense,
    /// Vectors of moves: tables in the shape (rows, size), one after the other.
    moves: Vec<i8>,
    move_bias: Vec<f32>,
    /// Number of the first row of each table.
    first_row: [usize; TABLES],
}

struct Scratch {
    /// Numbers of the globals that are not 0, with their values.
    factors: Vec<(usize, i16)>,
    /// Units of the wide layer with activations above 0, and their activations.
    active: Vec<(u32, f32)>,
    dense: Vec<f32>,
    query: Vec<i16>,
    hidden: Vec<f32>,
}

/// Rounds numbers to multiples of 1/`one` in 16 bits.
fn integers(values: &[f32], one: f32) -> Vec<i16> {
    values.iter().map(|value| integer(*value, one, f32::from(i16::MAX))).collect()
}

/// Packs the weights of each block into words: those of the first half into the lower bytes.
fn words(weights: &[i8]) -> Vec<u16> {
    let byte = |weight: i8| (i16::from(weight) + OFFSET) as u16;
    let blocks = weights.as_chunks::<BLOCK>().0.iter();
    blocks.flat_map(|block| (0..HALF).map(|at| byte(block[at]) | byte(block[HALF + at]) << 8)).collect()
}

fn integer(value: f32, one: f32, most: f32) -> i16 {
    (value * one).round_ties_even().clamp(-most, most) as i16
}

/// Returns the largest integer that can stand for 1 in a layer with these weights, in the shape
/// (outputs, width), so that all sums of its products are exact in `f32`.
fn exact_one(weights: &[f32], width: usize) -> f32 {
    let norms = weights.chunks_exact(width).map(|row| row.iter().map(|weight| weight.abs()).sum::<f32>());
    // Rounding adds at most 1/2 to each weight.
    let room = ((1 << 24) as f32 / MOST_ACTIVATION) - width as f32;
    (room / norms.fold(1e-3, f32::max)).floor().clamp(1.0, 4096.0)
}

/// Rounds weights in the shape (outputs, width) to multiples of 1/`one` in the order of
/// [`Weights::dense`].
fn by_unit(weights: &[f32], one: f32, width: usize) -> Vec<f32> {
    let outputs = weights.len() / width;
    let padded = outputs.next_multiple_of(OUTPUTS);
    let at = |output: usize, unit: usize| match output < outputs {
        true => (weights[output * width + unit] * one).round_ties_even(),
        false => 0.0,
    };
    (0..width * padded).map(|place| at(place % padded, place / padded)).collect()
}

impl Sparse {
    /// Prepares a network for one position at a time.
    ///
    /// # Panics
    /// The processor does not support `vectors`.
    pub(crate) fn new(model: &SparseModel<&[f32]>, vectors: Vectors) -> Sparse {
        assert!(Vectors::all().contains(&vectors), "{} vectors on this processor", vectors.name());
        let SparseSizes { width, policy_size, value_hidden } = model.sizes;
        let [first, second] = &model.hidden;
        let dense = [first.weight, model.query.weight].concat();
        let dense_one = exact_one(&dense, width);
        let mut first_row = [0; TABLES];
        let (mut moves, mut move_bias) = (Vec::new(), Vec::new());
        for (first_row, Table { vectors, bias }) in first_row.iter_mut().zip(&model.tables) {
            *first_row = move_bias.len();
            moves.extend(bytes(vectors));
            move_bias.extend_from_slice(bias);
        }
        let inputs = model.globals.weight.len() / width;
        let reads = |global: usize| model.globals.weight.chunks_exact(inputs).any(|row| row[global] != 0.0);
        let weights = Weights {
            width,
            size: policy_size,
            most_query: (i32::MAX as usize / (policy_size * 127 * TABLES)).min(i16::MAX as usize) as f32,
            bits: words(&bytes(model.bits)),
            globals: transposed(
                &integers(model.globals.weight, ONE * (1 << GLOBAL_WEIGHT_BITS) as f32),
                width,
            ),
            bias: integers(model.globals.bias, ONE),
            // Global inputs that an earlier layout lacks must not change the rounding.
            used_globals: (0..inputs).rev().find(|global| reads(*global)).map_or(0, |last| last + 1),
            dense: by_unit(&dense, dense_one, width),
            dense_scale: 1.0 / (dense_one * ACTIVATION),
            dense_bias: [first.bias, model.query.bias].concat(),
            hidden: Dense::new(second.weight, second.bias),
            output: Dense::new(model.output.weight, model.output.bias),
            moves,
            move_bias,
            first_row,
        };
        let scratch = Scratch {
            factors: Vec::new(),
            active: vec![(0, 0.0); width + 1],
            dense: vec![0.0; value_hidden + policy_size],
            query: vec![0; policy_size],
            hidden: vec![0.0; value_hidden],
        };
        Sparse { vectors, weights, scratch }
    }

    /// Evaluates a position. Overwrites `logits` with one logit per move and returns the value.
    pub(crate) fn answer(&mut self, inputs: Inputs<'_>, logits: &mut [f32]) -> Value {
        let Sparse { vectors, weights, scratch } = self;
        match vectors {
            Vectors::Portable => weights.answer::<{ cfg!(target_arch = "aarch64") }>(scratch, inputs, logits),
            // SAFETY (both): `new` has checked that the processor supports these instructions.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Vectors::Avx2 | Vectors::AvxVnni => unsafe { answer_avx2(weights, scratch, inputs, logits) },
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Vectors::Avx512 | Vectors::Avx512Vnni => unsafe {
                answer_avx512(weights, scratch, inputs, logits)
            },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn answer_avx2(weights: &Weights, scratch: &mut Scratch, inputs: Inputs<'_>, logits: &mut [f32]) -> Value {
    weights.answer::<true>(scratch, inputs, logits)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]
fn answer_avx512(weights: &Weights, scratch: &mut Scratch, inputs: Inputs<'_>, logits: &mut [f32]) -> Value {
    weights.answer::<true>(scratch, inputs, logits)
}

impl Weights {
    #[inline(always)]
    fn answer<const FUSED: bool>(
        &self,
        scratch: &mut Scratch,
        Inputs { features, globals, moves }: Inputs<'_>,
        logits: &mut [f32],
    ) -> Value {
        scratch.factors.clear();
        for (global, &value) in
            globals[..self.used_globals].iter().enumerate().filter(|(_, value)| **value != 0.0)
        {
            let factor = integer(value, (1 << GLOBAL_BITS) as f32, f32::from(i16::MAX));
            scratch.factors.push((global, factor));
        }
        let active = self.wide(features.set(), &scratch.factors, &mut scratch.active);
        self.dense::<FUSED>(&scratch.active[..active], &mut scratch.dense);
        let (hidden, query) = scratch.dense.split_at_mut(scratch.hidden.len());
        let scale = 4.0 / (self.size as f32).sqrt();
        for (integer, value) in scratch.query.iter_mut().zip(query) {
            *integer = self::integer(*value * scale, QUERY, self.most_query);
        }
        for (index, logit) in moves.iter().zip(logits) {
            *logit = self.logit(&scratch.query, features.rows(index));
        }
        hidden.iter_mut().for_each(|unit| *unit = relu(*unit));
        self.hidden.apply(hidden, &mut scratch.hidden);
        scratch.hidden.iter_mut().for_each(|unit| *unit = relu(*unit));
        let mut output = [0.0; 4];
        self.output.apply(&scratch.hidden, &mut output);
        value_of(output)
    }

    /// Writes the units of the wide layer with activations above 0 to `active`. Returns their
    /// number. `active` needs one entry more than there are units.
    #[inline(always)]
    fn wide(&self, set: &[u32], factors: &[(usize, i16)], active: &mut [(u32, f32)]) -> usize {
        let mut count = 0;
        let blocks = self.width / BLOCK;
        let bits = self.bits.as_chunks::<HALF>().0;
        let [of_globals, bias] = [&self.globals, &self.bias].map(|all| all.as_chunks::<BLOCK>().0);
        // Products with globals are rounded down, by half a unit on average.
        let rounding = factors.len() as i16 / 2;
        for (block, bias) in bias.iter().enumerate() {
            let mut sums = bias.map(|bias| bias.saturating_add(rounding));
            for set in set.chunks(SUMMED) {
                // These sums stay in registers. Adding whole words takes half as many instructions
                // as adding bytes that are extended to 16 bits.
                let (mut words, mut upper) = ([0u16; HALF], [0u16; HALF]);
                for &feature in set {
                    let row = &bits[feature as usize * blocks + block];
                    for lane in 0..HALF {
                        words[lane] = words[lane].wrapping_add(row[lane]);
                        upper[lane] += row[lane] >> 8;
                    }
                }
                let offset = OFFSET as u16 * set.len() as u16;
                for lane in 0..HALF {
                    let lower = words[lane].wrapping_sub(upper[lane] << 8);
                    let [first, second] = [lower, upper[lane]].map(|sum| sum.wrapping_sub(offset) as i16);
                    sums[lane] = sums[lane].saturating_add(first);
                    sums[HALF + lane] = sums[HALF + lane].saturating_add(second);
                }
            }
            for &(global, factor) in factors {
                let row = &of_globals[global * blocks + block];
                for lane in 0..BLOCK {
                    let product = (i32::from(row[lane]) * i32::from(factor)) >> 16;
                    sums[lane] = sums[lane].saturating_add(product as i16);
                }
            }
            for sum in &mut sums {
                let clamped = (*sum).clamp(0, 127) as u16;
                *sum = ((clamped * clamped) >> ACTIVATION_SHIFT) as i16;
            }
            // Without branches, because the processor cannot predict which units are active.
            for (unit, &sum) in (block * BLOCK..).zip(&sums) {
                active[count] = (unit as u32, f32::from(sum));
                count += usize::from(sum > 0);
            }
        }
        count
    }

    /// Overwrites `out` with the outputs of the dense layers.
    #[inline(always)]
    fn dense<const FUSED: bool>(&self, active: &[(u32, f32)], out: &mut [f32]) {
        let blocks = out.len().div_ceil(OUTPUTS);
        let rows = self.dense.as_chunks::<OUTPUTS>().0;
        for (block, (out, bias)) in out.chunks_mut(OUTPUTS).zip(self.dense_bias.chunks(OUTPUTS)).enumerate() {
            // Integers below 2^24, so that each sum is exact, with a fused product or without.
            let mut sums = [0.0; OUTPUTS];
            for &(unit, activation) in active {
                let row = &rows[unit as usize * blocks + block];
                for lane in 0..OUTPUTS {
                    sums[lane] = match FUSED {
                        true => activation.mul_add(row[lane], sums[lane]),
                        false => activation * row[lane] + sums[lane],
                    };
                }
            }
            for ((out, sum), bias) in out.iter_mut().zip(sums).zip(bias) {
                *out = sum * self.dense_scale + bias;
            }
        }
    }

    /// Returns the logit of a move with these rows in the tables.
    #[inline(always)]
    fn logit(&self, query: &[i16], rows: [usize; TABLES]) -> f32 {
        let mut row = 0;
        let rows = rows.map(|number| {
            let first = self.first_row[row];
            row += 1;
            first + number
        });
        let vectors = rows.map(|row| self.moves[row * self.size..][..self.size].as_chunks::<CHUNK>().0);
        let mut sums = [0; CHUNK];
        for (chunk, query) in query.as_chunks::<CHUNK>().0.iter().enumerate() {
            let mut vector = [0i16; CHUNK];
            for table in vectors {
                for lane in 0..CHUNK {
                    vector[lane] += i16::from(table[chunk][lane]);
                }
            }
            for lane in 0..CHUNK {
                sums[lane] += i32::from(query[lane]) * i32::from(vector[lane]);
            }
        }
        let sum: i32 = sums.iter().sum();
        let bias: f32 = rows.iter().map(|&row| self.move_bias[row]).sum();
        sum as f32 * (1.0 / (QUERY * ONE)) + bias
    }
}
