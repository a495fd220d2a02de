//! Devices: names, selection and capabilities.

use crate::{NetworkError, libtorch};
use catapult_store::BadSetting;

/// Device on which a network runs or learns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Device {
    /// The CPU.
    Cpu,
    /// CUDA device with this index, through libtorch.
    Cuda(usize),
}

impl Device {
    /// Returns true for a CUDA device.
    pub fn is_cuda(self) -> bool {
        self != Device::Cpu
    }
}

/// Returns true if this CPU multiplies bfloat16 in hardware. Otherwise `f32` is faster.
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

/// Device as requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    /// CUDA if available, otherwise the CPU.
    Auto,
    Cpu,
    Cuda(usize),
}

/// Parses a name: `cpu`, `cuda`, `cuda:N` or `auto`.
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

/// Checks that the setting `device` is the name of a device. The device may be missing, because a
/// config may be read on another machine than the one that runs it.
///
/// # Errors
/// The value is not such a name.
pub fn check(name: &str) -> Result<(), BadSetting> {
    parse(name).map(|_| ())
}

/// Converts the error of a name that is not the value of a config's key.
fn no_name(bad: BadSetting) -> NetworkError {
    NetworkError::NoDevice(format!("{}: {}", bad.found.unwrap_or_default(), bad.allowed))
}

/// Returns the device with a name: `cpu`, `cuda`, `cuda:N`, or `auto` (CUDA if available, otherwise
/// the CPU).
///
/// # Errors
/// The name is invalid, or the device is missing.
pub fn choose(name: &str) -> Result<Device, NetworkError> {
    match parse(name).map_err(no_name)? {
        Asked::Cpu => Ok(Device::Cpu),
        Asked::Auto => Ok(libtorch::choose_cuda(name, 0).unwrap_or(Device::Cpu)),
        Asked::Cuda(index) => libtorch::choose_cuda(name, index),
    }
}

/// Returns the number of CUDA devices.
pub fn cuda_devices() -> usize {
    libtorch::cuda_devices()
}

/// Returns true if batches on the first CUDA device are awaited one by one. Otherwise each wait is
/// for all work of the device, and search and network do not overlap.
pub fn waits_for_batches() -> bool {
    libtorch::waits_for_batches()
}

/// Makes cuDNN try its algorithms on each new batch size and keep the fastest. The first calls are
/// slower.
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
