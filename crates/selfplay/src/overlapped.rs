//! Plays a shard of self-play games so that searches and evaluations overlap, for GPUs.

use crate::shard::{Shard, advance, cache_capacity, check};
use crate::slot::Slot;
use crate::{Counters, Played, SelfPlayError, ShardSettings};
use catapult_endings::EndingsError;
use catapult_mcts::{Batch, EvaluationCache, QueuedEvaluator};
use catapult_rules::{Position, Variant};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

/// Number of groups of slots per thread. With several small groups, threads wait less for the last
/// group.
const GROUPS_PER_THREAD: usize = 4;

/// Plays a shard like [`play_shard`](crate::play_shard), on all threads of the current rayon pool.
///
/// The slots form two halves. While the searches of one half advance, the evaluator evaluates the
/// requests of the second half. A half consists of worker groups, each with its own batch and
/// cache. Therefore all steps between searches and evaluator run on all threads.
///
/// # Errors
/// The errors of [`play_shard`](crate::play_shard).
pub fn play_shard_overlapped<P: Position>(
    arms: &[(Variant, P::Rules)],
    settings: &ShardSettings,
    evaluator: &mut dyn QueuedEvaluator<P>,
    counters: &Counters,
    stop: &AtomicBool,
) -> Result<Played, SelfPlayError> {
    // The lock is held only when slots open or a game ends.
    let shard = Mutex::new(Shard::new(arms, settings, counters));
    // Split evenly so that a small shard also fills both halves.
    let slots = settings.open_slots();
    let mut halves = [slots.div_ceil(2), slots / 2].map(|slots| Half::new(&shard, settings, slots));
    let mut asked = 0;
    for turn in (0..2).cycle() {
        check(stop)?;
        let half = &mut halves[turn];
        if half.is_waiting {
            timed(&counters.waiting, || half.take(evaluator))?;
        }
        timed(&counters.growing, || half.advance(&shard))?;
        half.is_waiting = half.groups.iter().any(|group| !group.slots.is_empty());
        if half.is_waiting {
            asked += timed(&counters.asking, || half.submit(evaluator, counters))?;
        } else if !halves[1 - turn].is_waiting {
            break;
        }
    }
    let shard = shard.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    Ok(Played { games: shard.finish(), asked })
}

/// Calls `work`, and adds the nanoseconds that it takes to `sum`.
fn timed<T>(sum: &AtomicU64, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let done = work();
    sum.fetch_add(began.elapsed().as_nanos() as u64, Ordering::Relaxed);
    done
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Group of slots that one thread at a time advances, with its own batch and cache.
struct WorkerGroup<'a, P: Position> {
    slots: Vec<Slot<'a, P>>,
    batch: Batch<P>,
    memory: EvaluationCache<P>,
}

/// One of the two halves of a shard's slots.
struct Half<'a, P: Position> {
    groups: Vec<WorkerGroup<'a, P>>,
    /// True if the evaluator has requests of this half whose evaluations are not collected yet.
    is_waiting: bool,
}

impl<'a, P: Position> Half<'a, P> {
    fn new(shard: &Mutex<Shard<'a, P>>, settings: &ShardSettings, slots: usize) -> Half<'a, P> {
        let mut slots = locked(shard).open(slots);
        let size = slots.len().div_ceil(GROUPS_PER_THREAD * rayon::current_num_threads()).max(1);
        let mut groups = Vec::new();
        while !slots.is_empty() {
            let slots: Vec<_> = slots.drain(..size.min(slots.len())).collect();
            let share = cache_capacity(settings) * slots.len() / settings.open_slots();
            groups.push(WorkerGroup { slots, batch: Batch::default(), memory: EvaluationCache::new(share) });
        }
        Half { groups, is_waiting: false }
    }

    /// Applies finished evaluations and advances the searches of all slots to their next requests.
    /// Then looks these requests up in the caches.
    fn advance(&mut self, shard: &Mutex<Shard<'a, P>>) -> Result<(), SelfPlayError> {
        let is_waiting = self.is_waiting;
        Ok(self.groups.par_iter_mut().try_for_each(|group| group.advance(shard, is_waiting))?)
    }

    /// Asks for the evaluations that the caches lack. Returns the number of all requests.
    fn submit(
        &mut self,
        evaluator: &mut dyn QueuedEvaluator<P>,
        counters: &Counters,
    ) -> Result<u64, SelfPlayError> {
        let missing: Vec<&Batch<P>> = self.groups.iter().map(|group| &group.memory.missing).collect();
        let all: usize = self.groups.iter().map(|group| group.batch.leaves.len()).sum();
        let missed: usize = missing.iter().map(|batch| batch.leaves.len()).sum();
        counters.evaluations.fetch_add(missed as u64, Ordering::Relaxed);
        counters.cache_hits.fetch_add((all - missed) as u64, Ordering::Relaxed);
        counters.batches.fetch_add(1, Ordering::Relaxed);
        evaluator.submit(&missing)?;
        Ok(all as u64)
    }

    fn take(&mut self, evaluator: &mut dyn QueuedEvaluator<P>) -> Result<(), SelfPlayError> {
        let mut missing: Vec<&mut Batch<P>> =
            self.groups.iter_mut().map(|group| &mut group.memory.missing).collect();
        Ok(evaluator.collect(&mut missing)?)
    }
}

impl<'a, P: Position> WorkerGroup<'a, P> {
    fn advance(&mut self, shard: &Mutex<Shard<'a, P>>, answered: bool) -> Result<(), EndingsError> {
        let WorkerGroup { slots, batch, memory } = self;
        if answered {
            memory.complete(batch);
            slots.iter_mut().for_each(|slot| slot.apply(batch));
        }
        batch.clear();
        advance(slots, batch, |slot| locked(shard).next_game(slot))?;
        memory.look_up(batch);
        Ok(())
    }
}
