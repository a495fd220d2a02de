//! Replacement for the module `torch` in builds without libtorch. Operations that need libtorch
//! return an error.

use crate::device::Device;
use crate::{EvaluatorSettings, Network, NetworkError, Times};
use catapult_encoding::Encode;
use catapult_mcts::Batch;

/// Version of libtorch as a part of kernel names. It is empty, because this build has no libtorch.
pub(crate) const VERSION: &str = "";

fn refused<T>(what: impl Into<String>) -> Result<T, NetworkError> {
    Err(NetworkError::NoTorch(what.into()))
}

/// Network on an asynchronous device. No value of this type exists in this build, because it has no
/// libtorch.
pub(crate) enum DeviceQueue {}

impl DeviceQueue {
    pub(crate) fn new(_: &Network, settings: &EvaluatorSettings) -> Result<DeviceQueue, NetworkError> {
        refused(format!("{:?}", settings.device))
    }

    pub(crate) fn take_times(&mut self) -> Times {
        match *self {}
    }

    pub(crate) fn time_stages(&mut self, _: bool) {
        match *self {}
    }

    pub(crate) fn is_fused(&self) -> bool {
        match *self {}
    }

    pub(crate) fn submit<P: Encode>(&mut self, _: &[&Batch<P>]) -> Result<(), NetworkError> {
        match *self {}
    }

    pub(crate) fn collect<P: Encode>(&mut self, _: &mut [&mut Batch<P>]) -> Result<(), NetworkError> {
        match *self {}
    }

    pub(crate) fn raw_rate(&mut self, _: usize, _: f64) -> Result<f64, NetworkError> {
        match *self {}
    }
}

pub(crate) fn choose_cuda(index: usize) -> Result<Device, NetworkError> {
    refused(format!("device cuda:{index}"))
}

/// Returns the number of CUDA devices that libtorch sees: 0, because this build has no libtorch.
pub fn cuda_devices() -> usize {
    0
}

/// Returns true if a thread can wait for a single batch on a CUDA device, which no thread can here.
pub fn waits_for_batches() -> bool {
    false
}

/// Checks that this build has libtorch. It always fails.
///
/// # Errors
/// Always [`NetworkError::NoTorch`].
pub fn try_libtorch() -> Result<(), NetworkError> {
    refused("this")
}
