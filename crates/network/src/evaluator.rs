//! Answers searches with a network.

use crate::device::{self, Device};
use crate::libtorch::{self, DeviceQueue};
use crate::{Network, NetworkError, Times};
use catapult_encoding::Encode;
use catapult_mcts::{Batch, EvaluationError, Evaluator, QueuedEvaluator};
use catapult_model::winograd::Vectors;
use catapult_model::{CpuEvaluator, ModelError, Portable};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The number format of a network's tower.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// What is fastest: a CPU plays in `f32`, and learns in bfloat16 where it computes with it; CUDA does all in bfloat16.
    #[default]
    Auto,
    /// bfloat16, on a CPU without it emulated and slow.
    Bf16,
    /// `f32`, on a CPU computed in plain Rust.
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

/// What computes a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BackendChoice {
    /// What is fastest: plain Rust on a CPU, libtorch for the rest, if this build has it.
    #[default]
    Auto,
    /// libtorch.
    Torch,
    /// Plain Rust, in `f32`, on a CPU.
    Portable,
}

impl BackendChoice {
    /// All, by the names that users write.
    pub const ALL: [(&'static str, BackendChoice); 3] = [
        ("auto", BackendChoice::Auto),
        ("torch", BackendChoice::Torch),
        ("portable", BackendChoice::Portable),
    ];
}

impl FromStr for BackendChoice {
    type Err = NetworkError;

    fn from_str(name: &str) -> Result<BackendChoice, NetworkError> {
        let found = BackendChoice::ALL.into_iter().find(|(known, _)| *known == name);
        let refused = || {
            let allowed = BackendChoice::ALL.map(|(known, _)| known).join(", ");
            NetworkError::BadBackend(format!("{name:?}: it may be {allowed}"))
        };
        found.map(|(_, choice)| choice).ok_or_else(refused)
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
    /// What computes it.
    pub backend: BackendChoice,
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
            backend: BackendChoice::Auto,
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
        match self.in_rust() {
            true => format!("f32 in plain Rust, {} vectors", Vectors::best().name()),
            false if self.precision.is_bf16(self.device) => "bfloat16 in libtorch".to_owned(),
            false => "f32 in libtorch".to_owned(),
        }
    }

    /// What its answers' last bits depend on beside the network: machines that agree in this give equal games.
    pub fn arithmetic(&self) -> String {
        let device = match self.device {
            Device::Cpu => String::new(),
            Device::Cuda(_) => ", CUDA".to_owned(),
        };
        let libtorch = if self.in_rust() { "" } else { crate::libtorch::VERSION };
        format!("{}{libtorch}{device}", self.tower())
    }

    /// Whether the network runs on a device by itself, through a queue.
    pub(crate) fn queued(&self) -> bool {
        self.device != Device::Cpu || self.as_device
    }

    /// Whether the tower runs in plain Rust.
    pub(crate) fn in_rust(&self) -> bool {
        let here = self.device == Device::Cpu && !self.as_device;
        match self.backend {
            BackendChoice::Torch => false,
            BackendChoice::Auto | BackendChoice::Portable => here && self.precision != Precision::Bf16,
        }
    }

    /// Refuses what the backend does not do, and libtorch where there is none.
    fn check(&self) -> Result<(), NetworkError> {
        if self.backend == BackendChoice::Portable && !self.in_rust() {
            let reason =
                "\"portable\" runs on the CPU alone, in f32 alone; the others are \"auto\" and \"torch\"";
            return Err(NetworkError::BadBackend(reason.to_owned()));
        }
        if !self.in_rust() && !cfg!(feature = "torch") {
            return Err(NetworkError::NoTorch(self.tower()));
        }
        if self.max_batch == 0 {
            let reason = "max_batch = 0: it must be at least 1".to_owned();
            return Err(ModelError::BadArchitecture(reason).into());
        }
        Ok(())
    }
}

/// Where networks are computed and by what, as users name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compute {
    /// `cpu`, `cuda`, `cuda:N`, or `auto`, which takes CUDA where it is.
    pub device: String,
    /// What computes there.
    pub backend: BackendChoice,
}

impl Compute {
    /// What is fastest on a device.
    pub fn on(device: &str) -> Compute {
        Compute { device: device.to_owned(), backend: BackendChoice::Auto }
    }

    /// The settings that it comes to here.
    ///
    /// # Errors
    /// A device that is not there, or that the backend does not run on.
    pub fn settings(&self) -> Result<EvaluatorSettings, NetworkError> {
        // Plain Rust runs on the CPU, whatever else there is.
        let device = match (self.backend, &*self.device) {
            (BackendChoice::Portable, "auto") => Device::Cpu,
            (_, name) => device::choose(name)?,
        };
        let settings = EvaluatorSettings { backend: self.backend, ..EvaluatorSettings::on(device) };
        settings.check()?;
        Ok(settings)
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
        settings.check()?;
        libtorch::use_threads(settings.threads);
        let runner = if settings.queued() {
            Runner::Device(Box::new(DeviceQueue::new(network, &settings)?))
        } else {
            let backend = match settings.in_rust() {
                true => Box::new(Portable::new(network, settings.max_batch)),
                false => libtorch::backend(network, &settings)?,
            };
            Runner::Here(CpuEvaluator::new(backend, settings.max_batch))
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
        libtorch::use_threads(self.settings.threads);
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
