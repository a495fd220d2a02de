//! Events in a device's queue of work. A thread can wait for the event after one batch and ignore
//! later work. The crate `tch` has no events. The functions therefore come from the CUDA runtime
//! that libtorch loads.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr::null_mut;
use tch::Device;

/// Point in a device's queue of work. It is reached when all work queued before it is done.
pub(crate) enum Event {
    /// The work is already done, as always on a CPU.
    Done,
    /// Handle of an event of the CUDA runtime.
    Cuda(*mut c_void),
    /// End of all work of the CUDA device with this index. It is used if the CUDA runtime gives no
    /// event.
    Everything(i64),
}

// SAFETY: the CUDA runtime allows any thread to wait for and destroy an event.
#[allow(unsafe_code)]
unsafe impl Send for Event {}

impl Event {
    /// Records an event after all work that is currently in the device's queue.
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

    /// Waits until all work queued before the event is done.
    pub(super) fn wait(&self) {
        match self {
            Event::Done => {}
            Event::Cuda(event) => {
                // SAFETY: the event lives until its `Event` is dropped.
                #[allow(unsafe_code)]
                let waited = runtime().is_some_and(|runtime| unsafe { (runtime.wait)(*event) } == 0);
                // After a failed wait, the next call of libtorch reports the device's error in
                // words.
                if !waited {
                    tch::Cuda::synchronize(0);
                }
            }
            Event::Everything(index) => tch::Cuda::synchronize(*index),
        }
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if let (Event::Cuda(event), Some(runtime)) = (&*self, runtime()) {
            // SAFETY: called once, from the only owner.
            #[allow(unsafe_code)]
            unsafe {
                (runtime.destroy)(*event);
            }
        }
    }
}

/// Returns true if a thread can wait for a single batch on the first CUDA device. If false, each
/// wait is for all work of the device. The search then does not run at the same time as the
/// network.
pub fn waits_for_batches() -> bool {
    runtime().is_some()
}

/// Functions of the CUDA runtime's C interface. Each function returns 0 on success.
struct Runtime {
    create: unsafe extern "C" fn(*mut *mut c_void, c_uint) -> c_int,
    record: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int,
    wait: unsafe extern "C" fn(*mut c_void) -> c_int,
    destroy: unsafe extern "C" fn(*mut c_void) -> c_int,
}

/// Value of the CUDA runtime's flag `cudaEventDisableTiming`, which makes events cheaper.
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
}

#[cfg(target_os = "linux")]
fn runtime() -> Option<&'static Runtime> {
    use libloading::os::unix::Library;
    static RUNTIME: std::sync::OnceLock<Option<Runtime>> = std::sync::OnceLock::new();
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
    None
}
