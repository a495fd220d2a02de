//! Inputs of a batch in the CPU's memory, before they are copied to the device. They are one block,
//! which many threads write and one operation copies. A row is one position, and `padded` is the
//! number of rows. The block has these sections:
//!
//! | section | content | bytes |
//! |---|---|---|
//! | globals | global inputs of each row, `f32` | `padded * globals * 4` |
//! | rows | row of each move, `i32` | `moves * 4` |
//! | codes | `from + to * 2^8 + plane * 2^16` of each move, `i32` | `moves * 4` |
//! | bits | one bit per channel for each square of each row, 1 if the plane is not 0 | `padded * squares * channels / 8` |

use crate::torch::memory::values_mut;
use crate::{EvaluatorSettings, NetworkError};
use catapult_encoding::{Encode, Layout, PolicyIndex};
use catapult_mcts::{Batch, Leaf};
use catapult_model::{ModelError, fits, input_channels};
use half::bf16;
use rayon::prelude::*;
use tch::{Device, Kind, Tensor};

/// Number of leaves that one task on a thread encodes.
const LEAVES_PER_JOB: usize = 64;

/// Numbers of rows and moves in a batch. A row is one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Shape {
    pub rows: usize,
    /// Number of rows that the device computes, at least `rows`. It is rounded up to one of a few
    /// values, because libtorch plans convolutions anew for each value.
    pub padded: usize,
    pub moves: usize,
}

impl Shape {
    pub(super) fn new(rows: usize, moves: usize, settings: &EvaluatorSettings) -> Shape {
        let most = settings.max_batch;
        let step = if !settings.device.is_cuda() { 1 } else { (most / 32).max(1) };
        let padded = rows / most * most + (rows % most).next_multiple_of(step).min(most);
        Shape { rows, padded, moves }
    }

    /// Returns the number of bytes in each section, in order.
    fn sections(&self, layout: &Layout) -> [usize; 4] {
        let bits = layout.squares() * input_channels(layout) / 8;
        [self.padded * layout.globals * 4, self.moves * 4, self.moves * 4, self.padded * bits]
    }
}

/// Block of memory for a batch's inputs on the CPU. If possible, it is page-locked, so that copies
/// to a CUDA device are faster.
pub(super) struct Arena {
    bytes: Tensor,
    layout: Layout,
    device: Device,
}

/// Inputs of a batch as tensors on the device.
pub(super) struct Inputs {
    /// Global inputs, `f32`: `[padded, globals]`.
    pub globals: Tensor,
    /// Index of the row to which each move belongs, `i32`: `[moves]`.
    pub rows: Tensor,
    /// Code of each move (`from + to * 2^8 + plane * 2^16`), `i32`: `[moves]`.
    pub codes: Tensor,
    /// Bits of the input planes, one per channel, `u8`: `[padded, squares, channels / 8]`.
    pub bits: Tensor,
}

/// Task of encoding some leaves, with the memory for the encoded inputs.
struct Job<'a, P> {
    batch: &'a Batch<P>,
    leaves: &'a [Leaf<P>],
    first_row: usize,
    globals: &'a mut [u8],
    rows: &'a mut [u8],
    codes: &'a mut [u8],
    bits: &'a mut [u8],
}

impl Arena {
    pub(super) fn new(layout: Layout, device: Device) -> Arena {
        Arena { bytes: Tensor::zeros([0], (Kind::Uint8, Device::Cpu)), layout, device }
    }

    /// Returns the sections of the block for a batch of this shape: global inputs, rows of moves,
    /// codes of moves, bits. Their content is arbitrary. The block grows if it is too small.
    pub(super) fn sections(&mut self, shape: &Shape) -> [&mut [u8]; 4] {
        let sizes = shape.sections(&self.layout);
        let needed: usize = sizes.iter().sum();
        if self.bytes.numel() < needed {
            let plain = Tensor::zeros([(needed + needed / 2) as i64], (Kind::Uint8, Device::Cpu));
            let locked = if self.device.is_cuda() { plain.f_pin_memory(self.device).ok() } else { None };
            // Without page-locked memory copies take longer. Nothing else changes.
            self.bytes = locked.unwrap_or(plain);
        }
        let mut rest = &mut values_mut::<u8>(&mut self.bytes)[..needed];
        sizes.map(|size| cut(&mut rest, size))
    }

