//! Units of work: pure functions of the study's file, its networks and their own names, so that any order and any number of
//! threads gives the same files.

use crate::StudyError;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The stream of random numbers of what has this name.
pub fn seed_of(study_seed: u64, name: &str) -> u64 {
    name.bytes().fold(study_seed, |seed, byte| catapult_selfplay::shard_seed(seed, byte.into(), 0))
}

/// Does each unit on one of so many threads, in their order; the first error ends the others as soon as they are done with
/// what they have begun.
pub(crate) fn each<U: Sync>(
    threads: usize,
    units: &[U],
    work: impl Fn(&U) -> Result<(), StudyError> + Sync,
) -> Result<(), StudyError> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    let run = || {
        while let Some(unit) = units.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = work(unit) {
                next.store(units.len(), Ordering::Relaxed);
                // A poisoned lock means that another thread panicked, which ends the scope below.
                let mut failed = failed.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                // What made the others stop comes first.
                if failed.as_ref().is_none_or(|first| matches!(first, StudyError::Stopped)) {
                    *failed = Some(error);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        (1..threads.min(units.len())).for_each(|_| {
            scope.spawn(run);
        });
        run();
    });
    failed.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn every_unit_is_done_once_on_any_number_of_threads() {
        for threads in [1, 2, 7, 200] {
            let units: Vec<u64> = (0..100).collect();
            let sum = AtomicU64::new(0);
            each(threads, &units, |unit| {
                sum.fetch_add(1 << (unit % 50), Ordering::Relaxed);
                Ok(())
            })
            .unwrap();
            assert_eq!(sum.into_inner(), 2 * ((1 << 50) - 1), "{threads} threads");
        }
        each(2, &[] as &[u64], |_| Err(StudyError::Stopped)).unwrap();
    }

    #[test]
    fn an_error_ends_the_work_and_is_told_before_the_stops_it_causes() {
        let begun = AtomicU64::new(0);
        let units: Vec<u64> = (0..1000).collect();
        let error = each(2, &units, |&unit| {
            begun.fetch_add(1, Ordering::Relaxed);
            if unit == 3 { Err(StudyError::Report("four".into())) } else { Ok(()) }
        });
        assert_eq!(error.unwrap_err().to_string(), "report: four");
        assert!(begun.into_inner() < 1000);
    }

    #[test]
    fn names_have_streams_of_their_own() {
        let mut seeds: Vec<u64> = ["", "a", "b", "ab", "ba"].map(|name| seed_of(1, name)).to_vec();
        seeds.extend([seed_of(2, "a"), seed_of(2, "ba")]);
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 7);
    }
}
