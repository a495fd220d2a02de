//! Writer of a run's curves for TensorBoard. The writer of the crate `tensorboard-rs` panics if it
//! cannot write a file. This module catches its panics and reports a warning instead.

use crate::progress::Progress;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::Path;
use std::sync::Once;
use tensorboard_rs::summary_writer::SummaryWriter;

/// Writer of a run's curves. `None` after a failed write.
pub(crate) struct Curves(Option<SummaryWriter>);

impl Curves {
    /// Creates the TensorBoard files in the folder `dir`.
    pub(crate) fn open(dir: &Path, progress: &dyn Progress) -> Curves {
        let mut curves = Curves(None);
        curves.guard(progress, |curves| curves.0 = Some(SummaryWriter::new(dir)));
        curves
    }

    /// Appends one point to each curve. `scalars` are the names of the curves with their values in
    /// `generation`.
    pub(crate) fn add(
        &mut self,
        generation: u32,
        scalars: impl IntoIterator<Item = (String, f64)>,
        progress: &dyn Progress,
    ) {
        self.guard(progress, |curves| {
            if let Some(writer) = &mut curves.0 {
                for (name, value) in scalars {
                    writer.add_scalar(&name, value as f32, generation as usize);
                }
                writer.flush();
            }
        });
    }

    /// Calls `write`. If it panics, drops the writer and reports a warning. Later calls then write
    /// nothing.
    fn guard(&mut self, progress: &dyn Progress, write: impl FnOnce(&mut Curves)) {
        print_no_panic();
        if catch_unwind(AssertUnwindSafe(|| write(self))).is_err() {
            // It would panic again when it is dropped.
            std::mem::forget(self.0.take());
            progress.warn("the TensorBoard files can't be written; the run continues without them");
        }
    }
}

impl Drop for Curves {
    fn drop(&mut self) {
        let writer = self.0.take();
        // The curves can be rebuilt from the reports, so a failure here needs no warning.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(writer)));
    }
}

/// Prevents the panics of `tensorboard-rs` from being printed. All other panics are printed.
fn print_no_panic() {
    static SET: Once = Once::new();
    SET.call_once(|| {
        let print = take_hook();
        set_hook(Box::new(move |panic| {
            if !panic.location().is_some_and(|location| location.file().contains("tensorboard-rs")) {
                print(panic);
            }
        }));
    });
}
