//! Code that needs libtorch. Builds without libtorch use the module `without_torch` instead, which
//! has the same names.

mod cuda;
mod event;
mod graph;
mod learner;
mod loss;
mod memory;
mod optimizer;
mod queue;
mod tower;

#[cfg(test)]
mod files_tests;
#[cfg(test)]
mod inference_tests;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod training_tests;

pub(crate) use cuda::choose_cuda;
pub use cuda::cuda_devices;
pub use event::waits_for_batches;
pub use learner::Learner;
pub(crate) use queue::DeviceQueue;

use crate::NetworkError;
use crate::device::Device;

/// Version of libtorch, with a leading space, as a part of kernel names. torch-sys builds with no
/// other version.
pub(crate) const VERSION: &str = " 2.11";

/// Makes libtorch use one thread for all operations that the current thread calls.
fn use_one_thread() {
    if tch::get_num_threads() != 1 {
        tch::set_num_threads(1);
    }
}

impl From<Device> for tch::Device {
    fn from(device: Device) -> tch::Device {
        match device {
            Device::Cpu => tch::Device::Cpu,
            Device::Cuda(index) => tch::Device::Cuda(index),
        }
    }
}

impl From<tch::TchError> for NetworkError {
    /// Converts the first line of libtorch's message. The stack trace in the other lines is left
    /// out.
    fn from(error: tch::TchError) -> NetworkError {
        NetworkError::Torch(error.to_string().lines().next().unwrap_or_default().to_owned())
    }
}

/// Checks that this build has libtorch, by letting libtorch add three numbers.
///
/// # Errors
/// [`NetworkError::NoTorch`] in a build without libtorch, [`NetworkError::Torch`] if libtorch
/// fails.
pub fn try_libtorch() -> Result<(), NetworkError> {
    let sum = tch::Tensor::from_slice(&[1.5f32, 2.0, -0.5]).f_sum(tch::Kind::Float)?.f_double_value(&[])?;
    match sum == 3.0 {
        true => Ok(()),
        false => Err(NetworkError::Torch(format!("sums 1.5, 2 and -0.5 to {sum}"))),
    }
}
