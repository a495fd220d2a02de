//! A game under way: its searches, its moves, and what is recorded of them.

use crate::schedule::Schedule;
use crate::{Counters, ShardSettings};
use catapult_endings::{EndingsError, could_have};
use catapult_mcts::{Batch, Search, SearchConfig, SearchResult};
use catapult_records::{GameRecord, compact_policy};
use catapult_rules::{Color, Game, Outcome, Position, Variant};
use rand::{Rng, RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// Where a game begins.
pub(crate) struct Start<P> {
    pub(crate) game: u64,
    /// The stream that belongs to the game.
    pub(crate) seed: u64,
    /// The rules of `position` by name.
    pub(crate) variant: Variant,
    pub(crate) position: P,
    /// The game and ply it was forked from.
    pub(crate) fork: Option<(u64, u32)>,
}

/// A game under way.
pub(crate) struct Slot<P: Position> {
    start: Start<P>,
    rng: Pcg64Mcg,
    game: Game<P>,
    search: Search<P>,
    /// Whether the search under way has all its simulations, so that its result is recorded as a target.
    full: bool,
    /// How the game has ended, if it has.
    outcome: Option<Outcome>,
    /// Who has won by a table, if one has ended it.
    table_winner: Option<Color>,
    /// Whether it has got to a position of which there could be a table.
    ending: bool,
    /// Its first request in the batch that is with the evaluator.
    pub(crate) first_leaf: usize,
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
    pub(crate) fn new(settings: &ShardSettings, start: Start<P>) -> Self {
        let mut slot = Slot {
            rng: Pcg64Mcg::seed_from_u64(start.seed),
            game: Game::new(start.position),
            start,
            search: Search::new(settings.search.clone()),
            full: true,
            outcome: None,
            table_winner: None,
            ending: false,
            first_leaf: 0,
            plies: Plies::default(),
        };
        slot.start_search(settings);
        slot
    }

    /// Begins another game with the memory of the last.
    pub(crate) fn begin(&mut self, settings: &ShardSettings, start: Start<P>) {
        self.rng = Pcg64Mcg::seed_from_u64(start.seed);
        self.game = Game::new(start.position);
        self.start = start;
        (self.outcome, self.table_winner, self.ending) = (None, None, false);
        self.plies = Plies::default();
        self.start_search(settings);
    }

    /// Plays on until there is something to evaluate, and appends it to the batch; false if the game ended before.
    pub(crate) fn gather(
        &mut self,
        settings: &ShardSettings,
        counters: &Counters,
        failed: &Mutex<Option<EndingsError>>,
        batch: &mut Batch<P>,
    ) -> bool {
        while self.outcome.is_none() {
            self.first_leaf = batch.leaves.len();
            if self.search.gather(batch) > 0 {
                return true;
            }
            self.outcome = self.play_searched_move(settings, counters, failed);
            counters.plies.fetch_add(1, Ordering::Relaxed);
        }
        false
    }

    /// Takes the answers to what was gathered.
    pub(crate) fn apply(&mut self, batch: &Batch<P>) {
        self.search.apply(batch, self.first_leaf);
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
    fn play_searched_move(
        &mut self,
        settings: &ShardSettings,
        counters: &Counters,
        failed: &Mutex<Option<EndingsError>>,
    ) -> Option<Outcome> {
        let config = settings.selfplay;
        let result = self.search.result();
        let ply = self.game.moves().len() as u32;
        let sampled =
            if self.start.fork.is_some() { config.fork_sampled_plies } else { config.sampled_plies };
        let temperature = if ply < sampled { 1.0 } else { 0.0 };
        let mv = result.sample_move(temperature, &mut self.rng);
        let mv = mv.expect("a game that is not over has a legal move");
        let position = self.game.position();
        self.plies.moves.push(position.move_text(mv));
        self.plies.policies.push(if self.full { policy_texts(position, &result) } else { Vec::new() });
        self.plies.values.push(result.value.wdl);
        self.plies.moves_left.push(result.value.moves_left);
        self.game.push(mv);
        let decided = self.game.outcome().or_else(|| self.ask_tables(settings, counters, failed));
        let outcome = decided.or_else(|| {
            let position = self.game.position();
            let is_long = ply + 1 >= config.ply_cap
                || (config.no_progress_cap < 100 && position.halfmove_clock() >= config.no_progress_cap);
            // A turn that has begun goes to its end: its last decision may be a mate.
            (is_long && position.is_turn_start()).then_some(Outcome::Capped)
        });
        if outcome.is_none() {
            self.start_search(settings);
        }
        outcome
    }

    /// Whether a table knows the result of the game that goes on.
    fn ask_tables(
        &mut self,
        settings: &ShardSettings,
        counters: &Counters,
        failed: &Mutex<Option<EndingsError>>,
    ) -> Option<Outcome> {
        let position = self.game.position();
        if !could_have(self.start.variant, position) {
            return None;
        }
        if !std::mem::replace(&mut self.ending, true) {
            counters.endings.fetch_add(1, Ordering::Relaxed);
        }
        match settings.endings?.result(self.start.variant, position) {
            Ok(result) => {
                self.table_winner = result?;
                Some(Outcome::Tablebase)
            }
            Err(error) => {
                // The shard ends with it; what this game does until then is forgotten.
                failed.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(error);
                None
            }
        }
    }

    /// The start of the game that is to begin at a ply of this finished one, if there is one.
    pub(crate) fn fork(&mut self, schedule: &mut Schedule) -> Option<Start<P>> {
        let game = schedule.fork_of(self.start.game)?;
        let ply = self.rng.random_range(0..self.game.moves().len());
        let mut position = *self.game.start();
        for &mv in &self.game.moves()[..ply] {
            position.play(mv);
        }
        Some(Start {
            game,
            seed: schedule.game_seed(game),
            variant: self.start.variant,
            position,
            fork: Some((self.start.game, ply as u32)),
        })
    }

    /// The finished game; none if it is not finished.
    pub(crate) fn take_record(&mut self, settings: &ShardSettings) -> Option<GameRecord> {
        let outcome = self.outcome?;
        let plies = std::mem::take(&mut self.plies);
        Some(GameRecord {
            variant: self.start.variant.to_string(),
            start_fen: self.game.start().to_string(),
            moves: plies.moves,
            policies: plies.policies,
            values: plies.values,
            moves_left: plies.moves_left,
            outcome,
            winner: outcome.winner(self.game.position().side_to_move()).or(self.table_winner),
            game: self.start.game,
            seed: self.start.seed,
            parent: self.start.fork.map(|(game, _)| game),
            fork_ply: self.start.fork.map(|(_, ply)| ply),
            network: settings.network.to_owned(),
        })
    }
}

fn policy_texts<P: Position>(position: &P, result: &SearchResult) -> Vec<(String, f32)> {
    compact_policy(result.policy.iter().map(|&(mv, p)| (position.move_text(mv), p)))
}
