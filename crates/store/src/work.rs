//! Work in units, such as a shard of games or a match. Each unit is computed once, stored
//! atomically and found again later.
//!
//! A unit's result depends only on its inputs. The order of the units, the number of threads and
//! interruptions therefore do not change the files.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// A unit of work, such as a shard of games or a match.
pub trait Unit: Sync {
    /// Result of the computation.
    type Output: Send;
    /// Error if the result cannot be read or computed.
    type Error: Stop;

    /// Returns the expected amount of work. Any measure is allowed, but all units of a list must
    /// use one measure.
    fn expected(&self) -> u64;

    /// Returns the stored result of an earlier computation after verifying it, or `None`.
    ///
    /// A result that is damaged or has another cache key is reported to the user and counts as
    /// missing.
    fn find(&self) -> Result<Option<Self::Output>, Self::Error>;

    /// Computes the result, stores it atomically and returns it.
    fn make(&self) -> Result<Self::Output, Self::Error>;
}

/// An error type that can also represent cancellation.
pub trait Stop: Send {
    /// Returns the error that represents cancellation.
    fn stopped() -> Self;
    /// Returns true if this error represents cancellation.
    fn is_stopped(&self) -> bool;
}

/// Finds or computes all units on at most `threads` threads, the most expensive first. Returns their
/// results in the order of `units`.
///
/// After each unit, a worker thread calls `done` with the unit's index in `units`. The second
/// argument is true if the unit's result was found, and false if it was computed.
///
/// The work is cancelled if another thread sets `stop` to true. Then no further unit starts. A unit
/// that is being computed may check the flag too and end early.
///
/// # Errors
/// Returns the first error of a unit, or the cancellation. After an error, no further unit starts.
/// Results that are already stored remain.
pub fn find_or_make_all<U: Unit>(
    units: &[U],
    threads: usize,
    stop: &AtomicBool,
    done: impl Fn(usize, bool) + Sync,
) -> Result<Vec<U::Output>, U::Error> {
    let mut order: Vec<usize> = (0..units.len()).collect();
    // The sort is stable: units of equal cost keep their order.
    order.sort_by_key(|&number| std::cmp::Reverse(units[number].expected()));
    let results = Mutex::new(units.iter().map(|_| None).collect::<Vec<Option<U::Output>>>());
    each(threads, &order, |&number| {
        if stop.load(Ordering::Relaxed) {
            return Err(U::Error::stopped());
        }
        let unit = &units[number];
        let (result, is_found) = match unit.find()? {
            Some(found) => (found, true),
            None => (unit.make()?, false),
        };
        done(number, is_found);
        results.lock().unwrap_or_else(|poisoned| poisoned.into_inner())[number] = Some(result);
        Ok(())
    })?;
    // Without an error, every unit has a result.
    Ok(results.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).into_iter().flatten().collect())
}

