//! Evaluation of search leaves by a network.

use crate::device::{self, Device};
use crate::libtorch::{self, DeviceQueue};
use crate::team::Team;
use crate::{Architecture, Network, NetworkError, Times};
use catapult_encoding::Encode;
use catapult_mcts::{Batch, EvaluationError, Evaluator, QueuedEvaluator};
use catapult_model::ModelError;
use catapult_model::winograd::Vectors;
use serde::{Deserialize, Serialize};

/// Number format in which the residual tower of a network is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// The fastest format on the device. A CPU evaluates in integers. It trains in bfloat16 if its
    /// hardware multiplies bfloat16, otherwise in `f32`. CUDA devices use bfloat16 for both.
    #[default]
    Auto,
    /// bfloat16. A CPU trains in it, slowly if its hardware does not multiply bfloat16. A CPU
    /// evaluates in it only with [`EvaluatorSettings::as_device`].
    Bf16,
    /// `f32`. A CPU evaluates in it only with [`EvaluatorSettings::as_device`].
    F32,
}

impl Precision {
    /// Returns true if libtorch computes in bfloat16 on this device.
    pub fn is_bf16(self, device: Device) -> bool {
        match self {
            Precision::Auto => device.is_cuda() || device::cpu_has_bf16(),
            Precision::Bf16 => true,
            Precision::F32 => false,
        }
    }
}

catapult_store::settings! {
    /// Settings for evaluations by a network, such as device and number format.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct EvaluatorSettings {
        /// Device that evaluates the network.
        device: Device = Device::Cpu;
        /// Number format of the network's tower.
        precision: Precision = Precision::Auto;
        /// Maximum number of positions that the network evaluates at once. Larger batches are
        /// split.
        max_batch: usize = 128;
        /// Number of threads that share a batch. More than one serve a single search by a tower on
        /// the CPU. Evaluations do not depend on it.
        threads: usize = 1;
        /// True if a CPU evaluates in libtorch and through a queue, as a GPU does. Tests use it on
        /// machines without a GPU.
        as_device: bool = false;
        /// True if a CUDA device fuses convolutions with the operations that follow, if cuDNN
        /// supports it. `false` serves to compare speeds.
        fused: bool = true;
    }
}

impl EvaluatorSettings {
    /// Returns the usual settings for a device. `max_batch` is 128 on a CPU and 4096 on CUDA.
    pub fn on(device: Device) -> EvaluatorSettings {
        let max_batch = if device == Device::Cpu { 128 } else { 4096 };
        EvaluatorSettings { device, max_batch, ..EvaluatorSettings::default() }
    }

    /// Returns a description of the implementation that computes the tower, such as `bfloat16 in
    /// libtorch`.
    pub fn tower(&self) -> String {
        match self.queued() {
            false => format!("integers in plain Rust, {} vectors", Vectors::best().name()),
            true if self.precision.is_bf16(self.device) => "bfloat16 in libtorch".to_owned(),
            true => "f32 in libtorch".to_owned(),
        }
    }

    /// Returns the name of the numeric kernel, which is the code that computes the network. The
    /// last bits of an evaluation depend on the kernel. Machines with different kernels may
    /// therefore play different games with one network. Only a CPU's vector instructions change no
    /// bit.
    pub fn kernel(&self) -> String {
        let device = match self.device {
            Device::Cpu => String::new(),
            Device::Cuda(_) => ", CUDA".to_owned(),
        };
        let libtorch = if self.queued() { libtorch::VERSION } else { "" };
        format!("{}{libtorch}{device}", self.tower())
    }

    /// Returns true if the network runs in libtorch through a queue. Otherwise it runs in plain
    /// Rust.
    pub(crate) fn queued(&self) -> bool {
        self.device != Device::Cpu || self.as_device
    }

