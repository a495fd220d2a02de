//! Devices that run networks: their names, selection and capabilities.

use crate::{NetworkError, libtorch};
use catapult_store::BadSetting;

/// Device on which a network is evaluated or trained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Device {
    /// The CPU.
    Cpu,
    /// CUDA device with this index, used through libtorch.
    Cuda(usize),
}

impl Device {
    /// Returns true for a CUDA device.
    pub fn is_cuda(self) -> bool {
        self != Device::Cpu
    }
}

/// Returns true if this CPU multiplies bfloat16 in hardware. On other CPUs, `f32` is faster.
pub fn cpu_has_bf16() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::is_x86_feature_detected!("avx512bf16")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// Device that a user requests by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    /// The first CUDA device if there is one, otherwise the CPU.
    Auto,
    Cpu,
    Cuda(usize),
}

/// Parses the name of a device: `cpu`, `cuda`, `cuda:N` or `auto`. `cuda` is `cuda:0`.
fn parse(name: &str) -> Result<Asked, BadSetting> {
    let index = || name.strip_prefix("cuda:").and_then(|index| index.parse().ok()).map(Asked::Cuda);
    match name {
        "auto" => Ok(Asked::Auto),
        "cpu" => Ok(Asked::Cpu),
        "cuda" => Ok(Asked::Cuda(0)),
        _ => index().ok_or_else(|| {
            BadSetting::new("device", format!("{name:?}"), "must be auto, cpu, cuda or cuda:N")
        }),
    }
}

/// Checks that a value of the setting `device` is the name of a device. The device itself may be
/// missing, because configs are also read on machines that do not run them.
///
/// # Errors
/// `name` is not `cpu`, `cuda`, `cuda:N` or `auto`.
pub fn check(name: &str) -> Result<(), BadSetting> {
    parse(name).map(|_| ())
}

/// Converts the error of an invalid device name. The result does not mention a config's key, for
/// callers whose name is not from a config.
fn no_name(bad: BadSetting) -> NetworkError {
    NetworkError::NoDevice(format!("{}: {}", bad.found.unwrap_or_default(), bad.allowed))
}

/// Returns the device with this name: `cpu`, `cuda`, `cuda:N` or `auto`. `auto` is the first CUDA
/// device if there is one, otherwise the CPU.
///
/// # Errors
/// The name is invalid, or this machine or this build lacks the device.
pub fn choose(name: &str) -> Result<Device, NetworkError> {
    match parse(name).map_err(no_name)? {
        Asked::Cpu => Ok(Device::Cpu),
        Asked::Auto => Ok(libtorch::choose_cuda(name, 0).unwrap_or(Device::Cpu)),
        Asked::Cuda(index) => libtorch::choose_cuda(name, index),
    }
}

/// Returns the number of CUDA devices that libtorch sees. Without libtorch it is 0.
pub fn cuda_devices() -> usize {
    libtorch::cuda_devices()
}

/// Returns true if a thread can wait for a single batch on the first CUDA device. If false, each
/// wait is for all work of the device. The search then does not run at the same time as the
/// network.
pub fn waits_for_batches() -> bool {
    libtorch::waits_for_batches()
}

/// Makes cuDNN try several algorithms for each new batch size and keep the fastest. The first calls
/// with each size are slower. Without libtorch it does nothing.
pub fn tune() {
    libtorch::tune();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_devices_are_refused_by_name() {
        assert_eq!(choose("cpu").unwrap(), Device::Cpu);
        choose("auto").unwrap();
        for name in ["gpu", "cuda:", "cuda:x", ""] {
            let bad = check(name).unwrap_err();
            assert_eq!(bad.to_string(), format!("device = {name:?}: must be auto, cpu, cuda or cuda:N"));
            assert!(choose(name).unwrap_err().to_string().contains(&format!("{name:?}")));
        }
    }

    #[test]
    fn a_missing_cuda_device_is_an_error_and_not_a_crash() {
        assert!(choose("cuda:7777").unwrap_err().to_string().contains("cuda:7777"));
    }
}
