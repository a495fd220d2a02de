//! Devices and what they can do.

use crate::{NetworkError, libtorch};
use catapult_store::BadSetting;

/// Where a network runs or learns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Device {
    /// The processor.
    Cpu,
    /// A CUDA device by its number, through libtorch.
    Cuda(usize),
}

impl Device {
    /// Whether it is a CUDA device.
    pub fn is_cuda(self) -> bool {
        self != Device::Cpu
    }
}

/// Whether this CPU multiplies bfloat16 in hardware; elsewhere `f32` is faster.
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

/// What a device is asked for by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    /// CUDA if there is any.
    Auto,
    Cpu,
    Cuda(usize),
}

/// Reads a name: `cpu`, `cuda`, `cuda:N` or `auto`.
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

/// Whether the setting `device` is a name of one, which need not be there: the machine that reads a config may not be the one that
/// runs it.
///
/// # Errors
/// It is not.
pub fn check(name: &str) -> Result<(), BadSetting> {
    parse(name).map(|_| ())
}

/// Of a device that is asked for otherwise than by a config's key.
fn no_name(bad: BadSetting) -> NetworkError {
    NetworkError::NoDevice(format!("{}: {}", bad.found.unwrap_or_default(), bad.allowed))
}

/// The device of a name: `cpu`, `cuda`, `cuda:N`, or `auto` (CUDA if there is any).
///
/// # Errors
/// It is no such name, or the device is not there.
pub fn choose(name: &str) -> Result<Device, NetworkError> {
    match parse(name).map_err(no_name)? {
        Asked::Cpu => Ok(Device::Cpu),
        Asked::Auto => Ok(libtorch::choose_cuda(name, 0).unwrap_or(Device::Cpu)),
        Asked::Cuda(index) => libtorch::choose_cuda(name, index),
    }
}

/// How many CUDA devices there are.
pub fn cuda_devices() -> usize {
    libtorch::cuda_devices()
}

/// Whether batches on the first CUDA device are waited for one by one; else all work of the device is, which costs the overlap
/// of search and network.
pub fn waits_for_batches() -> bool {
    libtorch::waits_for_batches()
}

/// Has cuDNN try its algorithms on each new size of batch and keep the fastest: slower at first.
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