    /// Encodes the leaves of all batches into the block, in order, on all threads of the current
    /// rayon pool.
    pub(super) fn encode<P: Encode>(
        &mut self,
        batches: &[&Batch<P>],
        shape: &Shape,
    ) -> Result<(), NetworkError> {
        let layout = self.layout;
        let (row_globals, row_bits) = (layout.globals * 4, layout.squares() * input_channels(&layout) / 8);
        let [mut globals, mut rows, mut codes, mut bits] = self.sections(shape);
        let mut jobs = Vec::new();
        let mut first_row = 0;
        for batch in batches {
            for leaves in batch.leaves.chunks(LEAVES_PER_JOB) {
                let moves: usize = leaves.iter().map(|leaf| usize::from(leaf.move_count)).sum();
                jobs.push(Job {
                    batch,
                    leaves,
                    first_row,
                    globals: cut(&mut globals, leaves.len() * row_globals),
                    rows: cut(&mut rows, moves * 4),
                    codes: cut(&mut codes, moves * 4),
                    bits: cut(&mut bits, leaves.len() * row_bits),
                });
                first_row += leaves.len();
            }
        }
        // The device also computes the padding rows.
        globals.fill(0);
        bits.fill(0);
        let scratch = || (vec![bf16::ZERO; layout.squares() * layout.planes], vec![0f32; layout.globals]);
        jobs.into_par_iter()
            .try_for_each_init(scratch, |(planes, globals), job| job.write(&layout, planes, globals))
    }

    /// Copies the inputs of a batch to the device, in one operation. Does not wait for the copy.
    pub(super) fn upload(&self, shape: &Shape) -> Result<Inputs, NetworkError> {
        let sizes = shape.sections(&self.layout);
        let used = self.bytes.f_narrow(0, 0, sizes.iter().sum::<usize>() as i64)?;
        let used = used.f_to_device_(self.device, Kind::Uint8, true, false)?;
        let mut begin = 0;
        let mut section = |size: usize, kind: Kind| {
            let section = used.f_narrow(0, begin, size as i64)?;
            begin += size as i64;
            section.f_view_dtype(kind)
        };
        let [globals, rows, codes, bits] = sizes;
        let padded = shape.padded as i64;
        let squares = self.layout.squares() as i64;
        Ok(Inputs {
            globals: section(globals, Kind::Float)?.f_view([padded, self.layout.globals as i64])?,
            rows: section(rows, Kind::Int)?,
            codes: section(codes, Kind::Int)?,
            bits: section(bits, Kind::Uint8)?.f_view([
                padded,
                squares,
                input_channels(&self.layout) as i64 / 8,
            ])?,
        })
    }
}

impl<P: Encode> Job<'_, P> {
    fn write(self, layout: &Layout, planes: &mut [bf16], globals: &mut [f32]) -> Result<(), NetworkError> {
        let bytes_a_square = input_channels(layout) / 8;
        let (bytes_a_row, globals_a_row) = (layout.squares() * bytes_a_square, 4 * globals.len());
        let mut moves = self.rows.as_chunks_mut::<4>().0.iter_mut().zip(self.codes.as_chunks_mut::<4>().0);
        for (at, leaf) in self.leaves.iter().enumerate() {
            leaf.position.encode(leaf.repetitions, false, planes, globals);
            let room = &mut self.globals[at * globals_a_row..][..globals_a_row];
            let rooms = room.as_chunks_mut::<4>().0.iter_mut();
            rooms.zip(&*globals).for_each(|(room, value)| *room = value.to_ne_bytes());
            let room = &mut self.bits[at * bytes_a_row..][..bytes_a_row];
            let squares = planes.chunks_exact(layout.planes).zip(room.chunks_exact_mut(bytes_a_square));
            squares.for_each(|(planes, room)| write_bits(planes, room));
            for (&mv, (row_room, code_room)) in self.batch.moves[leaf.range()].iter().zip(&mut moves) {
                let index = leaf.position.policy_index(mv, false);
                let code = code(&index, layout)?;
                *row_room = ((self.first_row + at) as i32).to_ne_bytes();
                *code_room = code.to_ne_bytes();
            }
        }
        Ok(())
    }
}

/// Removes the first `size` bytes from `rest` and returns them.
///
/// # Panics
/// If `rest` has fewer bytes.
fn cut<'a>(rest: &mut &'a mut [u8], size: usize) -> &'a mut [u8] {
    let (first, after) = std::mem::take(rest).split_at_mut(size);
    *rest = after;
    first
}

/// Writes one bit per plane into `room`: 1 if the plane is not 0. The first plane is the lowest bit
/// of the first byte. Unused bits are 0.
fn write_bits(planes: &[bf16], room: &mut [u8]) {
    let bytes = planes.chunks(8).map(|planes| {
        planes.iter().enumerate().fold(0, |byte, (bit, plane)| byte | u8::from(plane.to_bits() != 0) << bit)
    });
    room.iter_mut().zip(bytes.chain(std::iter::repeat(0))).for_each(|(room, byte)| *room = byte);
}

/// Packs the policy index of a move into one number: `from + to * 2^8 + plane * 2^16`.
///
/// # Errors
/// The index is outside the layout.
pub(super) fn code(index: &PolicyIndex, layout: &Layout) -> Result<i32, NetworkError> {
    if !fits(index, layout) {
        let reason = format!("{index:?} lies outside the layout {:?}", layout.name);
        return Err(ModelError::BadArchitecture(reason).into());
    }
    Ok(i32::from(index.square) | i32::from(index.to) << 8 | i32::from(index.plane) << 16)
}
