//! Packed layers of the tower, and its forward pass.

use super::gemm::{Packed, ROWS, Rows};
use super::lanes::{Aligned, Lanes};
use super::transform::{Affine, Geometry, MOST, POINTS, TRANSFORMED, filter, join, split};
use crate::fold::{Convolution, Dense, Folded};
use half::bf16;

/// Approximate number of tiles per pass. With more tiles, weights are read less often. With fewer
/// tiles, more data stays in the cache.
const TILES: usize = 24;

/// Largest integer of the head's inputs.
const MOST_HEAD: f32 = 4095.0;

/// Weights and sizes of the tower. Its numbers of channels are rounded up to a multiple of two
/// vectors. The additional channels are always zero.
pub(super) struct Plan {
    /// Division of a board with the input planes into tiles. `board` is the division of a board
    /// with the tower's channels.
    input: Geometry,
    board: Geometry,
    planes: usize,
    /// Largest integer of the input planes.
    most_plane: f32,
    channels: usize,
    globals: Dense,
    /// 3x3 convolutions in order: the input layer, then two for each block.
    layers: Vec<Layer>,
    head: Packed,
    head_scale: Vec<f32>,
    head_bias: Vec<f32>,
    /// Maximum number of boards per pass.
    pub(super) rows: usize,
}

/// Convolution with a 3x3 kernel. It has one weight matrix for each of the 36 points of a tile.
struct Layer {
    weights: Vec<Packed>,
    /// Scale of each output's sums, for inputs that are not scaled.
    scale: Vec<f32>,
    bias: Vec<f32>,
    /// Dense layer of the global pooling. It converts the pooled output of this layer to a term of
    /// the next layer's bias. `None` without pooling.
    pool: Option<Dense>,
}

/// Buffers for all boards of one forward pass.
pub(super) struct Scratch {
    /// Integers of one board with the input planes, and of one with the tower's channels, with
    /// margins.
    input: Aligned<i16>,
    integers: Aligned<i16>,
    /// Output of a block's first convolution for one board.
    inside: Aligned<f32>,
    /// Output of the input layer or of the last completed block, for every board and with margins.
    state: Aligned<f32>,
    /// Result of [`join`] for the last layer, for every board.
    largest: Vec<f32>,
    /// Scale of the integers in `tiles`, for every board.
    scales: Vec<f32>,
    /// Scale of the sums of the current layer, or of the head, on one board.
    scale: Aligned<f32>,
    /// Part of the current layer's bias that depends on the board, for every board.
    bias: Aligned<f32>,
    pooled: Vec<f32>,
    tiles: Aligned<i16>,
    products: Aligned<i32>,
    /// Integers of one board's final state without margins. `outputs` is the head's output on it,
    /// with channels rounded up.
    squares: Aligned<i16>,
    outputs: Aligned<i32>,
    /// Head features of every board.
    features: Vec<f32>,
}

impl Plan {
    pub(super) fn new(folded: &Folded, planes: usize, lanes: usize) -> Plan {
        let size = folded.board.map(|size| size as usize);
        let round = |channels: usize| channels.next_multiple_of(2 * lanes);
        let [input, board] =
            [folded.input.inputs, folded.input.outputs].map(|c| Geometry::new(size, round(c)));
        // Exact, because all planes are 0 or 1, except one with `rank / (ranks - 1)`.
        let most_plane = (size[0] - 1).max(1) as f32;
        let mut layers = vec![Layer::new(&folded.input, most_plane, None, lanes)];
        for block in &folded.blocks {
            layers.push(Layer::new(&block.first, MOST, block.pool.as_ref(), lanes));
            layers.push(Layer::new(&block.second, MOST, None, lanes));
        }
        let head = &folded.head;
        let at = |output: usize, input: usize| head.weight[output * head.inputs + input];
        let head_scale = scales(head, lanes, MOST_HEAD, &[at]);
        // The number of boards must fill whole groups of `ROWS` tiles.
        let fill = (1..=ROWS).find(|rows| (rows * board.tiles).is_multiple_of(ROWS)).unwrap_or(ROWS);
        Plan {
            input,
            board,
            planes,
            most_plane,
            channels: folded.input.outputs,
            globals: folded.globals.clone(),
            layers,
            head: pack(head, lanes, &head_scale, at),
            head_scale,
            head_bias: head.bias.clone(),
            rows: fill * (TILES / (fill * board.tiles)).max(1),
        }
    }

