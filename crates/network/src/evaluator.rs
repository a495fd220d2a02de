//! Evaluation of search leaves by a network.

use crate::device::{self, Device};
use crate::libtorch::{self, DeviceQueue};
use crate::{Network, NetworkError, Times};
use catapult_encoding::Encode;
use catapult_mcts::{Batch, EvaluationError, Evaluator, QueuedEvaluator};
use catapult_model::winograd::Vectors;
use catapult_model::{CpuEvaluator, ModelError};
use serde::{Deserialize, Serialize};

/// Number format of a network's tower.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// Fastest format. A CPU evaluates in `f32`, and learns in bfloat16 if its hardware multiplies
    /// bfloat16. CUDA uses bfloat16 for both.
    #[default]
    Auto,
    /// bfloat16. A CPU uses it only for learning, and emulates it slowly if its hardware lacks it.
    Bf16,
    /// `f32`.
    F32,
}

impl Precision {
    /// Returns true if libtorch computes in bfloat16 on a device.
    pub fn is_bf16(self, device: Device) -> bool {
        match self {
            Precision::Auto => device.is_cuda() || (device == Device::Cpu && device::cpu_has_bf16()),
            Precision::Bf16 => true,
            Precision::F32 => false,
        }
    }
}

/// Device and number format of an evaluator.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EvaluatorSettings {
    /// Device.
    pub device: Device,
    /// Number format of the tower.
    pub precision: Precision,
    /// Maximum number of positions evaluated at once. Larger batches are evaluated in parts.
    pub max_batch: usize,
    /// True if a CPU evaluates like other devices, in libtorch and through a queue. Tests use this
    /// without such a device.
    pub as_device: bool,
    /// True if CUDA's convolutions are fused with the operations that follow, if cuDNN can fuse
    /// them. False serves for comparison.
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
    /// Returns the best settings for a device. CUDA gets larger batches.
    pub fn on(device: Device) -> EvaluatorSettings {
        let max_batch = if device == Device::Cpu { 128 } else { 4096 };
        EvaluatorSettings { device, max_batch, ..EvaluatorSettings::default() }
    }

    /// Describes the implementation that computes the tower.
    pub fn tower(&self) -> String {
        match self.queued() {
            false => format!("f32 in plain Rust, {} vectors", Vectors::best().name()),
            true if self.precision.is_bf16(self.device) => "bfloat16 in libtorch".to_owned(),
            true => "f32 in libtorch".to_owned(),
        }
    }

    /// Identifies the numeric kernel, on which the last bits of an evaluation depend. Machines with
    /// different kernels may play different games with the same network.
    pub fn arithmetic(&self) -> String {
        let device = match self.device {
            Device::Cpu => String::new(),
            Device::Cuda(_) => ", CUDA".to_owned(),
        };
        let libtorch = if self.queued() { libtorch::VERSION } else { "" };
        format!("{}{libtorch}{device}", self.tower())
    }

    /// Returns true if the network runs in libtorch and through a queue.
    pub(crate) fn queued(&self) -> bool {
        self.device != Device::Cpu || self.as_device
    }

    /// Rejects settings that can't be computed, and libtorch in a build without it.
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

/// Device of networks, as users name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compute {
    /// `cpu`, `cuda`, `cuda:N`, or `auto` (CUDA if available, otherwise the CPU).
    pub device: String,
}

impl Compute {
    /// Selects the device with this name, which is not checked yet.
    pub fn on(device: &str) -> Compute {
        Compute { device: device.to_owned() }
    }

    /// Returns the evaluator's settings on this machine.
    ///
    /// # Errors
    /// The device is unknown or missing, or needs libtorch in a build without it.
    pub fn settings(&self) -> Result<EvaluatorSettings, NetworkError> {
        let settings = EvaluatorSettings::on(device::choose(&self.device)?);
        settings.check()?;
        Ok(settings)
    }
}

/// [`Evaluator`] with a network. On a CPU an evaluation depends only on the leaf, bit for bit. On
/// other devices libtorch does not guarantee that.
pub struct NetworkEvaluator<P> {
    runner: Runner<P>,
}

enum Runner<P> {
    Here(Box<CpuEvaluator<P>>),
    Device(Box<DeviceQueue>),
}

impl<P: Encode> NetworkEvaluator<P> {
    /// Prepares a network to run.
    ///
    /// # Errors
    /// The network has another layout, or the settings can't be used.
    pub fn new(network: &Network, settings: EvaluatorSettings) -> Result<NetworkEvaluator<P>, NetworkError> {
        network.check_layout(&P::LAYOUT)?;
        settings.check()?;
        let runner = match settings.queued() {
            true => Runner::Device(Box::new(DeviceQueue::new(network, &settings)?)),
            false => Runner::Here(Box::new(CpuEvaluator::new(network, settings.max_batch)?)),
        };
        Ok(NetworkEvaluator { runner })
    }

    /// Returns the time by stage since the last call. On a CPU it is 0. Queued work is not awaited,
    /// so the device's time counts as [`Stage::Wait`](crate::Stage::Wait), unless
    /// [`NetworkEvaluator::time_stages`] is on.
    pub fn take_times(&mut self) -> Times {
        match &mut self.runner {
            Runner::Here(_) => Times::default(),
            Runner::Device(queue) => queue.take_times(),
        }
    }

    /// Turns waiting for each stage of a device's evaluations on or off. Waiting gives each stage
    /// its own time, but slows evaluations down.
    pub fn time_stages(&mut self, by_stage: bool) {
        if let Runner::Device(queue) = &mut self.runner {
            queue.time_stages(by_stage);
        }
    }

    /// Returns true if the device's convolutions are fused with the operations that follow.
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
