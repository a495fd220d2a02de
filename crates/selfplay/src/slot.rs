//! A self-play game in progress: its search, its moves and its record.

use crate::schedule::Schedule;
use crate::{Counters, SelfPlayConfig, ShardSettings};
use catapult_endings::{EndingsError, could_have};
use catapult_mcts::{Batch, Mask, Search, SearchResult};
use catapult_records::{GameRecord, compact_policy};
use catapult_rules::{Color, Game, Move, Outcome, Position, Role, Variant};
use rand::{Rng, RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::sync::atomic::Ordering;

/// Start of a self-play game: its number, seed and first position.
pub(crate) struct Start<P> {
    pub(crate) game: u64,
    /// Seed of the game's random stream.
    pub(crate) seed: u64,
    /// Variant that the game plays.
    pub(crate) variant: Variant,
    pub(crate) position: P,
    /// True if the game begins at a random ending.
    pub(crate) is_ending: bool,
    /// Number of the parent game and the ply at which this game forks from it. `None` if the game
    /// does not fork.
    pub(crate) fork: Option<(u64, u32)>,
}

/// A slot: a place for one game in progress, with its search.
pub(crate) struct Slot<P: Position> {
    start: Start<P>,
    rng: Pcg64Mcg,
    game: Game<P>,
    search: Search<P>,
    /// True if the current search is a full search. Its policy is then recorded as a training
    /// target.
    full: bool,
    /// Outcome of the game. `None` while the game is in progress.
    outcome: Option<Outcome>,
    /// Winner of a game that a tablebase or a resignation ended. `None` for other games.
    winner: Option<Color>,
    /// Number of plies at the start of the game that are played from the network's policy without
    /// search.
    prior_plies: u32,
    /// Number of consecutive own turns at or below the resignation threshold, for White and Black.
    /// `None` if no side may resign in the game.
    lost_turns: Option<[u32; 2]>,
    /// True if the game has reached a position with few enough pieces for a tablebase.
    ending: bool,
    /// Index of the slot's first request in the current batch.
    pub(crate) first_leaf: usize,
    plies: Plies,
}

/// Recorded data of the plies played so far, one entry per ply.
#[derive(Default)]
struct Plies {
    moves: Vec<Move>,
    policies: Vec<Vec<(Move, f32)>>,
    values: Vec<[f32; 3]>,
    raw_values: Vec<[f32; 3]>,
    mean_values: Vec<[f32; 3]>,
    surprises: Vec<f32>,
    moves_left: Vec<f32>,
}

impl<P: Position> Slot<P> {
    /// Begins a game and starts its first search. Draws the number of plies without search and
    /// whether a side may resign.
    pub(crate) fn new(settings: &ShardSettings, start: Start<P>) -> Self {
        let config = settings.selfplay;
        let may_resign = config.resign_threshold < 1.0 && !config.is_audited(start.seed);
        let rules = start.position.rules();
        let mut search = Search::<P>::new(settings.search.clone());
        search.set_mask(config.forbidden.and_then(|kind| Mask::new(rules, kind, None)));
        let mut slot = Slot {
            rng: Pcg64Mcg::seed_from_u64(start.seed),
            game: Game::new(start.position),
            start,
            search,
            full: true,
            outcome: None,
            winner: None,
            prior_plies: 0,
            lost_turns: may_resign.then_some([0, 0]),
            ending: false,
            first_leaf: 0,
            plies: Plies::default(),
        };
        if slot.is_whole() && config.prior_plies > 0 {
            slot.prior_plies = slot.rng.random_range(0..=config.prior_plies);
        }
        slot.start_search(settings);
        slot
    }

    /// Plays moves until the search requests evaluations. Appends these requests to the batch and
    /// returns true. Returns false if the game ends first. Fails if a tablebase probe fails.
    pub(crate) fn gather(
        &mut self,
        settings: &ShardSettings,
        counters: &Counters,
        batch: &mut Batch<P>,
    ) -> Result<bool, EndingsError> {
        while self.outcome.is_none() {
            self.first_leaf = batch.leaves.len();
            if self.search.gather(batch) > 0 {
                return Ok(true);
            }
            self.outcome = self.play_searched_move(settings, counters)?;
            counters.plies.fetch_add(1, Ordering::Relaxed);
        }
        Ok(false)
    }

    /// Applies the evaluations of the requests from the last [`gather`](Self::gather).
    pub(crate) fn apply(&mut self, batch: &Batch<P>) {
        self.search.apply(batch, self.first_leaf);
    }

    fn start_search(&mut self, settings: &ShardSettings) {
        let config = settings.selfplay;
        let by_prior = (self.game.moves().len() as u32) < self.prior_plies;
        let share = match config.begun_turn_share {
            Some(share) if !self.game.position().is_turn_start() => share,
            _ => config.full_search_share,
        };
        self.full = !by_prior && (share >= 1.0 || self.rng.random_bool(share));
        let simulations = match (by_prior, self.full) {
            (true, _) => 0,
            (_, true) => config.simulations,
            (_, false) => config.fast_simulations,
        };
        self.search.start(&self.game, simulations, self.rng.next_u64());
    }

    /// Returns true if the game begins at the start position.
    fn is_whole(&self) -> bool {
        self.start.fork.is_none() && !self.start.is_ending
    }

    /// Returns the number of plies, from the game's first, in which moves are sampled.
    fn sampled_plies(&self, config: &SelfPlayConfig) -> u32 {
        if self.is_whole() { config.sampled_plies } else { config.fork_sampled_plies }
    }

    /// Counts the turn if its root value is at or below the resignation threshold. Otherwise sets
    /// the count of the side to move to 0. Returns true if the side resigns. Decisions after the
    /// first of a turn do not count.
    fn resigns(&mut self, settings: &ShardSettings, result: &SearchResult) -> bool {
        let config = settings.selfplay;
        let position = self.game.position();
        let Some(lost_turns) = &mut self.lost_turns else { return false };
        if !position.is_turn_start() || self.plies.moves.len() < self.prior_plies as usize {
            return false;
        }
        let turns = &mut lost_turns[position.side_to_move() as usize];
        let [win, _, loss] = result.value.wdl;
        *turns = if win - loss <= -config.resign_threshold { *turns + 1 } else { 0 };
        *turns >= config.resign_turns
    }

    /// Plays and records a move of the finished search, unless the side to move resigns. Returns
    /// the outcome if the game ends. Otherwise starts the next search.
    #[allow(clippy::expect_used)]
    fn play_searched_move(
        &mut self,
        settings: &ShardSettings,
        counters: &Counters,
    ) -> Result<Option<Outcome>, EndingsError> {
        let config = settings.selfplay;
        let result = self.search.result();
        if self.resigns(settings, &result) {
            self.winner = Some(!self.game.position().side_to_move());
            return Ok(Some(Outcome::Resignation));
        }
        let ply = self.game.moves().len() as u32;
        let temperature = match () {
            () if ply < self.prior_plies => config.prior_temperature,
            () if ply < self.sampled_plies(config) => 1.0,
            () => 0.0,
        };
        let mv = result.sample_move(temperature, &mut self.rng);
        let mv = mv.expect("a game that is not over has a legal move");
        let policy = result.policy.iter().copied().filter(|_| self.full);
        self.plies.policies.push(compact_policy(policy));
        self.plies.moves.push(mv);
        self.plies.values.push(result.value.wdl);
        self.plies.raw_values.push(result.raw_value.wdl);
        self.plies.mean_values.push(result.mean_value.wdl);
        self.plies.surprises.push(result.surprise());
        self.plies.moves_left.push(result.value.moves_left);
        self.game.push(mv);
        let decided = match self.game.outcome() {
            None => self.ask_tables(settings, counters)?,
            outcome => outcome,
        };
        let outcome = decided.or_else(|| {
            let position = self.game.position();
            let is_long = ply + 1 >= config.ply_cap
                || (config.no_progress_cap < 100 && position.halfmove_clock() >= config.no_progress_cap);
            // A turn in progress is completed first, because its last decision may be a mate.
            (is_long && position.is_turn_start()).then_some(Outcome::Capped)
        });
        if outcome.is_none() {
            self.start_search(settings);
        }
        Ok(outcome)
    }

    /// Probes the endgame tablebases. If they contain the position, sets the winner and returns the
    /// outcome. Otherwise returns `None`.
    fn ask_tables(
        &mut self,
        settings: &ShardSettings,
        counters: &Counters,
    ) -> Result<Option<Outcome>, EndingsError> {
        let position = self.game.position();
        if !could_have(self.start.variant, position) {
            return Ok(None);
        }
        if !std::mem::replace(&mut self.ending, true) {
            counters.endings.fetch_add(1, Ordering::Relaxed);
        }
        let Some(tables) = settings.endings else { return Ok(None) };
        // Tables assume that all moves are allowed. Without catapults no move can be forbidden.
        let has_catapults = |side| {
            let mut kinds = P::PIECES.iter().zip(position.count_pieces(side));
            kinds.any(|(kind, count)| kind.role == Role::Marker && count > 0)
        };
        if settings.selfplay.forbidden.is_some() && Color::ALL.into_iter().any(has_catapults) {
            return Ok(None);
        }
        let result = tables.result(self.start.variant, position)?;
        Ok(result.map(|winner| {
            self.winner = winner;
            Outcome::Tablebase
        }))
    }

    /// Returns the start of the game that forks from this finished game, if there is one. The ply
    /// of the fork is random.
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
            is_ending: false,
            fork: Some((self.start.game, ply as u32)),
        })
    }

    /// Returns the record of a finished game. Returns `None` if the game is not finished.
    pub(crate) fn take_record(&mut self, settings: &ShardSettings) -> Option<GameRecord> {
        let outcome = self.outcome?;
        let plies = std::mem::take(&mut self.plies);
        Some(GameRecord {
            variant: self.start.variant,
            start_fen: self.game.start().to_string(),
            moves: plies.moves,
            policies: plies.policies,
            values: plies.values,
            raw_values: plies.raw_values,
            mean_values: plies.mean_values,
            surprises: plies.surprises,
            moves_left: plies.moves_left,
            outcome,
            winner: outcome.winner(self.game.position().side_to_move()).or(self.winner),
            game: self.start.game,
            seed: self.start.seed,
            parent: self.start.fork.map(|(game, _)| game),
            fork_ply: self.start.fork.map(|(_, ply)| ply),
            network: settings.network.to_owned(),
        })
    }
}
