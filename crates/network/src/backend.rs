//! Where a network runs: in plain Rust, in libtorch but for the heads, or all in libtorch.

use crate::device::Device;
use crate::fold::{fold, input_channels};
use crate::heads::{Heads, value_of};
use crate::memory::{Scalar, values_mut};
use crate::tower::Tower;
use crate::winograd::{self, Vectors};
use crate::{EvaluatorSettings, Network, NetworkError};
use catapult_encoding::{Layout, PolicyIndex};
use catapult_mcts::Value;
use half::bf16;
use std::marker::PhantomData;
use tch::{Kind, Tensor};

/// A network on a device.
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
    match (settings.device, settings.precision.is_bf16(settings.device)) {
        (Device::Cpu, true) => Box::new(CpuBackend::<bf16>::new(network, settings)),
        (Device::Cpu, false) => Box::new(CpuBackend::<f32>::new(network, settings)),
        (_, true) => Box::new(TorchBackend::<bf16>::new(network, settings)),
        (_, false) => Box::new(TorchBackend::<f32>::new(network, settings)),
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
    features_per_row: usize,
}

impl<T: Scalar> CpuBackend<T> {
    fn new(network: &Network, settings: &EvaluatorSettings) -> CpuBackend<T> {
        let Network { architecture, layout, parameters, .. } = network;
        CpuBackend {
            boards: Boards::new(layout, settings.max_batch),
            tower: tch::no_grad(|| {
                Tower::new(fold(architecture, layout, parameters), T::KIND, Device::Cpu, true)
            }),
            heads: Heads::new(architecture, parameters),
            features_per_row: layout.squares() * architecture.head_channels(),
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
        let rows = values_mut::<T>(&mut features).chunks_exact(self.features_per_row);
        let mut begin = 0;
        for ((features, &count), value) in rows.zip(counts).zip(values) {
            let range = begin..begin + count;
            begin = range.end;
            *value = self.heads.answer(features, &moves[range.clone()], &mut logits[range]);
        }
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
    features_per_row: usize,
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
            features_per_row: layout.squares() * architecture.head_channels(),
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
            let rows = features.chunks_exact(self.features_per_row);
            for ((features, &count), value) in rows.zip(counts).zip(values) {
                let range = begin..begin + count;
                begin = range.end;
                *value = self.heads.answer(features, &moves[range.clone()], &mut logits[range]);
            }
        }
        Ok(())
    }
}

/// Everything in libtorch; only the logits of the legal moves and the values come back from the device.
pub(crate) struct TorchBackend<T> {
    boards: Boards<T>,
    tower: Tower,
    device: Device,
    /// Features a square: policy, keys, value, queries.
    split: [i64; 4],
    /// For each policy plane the weights of the origin's and of the destination's features.
    from: Tensor,
    to: Tensor,
    bias: Tensor,
    hidden: [Tensor; 2],
    output: [Tensor; 2],
}

impl<T: Scalar> TorchBackend<T> {
    pub fn new(network: &Network, settings: &EvaluatorSettings) -> TorchBackend<T> {
        let Network { architecture, layout, parameters, .. } = network;
        let device = settings.device;
        let tensor = |name: &str| {
            let spec = parameters.specs().iter().find(|spec| spec.name == name);
            let shape: Vec<i64> =
                spec.map(|spec| spec.shape.iter().map(|&size| size as i64).collect()).unwrap_or_default();
            Tensor::from_slice(parameters.get(name)).view(&shape[..]).to_device(device)
        };
        let [policy, attention, value] =
            [architecture.policy_channels, architecture.attention_channels, architecture.value_channels]
                .map(|channels| channels as i64);
        TorchBackend {
            boards: Boards::new(layout, settings.max_batch),
            tower: tch::no_grad(|| {
                Tower::new(fold(architecture, layout, parameters), T::KIND, device, false)
            }),
            device,
            split: [policy, attention, value, attention],
            from: tensor("policy.from.weight"),
            to: tensor("policy.to.weight"),
            bias: tensor("policy.bias"),
            hidden: [tensor("value.hidden.weight"), tensor("value.hidden.bias")],
            output: [tensor("value.output.weight"), tensor("value.output.bias")],
        }
    }

    /// Logits of the moves, and the value head's outputs `[rows, 4]`.
    fn forward(&self, moves: &[PolicyIndex], counts: &[usize]) -> Result<(Tensor, Tensor), NetworkError> {
        let (boards, globals) = self.boards.rows(counts.len());
        let features =
            self.tower.forward::<T>(&boards.f_to_device(self.device)?, globals)?.f_to_kind(Kind::Float)?;
        let rows = counts.len() as i64;
        let parts =
            features.f_view([rows, -1, self.split.iter().sum()])?.f_split_with_sizes(self.split, 2)?;
        let [policy, keys, values, queries] = &parts[..] else { unreachable!("it is split into four") };

        let values = values.relu();
        let pooled =
            Tensor::f_cat(&[values.f_mean_dim(&[1i64][..], false, None)?, values.f_amax([1i64], false)?], 1)?;
        let hidden = pooled.f_linear(&self.hidden[0], Some(&self.hidden[1]))?.relu();
        let output = hidden.f_linear(&self.output[0], Some(&self.output[1]))?;

        let squares = self.boards.layout.squares() as i64;
        let row_of_move =
            counts.iter().enumerate().flat_map(|(row, &count)| std::iter::repeat_n(row as i64, count));
        let mut indices = [Vec::new(), Vec::new(), Vec::new()];
        for (index, row) in moves.iter().zip(row_of_move) {
            indices[0].push(row * squares + i64::from(index.square));
            indices[1].push(row * squares + i64::from(index.to));
            indices[2].push(i64::from(index.plane));
        }
        let [from, to, plane] = indices.map(|indices| Tensor::from_slice(&indices).to_device(self.device));
        let at = |features: &Tensor, index: &Tensor| {
            features.reshape([rows * squares, -1]).f_index_select(0, index)
        };
        let policy = policy.relu();
        let dot = |a: Tensor, b: Tensor| (a * b).sum_dim_intlist(&[1i64][..], false, None);
        let attention = dot(at(queries, &from)?, at(keys, &to)?);
        let logits = dot(at(&policy, &from)?, self.from.f_index_select(0, &plane)?)
            + dot(at(&policy, &to)?, self.to.f_index_select(0, &plane)?)
            + attention
            + self.bias.f_index_select(0, &plane)?;
        Ok((logits, output))
    }
}

impl<T: Scalar> Backend for TorchBackend<T> {
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
        let (move_logits, output) = tch::no_grad(|| self.forward(moves, counts))?;
        move_logits.f_copy_data(logits, moves.len())?;
        let mut outputs = vec![0f32; 4 * counts.len()];
        output.f_copy_data(&mut outputs, 4 * counts.len())?;
        for (value, output) in values.iter_mut().zip(outputs.as_chunks::<4>().0) {
            *value = value_of(*output);
        }
        Ok(())
    }
}
