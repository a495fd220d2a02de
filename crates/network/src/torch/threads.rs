//! libtorch's own threads.

/// Sets how many threads libtorch uses for one operation called from this thread.
pub(crate) fn use_threads(threads: usize) {
    let threads = i32::try_from(threads).unwrap_or(1).max(1);
    if tch::get_num_threads() != threads {
        tch::set_num_threads(threads);
    }
}