/// Calls `work` for all units, in order, on at most `threads` threads. After an error, no further
/// unit starts.
///
/// # Errors
/// Returns the first error that is not a cancellation, or else the cancellation.
fn each<U: Sync, E: Stop>(
    threads: usize,
    units: &[U],
    work: impl Fn(&U) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None::<E>);
    let run = || {
        while let Some(unit) = units.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = work(unit) {
                next.store(units.len(), Ordering::Relaxed);
                // A poisoned lock means that another thread panicked, which ends the scope below.
                let mut failed = failed.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                // An error takes precedence over the cancellations it causes.
                if failed.as_ref().is_none_or(E::is_stopped) {
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

/// Progress of the computation of a list of units.
#[derive(Debug, Default)]
pub struct Tally {
    /// Number of units in the list.
    pub units: u64,
    /// Expected amount of work of all units, from [`Unit::expected`]. The estimate of the time left
    /// uses it.
    pub expected: u64,
    /// Number of units that are done, either found or computed.
    pub done: AtomicU64,
    /// Expected amount of work of the units that were computed now.
    pub made: AtomicU64,
    /// Expected amount of work of the units whose results were found.
    pub found: AtomicU64,
}

impl Tally {
    /// Creates the progress of a list of units before any unit is done.
    pub fn of<U: Unit>(units: &[U]) -> Tally {
        Tally {
            units: units.len() as u64,
            expected: units.iter().map(U::expected).sum(),
            ..Default::default()
        }
    }

    /// Counts a unit as done. `expected` is its expected amount of work. `is_found` is true if the
    /// unit's result was found, and false if it was computed.
    pub fn count(&self, expected: u64, is_found: bool) {
        let counter = if is_found { &self.found } else { &self.made };
        counter.fetch_add(expected, Ordering::Relaxed);
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the estimated number of seconds left, if the work has taken `seconds` so far.
    /// Returns `None` before any unit was computed.
    pub fn seconds_left(&self, seconds: f64) -> Option<f64> {
        let [made, found] = [&self.made, &self.found].map(|counter| counter.load(Ordering::Relaxed));
        let left = self.expected.saturating_sub(made + found);
        (made > 0).then(|| seconds * left as f64 / made as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[derive(Debug, PartialEq)]
    enum Failure {
        Stopped,
        Other(u64),
    }

    impl Stop for Failure {
        fn stopped() -> Failure {
            Failure::Stopped
        }

        fn is_stopped(&self) -> bool {
            *self == Failure::Stopped
        }
    }

    /// A unit whose result is the square of its number. It stores the result in the shared map
    /// `shelf`, and panics if it is computed twice.
    struct Square<'a> {
        number: u64,
        shelf: &'a Mutex<BTreeMap<u64, u64>>,
        started: &'a AtomicU64,
        fails: bool,
    }

    impl Unit for Square<'_> {
        type Output = u64;
        type Error = Failure;

        fn expected(&self) -> u64 {
            self.number
        }

        fn find(&self) -> Result<Option<u64>, Failure> {
            Ok(self.shelf.lock().unwrap().get(&self.number).copied())
        }

        fn make(&self) -> Result<u64, Failure> {
            self.started.fetch_add(1, Ordering::Relaxed);
            if self.fails {
                return Err(Failure::Other(self.number));
            }
            let made = self.number * self.number;
            assert_eq!(self.shelf.lock().unwrap().insert(self.number, made), None, "computed twice");
            Ok(made)
        }
    }

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn nothing(_: usize, _: bool) {}

    #[test]
    fn existing_results_are_found_and_others_computed_once_on_any_number_of_threads() {
        for threads in [1, 2, 7, 200] {
            let (shelf, started) = (Mutex::new(BTreeMap::from([(3, 9)])), AtomicU64::new(0));
            let unit = |number| Square { number, shelf: &shelf, started: &started, fails: false };
            let units: Vec<_> = (0..100).map(unit).collect();
            let tally = Tally::of(&units);
            let count = |number: usize, is_found| tally.count(units[number].expected(), is_found);
            let made = find_or_make_all(&units, threads, &NEVER, count).unwrap();
            assert_eq!(made, (0..100).map(|number| number * number).collect::<Vec<_>>(), "{threads} threads");
            assert_eq!(started.load(Ordering::Relaxed), 99);
            let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
            assert_eq!((tally.units, of(&tally.done), of(&tally.found)), (100, 100, 3));
            assert_eq!(of(&tally.made) + 3, tally.expected);
        }
        let none: [Square<'_>; 0] = [];
        assert_eq!(find_or_make_all(&none, 2, &NEVER, nothing), Ok(vec![]));
    }

    #[test]
    fn expensive_units_come_first() {
        let (shelf, started) = (Mutex::default(), AtomicU64::new(0));
        let units: Vec<_> =
            [2, 9, 4].map(|number| Square { number, shelf: &shelf, started: &started, fails: false }).into();
        let order = Mutex::new(Vec::new());
        let done = |number, _| order.lock().unwrap().push(number);
        find_or_make_all(&units, 1, &NEVER, done).unwrap();
        assert_eq!(order.into_inner().unwrap(), [1, 2, 0]);
    }

    #[test]
    fn an_error_cancels_the_work_and_precedes_the_cancellations() {
        let (shelf, started) = (Mutex::default(), AtomicU64::new(0));
        let unit = |number| Square { number, shelf: &shelf, started: &started, fails: number == 996 };
        let units: Vec<_> = (0..1000).map(unit).collect();
        let failed = find_or_make_all(&units, 2, &NEVER, nothing);
        assert_eq!(failed, Err(Failure::Other(996)));
        assert!(started.load(Ordering::Relaxed) < 1000);

        let first = Mutex::new(true);
        let failed = each(1, &[1, 2], |_| {
            let is_first = std::mem::replace(&mut *first.lock().unwrap(), false);
            Err(if is_first { Failure::Stopped } else { Failure::Other(2) })
        });
        assert_eq!(failed, Err(Failure::Stopped), "no unit starts after the first error");
    }

    #[test]
    fn cancellation_keeps_complete_results() {
        let (shelf, started, stop) = (Mutex::default(), AtomicU64::new(0), AtomicBool::new(false));
        let unit = |number| Square { number, shelf: &shelf, started: &started, fails: false };
        let units: Vec<_> = (0..10).map(unit).collect();
        let stop_at_three = |_, _| stop.store(started.load(Ordering::Relaxed) == 3, Ordering::Relaxed);
        assert_eq!(find_or_make_all(&units, 1, &stop, stop_at_three), Err(Failure::Stopped));
        assert_eq!(started.load(Ordering::Relaxed), 3);
        stop.store(false, Ordering::Relaxed);
        assert_eq!(find_or_make_all(&units, 1, &stop, nothing).unwrap()[9], 81);
        assert_eq!(started.load(Ordering::Relaxed), 10, "each was computed once");
    }

    #[test]
    fn time_left_follows_from_computed_units_only() {
        let tally = Tally { units: 4, expected: 1000, ..Default::default() };
        tally.count(400, true);
        assert_eq!(tally.seconds_left(10.0), None, "found units do not show the speed");
        tally.count(200, false);
        assert_eq!(tally.seconds_left(10.0), Some(20.0), "200 in 10 seconds, 400 are left");
        assert_eq!(tally.done.load(Ordering::Relaxed), 2);
    }
}
