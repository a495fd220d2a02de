//! Where a network runs on a CPU: in plain Rust, or in libtorch but for the heads. For other devices see [`crate::queue`].

use crate::device::Device;
use crate::fold::{fold, input_channels};
use crate::heads::Heads;
use crate::memory::{Scalar, values_mut};
use crate::tower::Tower;
use crate::winograd::{self, Vectors};
use crate::{EvaluatorSettings, Network, NetworkError};
use catapult_encoding::{Layout, PolicyIndex};
use catapult_mcts::Value;
use half::bf16;
use std::marker::PhantomData;
use tch::Tensor;

/// A network on a CPU.
pub(crate) trait Backend: Send {
    /// Puts a position's input into a row.
    fn set_row(&mut self, row: usize, planes: &[bf16], globals: &[f32]);

    /// Evaluates the first `counts.len()` rows; `counts` says how many of the moves belong to each.
    fn answer(
        &mut self,
        moves: &[PolicyIndex],
        counts: &[usize],
        logits: &mut [f32],
        values: &mut [Value],
    ) -> Result<(), NetworkError>;
}

/// What runs a network as the settings say.
pub(crate) fn backend(network: &Network, settings: &EvaluatorSettings) -> Box<dyn Backend> {
    if settings.in_rust() {
        return Box::new(RustBackend::new(network, settings));
    }
    match settings.precision.is_bf16(settings.device) {
        true => Box::new(CpuBackend::<bf16>::new(network, settings)),
        false => Box::new(CpuBackend::<f32>::new(network, settings)),
    }
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
struct CpuBackend<T> {
    boards: Boards<T>,
    tower: Tower,
    heads: Heads,
}

impl<T: Scalar> CpuBackend<T> {
    fn new(network: &Network, settings: &EvaluatorSettings) -> CpuBackend<T> {
        let Network { architecture, layout, parameters, .. } = network;
        CpuBackend {
            boards: Boards::new(layout, settings.max_batch),
            tower: tch::no_grad(|| Tower::new(fold(architecture, layout, parameters), T::KIND)),
            heads: Heads::new(architecture, parameters),
        }
    }
}

impl<T: Scalar> Backend for CpuBackend<T> {
    fn set_row(&mut self, row: usize, planes: &[bf16], globals: &[f32]) {
        self.boards.set_row(row, planes, globals);
    }

    fn answer(
        &mut self,
        moves: &[PolicyIndex],
        counts: &[usize],
        logits: &mut [f32],
        values: &mut [Value],
    ) -> Result<(), NetworkError> {
        let (boards, globals) = self.boards.rows(counts.len());
        let mut features = tch::no_grad(|| self.tower.forward::<T>(&boards, globals))?;
        self.heads.answer_rows(values_mut::<T>(&mut features), moves, counts, logits, values);
        Ok(())
    }
}

/// Everything in plain Rust.
struct RustBackend {
    tower: winograd::Tower,
    heads: Heads,
    /// `[rows, squares, planes]`, and the global inputs of each row.
    planes: Vec<bf16>,
    globals: Vec<f32>,
    layout: Layout,
}

impl RustBackend {
    fn new(network: &Network, settings: &EvaluatorSettings) -> RustBackend {
        let Network { architecture, layout, parameters, .. } = network;
        let folded = fold(architecture, layout, parameters);
        RustBackend {
            tower: winograd::Tower::new(&folded, layout.planes, Vectors::best()),
            heads: Heads::new(architecture, parameters),
            planes: vec![bf16::ZERO; settings.max_batch * layout.squares() * layout.planes],
            globals: vec![0.0; settings.max_batch * layout.globals],
            layout: *layout,
        }
    }
}

impl Backend for RustBackend {
    fn set_row(&mut self, row: usize, planes: &[bf16], globals: &[f32]) {
        self.planes[row * planes.len()..][..planes.len()].copy_from_slice(planes);
        self.globals[row * globals.len()..][..globals.len()].copy_from_slice(globals);
    }

    fn answer(
        &mut self,
        moves: &[PolicyIndex],
        counts: &[usize],
        logits: &mut [f32],
        values: &mut [Value],
    ) -> Result<(), NetworkError> {
        let at_once = self.tower.rows();
        let (planes, globals) = (self.layout.squares() * self.layout.planes, self.layout.globals);
        let mut begin = 0;
        for (part, (counts, values)) in counts.chunks(at_once).zip(values.chunks_mut(at_once)).enumerate() {
            let rows = part * at_once..part * at_once + counts.len();
            let planes = &self.planes[rows.start * planes..rows.end * planes];
            let features =
                self.tower.forward(planes, &self.globals[rows.start * globals..rows.end * globals]);
            let range = begin..begin + counts.iter().sum::<usize>();
            begin = range.end;
            self.heads.answer_rows(features, &moves[range.clone()], counts, &mut logits[range], values);
        }
        Ok(())
    }
}
