//! Marks in a device's stream of work, to wait for one batch and not for what is queued behind it. tch has no binding for them, so
//! they are asked of the CUDA runtime that libtorch has brought into the process.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;
use tch::Device;

/// The end of the work that the device had been given when it was recorded.
pub(crate) enum Event {
    /// The work was done at once (a CPU).
    Done,
    /// Of the CUDA runtime.
    Cuda(*mut c_void),
    /// The runtime's functions were not found: all work of the device.
    Everything(i64),
}

// SAFETY: the CUDA runtime allows any thread to wait for and destroy an event.
#[allow(unsafe_code)]
unsafe impl Send for Event {}

impl Event {
    /// Records an event behind all work given to the device so far.
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

    /// Waits for it.
    pub(super) fn wait(&self) {
        match self {
            Event::Done => {}
            Event::Cuda(event) => {
                // An error of the device shows again, in words, in the next call of libtorch.
                if !runtime().is_some_and(|runtime| runtime.wait(*event)) {
                    tch::Cuda::synchronize(0);
                }
            }
            Event::Everything(index) => tch::Cuda::synchronize(*index),
        }
    }

    /// Whether batches can be waited for one by one, where the device is CUDA's.
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

/// Functions of the CUDA runtime's C interface; each returns 0 for success.
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
        // The library that the process has loaded with libtorch's CUDA part, if it has.
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
