//! One shard: a fixed number of games played through a number of slots, one evaluator call a step for all of them.

use crate::schedule::Schedule;
use crate::{Counters, SelfPlayConfig, SelfPlayError};
use catapult_mcts::{Batch, Evaluator, Search, SearchConfig, SearchResult};
use catapult_records::{GameRecord, compact_policy};
use catapult_rules::{Game, Outcome, Position, Variant};
use rand::{Rng, RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a shard is made of. Its games are a function of all of this but `slots`.
#[derive(Clone, Copy, Debug)]
pub struct ShardSettings<'a> {
    /// The game.
    pub variant: Variant,
    /// How games are played.
    pub selfplay: &'a SelfPlayConfig,
    /// How moves are searched; its number of simulations is replaced by that of `selfplay`.
    pub search: &'a SearchConfig,
    /// Games to play.
    pub games: u64,
    /// Games under way at once.
    pub slots: usize,
    /// From [`shard_seed`](crate::shard_seed).
    pub seed: u64,
    /// Names the evaluator in the records: a network file's hash, or an evaluator's name.
    pub network: &'a str,
}

/// Plays a shard to its end and gives its games in the order of their numbers.
///
/// # Errors
/// [`SelfPlayError::Stopped`] soon after `stop` becomes true; what the evaluator reports.
pub fn play_shard<P: Position>(
    rules: P::Rules,
    settings: &ShardSettings,
    evaluator: &mut dyn Evaluator<P>,
    counters: &Counters,
    stop: &AtomicBool,
) -> Result<Vec<GameRecord>, SelfPlayError> {
    let mut schedule = Schedule::new(settings.games, settings.selfplay.fork_share, settings.seed);
    let mut finished: Vec<GameRecord> = Vec::with_capacity(settings.games as usize);
    let mut slots: Vec<Slot<P>> = Vec::new();
    while slots.len() < settings.slots.max(1)
        && let Some(game) = schedule.fresh()
    {
        let start = Start { game, position: P::start(rules), fork: None };
        slots.push(Slot::new(settings, start, schedule.game_seed(game)));
    }
    let mut batch = Batch::default();
    while !slots.is_empty() {
        if stop.load(Ordering::Relaxed) {
            return Err(SelfPlayError::Stopped);
        }
        batch.clear();
        slots.retain_mut(|slot| {
            loop {
                slot.first_leaf = batch.leaves.len();
                if slot.search.gather(&mut batch) > 0 {
                    return true;
                }
                counters.plies.fetch_add(1, Ordering::Relaxed);
                let Some(outcome) = slot.play_searched_move(settings) else { continue };
                counters.games.fetch_add(1, Ordering::Relaxed);
                let next = slot.fork(&mut schedule).or_else(|| {
                    let game = schedule.fresh()?;
                    Some(Start { game, position: P::start(rules), fork: None })
                });
                finished.push(slot.take_record(settings, outcome));
                match next {
                    Some(start) => slot.begin(settings, schedule.game_seed(start.game), start),
                    None => return false,
                }
            }
        });
        if !batch.leaves.is_empty() {
            evaluator.evaluate(&mut batch)?;
            counters.evaluations.fetch_add(batch.leaves.len() as u64, Ordering::Relaxed);
            counters.batches.fetch_add(1, Ordering::Relaxed);
            for slot in &mut slots {
                slot.search.apply(&batch, slot.first_leaf);
            }
        }
    }
    finished.sort_by_key(|record| record.game);
    Ok(finished)
}

/// Where a game begins.
struct Start<P> {
    game: u64,
    position: P,
    /// The game and ply it was forked from.
    fork: Option<(u64, u32)>,
}

/// A game under way.
struct Slot<P: Position> {
    number: u64,
    fork: Option<(u64, u32)>,
    seed: u64,
    rng: Pcg64Mcg,
    game: Game<P>,
    search: Search<P>,
    /// Whether the search under way has all its simulations, so that its result is recorded as a target.
    full: bool,
    first_leaf: usize,
    plies: Plies,
}

