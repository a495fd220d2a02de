//! Answers searches with a network.

use crate::device::{self, Device};
use crate::fold::{fold, input_channels};
use crate::heads::{Heads, value_of};
use crate::memory::{Scalar, values_mut};
use crate::tower::Tower;
use crate::{Network, NetworkError};
use catapult_encoding::{Encode, Layout, PolicyIndex};
use catapult_mcts::{Batch, EvaluationError, Evaluator, Value};
use half::bf16;
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;
use std::time::Instant;
use tch::{Kind, Tensor};

/// The number format of a network's tower.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// bfloat16 where the device computes with it, else `f32`.
    #[default]
    Auto,
    /// bfloat16, on a CPU without it emulated and slow.
    Bf16,
    /// `f32`.
    F32,
}

impl Precision {
    /// Whether it comes down to bfloat16 on a device.
    pub fn is_bf16(self, device: Device) -> bool {
        match self {
            Precision::Auto => device.is_cuda() || (device == Device::Cpu && device::cpu_has_bf16()),
            Precision::Bf16 => true,
            Precision::F32 => false,
        }
    }
}

/// Where and how an evaluator runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EvaluatorSettings {
    /// The device.
    pub device: Device,
    /// The tower's number format.
    pub precision: Precision,
    /// Positions evaluated at once; larger batches are evaluated in parts.
    pub max_batch: usize,
    /// Threads for one evaluation on a CPU. Self-play and matches run many games on one thread each: 1.
    pub threads: usize,
}

impl Default for EvaluatorSettings {
    fn default() -> Self {
        EvaluatorSettings { device: Device::Cpu, precision: Precision::Auto, max_batch: 128, threads: 1 }
    }
}

impl EvaluatorSettings {
    /// The best settings for a device: large batches where they are parallel.
    pub fn on(device: Device) -> EvaluatorSettings {
        let max_batch = if device == Device::Cpu { 128 } else { 4096 };
        EvaluatorSettings { device, max_batch, ..EvaluatorSettings::default() }
    }
}

/// A network as an [`Evaluator`]. On a CPU an answer depends on nothing but the leaf, bit for bit; on other devices
/// libtorch does not promise that.
pub struct NetworkEvaluator<P> {
    backend: Box<dyn Backend>,
    layout: Layout,
    settings: EvaluatorSettings,
    planes: Vec<bf16>,
    globals: Vec<f32>,
    moves: Vec<PolicyIndex>,
    counts: Vec<usize>,
    logits: Vec<f32>,
    game: PhantomData<fn(P)>,
}

impl<P: Encode> NetworkEvaluator<P> {
    /// Prepares a network to run; refuses one of another layout.
    pub fn new(network: &Network, settings: EvaluatorSettings) -> Result<NetworkEvaluator<P>, NetworkError> {
        let layout = P::LAYOUT;
        if network.layout != layout {
            let (found, wanted) = (network.layout.name, layout.name);
            let reason = format!("a network for the layout {found:?} cannot play {wanted:?}");
            return Err(NetworkError::BadArchitecture(reason));
        }
        if settings.max_batch == 0 {
            return Err(NetworkError::BadArchitecture("max_batch = 0: it must be at least 1".to_string()));
        }
        device::use_threads(settings.threads);
        Ok(Self::with_backend(backend(network, &settings), settings))
    }

    fn with_backend(backend: Box<dyn Backend>, settings: EvaluatorSettings) -> NetworkEvaluator<P> {
        let layout = P::LAYOUT;
        NetworkEvaluator {
            backend,
            layout,
            settings,
            planes: vec![bf16::ZERO; layout.squares() * layout.planes],
            globals: vec![0.0; layout.globals],
            moves: Vec::new(),
            counts: Vec::new(),
            logits: Vec::new(),
            game: PhantomData,
        }
    }
}

/// The evaluator for other devices, for tests on a CPU.
#[cfg(test)]
pub(crate) fn torch_evaluator<P: Encode>(
    network: &Network,
    settings: EvaluatorSettings,
) -> NetworkEvaluator<P> {
    NetworkEvaluator::with_backend(Box::new(TorchBackend::<f32>::new(network, &settings)), settings)
}

