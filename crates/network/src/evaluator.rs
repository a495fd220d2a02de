//! Answers searches with a network.

use crate::backend::backend;
use crate::device::{self, Device};
use crate::queue::DeviceQueue;
use crate::{Network, NetworkError, Times};
use catapult_encoding::Encode;
use catapult_mcts::{Batch, EvaluationError, Evaluator, QueuedEvaluator};
use catapult_model::winograd::Vectors;
use catapult_model::{CpuEvaluator, ModelError};
use serde::{Deserialize, Serialize};

/// The number format of a network's tower.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// bfloat16 where the device computes with it, else `f32`.
    #[default]
    Auto,
    /// bfloat16, on a CPU without it emulated and slow.
    Bf16,
    /// `f32`, on a CPU computed in plain Rust.
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
    /// libtorch's threads for one evaluation on a CPU. Self-play and matches run many games on one thread each: 1.
    pub threads: usize,
    /// Whether a tower in `f32` on a CPU runs in libtorch, and not in plain Rust: to compare the two.
    pub libtorch: bool,
    /// Whether a CPU evaluates as other devices do, everything in libtorch and in a queue: to try that way without such a device.
    pub as_device: bool,
    /// Whether CUDA's convolutions are fused with what follows them, where cuDNN can: to compare the two.
    pub fused: bool,
}

impl Default for EvaluatorSettings {
    fn default() -> Self {
        EvaluatorSettings {
            device: Device::Cpu,
            precision: Precision::Auto,
            max_batch: 128,
            threads: 1,
            libtorch: false,
            as_device: false,
            fused: true,
        }
    }
}

impl EvaluatorSettings {
    /// The best settings for a device: large batches where they are parallel.
    pub fn on(device: Device) -> EvaluatorSettings {
        let max_batch = if device == Device::Cpu { 128 } else { 4096 };
        EvaluatorSettings { device, max_batch, ..EvaluatorSettings::default() }
    }

    /// What computes the tower, in words.
    pub fn tower(&self) -> String {
        let number = if self.precision.is_bf16(self.device) { "bfloat16" } else { "f32" };
        match self.in_rust() {
            true => format!("{number} in plain Rust, {} vectors", Vectors::best().name()),
            false => format!("{number} in libtorch"),
        }
    }

    /// Whether the network runs on a device by itself, through a queue.
    pub(crate) fn queued(&self) -> bool {
        self.device != Device::Cpu || self.as_device
    }

    /// Whether the tower runs in plain Rust.
    pub(crate) fn in_rust(&self) -> bool {
        self.device == Device::Cpu
            && !self.precision.is_bf16(self.device)
            && !self.libtorch
            && !self.as_device
    }
}

/// A network as an [`Evaluator`]. On a CPU an answer depends on nothing but the leaf, bit for bit; on other devices
/// libtorch does not promise that.
pub struct NetworkEvaluator<P> {
    runner: Runner<P>,
    settings: EvaluatorSettings,
}

enum Runner<P> {
    Here(CpuEvaluator<P>),
    Device(Box<DeviceQueue>),
}

impl<P: Encode> NetworkEvaluator<P> {
    /// Prepares a network to run; refuses one of another layout.
    pub fn new(network: &Network, settings: EvaluatorSettings) -> Result<NetworkEvaluator<P>, NetworkError> {
        network.check_layout(&P::LAYOUT)?;
        if settings.max_batch == 0 {
            return Err(
                ModelError::BadArchitecture("max_batch = 0: it must be at least 1".to_string()).into()
            );
        }
        device::use_threads(settings.threads);
        let runner = if settings.queued() {
            Runner::Device(Box::new(DeviceQueue::new(network, &settings)))
        } else {
            Runner::Here(CpuEvaluator::new(backend(network, &settings), settings.max_batch))
        };
        Ok(NetworkEvaluator { runner, settings })
    }

    /// Where the time of a device's evaluations has gone since the last call; nothing on a CPU. Calls that are queued are not waited
    /// for, so what the device does shows as time to wait, unless [`NetworkEvaluator::time_stages`] is on.
    pub fn take_times(&mut self) -> Times {
        match &mut self.runner {
            Runner::Here(_) => Times::default(),
            Runner::Device(queue) => queue.take_times(),
        }
    }

    /// Waits for each stage of a device's evaluations from now on, which slows them down and gives each its own time.
    pub fn time_stages(&mut self, by_stage: bool) {
        if let Runner::Device(queue) = &mut self.runner {
            queue.time_stages(by_stage);
        }
    }

    /// Whether a device's convolutions are fused with what follows them.
    pub fn is_fused(&self) -> bool {
        matches!(&self.runner, Runner::Device(queue) if queue.is_fused())
    }
}

impl<P: Encode> Evaluator<P> for NetworkEvaluator<P> {
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
        device::use_threads(self.settings.threads);
        match &mut self.runner {
            Runner::Here(evaluator) => evaluator.evaluate(batch),
            Runner::Device(queue) => {
                queue.evaluate(batch).map_err(|error| EvaluationError(error.to_string()))
            }
        }
    }
}

impl<P: Encode> QueuedEvaluator<P> for NetworkEvaluator<P> {
    fn ask(&mut self, batches: &[&Batch<P>]) -> Result<(), EvaluationError> {
        match &mut self.runner {
            Runner::Here(_) => Ok(()),
            Runner::Device(queue) => queue.ask(batches).map_err(|error| EvaluationError(error.to_string())),
        }
    }

    fn answer(&mut self, batches: &mut [&mut Batch<P>]) -> Result<(), EvaluationError> {
        match &mut self.runner {
            Runner::Here(_) => batches.iter_mut().try_for_each(|batch| self.evaluate(batch)),
            Runner::Device(queue) => {
                queue.answer(batches).map_err(|error| EvaluationError(error.to_string()))
            }
        }
    }
}
