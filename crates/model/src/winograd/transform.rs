//! Conversion between boards and tiles by the transforms of Winograd's F(4x4, 3x3).
//!
//! The first five rows of `G` are multiplied by 4 and the columns of `Aᵀ` divided by as much, so
//! that the weights of all points are about equally large. A factor of 16 remains and belongs to
//! the scale of the sums.

use super::lanes::Lanes;
use std::array::from_fn;
use std::ops::Range;

/// Height and width of a tile's output, in squares.
const OUT: usize = 4;
/// Height and width of a tile's input, in squares.
const IN: usize = OUT + 2;

/// Number of products per tile and pair of channels: one for each square of the tile's input.
pub(super) const POINTS: usize = IN * IN;

/// Division of a board into tiles.
///
/// In memory, a board has a margin of zeros on each side. Before the board, the margin is one
/// square wide. After the board, it extends to one square beyond the last whole tile. The channels
/// of a square are adjacent.
#[derive(Clone, Copy)]
pub(super) struct Geometry {
    ranks: usize,
    files: usize,
    /// Number of tiles in a row of tiles.
    across: usize,
    pub tiles: usize,
    pub channels: usize,
}

impl Geometry {
    /// Divides a board with these numbers of ranks and files into tiles. `channels` must be a
    /// multiple of the vector width.
    pub(super) fn new([ranks, files]: [usize; 2], channels: usize) -> Geometry {
        let across = files.div_ceil(OUT);
        Geometry { ranks, files, across, tiles: ranks.div_ceil(OUT) * across, channels }
    }

    pub(super) fn squares(&self) -> usize {
        self.ranks * self.files
    }

    /// Returns the number of values of a board in memory, including its margin.
    pub(super) fn board_len(&self) -> usize {
        (self.tiles / self.across * OUT + 2) * self.pitch() * self.channels
    }

    /// Returns the number of values of all transformed tiles of a board.
    pub(super) fn tiles_len(&self) -> usize {
        self.tiles * POINTS * self.channels
    }

    /// Returns for each rank of the board the index range of its values in memory, without the
    /// margin.
    pub(super) fn ranks(&self) -> impl Iterator<Item = Range<usize>> {
        let Geometry { files, channels, .. } = *self;
        let pitch = self.pitch();
        (1..=self.ranks)
            .map(move |rank| (rank * pitch + 1) * channels)
            .map(move |at| at..at + files * channels)
    }

    /// Returns the distance in memory between the starts of two ranks, in squares.
    fn pitch(&self) -> usize {
        self.across * OUT + 2
    }

    /// Returns the rank and the file of a tile's first output square, from 0.
    fn corner(&self, tile: usize) -> [usize; 2] {
        [tile / self.across * OUT, tile % self.across * OUT]
    }
}

/// Tile between the transform of its columns and the transform of its rows. No vector spans two
/// cache lines.
#[repr(align(64))]
struct Lines<T, const N: usize>([[[T; N]; IN]; IN]);

/// Largest quotient of a number in `Bᵀ d B` and the largest in `d`, if no number in `d` is
/// negative.
pub(super) const TRANSFORMED: f32 = 68.0;

/// Largest number on a board of integers. Its transform fits 16 bits.
pub(super) const MOST: f32 = 480.0;

/// Transforms a board of integers from 0 to [`MOST`] into tiles and overwrites `tiles`, in the
/// shape (tiles, POINTS, channels).
#[inline(always)]
pub(super) fn split<const N: usize>(geometry: &Geometry, board: &[i16], tiles: &mut [i16]) {
    let Lines(lines) = &mut Lines([[[0; N]; IN]; IN]);
    let vectors = geometry.channels / N;
    let rank = geometry.pitch() * vectors;
    let board = board.as_chunks::<N>().0;
    let tiles = tiles.as_chunks_mut::<N>().0.chunks_exact_mut(POINTS * vectors);
    for (tile, points) in tiles.take(geometry.tiles).enumerate() {
        let [first_rank, first_file] = geometry.corner(tile);
        let row = |row: usize| &board[(first_rank + row) * rank + first_file * vectors..][..IN * vectors];
        let rows = [row(0), row(1), row(2), row(3), row(4), row(5)];
        for vector in 0..vectors {
            for file in 0..IN {
                let at = |row: usize| Lanes(rows[row][file * vectors + vector]);
                let column = before([at(0), at(1), at(2), at(3), at(4), at(5)]);
                for (line, value) in lines.iter_mut().zip(column) {
                    line[file] = value.0;
                }
            }
            let mut slots = points[vector..].chunks_mut(vectors);
            for line in lines.iter() {
                for (value, slot) in before(line.map(Lanes)).into_iter().zip(&mut slots) {
                    slot[0] = value.0;
                }
            }
        }
    }
}

/// Smallest result of [`join`], so that quotients by it are finite. Boards with values this small
/// do not matter.
const LEAST: f32 = 1e-30;

/// Scale and bias of each channel.
#[derive(Clone, Copy)]
pub(super) struct Affine<'a> {
    pub scale: &'a [f32],
    pub bias: &'a [f32],
}