    /// Computes the head features of boards. `Tower::forward` defines the shapes of the parameters
    /// and the result, and `gemm` the values of `DOT`.
    #[inline(always)]
    pub(super) fn run<'a, const N: usize, const WORDS: usize, const DOT: u8>(
        &self,
        scratch: &'a mut Scratch,
        planes: &[bf16],
        globals: &[f32],
    ) -> &'a [f32] {
        let rows = planes.len() / (self.planes * self.board.squares());
        assert!(rows <= self.rows, "{rows} boards at once, more than {}", self.rows);
        self.split_planes::<WORDS>(scratch, planes);
        for row in 0..rows {
            let globals = &globals[row * (globals.len() / rows)..][..globals.len() / rows];
            self.globals.apply(globals, &mut scratch.bias[row * self.board.channels..][..self.channels]);
        }
        for (index, layer) in self.layers.iter().enumerate() {
            let inputs = if index == 0 { self.input.channels } else { self.board.channels };
            layer.multiply::<N, DOT>(&scratch.tiles, inputs, &mut scratch.products, rows * self.board.tiles);
            for row in 0..rows {
                self.finish::<N, WORDS>(index, row, scratch);
            }
        }
        self.features::<N, DOT>(scratch, rows)
    }

    /// Converts the input planes of all boards to tiles.
    #[inline(always)]
    fn split_planes<const WORDS: usize>(&self, scratch: &mut Scratch, planes: &[bf16]) {
        let Scratch { input: board, tiles, scales, .. } = scratch;
        scales.fill(1.0 / self.most_plane);
        let tiles = tiles.chunks_exact_mut(self.input.tiles_len());
        for (planes, tiles) in planes.chunks_exact(self.planes * self.input.squares()).zip(tiles) {
            let mut squares = planes.chunks_exact(self.planes);
            for rank in self.input.ranks() {
                for (square, planes) in board[rank].chunks_exact_mut(self.input.channels).zip(&mut squares) {
                    for (value, plane) in square.iter_mut().zip(planes) {
                        let plane = f32::from_bits(u32::from(plane.to_bits()) << 16);
                        *value = rounded(plane.clamp(0.0, 1.0) * self.most_plane);
                    }
                }
            }
            split::<WORDS>(&self.input, board, tiles);
        }
    }

    /// Completes layer `index` for the board `row`. Transforms the products back to the board, and
    /// splits the result into tiles for the next layer.
    #[inline(always)]
    fn finish<const N: usize, const WORDS: usize>(&self, index: usize, row: usize, scratch: &mut Scratch) {
        let Plan { board, layers, .. } = self;
        let layer = &layers[index];
        let products = &scratch.products[row * board.tiles_len()..];
        let state = &mut scratch.state[row * board.board_len()..][..board.board_len()];
        // `bias` holds the contribution of the global inputs or of the pooling.
        let bias = &mut scratch.bias[row * board.channels..][..board.channels];
        for (scale, of_layer) in scratch.scale.iter_mut().zip(&layer.scale) {
            *scale = of_layer * scratch.scales[row];
        }
        let is_first_of_block = index % 2 == 1;
        let largest = if is_first_of_block {
            let affine = Affine { scale: &scratch.scale, bias: &layer.bias };
            let largest = join::<N, false>(board, products, affine, &mut scratch.inside);
            match &layer.pool {
                None => bias.fill(0.0),
                Some(dense) => {
                    pool::<N>(board, &scratch.inside, &mut scratch.pooled, self.channels);
                    dense.apply(&scratch.pooled[..2 * self.channels], &mut bias[..self.channels]);
                }
            }
            largest
        } else {
            bias.iter_mut().zip(&layer.bias).for_each(|(sum, bias)| *sum += bias);
            let affine = Affine { scale: &scratch.scale, bias };
            match index {
                0 => join::<N, false>(board, products, affine, state),
                _ => join::<N, true>(board, products, affine, state),
            }
        };
        scratch.largest[row] = largest;
        if index + 1 < layers.len() {
            let source = if is_first_of_block { &scratch.inside } else { &*state };
            for rank in board.ranks() {
                to_integers(&source[rank.clone()], largest, MOST, &mut scratch.integers[rank]);
            }
            scratch.scales[row] = largest / MOST;
            let tiles = &mut scratch.tiles[row * board.tiles_len()..];
            split::<WORDS>(board, &scratch.integers, tiles);
        }
    }

    /// Applies the head's 1x1 convolution to the final state of the first `rows` boards. Returns
    /// the features in the shape (rows, squares, head channels).
    #[inline(always)]
    fn features<'a, const N: usize, const DOT: u8>(
        &self,
        scratch: &'a mut Scratch,
        rows: usize,
    ) -> &'a [f32] {
        let Scratch { state, largest, squares, scale, outputs, features, .. } = scratch;
        let (channels, count) = (self.board.channels, self.board.squares());
        let (wanted, width) = (self.head_bias.len(), self.head_scale.len());
        let features = &mut features[..rows * count * wanted];
        let states = state.chunks_exact(self.board.board_len()).zip(&*largest);
        for ((state, &largest), features) in states.zip(features.chunks_exact_mut(count * wanted)) {
            let mut rest = &mut squares[..];
            for rank in self.board.ranks() {
                let (integers, after) = rest.split_at_mut(rank.len());
                to_integers(&state[rank], largest, MOST_HEAD, integers);
                rest = after;
            }
            let left = Rows { values: &**squares, step: channels };
            self.head.multiply::<N, DOT>(left, Rows { values: &mut **outputs, step: width }, count);
            for (scale, weight) in scale.iter_mut().zip(&self.head_scale) {
                *scale = weight * (largest / MOST_HEAD);
            }
            for (features, outputs) in features.chunks_exact_mut(wanted).zip(outputs.chunks_exact(width)) {
                let affine = scale.iter().zip(&self.head_bias);
                for ((feature, &output), (scale, bias)) in features.iter_mut().zip(outputs).zip(affine) {
                    *feature = output as f32 * scale + bias;
                }
            }
        }
        features
    }
}

