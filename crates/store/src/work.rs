//! Work in units: each is made once, whole or not at all, follows from its terms alone and is found again by its name, so that any
//! order, any number of threads and any number of kills give the same files.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// A unit of work.
pub trait Unit: Sync {
    /// What is made.
    type Made: Send;
    /// Why it could not be.
    type Error: Stop;

    /// Its name among the units beside it, in files and messages.
    fn name(&self) -> String;

    /// The work that it is expected to take; what it is counted in is the same for all units of a list.
    fn expected(&self) -> u64;

    /// What was made before, verified; none if there is nothing. What is there but damaged, or made on other terms, is told and
    /// counts as nothing.
    fn find(&self) -> Result<Option<Self::Made>, Self::Error>;

    /// Makes it, and writes it whole or not at all.
    fn make(&self) -> Result<Self::Made, Self::Error>;
}

/// An error that may say that nothing went wrong: somebody asked to stop.
pub trait Stop: Send {
    /// That one.
    fn stopped() -> Self;
    /// Whether it is that one.
    fn is_stopped(&self) -> bool;
}

/// What a unit made, and whether that was there already.
///
/// # Errors
/// As the unit's.
fn find_or_make<U: Unit>(unit: &U) -> Result<(U::Made, bool), U::Error> {
    Ok(match unit.find()? {
        Some(found) => (found, true),
        None => (unit.make()?, false),
    })
}

/// Who does the work.
#[derive(Clone, Copy)]
pub struct Workers<'a> {
    /// Units at once.
    pub threads: usize,
    /// Ends the work soon after it becomes true.
    pub stop: &'a AtomicBool,
}

impl Workers<'_> {
    /// Finds or makes units, those that take longest first, and hands to `done` what each made as it ends, with its number.
    ///
    /// # Errors
    /// The first of a unit, which ends the others; that of a stop. What is whole stays.
    pub fn work<U: Unit>(
        &self,
        units: &[U],
        tally: &Tally,
        done: impl Fn(usize, U::Made) + Sync,
    ) -> Result<(), U::Error> {
        let mut order: Vec<usize> = (0..units.len()).collect();
        // Units that take equally long stay in their order.
        order.sort_by_key(|&number| std::cmp::Reverse(units[number].expected()));
        each(self.threads, &order, |&number| {
            if self.stop.load(Ordering::Relaxed) {
                return Err(U::Error::stopped());
            }
            let unit = &units[number];
            let (made, is_found) = find_or_make(unit)?;
            tally.count(unit.expected(), is_found);
            done(number, made);
            Ok(())
        })
    }

    /// The same, and gives what the units made, in their order.
    ///
    /// # Errors
    /// As [`Workers::work`].
    pub fn all<U: Unit>(
        &self,
        units: &[U],
        tally: &Tally,
        done: impl Fn(usize, &U::Made) + Sync,
    ) -> Result<Vec<U::Made>, U::Error> {
        let made = Mutex::new(units.iter().map(|_| None).collect::<Vec<Option<U::Made>>>());
        self.work(units, tally, |number, one| {
            done(number, &one);
            made.lock().unwrap_or_else(|poisoned| poisoned.into_inner())[number] = Some(one);
        })?;
        // Without an error each unit was done.
        Ok(made.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).into_iter().flatten().collect())
    }
}

/// Does the work for each unit on one of so many threads, in their order; the first error ends the others as soon as they are done with
/// what they have begun.
///
/// # Errors
/// The first one; one of a stop only if there is no other.
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
                // What made the others stop comes first.
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

/// How far a list of units is.
#[derive(Debug, Default)]
pub struct Tally {
    /// Units in all.
    pub units: u64,
    /// Work that all of them are expected to take: what time left is reckoned by.
    pub expected: u64,
    /// Units that are done, made now or found.
    pub done: AtomicU64,
    /// What was expected of those made now.
    pub made: AtomicU64,
    /// What was expected of those found.
    pub found: AtomicU64,
}

impl Tally {
    /// Of units of which none is done.
    pub fn of<U: Unit>(units: &[U]) -> Tally {
        Tally {
            units: units.len() as u64,
            expected: units.iter().map(U::expected).sum(),
            ..Default::default()
        }
    }

    /// Counts a unit in.
    pub fn count(&self, expected: u64, is_found: bool) {
        let counter = if is_found { &self.found } else { &self.made };
        counter.fetch_add(expected, Ordering::Relaxed);
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Seconds left after so many seconds of work; none before there is anything to reckon by.
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

    /// Squares its number into a shared shelf; made twice, it says so.
    struct Square<'a> {
        number: u64,
        shelf: &'a Mutex<BTreeMap<String, u64>>,
        begun: &'a AtomicU64,
        fails: bool,
    }

    impl Unit for Square<'_> {
        type Made = u64;
        type Error = Failure;