/// Transforms tiles back into a board: `board = relu(inverse(tiles) * scale + bias)`. If `RESIDUAL`
/// is true, it is `board = relu(board + inverse(tiles) * scale + bias)`. Returns the largest value,
/// but at least [`LEAST`].
#[inline(always)]
pub(super) fn join<const N: usize, const RESIDUAL: bool>(
    geometry: &Geometry,
    tiles: &[i32],
    affine: Affine<'_>,
    board: &mut [f32],
) -> f32 {
    let lines = &mut Lines([[[0.0; N]; IN]; IN]);
    let mut largest = Lanes::ZERO;
    let vectors = geometry.channels / N;
    let rank = geometry.pitch() * vectors;
    let board = board.as_chunks_mut::<N>().0;
    let tiles = tiles.as_chunks::<N>().0.chunks_exact(POINTS * vectors);
    for (tile, points) in tiles.take(geometry.tiles).enumerate() {
        let [first_rank, first_file] = geometry.corner(tile);
        let size = [geometry.ranks - first_rank, geometry.files - first_file];
        let board = &mut board[(first_rank + 1) * rank + (first_file + 1) * vectors..];
        // The common case of whole tiles is compiled separately.
        if size.iter().all(|&squares| squares >= OUT) {
            join_tile::<N, RESIDUAL>(points, affine, board, rank, [OUT; 2], lines, &mut largest);
        } else {
            join_tile::<N, RESIDUAL>(points, affine, board, rank, size, lines, &mut largest);
        }
    }
    largest.0.into_iter().fold(LEAST, |a, b| if b > a { b } else { a })
}

/// Transforms one tile back into the board. Only the first `ranks` by `files` squares of the tile's
/// output are on the board. Raises `largest` to the largest values written.
#[inline(always)]
fn join_tile<const N: usize, const RESIDUAL: bool>(
    points: &[[i32; N]],
    affine: Affine<'_>,
    board: &mut [[f32; N]],
    rank: usize,
    [ranks, files]: [usize; 2],
    Lines(lines): &mut Lines<f32, N>,
    largest: &mut Lanes<f32, N>,
) {
    let (scales, biases) = (affine.scale.as_chunks::<N>().0, affine.bias.as_chunks::<N>().0);
    let vectors = biases.len();
    for (vector, (scale, bias)) in scales.iter().zip(biases).enumerate() {
        for file in 0..IN {
            let at = |row: usize| Lanes::of(&points[(row * IN + file) * vectors + vector]);
            let column = after([at(0), at(1), at(2), at(3), at(4), at(5)]);
            for (line, value) in lines.iter_mut().zip(column) {
                line[file] = value.0;
            }
        }
        for (row, line) in lines.iter().take(OUT).enumerate() {
            if row < ranks {
                for (file, value) in after(line.map(Lanes)).into_iter().enumerate() {
                    if file < files {
                        let square = &mut board[row * rank + file * vectors + vector];
                        let sum = value.times_each(Lanes(*scale)) + Lanes(*bias);
                        let value = if RESIDUAL { sum + Lanes(*square) } else { sum }.relu();
                        *largest = largest.max(value);
                        *square = value.0;
                    }
                }
            }
        }
    }
}

/// Returns `Bᵀ d`, the input transform of one line of six values.
#[inline(always)]
fn before<const N: usize>(d: [Lanes<i16, N>; IN]) -> [Lanes<i16, N>; IN] {
    let (near_even, near_odd) = (d[4] - d[2].shifted(2), d[3] - d[1].shifted(2));
    let (far_even, far_odd) = (d[4] - d[2], (d[3] - d[1]).shifted(1));
    [
        (d[0] - d[2]).shifted(2) + far_even,
        near_even + near_odd,
        near_even - near_odd,
        far_even + far_odd,
        far_even - far_odd,
        (d[1] - d[3]).shifted(2) + (d[5] - d[3]),
    ]
}

/// Returns 4 times `Aᵀ m`, the inverse transform of one line of six values.
#[inline(always)]
fn after<const N: usize>(m: [Lanes<f32, N>; IN]) -> [Lanes<f32, N>; OUT] {
    let (near_even, near_odd) = (m[1] + m[2], m[1] - m[2]);
    let (far_even, far_odd) = (m[3] + m[4], m[3] - m[4]);
    [
        m[0] + near_even + far_even,
        far_odd.times(2.0) + near_odd,
        far_even.times(4.0) + near_even,
        far_odd.times(8.0) + (m[5].times(4.0) + near_odd),
    ]
}

/// Returns `G g Gᵀ`, the transform of the 3x3 filter `weights`.
pub(super) fn filter(weights: &[f32]) -> [f32; POINTS] {
    const G: [[f64; 3]; IN] = [
        [1.0, 0.0, 0.0],
        [-2.0 / 3.0, -2.0 / 3.0, -2.0 / 3.0],
        [-2.0 / 3.0, 2.0 / 3.0, -2.0 / 3.0],
        [1.0 / 6.0, 1.0 / 3.0, 2.0 / 3.0],
        [1.0 / 6.0, -1.0 / 3.0, 2.0 / 3.0],
        [0.0, 0.0, 1.0],
    ];
    from_fn(|point| {
        let (row, column) = (G[point / IN], G[point % IN]);
        let taps = weights.iter().enumerate();
        taps.map(|(tap, &weight)| row[tap / 3] * column[tap % 3] * f64::from(weight)).sum::<f64>() as f32
    })
}
