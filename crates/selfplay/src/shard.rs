//! Plays one shard: a fixed number of self-play games, in slots that share one evaluator call per
//! step.

use crate::ending::ending;
use crate::schedule::Schedule;
use crate::slot::{Slot, Start};
use crate::{Counters, Played, SelfPlayError, ShardSettings};
use catapult_endings::EndingsError;
use catapult_mcts::{Batch, Cached, Evaluator};
use catapult_records::GameRecord;
use catapult_rules::{Position, Variant};
use catapult_seeds::Stream;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::sync::atomic::{AtomicBool, Ordering};

/// Plays a shard of self-play games on the current thread. On CPUs, each thread can play a shard of
/// its own.
///
/// `arms` are variants with their rules. A game that does not fork plays one of them, drawn by its
/// seed. A forked game plays the arm of the game from which it forks. If `arms` is empty, no
/// games are played.
///
/// # Errors
/// [`SelfPlayError::Stopped`] soon after `stop` becomes true. Also an error of the evaluator or of
/// an endgame tablebase.
pub fn play_shard<P: Position>(
    arms: &[(Variant, P::Rules)],
    settings: &ShardSettings,
    evaluator: &mut dyn Evaluator<P>,
    counters: &Counters,
    stop: &AtomicBool,
) -> Result<Played, SelfPlayError> {
    let mut shard = Shard::new(arms, settings, counters);
    let mut slots = shard.open(settings.open_slots());
    let mut batch = Batch::default();
    let mut evaluator = Cached::new(evaluator, cache_capacity(settings));
    let mut asked = 0;
    loop {
        check(stop)?;
        batch.clear();
        advance(&mut slots, &mut batch, |slot| shard.next_game(slot))?;
        if slots.is_empty() {
            return Ok(Played { games: shard.finish(), asked });
        }
        let (requests, hits_before) = (batch.leaves.len() as u64, evaluator.hits());
        evaluator.evaluate(&mut batch)?;
        let hits = evaluator.hits() - hits_before;
        asked += requests;
        counters.cache_hits.fetch_add(hits, Ordering::Relaxed);
        counters.evaluations.fetch_add(requests - hits, Ordering::Relaxed);
        counters.batches.fetch_add(1, Ordering::Relaxed);
        for slot in &mut slots {
            slot.apply(&batch);
        }
    }
}

/// Advances slots to their next requests for evaluations, which are appended to `batch`. Until then,
/// a slot plays moves, and `next_game` begins new games in it. Removes the slots for which
/// `next_game` returns false, because no game is left.
///
/// # Errors
/// A tablebase probe fails. The slots are then of no further use.
pub(crate) fn advance<'a, P: Position>(
    slots: &mut Vec<Slot<'a, P>>,
    batch: &mut Batch<P>,
    mut next_game: impl FnMut(&mut Slot<'a, P>) -> bool,
) -> Result<(), EndingsError> {
    let mut advanced = Ok(());
    slots.retain_mut(|slot| {
        loop {
            match slot.gather(batch) {
                Ok(true) => return true,
                Ok(false) if next_game(slot) => {}
                Ok(false) => return false,
                Err(error) => {
                    advanced = Err(error);
                    return false;
                }
            }
        }
    });
    advanced
}

pub(crate) fn check(stop: &AtomicBool) -> Result<(), SelfPlayError> {
    if stop.load(Ordering::Relaxed) { Err(SelfPlayError::Stopped) } else { Ok(()) }
}

/// Returns the capacity of a shard's cache, in evaluations. It suffices for a few plies of all
/// games in progress, and for openings.
pub(crate) fn cache_capacity(settings: &ShardSettings) -> usize {
    (settings.open_slots() * 64).max(1 << 14)
}

/// The games of a shard that have not started, and the records of its finished games.
pub(crate) struct Shard<'a, P: Position> {
    arms: &'a [(Variant, P::Rules)],
    settings: &'a ShardSettings<'a>,
    counters: &'a Counters,
    schedule: Schedule,
    finished: Vec<GameRecord>,
}

impl<'a, P: Position> Shard<'a, P> {
    pub(crate) fn new(
        arms: &'a [(Variant, P::Rules)],
        settings: &'a ShardSettings<'a>,
        counters: &'a Counters,
    ) -> Self {
        let schedule = Schedule::new(settings.games, settings.selfplay.fork_share, settings.seed);
        Shard { arms, settings, counters, schedule, finished: Vec::with_capacity(settings.games as usize) }
    }

    /// Opens up to `slots` slots, each with a game that does not fork. Opens fewer slots if the shard
    /// has fewer such games.
    pub(crate) fn open(&mut self, slots: usize) -> Vec<Slot<'a, P>> {
        let (settings, counters) = (self.settings, self.counters);
        let starts = std::iter::from_fn(|| self.fresh()).take(slots);
        starts.map(|start| Slot::new(settings, counters, start)).collect()
    }

    fn fresh(&mut self) -> Option<Start<P>> {
        let game = self.schedule.fresh()?;
        let seed = self.schedule.game_seed(game);
        // The remainder favours no arm by more than one part in 2^57. `None` if there are no arms.
        let arm = Stream::Arm.seed(seed).checked_rem(self.arms.len() as u64)?;
        let (variant, rules) = self.arms[arm as usize];
        let mut men = Pcg64Mcg::seed_from_u64(Stream::Men.seed(seed));
        let config = &self.settings.selfplay;
        let is_ending = men.random_bool(config.ending_share);
        let position = match is_ending {
            true => ending::<P>(rules, config.no_progress_cap, &mut men),
            false => P::start(rules),
        };
        Some(Start { game, seed, variant, position, is_ending, fork: None })
    }

    /// Adds the record of the slot's finished game and begins the next game in the slot. Returns
    /// false if no game is left.
    pub(crate) fn next_game(&mut self, slot: &mut Slot<'a, P>) -> bool {
        self.counters.games.fetch_add(1, Ordering::Relaxed);
        let next = slot.fork(&mut self.schedule).or_else(|| self.fresh());
        let Some(start) = next else {
            self.finished.push(slot.record.clone());
            return false;
        };
        let ended = std::mem::replace(slot, Slot::new(self.settings, self.counters, start));
        self.finished.push(ended.record);
        true
    }

    pub(crate) fn finish(mut self) -> Vec<GameRecord> {
        self.finished.sort_by_key(|record| record.game);
        self.finished
    }
}
