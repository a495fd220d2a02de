//! Events in a device's stream of work. With them a thread waits for one batch and not for later
//! work. tch has no binding for them, so the functions come from the CUDA runtime that libtorch
//! loads.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;
use tch::Device;

/// End of the work that the device had received when the event was recorded.
pub(crate) enum Event {
    /// The work is done (on a CPU).
    Done,
    /// Event of the CUDA runtime.
    Cuda(*mut c_void),
    /// End of all work of the device with this index, if no event of the runtime is available.
    Everything(i64),
}

// SAFETY: the CUDA runtime allows any thread to wait for and destroy an event.
#[allow(unsafe_code)]
unsafe impl Send for Event {}

impl Event {
    /// Records an event after all work that the device has received so far.
    pub(super) fn record(device: Device) -> Event {
        match (device, runtime()) {
            // tch leaves every thread on the default stream of the first device.
            (Device::Cuda(0), Some(runtime)) => match runtime.record() {
                Some(event) => Event::Cuda(event),
                None => Event::Everything(0),
            },
            (Device::Cuda(index), _) => Event::Everything(index as i64),
            _ => Event::Done,
        }
    }

    /// Waits for the end of the work.
    pub(super) fn wait(&self) {
        match self {
            Event::Done => {}
            Event::Cuda(event) => {
                // After a failed wait, the next call of libtorch reports the device's error in
                // words.
                if !runtime().is_some_and(|runtime| runtime.wait(*event)) {
                    tch::Cuda::synchronize(0);
                }
            }
            Event::Everything(index) => tch::Cuda::synchronize(*index),
        }
    }

    /// Returns true if batches on a CUDA device can be awaited one by one.
    pub(super) fn single() -> bool {
        runtime().is_some()
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if let (Event::Cuda(event), Some(runtime)) = (&*self, runtime()) {
            runtime.destroy(*event);
        }
    }
}

/// Functions of the CUDA runtime's C interface. Each returns 0 on success.
struct Runtime {
    create: unsafe extern "C" fn(*mut *mut c_void, c_uint) -> c_int,
    record: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int,
    wait: unsafe extern "C" fn(*mut c_void) -> c_int,
    destroy: unsafe extern "C" fn(*mut c_void) -> c_int,
}

/// `cudaEventDisableTiming`
const WITHOUT_TIMING: c_uint = 2;

impl Runtime {
    fn record(&self) -> Option<*mut c_void> {
        let mut event = null_mut();
        // SAFETY: writes the new event's handle; the null stream is the default one.
        #[allow(unsafe_code)]
        unsafe {
            if (self.create)(&mut event, WITHOUT_TIMING) != 0 {
                return None;
            }
            if (self.record)(event, null_mut()) != 0 {
                (self.destroy)(event);
                return None;
            }
        }
        Some(event)
    }

    fn wait(&self, event: *mut c_void) -> bool {
        // SAFETY: the event lives until its `Event` is dropped.
        #[allow(unsafe_code)]
        unsafe {
            (self.wait)(event) == 0
        }
    }

    fn destroy(&self, event: *mut c_void) {
        // SAFETY: called once, from the only owner.
        #[allow(unsafe_code)]
        unsafe {
            (self.destroy)(event);
        }
    }
}

#[cfg(target_os = "linux")]
fn runtime() -> Option<&'static Runtime> {
    use libloading::os::unix::Library;
    static RUNTIME: OnceLock<Option<Runtime>> = OnceLock::new();
    let load = || {
        // The process contains the runtime if libtorch's CUDA part is loaded.
        let process = Library::this();
        // SAFETY: these are the signatures of the CUDA runtime, the same in all its versions.
        #[allow(unsafe_code)]
        unsafe {
            Some(Runtime {
                create: *process.get(b"cudaEventCreateWithFlags\0").ok()?,
                record: *process.get(b"cudaEventRecord\0").ok()?,
                wait: *process.get(b"cudaEventSynchronize\0").ok()?,
                destroy: *process.get(b"cudaEventDestroy\0").ok()?,
            })
        }
    };
    RUNTIME.get_or_init(load).as_ref()
}

#[cfg(not(target_os = "linux"))]
fn runtime() -> Option<&'static Runtime> {
    static NONE: OnceLock<Option<Runtime>> = OnceLock::new();
    NONE.get_or_init(|| None).as_ref()
}
