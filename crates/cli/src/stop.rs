//! Ctrl-C: the first asks the work to end cleanly, the second ends the process. A time limit asks likewise.

use anyhow::Context;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static STOP: AtomicBool = AtomicBool::new(false);

/// Asks the work to end cleanly after so many minutes.
pub fn after(minutes: f64) -> anyhow::Result<()> {
    let time = Duration::try_from_secs_f64(60.0 * minutes).ok().filter(|time| !time.is_zero());
    let time = time.with_context(|| format!("--minutes {minutes}: it must be a positive number"))?;
    // It ends with the process.
    std::thread::spawn(move || {
        std::thread::sleep(time);
        STOP.store(true, Ordering::Relaxed);
        eprintln!("\n{minutes} minutes are over; stopping");
    });
    Ok(())
}

/// Becomes true at the first Ctrl-C (or SIGTERM).
pub fn on_signal() -> anyhow::Result<&'static AtomicBool> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("\nstopping; press Ctrl-C again to end at once");
    })?;
    Ok(&STOP)
}
