//! Devices that run networks: their names, selection and capabilities. Also numbers of threads.

pub use crate::libtorch::{cuda_devices, waits_for_batches};
use crate::{Architecture, NetworkError, libtorch};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

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

    /// Returns the device that plays a network on a machine with this device. A sparse network plays
    /// on the CPU.
    pub fn playing(self, architecture: &Architecture) -> Device {
        if matches!(architecture, Architecture::Sparse(_)) { Device::Cpu } else { self }
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

/// Returns the number of threads to use for a setting: `threads`, or one per processor if it is 0,
/// and at most the number of processors.
pub fn usable_threads(threads: usize) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
    if threads == 0 { processors } else { threads.min(processors) }
}

/// Name of a device: `cpu`, `cuda`, `cuda:N` or `auto`. Parsing a name does not require the device.
/// [`DeviceName::choose`] returns the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum DeviceName {
    /// The first CUDA device if there is one, otherwise the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// The CUDA device with this index. `cuda` is `cuda:0`.
    Cuda(usize),
}

impl FromStr for DeviceName {
    type Err = String;

    fn from_str(name: &str) -> Result<DeviceName, String> {
        let index = || name.strip_prefix("cuda:").and_then(|index| index.parse().ok());
        match name {
            "auto" => Ok(DeviceName::Auto),
            "cpu" => Ok(DeviceName::Cpu),
            "cuda" => Ok(DeviceName::Cuda(0)),
            _ => index()
                .map(DeviceName::Cuda)
                .ok_or_else(|| format!("{name:?}: must be auto, cpu, cuda or cuda:N")),
        }
    }
}

impl fmt::Display for DeviceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            DeviceName::Auto => write!(f, "auto"),
            DeviceName::Cpu => Device::Cpu.fmt(f),
            DeviceName::Cuda(index) => Device::Cuda(index).fmt(f),
        }
    }
}

catapult_rules::written_as_text!(DeviceName);

impl DeviceName {
    /// Returns the device with this name.
    ///
    /// # Errors
    /// This machine or this build lacks the device.
    pub fn choose(self) -> Result<Device, NetworkError> {
        match self {
            DeviceName::Cpu => Ok(Device::Cpu),
            DeviceName::Auto => Ok(libtorch::choose_cuda(0).unwrap_or(Device::Cpu)),
            DeviceName::Cuda(index) => libtorch::choose_cuda(index),
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Device::Cpu => write!(f, "cpu"),
            Device::Cuda(index) => write!(f, "cuda:{index}"),
        }
    }
}

impl FromStr for Device {
    type Err = NetworkError;

    /// Returns the device with this name: `cpu`, `cuda`, `cuda:N` or `auto`.
    fn from_str(name: &str) -> Result<Device, NetworkError> {
        name.parse::<DeviceName>().map_err(NetworkError::NoDevice)?.choose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_devices_are_refused_by_name() {
        assert_eq!("cpu".parse::<Device>().unwrap(), Device::Cpu);
        "auto".parse::<Device>().unwrap();
        for name in ["gpu", "cuda:", "cuda:x", ""] {
            let error = name.parse::<Device>().unwrap_err();
            let allowed = format!("device: {name:?}: must be auto, cpu, cuda or cuda:N");
            assert_eq!(error.to_string(), allowed);
        }
    }

    #[test]
    fn names_are_read_and_written_as_users_write_them() {
        for name in ["auto", "cpu", "cuda:0", "cuda:3"] {
            assert_eq!(name.parse::<DeviceName>().unwrap().to_string(), name);
        }
        assert_eq!("cuda".parse::<DeviceName>().unwrap(), DeviceName::Cuda(0));
    }

    #[test]
    fn only_towers_play_on_a_gpu() {
        assert_eq!(Device::Cuda(0).playing(&Architecture::tower(8, 1)), Device::Cuda(0));
        assert_eq!(Device::Cuda(0).playing(&Architecture::sparse(64)), Device::Cpu);
    }

    #[test]
    fn a_missing_cuda_device_is_an_error_and_not_a_crash() {
        assert!("cuda:7777".parse::<Device>().unwrap_err().to_string().contains("cuda:7777"));
    }
}
