//! Packed layers of the tower, and its forward pass.

use super::gemm::{Packed, ROWS, Rows};
use super::lanes::{Aligned, Lanes};
use super::transform::{Geometry, Lines, POINTS, filter, join, split};
use crate::fold::{Convolution, Dense, Folded};
use half::bf16;

/// Approximate number of tiles per pass. With more tiles, weights are read less often. With fewer
/// tiles, more data stays in the cache.
const TILES: usize = 24;

/// Weights and sizes of the tower. Its numbers of channels are rounded up to a multiple of two
/// vectors. The additional channels are always zero.
pub(super) struct Plan {
    /// Division of a board with the input planes into tiles. `board` is the division of a board
    /// with the tower's channels.
    input: Geometry,
    board: Geometry,
    planes: usize,
    channels: usize,
    globals: Dense,
    /// 3x3 convolutions in order: the input layer, then two for each block.
    layers: Vec<Layer>,
    head: Packed,
    head_bias: Vec<f32>,
    /// Maximum number of boards per pass.
    pub(super) rows: usize,
}

/// Convolution with a 3x3 kernel. It has one weight matrix for each of the 36 points of a tile.
struct Layer {
    weights: Vec<Packed>,
    bias: Vec<f32>,
    /// Dense layer of the global pooling. It converts the pooled output of this layer to a term of
    /// the next layer's bias. `None` without pooling.
    pool: Option<Dense>,
}

/// Buffers for all boards of one forward pass.
pub(super) struct Scratch {
    /// Input planes of one board, with margins. `inside` is the output of a block's first
    /// convolution for one board.
    input: Aligned,
    inside: Aligned,
    /// Output of the input layer or of the last completed block, for every board and with margins.
    state: Aligned,
    /// Part of the current layer's bias that depends on the board, for every board.
    bias: Aligned,
    pooled: Vec<f32>,
    tiles: Aligned,
    products: Aligned,
    lines: Aligned,
    /// Copy of `state` without margins. `outputs` is the head's output, with channels rounded up.
    squares: Aligned,
    outputs: Aligned,
    features: Vec<f32>,
}

impl Plan {
    pub(super) fn new(folded: &Folded, planes: usize, lanes: usize) -> Plan {
        let size = folded.board.map(|size| size as usize);
        let round = |channels: usize| channels.next_multiple_of(2 * lanes);
        let [input, board] =
            [folded.input.inputs, folded.input.outputs].map(|c| Geometry::new(size, round(c)));
        let mut layers = vec![Layer::new(&folded.input, None, lanes)];
        for block in &folded.blocks {
            layers.push(Layer::new(&block.first, block.pool.as_ref(), lanes));
            layers.push(Layer::new(&block.second, None, lanes));
        }
        let head = &folded.head;
        // The number of boards must fill whole groups of `ROWS` tiles.
        let fill = (1..=ROWS).find(|rows| (rows * board.tiles).is_multiple_of(ROWS)).unwrap_or(ROWS);
        Plan {
            input,
            board,
            planes,
            channels: folded.input.outputs,
            globals: copy(&folded.globals),
            layers,
            head: pack(head, lanes, |output, input| head.weight[output * head.inputs + input]),
            head_bias: head.bias.clone(),
            rows: fill * (TILES / (fill * board.tiles)).max(1),
        }
    }