/// What is recorded of the plies played so far.
#[derive(Default)]
struct Plies {
    moves: Vec<String>,
    policies: Vec<Vec<(String, f32)>>,
    values: Vec<[f32; 3]>,
    moves_left: Vec<f32>,
}

impl<P: Position> Slot<P> {
    fn new(settings: &ShardSettings, start: Start<P>, seed: u64) -> Self {
        let mut slot = Slot {
            number: start.game,
            fork: start.fork,
            seed,
            rng: Pcg64Mcg::seed_from_u64(seed),
            game: Game::new(start.position),
            search: Search::new(settings.search.clone()),
            full: true,
            first_leaf: 0,
            plies: Plies::default(),
        };
        slot.start_search(settings);
        slot
    }

    fn begin(&mut self, settings: &ShardSettings, seed: u64, start: Start<P>) {
        self.number = start.game;
        self.fork = start.fork;
        self.seed = seed;
        self.rng = Pcg64Mcg::seed_from_u64(seed);
        self.game = Game::new(start.position);
        self.plies = Plies::default();
        self.start_search(settings);
    }

    fn start_search(&mut self, settings: &ShardSettings) {
        let config = settings.selfplay;
        self.full = config.full_search_share >= 1.0 || self.rng.random_bool(config.full_search_share);
        let simulations = if self.full { config.simulations } else { config.fast_simulations };
        if self.search.config().simulations != simulations {
            self.search.set_config(SearchConfig { simulations, ..settings.search.clone() });
        }
        self.search.start(&self.game, self.rng.next_u64());
    }

    /// Plays and records the move of the search that is done; gives the outcome if that ends the game, and else
    /// starts the next search.
    fn play_searched_move(&mut self, settings: &ShardSettings) -> Option<Outcome> {
        let config = settings.selfplay;
        let result = self.search.result();
        let ply = self.game.moves().len() as u32;
        let sampled = if self.fork.is_some() { config.fork_sampled_plies } else { config.sampled_plies };
        let temperature = if ply < sampled { 1.0 } else { 0.0 };
        let mv = result.sample_move(temperature, &mut self.rng);
        let mv = mv.expect("a game that is not over has a legal move");
        let position = self.game.position();
        self.plies.moves.push(position.move_text(mv));
        self.plies.policies.push(if self.full { policy_texts(position, &result) } else { Vec::new() });
        self.plies.values.push(result.value.wdl);
        self.plies.moves_left.push(result.value.moves_left);
        self.game.push(mv);
        let outcome = self.game.outcome().or_else(|| {
            let capped = ply + 1 >= config.ply_cap
                || (config.no_progress_cap < 100
                    && self.game.position().halfmove_clock() >= config.no_progress_cap);
            capped.then_some(Outcome::Capped)
        });
        if outcome.is_none() {
            self.start_search(settings);
        }
        outcome
    }

    /// The start of the game that is to begin at a ply of this finished one, if there is one.
    fn fork(&mut self, schedule: &mut Schedule) -> Option<Start<P>> {
        let game = schedule.fork_of(self.number)?;
        let ply = self.rng.random_range(0..self.game.moves().len());
        let mut position = *self.game.start();
        for &mv in &self.game.moves()[..ply] {
            position.play(mv);
        }
        Some(Start { game, position, fork: Some((self.number, ply as u32)) })
    }

    fn take_record(&mut self, settings: &ShardSettings, outcome: Outcome) -> GameRecord {
        let plies = std::mem::take(&mut self.plies);
        GameRecord {
            variant: settings.variant.to_string(),
            start_fen: self.game.start().to_string(),
            moves: plies.moves,
            policies: plies.policies,
            values: plies.values,
            moves_left: plies.moves_left,
            outcome,
            winner: outcome.winner(self.game.position().side_to_move()),
            game: self.number,
            seed: self.seed,
            parent: self.fork.map(|(game, _)| game),
            fork_ply: self.fork.map(|(_, ply)| ply),
            network: settings.network.to_owned(),
        }
    }
}

fn policy_texts<P: Position>(position: &P, result: &SearchResult) -> Vec<(String, f32)> {
    compact_policy(result.policy.iter().map(|&(mv, p)| (position.move_text(mv), p)))
}
