//! A self-play game in progress: its search, its moves and its record.

use crate::schedule::Schedule;
use crate::{Counters, ShardSettings};
use catapult_endings::{EndingsError, could_have};
use catapult_mcts::{Batch, Mask, Search, SearchResult};
use catapult_records::{GameRecord, compact_policy};
use catapult_rules::{Color, Game, Outcome, Position, Role, Variant};
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

/// End of a game: its outcome and its winner.
type End = (Outcome, Option<Color>);

/// A slot: a place for one game in progress, with its search.
pub(crate) struct Slot<'a, P: Position> {
    settings: &'a ShardSettings<'a>,
    counters: &'a Counters,
    /// Record of the plies played so far. Until the game ends, its outcome has no meaning.
    pub(crate) record: GameRecord,
    rng: Pcg64Mcg,
    game: Game<P>,
    search: Search<P>,
    /// True if the current search is a full search. Its policy is then recorded as a training
    /// target.
    full: bool,
    /// Number of plies, from the game's first, in which moves are sampled.
    sampled_plies: u32,
    /// Number of plies at the start of the game that are played from the network's policy without
    /// search.
    prior_plies: u32,
    /// Number of consecutive own turns at or below the resignation threshold, for White and Black.
    /// `None` if no side may resign in the game.
    lost_turns: Option<[u32; 2]>,
    /// True if the game has reached a position with few enough pieces for a tablebase.
    ending: bool,
    /// Index of the slot's first request in the current batch.
    first_leaf: usize,
}

impl<'a, P: Position> Slot<'a, P> {
    /// Begins a game and starts its first search. Draws the number of plies without search and
    /// whether a side may resign.
    pub(crate) fn new(settings: &'a ShardSettings<'a>, counters: &'a Counters, start: Start<P>) -> Self {
        let Start { game, seed, variant, position, is_ending, fork } = start;
        let config = settings.selfplay;
        let may_resign = config.resign_threshold < 1.0 && !config.is_audited(seed);
        let mut search = Search::<P>::new(*settings.search);
        search.set_mask(config.forbidden.and_then(|kind| Mask::new(position.rules(), kind, None)));
        let record = GameRecord {
            variant,
            game,
            seed,
            parent: fork.map(|(parent, _)| parent),
            fork_ply: fork.map(|(_, ply)| ply),
            network: settings.network.to_owned(),
            start_fen: position.to_string(),
            moves: Vec::new(),
            policies: Vec::new(),
            values: Vec::new(),
            raw_values: Vec::new(),
            mean_values: Vec::new(),
            surprises: Vec::new(),
            moves_left: Vec::new(),
            outcome: Outcome::Capped,
            winner: None,
        };
        let from_the_start = fork.is_none() && !is_ending;
        let mut slot = Slot {
            settings,
            counters,
            record,
            rng: Pcg64Mcg::seed_from_u64(seed),
            game: Game::new(position),
            search,
            full: true,
            sampled_plies: if from_the_start { config.sampled_plies } else { config.fork_sampled_plies },
            prior_plies: 0,
            lost_turns: may_resign.then_some([0, 0]),
            ending: false,
            first_leaf: 0,
        };
        if from_the_start && config.prior_plies > 0 {
            slot.prior_plies = slot.rng.random_range(0..=config.prior_plies);
        }
        slot.start_search();
        slot
    }

    /// Plays moves until the search requests evaluations. Appends these requests to the batch and
    /// returns true. Returns false if the game ends first. Fails if a tablebase probe fails.
    pub(crate) fn gather(&mut self, batch: &mut Batch<P>) -> Result<bool, EndingsError> {
        loop {
            self.first_leaf = batch.leaves.len();
            if self.search.gather(batch) > 0 {
                return Ok(true);
            }
            if let Some(end) = self.play_searched_move()? {
                (self.record.outcome, self.record.winner) = end;
                return Ok(false);
            }
        }
    }

    /// Applies the evaluations of the requests from the last [`gather`](Self::gather).
    pub(crate) fn apply(&mut self, batch: &Batch<P>) {
        self.search.apply(batch, self.first_leaf);
    }