        fn name(&self) -> String {
            self.number.to_string()
        }

        fn expected(&self) -> u64 {
            self.number
        }

        fn find(&self) -> Result<Option<u64>, Failure> {
            Ok(self.shelf.lock().unwrap().get(&self.name()).copied())
        }

        fn make(&self) -> Result<u64, Failure> {
            self.begun.fetch_add(1, Ordering::Relaxed);
            if self.fails {
                return Err(Failure::Other(self.number));
            }
            let made = self.number * self.number;
            assert_eq!(self.shelf.lock().unwrap().insert(self.name(), made), None, "made twice");
            Ok(made)
        }
    }

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn nothing(_: usize, _: &u64) {}

    #[test]
    fn what_is_there_is_found_and_the_rest_is_made_once_on_any_number_of_threads() {
        for threads in [1, 2, 7, 200] {
            let (shelf, begun) = (Mutex::new(BTreeMap::from([("3".to_owned(), 9)])), AtomicU64::new(0));
            let unit = |number| Square { number, shelf: &shelf, begun: &begun, fails: false };
            let units: Vec<_> = (0..100).map(unit).collect();
            let tally = Tally::of(&units);
            let made = Workers { threads, stop: &NEVER }.all(&units, &tally, nothing).unwrap();
            assert_eq!(made, (0..100).map(|number| number * number).collect::<Vec<_>>(), "{threads} threads");
            assert_eq!(begun.load(Ordering::Relaxed), 99);
            let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
            assert_eq!((tally.units, of(&tally.done), of(&tally.found)), (100, 100, 3));
            assert_eq!(of(&tally.made) + 3, tally.expected);
        }
        let none: [Square<'_>; 0] = [];
        assert_eq!(Workers { threads: 2, stop: &NEVER }.all(&none, &Tally::default(), nothing), Ok(vec![]));
    }

    #[test]
    fn what_takes_longest_comes_first() {
        let (shelf, begun) = (Mutex::default(), AtomicU64::new(0));
        let units: Vec<_> =
            [2, 9, 4].map(|number| Square { number, shelf: &shelf, begun: &begun, fails: false }).into();
        let order = Mutex::new(Vec::new());
        let done = |number, _| order.lock().unwrap().push(number);
        Workers { threads: 1, stop: &NEVER }.work(&units, &Tally::of(&units), done).unwrap();
        assert_eq!(order.into_inner().unwrap(), [1, 2, 0]);
    }

    #[test]
    fn an_error_ends_the_work_and_is_told_before_the_stops_it_causes() {
        let (shelf, begun) = (Mutex::default(), AtomicU64::new(0));
        let unit = |number| Square { number, shelf: &shelf, begun: &begun, fails: number == 996 };
        let units: Vec<_> = (0..1000).map(unit).collect();
        let failed = Workers { threads: 2, stop: &NEVER }.all(&units, &Tally::of(&units), nothing);
        assert_eq!(failed, Err(Failure::Other(996)));
        assert!(begun.load(Ordering::Relaxed) < 1000);

        let first = Mutex::new(true);
        let failed = each(1, &[1, 2], |_| {
            let is_first = std::mem::replace(&mut *first.lock().unwrap(), false);
            Err(if is_first { Failure::Stopped } else { Failure::Other(2) })
        });
        assert_eq!(failed, Err(Failure::Stopped), "nothing is begun after the first");
    }

    #[test]
    fn a_stop_keeps_what_is_whole() {
        let (shelf, begun, stop) = (Mutex::default(), AtomicU64::new(0), AtomicBool::new(false));
        let unit = |number| Square { number, shelf: &shelf, begun: &begun, fails: false };
        let units: Vec<_> = (0..10).map(unit).collect();
        let workers = Workers { threads: 1, stop: &stop };
        let tally = Tally::of(&units);
        let stop_at_three = |_, _| stop.store(tally.done.load(Ordering::Relaxed) == 3, Ordering::Relaxed);
        assert_eq!(workers.work(&units, &tally, stop_at_three), Err(Failure::Stopped));
        assert_eq!(begun.load(Ordering::Relaxed), 3);
        stop.store(false, Ordering::Relaxed);
        assert_eq!(workers.all(&units, &Tally::of(&units), nothing).unwrap()[9], 81);
        assert_eq!(begun.load(Ordering::Relaxed), 10, "each was made once");
    }

    #[test]
    fn time_left_is_reckoned_by_what_was_made_now() {
        let tally = Tally { units: 4, expected: 1000, ..Default::default() };
        tally.count(400, true);
        assert_eq!(tally.seconds_left(10.0), None, "what was found says nothing of the speed");
        tally.count(200, false);
        assert_eq!(tally.seconds_left(10.0), Some(20.0), "200 in 10 seconds, 400 are left");
        assert_eq!(tally.done.load(Ordering::Relaxed), 2);
    }
}