impl Layer {
    /// Packs a convolution for inputs of at most `most`.
    fn new(conv: &Convolution, most: f32, pool: Option<&Dense>, lanes: usize) -> Layer {
        let filters: Vec<[f32; POINTS]> = conv.weight.chunks_exact(9).map(filter).collect();
        let at = |point: usize| {
            let filters = &filters;
            move |output: usize, input: usize| filters[output * conv.inputs + input][point]
        };
        let scale = scales(conv, lanes, TRANSFORMED * most, &(0..POINTS).map(at).collect::<Vec<_>>());
        let weights = (0..POINTS).map(|point| pack(conv, lanes, &scale, at(point)));
        let mut bias = conv.bias.clone();
        bias.resize(scale.len(), 0.0);
        Layer {
            weights: weights.collect(),
            bias,
            // The transforms multiply by 16.
            scale: scale.iter().map(|scale| scale / 16.0).collect(),
            pool: pool.cloned(),
        }
    }

    /// Multiplies tiles and weights at each of the 36 points of a tile: `products = tiles *
    /// weights`. `count` is the number of tiles.
    #[inline(always)]
    fn multiply<const N: usize, const DOT: u8>(
        &self,
        tiles: &[i16],
        inputs: usize,
        products: &mut [i32],
        count: usize,
    ) {
        let outputs = self.bias.len();
        for (point, weights) in self.weights.iter().enumerate() {
            let tiles = Rows { values: &tiles[point * inputs..], step: POINTS * inputs };
            let products = Rows { values: &mut products[point * outputs..], step: POINTS * outputs };
            weights.multiply::<N, DOT>(tiles, products, count);
        }
    }
}

