//! Answers searches with a network.

use crate::device::{self, Device};
use crate::libtorch::{self, DeviceQueue};
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
    /// What is fastest: a CPU plays in `f32`, and learns in bfloat16 where it computes with it; CUDA does all in bfloat16.
    #[default]
    Auto,
    /// bfloat16, on a CPU without it emulated and slow. A CPU only learns in it.
    Bf16,
    /// `f32`.
    F32,
}

impl Precision {
    /// Whether libtorch is to compute in bfloat16 on a device.
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
    /// Whether a CPU evaluates as other devices do, in libtorch and in a queue: to test that way without such a device.
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
        match self.queued() {
            false => format!("f32 in plain Rust, {} vectors", Vectors::best().name()),
            true if self.precision.is_bf16(self.device) => "bfloat16 in libtorch".to_owned(),
            true => "f32 in libtorch".to_owned(),
        }
    }

    /// What its answers' last bits depend on beside the network: machines that agree in this give equal games.
    pub fn arithmetic(&self) -> String {
        let device = match self.device {
            Device::Cpu => String::new(),
            Device::Cuda(_) => ", CUDA".to_owned(),
        };
        let libtorch = if self.queued() { libtorch::VERSION } else { "" };
        format!("{}{libtorch}{device}", self.tower())
    }

    /// Whether the network runs on a device by itself, in libtorch and through a queue.
    pub(crate) fn queued(&self) -> bool {
        self.device != Device::Cpu || self.as_device
    }

    /// Refuses what cannot be computed, and libtorch if this build lacks it.
    fn check(&self) -> Result<(), NetworkError> {
        let bad = |reason: &str| Err(ModelError::BadArchitecture(reason.to_owned()).into());
        if self.queued() && !cfg!(feature = "torch") {
            return Err(NetworkError::NoTorch(self.tower()));
        }
        if !self.queued() && self.precision == Precision::Bf16 {
            return bad("precision = bf16: a CPU evaluates in f32");
        }
        if self.max_batch == 0 {
            return bad("max_batch = 0: it must be at least 1");
        }
        Ok(())
    }
}

/// Where networks are computed, as users name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compute {
    /// `cpu`, `cuda`, `cuda:N`, or `auto`, which takes CUDA where it is.
    pub device: String,
}

impl Compute {
    /// The device of this name.
    pub fn on(device: &str) -> Compute {
        Compute { device: device.to_owned() }
    }

    /// The settings that it comes to here.
    ///
    /// # Errors
    /// A device that is not there.
    pub fn settings(&self) -> Result<EvaluatorSettings, NetworkError> {
        let settings = EvaluatorSettings::on(device::choose(&self.device)?);
        settings.check()?;
        Ok(settings)
    }
}

/// A network as an [`Evaluator`]. On a CPU an answer depends on nothing but the leaf, bit for bit; on other devices
/// libtorch does not promise that.
pub struct NetworkEvaluator<P> {
    runner: Runner<P>,
}

enum Runner<P> {
    Here(Box<CpuEvaluator<P>>),
    Device(Box<DeviceQueue>),
}

impl<P: Encode> NetworkEvaluator<P> {
    /// Prepares a network to run; refuses one of another layout.
    pub fn new(network: &Network, settings: EvaluatorSettings) -> Result<NetworkEvaluator<P>, NetworkError> {
        network.check_layout(&P::LAYOUT)?;
        settings.check()?;
        let runner = match settings.queued() {
            true => Runner::Device(Box::new(DeviceQueue::new(network, &settings)?)),
            false => Runner::Here(Box::new(CpuEvaluator::new(network, settings.max_batch)?)),
        };
        Ok(NetworkEvaluator { runner })
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