    fn start_search(&mut self) {
        let config = self.settings.selfplay;
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

    /// Counts the turn if its root value is at or below the resignation threshold. Otherwise sets
    /// the count of the side to move to 0. Returns true if the side resigns. Decisions after the
    /// first of a turn do not count.
    fn resigns(&mut self, result: &SearchResult) -> bool {
        let config = self.settings.selfplay;
        let position = self.game.position();
        let Some(lost_turns) = &mut self.lost_turns else { return false };
        if !position.is_turn_start() || self.record.moves.len() < self.prior_plies as usize {
            return false;
        }
        let turns = &mut lost_turns[position.side_to_move() as usize];
        let [win, _, loss] = result.value.wdl;
        *turns = if win - loss <= -config.resign_threshold { *turns + 1 } else { 0 };
        *turns >= config.resign_turns
    }

    /// Plays and records a move of the finished search, unless the side to move resigns. Returns
    /// the end of the game, if the game ends. Otherwise starts the next search.
    #[allow(clippy::expect_used)]
    fn play_searched_move(&mut self) -> Result<Option<End>, EndingsError> {
        let config = self.settings.selfplay;
        let result = self.search.result();
        if self.resigns(&result) {
            return Ok(Some((Outcome::Resignation, Some(!self.game.position().side_to_move()))));
        }
        let ply = self.game.moves().len() as u32;
        let temperature = match () {
            () if ply < self.prior_plies => config.prior_temperature,
            () if ply < self.sampled_plies => 1.0,
            () => 0.0,
        };
        let mv = result.sample_move(temperature, &mut self.rng);
        let mv = mv.expect("a game that is not over has a legal move");
        let policy = result.policy.iter().copied().filter(|_| self.full);
        self.record.policies.push(compact_policy(policy));
        self.record.moves.push(mv);
        self.record.values.push(result.value.wdl);
        self.record.raw_values.push(result.raw_value.wdl);
        self.record.mean_values.push(result.mean_value.wdl);
        self.record.surprises.push(result.surprise());
        self.record.moves_left.push(result.value.moves_left);
        self.game.push(mv);
        self.counters.plies.fetch_add(1, Ordering::Relaxed);
        let decided = match self.game.outcome() {
            None => self.ask_tables()?,
            Some(outcome) => Some((outcome, outcome.winner(self.game.position().side_to_move()))),
        };
        let end = decided.or_else(|| {
            let position = self.game.position();
            let is_long = ply + 1 >= config.ply_cap
                || (config.no_progress_cap < 100 && position.halfmove_clock() >= config.no_progress_cap);
            // A turn in progress is completed first, because its last decision may be a mate.
            (is_long && position.is_turn_start()).then_some((Outcome::Capped, None))
        });
        if end.is_none() {
            self.start_search();
        }
        Ok(end)
    }

    /// Probes the endgame tablebases. Returns the end of the game if they contain the position,
    /// otherwise `None`.
    fn ask_tables(&mut self) -> Result<Option<End>, EndingsError> {
        let ShardSettings { endings, selfplay, .. } = self.settings;
        let position = self.game.position();
        if !could_have(self.record.variant, position) {
            return Ok(None);
        }
        if !std::mem::replace(&mut self.ending, true) {
            self.counters.endings.fetch_add(1, Ordering::Relaxed);
        }
        let Some(tables) = endings else { return Ok(None) };
        // Tables assume that all moves are allowed. Without catapults no move can be forbidden.
        let has_catapults = |side| {
            let mut kinds = P::PIECES.iter().zip(position.count_pieces(side));
            kinds.any(|(kind, count)| kind.role == Role::Marker && count > 0)
        };
        if selfplay.forbidden.is_some() && Color::ALL.into_iter().any(has_catapults) {
            return Ok(None);
        }
        let result = tables.result(self.record.variant, position)?;
        Ok(result.map(|winner| (Outcome::Tablebase, winner)))
    }

    /// Returns the start of the game that forks from this finished game, if there is one. The ply
    /// of the fork is random.
    pub(crate) fn fork(&mut self, schedule: &mut Schedule) -> Option<Start<P>> {
        let game = schedule.fork_of(self.record.game)?;
        let ply = self.rng.random_range(0..self.game.moves().len());
        let mut position = *self.game.start();
        for &mv in &self.game.moves()[..ply] {
            position.play(mv);
        }
        Some(Start {
            game,
            seed: schedule.game_seed(game),
            variant: self.record.variant,
            position,
            is_ending: false,
            fork: Some((self.record.game, ply as u32)),
        })
    }
}
