//! CUDA: whether it is there.

use crate::NetworkError;
use crate::device::Device;
use crate::torch::event::Event;
use std::sync::OnceLock;

/// Loads libtorch's CUDA part, if libtorch has one, and says what came of it; only the first call does anything.
///
/// A binary linked against libtorch for CPU knows nothing of CUDA, but when the library that the loader finds
/// (`LD_LIBRARY_PATH`, or the folder it was built with) is one with CUDA, loading `libtorch_cuda.so` registers it.
/// So one binary serves both kinds of machine. It must be the first that a process does with libtorch: asked for CUDA
/// before that part is loaded, libtorch takes CUDA for missing and keeps to it.
fn load_cuda() -> Result<(), String> {
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

/// How many CUDA devices libtorch sees.
pub(crate) fn cuda_devices() -> usize {
    let _ = load_cuda();
    tch::Cuda::device_count().max(0) as usize
}

/// The device of this number; `name` is what it was asked for by.
pub(crate) fn choose_cuda(name: &str, index: usize) -> Result<Device, NetworkError> {
    let (loaded, devices) = (load_cuda(), cuda_devices());
    match loaded {
        _ if index < devices => Ok(Device::Cuda(index)),
        Ok(()) => Err(NetworkError::NoDevice(format!("{name:?}: libtorch sees {devices} CUDA devices"))),
        Err(reason) => {
            Err(NetworkError::NoDevice(format!("{name:?}: libtorch's CUDA part is not loaded: {reason}")))
        }
    }
}

/// See [`crate::device::waits_for_batches`].
pub(crate) fn waits_for_batches() -> bool {
    Event::single()
}

/// See [`crate::device::tune`].
pub(crate) fn tune() {
    tch::Cuda::cudnn_set_benchmark(true);
}
