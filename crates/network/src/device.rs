//! Devices and what they can do.

use crate::{NetworkError, libtorch};

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

/// The device of a name: `cpu`, `cuda`, `cuda:N`, or `auto` (CUDA if there is any).
pub fn choose(name: &str) -> Result<Device, NetworkError> {
    match name {
        "cpu" => Ok(Device::Cpu),
        "auto" => Ok(libtorch::choose_cuda(name, 0).unwrap_or(Device::Cpu)),
        "cuda" => libtorch::choose_cuda(name, 0),
        _ => {
            let index = name.strip_prefix("cuda:").and_then(|index| index.parse().ok());
            let index = index.ok_or_else(|| {
                NetworkError::NoDevice(format!(
                    "{name:?}: it may be \"auto\", \"cpu\", \"cuda\" or \"cuda:N\""
                ))
            })?;
            libtorch::choose_cuda(name, index)
        }
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
            assert!(choose(name).unwrap_err().to_string().contains(&format!("{name:?}")));
        }
    }

    #[test]
    fn a_missing_cuda_device_is_an_error_and_not_a_crash() {
        assert!(choose("cuda:7777").unwrap_err().to_string().contains("cuda:7777"));
    }
}