    /// Computes the head features of boards. `Tower::forward` defines the shapes of the parameters
    /// and the result.
    #[inline(always)]
    pub(super) fn run<'a, const N: usize, const FUSED: bool>(
        &self,
        scratch: &'a mut Scratch,
        planes: &[bf16],
        globals: &[f32],
    ) -> &'a [f32] {
        let rows = planes.len() / (self.planes * self.board.squares());
        assert!(rows <= self.rows, "{rows} boards at once, more than {}", self.rows);
        self.split_planes::<N, FUSED>(scratch, planes);
        for row in 0..rows {
            let globals = &globals[row * (globals.len() / rows)..][..globals.len() / rows];
            self.globals.apply(globals, &mut scratch.bias[row * self.board.channels..][..self.channels]);
        }
        for (index, layer) in self.layers.iter().enumerate() {
            let inputs = if index == 0 { self.input.channels } else { self.board.channels };
            layer.multiply::<N, FUSED>(
                &scratch.tiles,
                inputs,
                &mut scratch.products,
                rows * self.board.tiles,
            );
            for row in 0..rows {
                self.finish::<N, FUSED>(index, row, scratch);
            }
        }
        self.features::<N, FUSED>(scratch, rows)
    }

    /// Converts the input planes of all boards to tiles.
    #[inline(always)]
    fn split_planes<const N: usize, const FUSED: bool>(&self, scratch: &mut Scratch, planes: &[bf16]) {
        let Scratch { input: board, tiles, lines, .. } = scratch;
        let tiles = tiles.chunks_exact_mut(self.input.tiles_len());
        for (planes, tiles) in planes.chunks_exact(self.planes * self.input.squares()).zip(tiles) {
            let mut squares = planes.chunks_exact(self.planes);
            for rank in self.input.ranks() {
                for (square, planes) in board[rank].chunks_exact_mut(self.input.channels).zip(&mut squares) {
                    for (value, plane) in square.iter_mut().zip(planes) {
                        *value = f32::from_bits(u32::from(plane.to_bits()) << 16);
                    }
                }
            }
            split::<N, FUSED>(&self.input, board, tiles, lines_of(lines));
        }
    }

    /// Completes layer `index` for the board `row`. Transforms the products back to the board, and
    /// splits the result into tiles for the next layer.
    #[inline(always)]
    fn finish<const N: usize, const FUSED: bool>(&self, index: usize, row: usize, scratch: &mut Scratch) {
        let Plan { board, layers, .. } = self;
        let layer = &layers[index];
        let lines = lines_of(&mut scratch.lines);
        let products = &scratch.products[row * board.tiles_len()..];
        let state = &mut scratch.state[row * board.board_len()..][..board.board_len()];
        // `bias` holds the contribution of the global inputs or of the pooling.
        let bias = &mut scratch.bias[row * board.channels..][..board.channels];
        let is_first_of_block = index % 2 == 1;
        if is_first_of_block {
            join::<N, FUSED, false>(board, products, &layer.bias, &mut scratch.inside, lines);
            match &layer.pool {
                None => bias.fill(0.0),
                Some(dense) => {
                    pool::<N, FUSED>(board, &scratch.inside, &mut scratch.pooled, self.channels);
                    dense.apply(&scratch.pooled[..2 * self.channels], &mut bias[..self.channels]);
                }
            }
        } else {
            bias.iter_mut().zip(&layer.bias).for_each(|(sum, bias)| *sum += bias);
            if index == 0 {
                join::<N, FUSED, false>(board, products, bias, state, lines);
            } else {
                join::<N, FUSED, true>(board, products, bias, state, lines);
            }
        }
        if index + 1 < layers.len() {
            let source = if is_first_of_block { &scratch.inside } else { &*state };
            split::<N, FUSED>(board, source, &mut scratch.tiles[row * board.tiles_len()..], lines);
        }
    }

    /// Applies the head's 1x1 convolution to the final state of the first `rows` boards. Returns
    /// the features in the shape (rows, squares, head channels).
    #[inline(always)]
    fn features<'a, const N: usize, const FUSED: bool>(
        &self,
        scratch: &'a mut Scratch,
        rows: usize,
    ) -> &'a [f32] {
        let Scratch { state, squares, outputs, features, .. } = scratch;
        let (channels, count) = (self.board.channels, rows * self.board.squares());
        let boards = squares.chunks_exact_mut(self.board.squares() * channels);
        for (state, mut board) in state.chunks_exact(self.board.board_len()).zip(boards).take(rows) {
            for rank in self.board.ranks() {
                let (here, rest) = board.split_at_mut(rank.len());
                here.copy_from_slice(&state[rank]);
                board = rest;
            }
        }
        let (wanted, width) = (self.head_bias.len(), self.head_bias.len().next_multiple_of(2 * N));
        let (left, out) =
            (Rows { values: &**squares, step: channels }, Rows { values: &mut **outputs, step: width });
        self.head.multiply::<N, FUSED>(left, out, count);
        let features = &mut features[..count * wanted];
        for (features, outputs) in features.chunks_exact_mut(wanted).zip(outputs.chunks_exact(width)) {
            for ((feature, output), bias) in features.iter_mut().zip(outputs).zip(&self.head_bias) {
                *feature = output + bias;
            }
        }
        features
    }
}