impl<P: Encode> Evaluator<P> for NetworkEvaluator<P> {
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
        device::use_threads(self.settings.threads);
        batch.logits.resize(batch.moves.len(), 0.0);
        batch.values.resize(batch.leaves.len(), Value::default());
        let mut values = batch.values.chunks_mut(self.settings.max_batch);
        for leaves in batch.leaves.chunks(self.settings.max_batch) {
            self.moves.clear();
            self.counts.clear();
            for (row, leaf) in leaves.iter().enumerate() {
                leaf.position.encode(leaf.repetitions, false, &mut self.planes, &mut self.globals);
                self.backend.set_row(row, &self.planes, &self.globals);
                let moves = &batch.moves[leaf.range()];
                self.counts.push(moves.len());
                self.moves.extend(moves.iter().map(|&mv| leaf.position.policy_index(mv, false)));
            }
            if let Some(index) = self.moves.iter().find(|index| !fits(index, &self.layout)) {
                return Err(EvaluationError(format!(
                    "{index:?} lies outside the layout {:?}",
                    self.layout.name
                )));
            }
            self.logits.resize(self.moves.len(), 0.0);
            // `values` has as many parts as there are parts of `leaves`.
            let values = values.next().unwrap_or_default();
            let answered = self.backend.answer(&self.moves, &self.counts, &mut self.logits, values);
            answered.map_err(|error| EvaluationError(error.to_string()))?;
            let mut begin = 0;
            for leaf in leaves {
                let logits = &mut batch.logits[leaf.range()];
                logits.copy_from_slice(&self.logits[begin..begin + logits.len()]);
                begin += logits.len();
            }
        }
        Ok(())
    }
}

fn fits(index: &PolicyIndex, layout: &Layout) -> bool {
    (index.plane as usize) < layout.policy_planes
        && (index.square as usize) < layout.squares()
        && (index.to as usize) < layout.squares()
}

/// A network on a device.
trait Backend: Send {
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

fn backend(network: &Network, settings: &EvaluatorSettings) -> Box<dyn Backend> {
    let bf16 = settings.precision.is_bf16(settings.device);
    match (settings.device, bf16) {
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

/// Everything in libtorch; only the logits of the legal moves and the values come back from the device.
struct TorchBackend<T> {
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
    fn new(network: &Network, settings: &EvaluatorSettings) -> TorchBackend<T> {
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

/// Evaluations a second of the bare network: the folded tower on one resident batch of noise, its outputs copied out,
/// nothing encoded and nothing answered. The limit that self-play is measured against. Runs for about `seconds`.
pub fn raw_evaluations(
    network: &Network,
    settings: EvaluatorSettings,
    batch: usize,
    seconds: f64,
) -> Result<f64, NetworkError> {
    if settings.precision.is_bf16(settings.device) {
        raw::<bf16>(network, settings, batch, seconds)
    } else {
        raw::<f32>(network, settings, batch, seconds)
    }
}

fn raw<T: Scalar>(
    network: &Network,
    settings: EvaluatorSettings,
    batch: usize,
    seconds: f64,
) -> Result<f64, NetworkError> {
    device::use_threads(settings.threads);
    let Network { architecture, layout, parameters, .. } = network;
    let on_cpu = settings.device == Device::Cpu;
    let folded = fold(architecture, layout, parameters);
    tch::no_grad(|| {
        let tower = Tower::new(folded, T::KIND, settings.device, on_cpu);
        let size = [batch.max(1), layout.ranks, layout.files, input_channels(layout)].map(|size| size as i64);
        let boards = Tensor::rand(size, (Kind::Float, settings.device)).to_kind(T::KIND);
        let globals = vec![0.5; batch.max(1) * layout.globals];
        let mut outputs =
            vec![T::narrow(0.0); batch.max(1) * layout.squares() * architecture.head_channels()];
        let mut run = || -> Result<(), NetworkError> {
            let mut features = tower.forward::<T>(&boards, &globals)?.f_to_device(Device::Cpu)?;
            outputs.copy_from_slice(values_mut(&mut features));
            Ok(())
        };
        // The first calls compile and pack.
        for _ in 0..5 {
            run()?;
        }
        let start = Instant::now();
        let mut runs = 0;
        while start.elapsed().as_secs_f64() < seconds {
            run()?;
            runs += 1;
        }
        Ok((runs * batch.max(1)) as f64 / start.elapsed().as_secs_f64())
    })
}
