//! Loading of CUDA, and selection of CUDA devices.

use crate::NetworkError;
use crate::device::Device;
use std::sync::OnceLock;

/// Loads libtorch's CUDA part if the machine has it. Later calls return the result of the first
/// call.
///
/// A binary linked against libtorch for the CPU does not know CUDA. The dynamic loader may still
/// find a libtorch with CUDA, by `LD_LIBRARY_PATH` or in the folder used at build time. Loading
/// `libtorch_cuda.so` then registers CUDA. One binary therefore serves machines with and without
/// CUDA.
///
/// This must be the first use of libtorch in the process. If libtorch is queried for CUDA before,
/// it treats CUDA as missing for the rest of the process.
fn load_cuda() -> Result<(), String> {
    static LOADED: OnceLock<Result<(), String>> = OnceLock::new();
    LOADED.get_or_init(load).clone()
}

#[cfg(target_os = "linux")]
fn load() -> Result<(), String> {
    use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
    // SAFETY: runs the library's initialisers, which do nothing but register its operators with
    // libtorch.
    #[allow(unsafe_code)]
    let library = unsafe { Library::open(Some("libtorch_cuda.so"), RTLD_NOW | RTLD_GLOBAL) };
    // Never unloaded, because libtorch keeps pointers into it.
    std::mem::forget(library.map_err(|error| error.to_string())?);
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn load() -> Result<(), String> {
    if tch::utils::has_cuda() { Ok(()) } else { Err("only loaded on Linux".to_string()) }
}

/// Returns the number of CUDA devices that libtorch sees. Without libtorch it is 0.
pub fn cuda_devices() -> usize {
    let _ = load_cuda();
    tch::Cuda::device_count().max(0) as usize
}

/// Returns the CUDA device with this index.
///
/// # Errors
/// libtorch's CUDA part is not loaded, or it sees no device with this index.
pub(crate) fn choose_cuda(index: usize) -> Result<Device, NetworkError> {
    let (loaded, devices) = (load_cuda(), cuda_devices());
    match loaded {
        _ if index < devices => Ok(Device::Cuda(index)),
        Ok(()) => Err(NetworkError::NoDevice(format!("cuda:{index}: libtorch sees {devices} CUDA devices"))),
        Err(reason) => {
            Err(NetworkError::NoDevice(format!("cuda:{index}: libtorch's CUDA part is not loaded: {reason}")))
        }
    }
}