impl Layer {
    fn new(conv: &Convolution, pool: Option<&Dense>, lanes: usize) -> Layer {
        let filters: Vec<[f32; POINTS]> = conv.weight.chunks_exact(9).map(filter).collect();
        let weights = (0..POINTS)
            .map(|point| pack(conv, lanes, |output, input| filters[output * conv.inputs + input][point]));
        let mut bias = conv.bias.clone();
        bias.resize(conv.outputs.next_multiple_of(2 * lanes), 0.0);
        Layer { weights: weights.collect(), bias, pool: pool.map(copy) }
    }

    /// Multiplies tiles and weights at each of the 36 points of a tile: `products = tiles *
    /// weights`. `count` is the number of tiles.
    #[inline(always)]
    fn multiply<const N: usize, const FUSED: bool>(
        &self,
        tiles: &[f32],
        inputs: usize,
        products: &mut [f32],
        count: usize,
    ) {
        let outputs = self.bias.len();
        for (point, weights) in self.weights.iter().enumerate() {
            let tiles = Rows { values: &tiles[point * inputs..], step: POINTS * inputs };
            let products = Rows { values: &mut products[point * outputs..], step: POINTS * outputs };
            weights.multiply::<N, FUSED>(tiles, products, count);
        }
    }
}

impl Scratch {
    pub(super) fn new(plan: &Plan) -> Scratch {
        let Plan { input, board, rows, .. } = plan;
        let tiles = (rows * board.tiles).next_multiple_of(ROWS) * POINTS;
        let squares = (rows * board.squares()).next_multiple_of(ROWS);
        let width = plan.head_bias.len();
        Scratch {
            input: Aligned::zeros(input.board_len()),
            inside: Aligned::zeros(board.board_len()),
            state: Aligned::zeros(rows * board.board_len()),
            bias: Aligned::zeros(rows * board.channels),
            pooled: vec![0.0; plan.channels + board.channels],
            tiles: Aligned::zeros(tiles * input.channels.max(board.channels)),
            products: Aligned::zeros(tiles * board.channels),
            lines: Aligned::zeros(POINTS * MOST_LANES),
            squares: Aligned::zeros(squares * board.channels),
            outputs: Aligned::zeros(squares * width.next_multiple_of(2 * MOST_LANES)),
            features: vec![0.0; rows * board.squares() * width],
        }
    }
}

/// Number of lanes of the widest vectors.
const MOST_LANES: usize = 16;

#[inline(always)]
#[allow(clippy::expect_used)]
fn lines_of<const N: usize>(lines: &mut Aligned) -> &mut Lines<N> {
    let lines = lines.as_chunks_mut::<N>().0.as_chunks_mut().0.first_chunk_mut();
    lines.expect("room for the widest vectors")
}

/// Writes the mean and the maximum of each channel over the squares of a board to `pooled`: first
/// all means, then all maxima. The values must not be negative, which holds after a ReLU.
#[inline(always)]
fn pool<const N: usize, const FUSED: bool>(
    geometry: &Geometry,
    board: &[f32],
    pooled: &mut [f32],
    channels: usize,
) {
    let vectors = geometry.channels / N;
    let share = 1.0 / geometry.squares() as f32;
    // Both are written in whole vectors, so the maximum overwrites the zeros behind the mean.
    for (is_max, out) in [(false, 0), (true, channels)] {
        for (vector, out) in pooled[out..].as_chunks_mut::<N>().0.iter_mut().take(vectors).enumerate() {
            let mut sum = Lanes::<N, FUSED>::ZERO;
            for rank in geometry.ranks() {
                for square in board[rank].as_chunks::<N>().0.chunks_exact(vectors) {
                    let value = Lanes(square[vector]);
                    sum = if is_max { sum.max(value) } else { sum + value };
                }
            }
            *out = if is_max { sum.0 } else { sum.mul_add(share, Lanes::ZERO).0 };
        }
    }
}

/// Packs the weights `at(output, input)` of a convolution for one point of a tile. Inputs and
/// outputs are padded with zeros to whole pairs of vectors.
fn pack(conv: &Convolution, lanes: usize, at: impl Fn(usize, usize) -> f32) -> Packed {
    let [inputs, outputs] = [conv.inputs, conv.outputs].map(|channels| channels.next_multiple_of(2 * lanes));
    Packed::new(inputs, outputs, lanes, |input, output| {
        if input < conv.inputs && output < conv.outputs { at(output, input) } else { 0.0 }
    })
}

fn copy(dense: &Dense) -> Dense {
    Dense { weight: dense.weight.clone(), bias: dense.bias.clone() }
}
