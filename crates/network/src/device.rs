//! Devices and what they can do.

use crate::NetworkError;
use std::sync::OnceLock;
pub use tch::Device;

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

/// Loads libtorch's CUDA part, if libtorch has one, and says what came of it; only the first call does anything.
///
/// A binary linked against libtorch for CPU knows nothing of CUDA, but when the library that the loader finds
/// (`LD_LIBRARY_PATH`, or the folder it was built with) is one with CUDA, loading `libtorch_cuda.so` registers it.
/// So one binary serves both kinds of machine. It must be the first that a process does with libtorch: asked for CUDA
/// before that part is loaded, libtorch takes CUDA for missing and keeps to it.
pub fn load_cuda() -> Result<(), String> {
    static LOADED: OnceLock<Result<(), String>> = OnceLock::new();
    LOADED.get_or_init(load).clone()
}

#[cfg(target_os = "linux")]
fn load() -> Result<(), String> {
    use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
    // SAFETY: runs the library's initialisers, which do nothing but register its operators with libtorch.
    #[allow(unsafe_code)]
    let library = unsafe { Library::open(Some("libtorch_cuda.so"), RTLD_NOW | RTLD_GLOBAL) };
    // Never unloaded: libtorch keeps pointers into it.
    std::mem::forget(library.map_err(|error| error.to_string())?);
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn load() -> Result<(), String> {
    if tch::utils::has_cuda() { Ok(()) } else { Err("only loaded on Linux".to_string()) }
}

/// The device of a name: `cpu`, `cuda`, `cuda:N`, or `auto` (CUDA if there is any).
pub fn choose(name: &str) -> Result<Device, NetworkError> {
    let index = match name {
        "cpu" => return Ok(Device::Cpu),
        "auto" | "cuda" => 0,
        _ => name.strip_prefix("cuda:").and_then(|index| index.parse().ok()).ok_or_else(|| {
            NetworkError::NoDevice(format!("{name:?}: it may be \"auto\", \"cpu\", \"cuda\" or \"cuda:N\""))
        })?,
    };
    let loaded = load_cuda();
    let devices = tch::Cuda::device_count().max(0) as usize;
    match loaded {
        _ if index < devices => Ok(Device::Cuda(index)),
        _ if name == "auto" => Ok(Device::Cpu),
        Ok(()) => Err(NetworkError::NoDevice(format!("{name:?}: libtorch sees {devices} CUDA devices"))),
        Err(reason) => {
            Err(NetworkError::NoDevice(format!("{name:?}: libtorch's CUDA part is not loaded: {reason}")))
        }
    }
}

/// Whether batches on the first CUDA device are waited for one by one; else all work of the device is, which costs the overlap
/// of search and network.
pub fn waits_for_batches() -> bool {
    crate::event::Event::single()
}

/// Has cuDNN try its algorithms on each new size of batch and keep the fastest: slower at first.
pub fn tune() {
    tch::Cuda::cudnn_set_benchmark(true);
}

/// Sets how many threads libtorch uses for one operation called from this thread.
pub(crate) fn use_threads(threads: usize) {
    let threads = i32::try_from(threads).unwrap_or(1).max(1);
    if tch::get_num_threads() != threads {
        tch::set_num_threads(threads);
    }
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
