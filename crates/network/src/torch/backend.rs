//! A network on a CPU with its tower in libtorch. For other devices see [`crate::torch::queue`].

use crate::torch::memory::{Scalar, values_mut};
use crate::torch::tower::Tower;
use crate::{EvaluatorSettings, Network, NetworkError};
use catapult_encoding::{Layout, PolicyIndex};
use catapult_mcts::{EvaluationError, Value};
use catapult_model::{Backend, Heads, fold, input_channels};
use half::bf16;
use std::marker::PhantomData;
use tch::{Device, Tensor};

/// What runs a network's tower in libtorch on a CPU.
pub(crate) fn backend(
    network: &Network,
    settings: &EvaluatorSettings,
) -> Result<Box<dyn Backend>, NetworkError> {
    Ok(match settings.precision.is_bf16(settings.device) {
        true => Box::new(LibtorchBackend::<bf16>::new(network, settings)),
        false => Box::new(LibtorchBackend::<f32>::new(network, settings)),
    })
}

/// Input boards `[rows, ranks, files, channels]` in one reused tensor in the CPU's memory, and global inputs.
struct Boards<T> {
    tensor: Tensor,
    globals: Vec<f32>,
    layout: Layout,
    number: PhantomData<T>,
}

impl<T: Scalar> Boards<T> {
    fn new(layout: &Layout, rows: usize) -> Boards<T> {
        let size = [rows, layout.ranks, layout.files, input_channels(layout)].map(|size| size as i64);
        Boards {
            tensor: Tensor::zeros(size, (T::KIND, Device::Cpu)),
            globals: vec![0.0; rows * layout.globals],
            layout: *layout,
            number: PhantomData,
        }
    }

    fn set_row(&mut self, row: usize, planes: &[bf16], globals: &[f32]) {
        let channels = input_channels(&self.layout);
        let len = self.layout.squares() * channels;
        let board = &mut values_mut::<T>(&mut self.tensor)[row * len..][..len];
        for (square, planes) in board.chunks_exact_mut(channels).zip(planes.chunks_exact(self.layout.planes))
        {
            T::from_bf16(planes, &mut square[..planes.len()]);
        }
        self.globals[row * globals.len()..][..globals.len()].copy_from_slice(globals);
    }

    /// The first rows.
    fn rows(&self, rows: usize) -> (Tensor, &[f32]) {
        (self.tensor.narrow(0, 0, rows as i64), &self.globals[..rows * self.layout.globals])
    }
}

/// The tower in libtorch, everything small in plain Rust.
struct LibtorchBackend<T> {
    boards: Boards<T>,
    tower: Tower,
    heads: Heads,
}

impl<T: Scalar> LibtorchBackend<T> {
    fn new(network: &Network, settings: &EvaluatorSettings) -> LibtorchBackend<T> {
        LibtorchBackend {
            boards: Boards::new(&network.layout, settings.max_batch),
            tower: tch::no_grad(|| Tower::new(fold(network), T::KIND)),
            heads: Heads::new(network),
        }
    }
}

impl<T: Scalar> Backend for LibtorchBackend<T> {
    fn set_row(&mut self, row: usize, planes: &[bf16], globals: &[f32]) {
        self.boards.set_row(row, planes, globals);
    }

    fn answer(
        &mut self,
        moves: &[PolicyIndex],
        counts: &[usize],
        logits: &mut [f32],
        values: &mut [Value],
    ) -> Result<(), EvaluationError> {
        let (boards, globals) = self.boards.rows(counts.len());
        let features = tch::no_grad(|| self.tower.forward::<T>(&boards, globals));
        let mut features = features.map_err(|error| EvaluationError(error.to_string()))?;
        self.heads.answer_rows(values_mut::<T>(&mut features), moves, counts, logits, values);
        Ok(())
    }
}
