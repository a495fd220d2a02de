//! Stop requests by Ctrl-C or a time limit. The first request ends the work cleanly. A later Ctrl-C
//! ends the process at once.

use anyhow::Context;
use catapult_arena::MatchError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static STOP: AtomicBool = AtomicBool::new(false);

/// Requests a clean end after `minutes`.
///
/// # Errors
/// `minutes` is not positive or too large.
#[cfg_attr(not(feature = "torch"), allow(dead_code))]
pub(crate) fn after(minutes: f64) -> anyhow::Result<()> {
    let time = Duration::try_from_secs_f64(60.0 * minutes).ok();
    let time = time.filter(|time| !time.is_zero() && minutes <= 1e9);
    let time = time.with_context(|| format!("--minutes {minutes}: must be positive and at most 1e9"))?;
    // The thread ends with the process.
    std::thread::spawn(move || {
        std::thread::sleep(time);
        STOP.store(true, Ordering::Relaxed);
        note!("\n{minutes} minutes are over; stopping");
    });
    Ok(())
}

/// Installs a handler of Ctrl-C and SIGTERM. Returns a flag that becomes true at the first stop
/// request. Any later signal ends the process with exit code 130. Must be called only once. It also
/// catches a SIGINT that the parent process ignored.
///
/// # Errors
/// The operating system fails.
pub(crate) fn on_signal() -> anyhow::Result<&'static AtomicBool> {
    let stop = || {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        note!("\nstopping; press Ctrl-C again to end at once");
    };
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM};
        // A handler of SIGHUP would undo `nohup`. Without one, a closed terminal ends the process.
        let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
        std::thread::spawn(move || signals.forever().for_each(|_| stop()));
    }
    #[cfg(not(unix))]
    ctrlc::set_handler(stop)?;
    Ok(&STOP)
}

/// Returns the message to print if `error` means that the work was stopped on request. Returns
/// `None` for other errors.
pub(crate) fn message(error: &anyhow::Error) -> Option<String> {
    #[cfg(feature = "torch")]
    let goes_on = crate::lab::is_resumable(error);
    #[cfg(not(feature = "torch"))]
    let goes_on = false;
    let is_lost = matches!(error.downcast_ref(), Some(MatchError::Stopped));
    // The caller's context describes the stopped work better than the default messages.
    let has_context = error.chain().len() > 1;
    match () {
        () if (goes_on || is_lost) && has_context => Some(format!("stopped; {error}")),
        () if goes_on => Some("stopped; rerun the command to resume".to_owned()),
        () if is_lost => {
            Some("stopped; the games played so far are discarded (add -o FOLDER to keep them)".to_owned())
        }
        () => None,
    }
}