impl Scratch {
    pub(super) fn new(plan: &Plan) -> Scratch {
        let Plan { input, board, rows, .. } = plan;
        let tiles = (rows * board.tiles).next_multiple_of(ROWS) * POINTS;
        let squares = board.squares().next_multiple_of(ROWS);
        Scratch {
            input: Aligned::zeros(input.board_len()),
            integers: Aligned::zeros(board.board_len()),
            inside: Aligned::zeros(board.board_len()),
            state: Aligned::zeros(rows * board.board_len()),
            largest: vec![0.0; *rows],
            scales: vec![0.0; *rows],
            scale: Aligned::zeros(board.channels.max(plan.head_scale.len())),
            bias: Aligned::zeros(rows * board.channels),
            pooled: vec![0.0; plan.channels + board.channels],
            tiles: Aligned::zeros(tiles * input.channels.max(board.channels)),
            products: Aligned::zeros(tiles * board.channels),
            squares: Aligned::zeros(squares * board.channels),
            outputs: Aligned::zeros(squares * plan.head_scale.len()),
            features: vec![0.0; rows * board.squares() * plan.head_bias.len()],
        }
    }
}

/// Rounds a number from 0 to 32767 to the nearest integer.
#[inline(always)]
fn rounded(value: f32) -> i16 {
    // Adding 1.5 * 2^23 rounds and leaves the integer in the low bits.
    (value + 12_582_912.0).to_bits() as i16
}

/// Converts values from 0 to `largest` to integers from 0 to `most`.
#[inline(always)]
fn to_integers(values: &[f32], largest: f32, most: f32, integers: &mut [i16]) {
    let factor = most / largest;
    for (integer, &value) in integers.iter_mut().zip(values) {
        *integer = rounded(value * factor);
    }
}

/// Writes the mean and the maximum of each channel over the squares of a board to `pooled`: first
/// all means, then all maxima. The values must not be negative, which holds after a ReLU.
#[inline(always)]
fn pool<const N: usize>(geometry: &Geometry, board: &[f32], pooled: &mut [f32], channels: usize) {
    let vectors = geometry.channels / N;
    let share = 1.0 / geometry.squares() as f32;
    // Both are written in whole vectors, so the maximum overwrites the zeros behind the mean.
    for (is_max, out) in [(false, 0), (true, channels)] {
        for (vector, out) in pooled[out..].as_chunks_mut::<N>().0.iter_mut().take(vectors).enumerate() {
            let mut sum = Lanes::<f32, N>::ZERO;
            for rank in geometry.ranks() {
                for square in board[rank].as_chunks::<N>().0.chunks_exact(vectors) {
                    let value = Lanes(square[vector]);
                    sum = if is_max { sum.max(value) } else { sum + value };
                }
            }
            *out = if is_max { sum.0 } else { sum.times(share).0 };
        }
    }
}

/// Returns the value of one step of each output's weights. `parts` are the matrices that share the
/// steps, as functions of output and input. The weights fit 16 bits, and for inputs of at most
/// `most` all sums of products fit 32 bits.
fn scales(conv: &Convolution, lanes: usize, most: f32, parts: &[impl Fn(usize, usize) -> f32]) -> Vec<f32> {
    let of = |output: usize| {
        let weights = |part: usize| (0..conv.inputs).map(move |input| parts[part](output, input).abs());
        let largest = (0..parts.len()).flat_map(weights).fold(0f32, f32::max);
        let sum = (0..parts.len()).map(|part| weights(part).sum::<f32>()).fold(0f32, f32::max);
        // Rounding adds at most 1/2 to each weight.
        let room = i32::MAX as f32 / most - conv.inputs as f32;
        (sum / room).max(largest / i16::MAX as f32).max(1e-30)
    };
    let used = (0..conv.outputs).map(of);
    let width = conv.outputs.next_multiple_of(2 * lanes);
    used.chain(std::iter::repeat(0.0)).take(width).collect()
}

/// Packs the weights `at(output, input)` of a convolution for one point of a tile, in steps of
/// `scales`. Inputs and outputs are padded with zeros to whole pairs of vectors.
fn pack(conv: &Convolution, lanes: usize, scales: &[f32], at: impl Fn(usize, usize) -> f32) -> Packed {
    Packed::new(conv.inputs.next_multiple_of(2 * lanes), scales.len(), lanes, |input, output| {
        let is_used = input < conv.inputs && output < conv.outputs;
        if is_used { (at(output, input) / scales[output]).round_ties_even() as i16 } else { 0 }
    })
}