    /// Checks that the settings can be used in this build.
    ///
    /// # Errors
    /// A setting is invalid, or it needs libtorch in a build without it.
    fn check(&self) -> Result<(), NetworkError> {
        let bad = |reason: &str| Err(ModelError::BadArchitecture(reason.to_owned()).into());
        if self.queued() && !cfg!(feature = "torch") {
            return Err(NetworkError::NoTorch(self.tower()));
        }
        if !self.queued() && self.precision == Precision::Bf16 {
            return bad("precision = bf16: a CPU evaluates in integers");
        }
        if self.max_batch == 0 {
            return bad("max_batch = 0: it must be at least 1");
        }
        Ok(())
    }
}

/// [`Evaluator`] that runs a network. On a CPU, an evaluation depends only on the leaf, bit for
/// bit, and not on the batch. On other devices, libtorch does not guarantee this.
pub struct NetworkEvaluator<P> {
    runner: Runner<P>,
}

enum Runner<P> {
    Cpu(Box<Team<P>>),
    Device(Box<DeviceQueue>),
}

impl<P: Encode> NetworkEvaluator<P> {
    /// Prepares a network for evaluations.
    ///
    /// # Errors
    /// The network has another layout than the game `P`, or the settings can't be used on this
    /// machine.
    pub fn new(network: &Network, settings: EvaluatorSettings) -> Result<NetworkEvaluator<P>, NetworkError> {
        network.check_layout(&P::LAYOUT)?;
        settings.check()?;
        // A sparse network is fastest on the thread that searches.
        let is_tower = matches!(network.architecture, Architecture::Tower(_));
        let runner = if is_tower && settings.queued() {
            Runner::Device(Box::new(DeviceQueue::new(network, &settings)?))
        } else {
            let threads = if is_tower { settings.threads } else { 1 };
            Runner::Cpu(Box::new(Team::new(network, settings.max_batch, threads)?))
        };
        Ok(NetworkEvaluator { runner })
    }

    /// Returns the time that each stage took since the last call. On a CPU it is 0.
    ///
    /// By default, the work of a device counts as [`Stage::Wait`](crate::Stage::Wait), because no
    /// thread waits for the stages in between. [`NetworkEvaluator::time_stages`] changes this.
    pub fn take_times(&mut self) -> Times {
        match &mut self.runner {
            Runner::Cpu(_) => Times::default(),
            Runner::Device(queue) => queue.take_times(),
        }
    }

    /// Sets the measurement of stages on a device. If `by_stage` is true, a thread waits after each
    /// stage. [`take_times`](Self::take_times) then measures each stage, and evaluations are
    /// slower.
    pub fn time_stages(&mut self, by_stage: bool) {
        if let Runner::Device(queue) = &mut self.runner {
            queue.time_stages(by_stage);
        }
    }

    /// Returns true if the device fuses convolutions with the operations that follow.
    pub fn is_fused(&self) -> bool {
        matches!(&self.runner, Runner::Device(queue) if queue.is_fused())
    }
}

impl<P: Encode> Evaluator<P> for NetworkEvaluator<P> {
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
        match &mut self.runner {
            Runner::Cpu(team) => team.evaluate(batch),
            Runner::Device(_) => {
                self.submit(&[&*batch])?;
                self.collect(&mut [batch])
            }
        }
    }
}

impl<P: Encode> QueuedEvaluator<P> for NetworkEvaluator<P> {
    fn submit(&mut self, batches: &[&Batch<P>]) -> Result<(), EvaluationError> {
        match &mut self.runner {
            Runner::Cpu(_) => Ok(()),
            Runner::Device(queue) => {
                queue.submit(batches).map_err(|error| EvaluationError(error.to_string()))
            }
        }
    }

    fn collect(&mut self, batches: &mut [&mut Batch<P>]) -> Result<(), EvaluationError> {
        match &mut self.runner {
            Runner::Cpu(team) => batches.iter_mut().try_for_each(|batch| team.evaluate(batch)),
            Runner::Device(queue) => {
                queue.collect(batches).map_err(|error| EvaluationError(error.to_string()))
            }
        }
    }
}
