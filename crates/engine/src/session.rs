//! A search session for one game.

use crate::limits::{Allowance, Limits};
use crate::snapshot::{Snapshot, Variation, mate};
use catapult_mcts::{Batch, Search, SearchConfig};
use catapult_rules::{Game, Move, Position};
use catapult_seeds::Stream;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::time::Duration;

/// Settings of a session.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Search settings. During tree reuse, two trees are briefly in memory, each within the memory
    /// limit.
    pub search: SearchConfig,
    /// Delay between the engine's answer and the moment its clock stops. It is subtracted from the
    /// thinking time.
    pub overhead: Duration,
    /// Seed of the searches. Each search derives its own seed from it and the ply of the game.
    pub seed: u64,
    /// If true, the tree is reused between moves of a game. Otherwise [`Session::set_game`]
    /// discards it.
    pub keep_tree: bool,
    /// Maximum number of leaves per call of [`Session::gather`]. 0 counts as 1.
    pub in_flight: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            search: SearchConfig::default(),
            overhead: Duration::from_millis(30),
            seed: 0,
            keep_tree: true,
            in_flight: usize::MAX,
        }
    }
}

/// Number of simulations in the first round of a search while the speed is unknown. A search runs
/// one or more rounds, each with a number of simulations.
const FIRST_ROUND: u32 = 32;
/// Minimum number of simulations of a round. If fewer fit into the remaining time, the search ends.
const LEAST_ROUND: u32 = 8;
/// Minimum time in seconds for a measurement of the speed. Shorter measurements count as a lower
/// bound of the speed.
const MEASURED_FROM: f64 = 0.01;
/// Maximum number of simulations of a round. Sums of rounds therefore do not overflow.
const LONGEST_ROUND: u32 = 1 << 24;
/// If the deadline is sooner than this after the start, the search requests leaves one at a time.
const HURRY: Duration = Duration::from_millis(20);

/// A search session for one game. The caller sets the game, starts a search with limits, then
/// alternates [`gather`](Self::gather) and [`apply`](Self::apply) until
/// [`is_thinking`](Self::is_thinking) returns false. The times `now` may count from any fixed
/// moment.
pub struct Session<P> {
    settings: Settings,
    search: Search<P>,
    game: Game<P>,
    /// Ply of the game at the root of the tree. `None` if the tree cannot be reused for this game.
    root_ply: Option<usize>,
    limits: Limits,
    allowance: Option<Allowance>,
    /// Time from which the limits count: the start of the search or the ponder hit. `made_before`
    /// is the number of simulations at that time.
    began: Duration,
    made_before: u32,
    thinking: bool,
    /// True if an infinite or pondering search has nothing left to search.
    idle: bool,
    /// Measured speed in simulations per second. `None` before the first measurement.
    rate: Option<f64>,
}

impl<P: Position> Session<P> {
    /// Creates a session for a game. No search is started.
    pub fn new(game: Game<P>, settings: Settings) -> Session<P> {
        Session {
            search: Search::new(settings.search),
            settings,
            game,
            root_ply: None,
            limits: Limits::default(),
            allowance: None,
            began: Duration::ZERO,
            made_before: 0,
            thinking: false,
            idle: false,
            rate: None,
        }
    }

    /// Returns the current game.
    pub fn game(&self) -> &Game<P> {
        &self.game
    }

    /// Sets the settings for the next search and discards the tree.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
        self.search.set_config(self.settings.search);
        self.root_ply = None;
    }

    /// Sets the game and ends a search in progress. If the game continues the previous one, the
    /// next search reuses the tree, unless [`Settings::keep_tree`] is false.
    pub fn set_game(&mut self, game: Game<P>) {
        self.thinking = false;
        let continues = self.root_ply.is_some_and(|ply| {
            self.settings.keep_tree
                && game.start().key() == self.game.start().key()
                && game.start().halfmove_clock() == self.game.start().halfmove_clock()
                && game.moves().len() >= ply
                && game.moves()[..ply] == self.game.moves()[..ply]
        });
        if !continues {
            self.root_ply = None;
        }
        self.game = game;
    }

    /// Ends a search in progress and discards the tree and the measured speed.
    pub fn forget(&mut self) {
        self.thinking = false;
        self.root_ply = None;
        self.rate = None;
    }

    /// Starts a search of the game's current position at time `now`. Without a legal move, or
    /// without one in [`Limits::search_moves`], the first [`gather`](Self::gather) requests nothing.
    pub fn start(&mut self, limits: Limits, now: Duration) {
        (self.began, self.made_before, self.idle) = (now, 0, false);
        self.limits = limits;
        self.allowance = self.limits.allowance(self.settings.overhead);
        // With a limit on nodes, the whole search is one round.
        if self.limits.nodes.is_some() && !self.runs_until_stopped() {
            self.end_as_planned();
        }
        self.search.set_root_moves(self.limits.search_moves.clone());
        let seed = Stream::Search(self.game.ply()).seed(self.settings.seed);
        let round = self.first_round();
        match self.root_ply {
            Some(ply) => {
                let moves = self.game.moves()[ply..].to_vec();
                self.search.start_after(&self.game, &moves, round, seed);
            }
            None => self.search.start(&self.game, round, seed),
        }
        self.root_ply = Some(self.game.ply());
        self.thinking = true;
    }

    /// Reports that the opponent has played the expected move. The limits of a pondering search
    /// apply from `now` on.
    pub fn ponder_hit(&mut self, now: Duration) {
        self.limits.ponder = false;
        (self.began, self.made_before, self.idle) = (now, self.search.simulations_made(), false);
        // Pondering made the running round long. It ends with its next batch if a limit is reached,
        // otherwise at the planned time.
        if !self.limits.infinite && self.is_limit_reached() {
            self.allowance = Some(Allowance { planned: Duration::ZERO, latest: Duration::ZERO });
        } else {
            self.end_as_planned();
        }
    }

    /// Ends a search in progress and keeps its results.
    pub fn stop(&mut self) {
        self.thinking = false;
    }

    /// Returns true while a search is running.
    pub fn is_thinking(&self) -> bool {
        self.thinking
    }

    /// Appends evaluation requests to the batch and returns their number. It returns 0 if the
    /// search has ended. It also returns 0 if an infinite or pondering search has nothing left to
    /// search and waits for [`stop`](Self::stop).
    pub fn gather(&mut self, batch: &mut Batch<P>, now: Duration) -> usize {
        if !self.thinking || self.idle {
            return 0;
        }
        let hurries = self.allowance.is_some_and(|allowance| allowance.latest < HURRY);
        // A round may consist of terminal positions only, without requests. A second such round
        // would find nothing new.
        for _ in 0..2 {
            if self.search.is_done() && !self.prolong(now) {
                return 0;
            }
            let asked =
                self.search.gather_at_most(batch, if hurries { 1 } else { self.settings.in_flight.max(1) });
            if asked > 0 {
                return asked;
            }
        }
        self.thinking = self.runs_until_stopped();
        self.idle = self.thinking;
        0
    }

    /// Reads the evaluations of the last [`gather`](Self::gather) from the batch. `first` is the
    /// index in [`Batch::leaves`] of the first request. Ends the search if the deadline has passed.
    ///
    /// # Panics
    /// If the batch lacks these requests or their evaluations.
    pub fn apply(&mut self, batch: &Batch<P>, first: usize, now: Duration) {
        self.search.apply(batch, first);
        let seconds = now.saturating_sub(self.began).as_secs_f64();
        let simulations = self.search.simulations_made() - self.made_before;
        if simulations >= LEAST_ROUND && !self.limits.ponder {
            let measured = f64::from(simulations) / seconds.max(MEASURED_FROM);
            // A short time gives only a lower bound of the speed. The bound still helps after a
            // search that the system delayed.
            let known = self.rate.filter(|_| seconds < MEASURED_FROM);
            self.rate = Some(known.map_or(measured, |known| known.max(measured)));
        }
        if !self.runs_until_stopped() && self.is_late(now) {
            self.thinking = false;
        }
    }

    /// Number of simulations since the search started. Visits from a reused tree do not count.
    pub fn simulations(&self) -> u32 {
        self.search.simulations_made()
    }

    /// Returns the state of the search so far.
    pub fn snapshot(&self) -> Snapshot {
        let result = self.search.result();
        let mut order: Vec<usize> = (0..result.moves.len()).collect();
        // Order: best move, then visits, then the search's probability.
        let rank =
            |&i: &usize| (Some(result.moves[i].mv) != result.best, std::cmp::Reverse(result.moves[i].visits));
        order.sort_by(|a, b| rank(a).cmp(&rank(b)).then(result.policy[*b].1.total_cmp(&result.policy[*a].1)));
        let line = |i: usize| {
            let stats = &result.moves[i];
            let moves = self.search.variation(stats.mv);
            let proven = self.search.root_position().zip(stats.proven);
            Variation {
                mate: proven.and_then(|(root, proven)| mate(root, &moves, proven)),
                moves,
                visits: stats.visits,
                prior: stats.prior,
                share: result.policy[i].1,
                q: stats.q,
                wdl: stats
                    .q
                    .map(|q| [(1.0 - stats.draw + q) / 2.0, stats.draw, (1.0 - stats.draw - q) / 2.0]),
                proven: stats.proven,
            }
        };
        Snapshot {
            lines: order.into_iter().map(line).collect(),
            value: result.value,
            simulations: result.simulations,
            hashfull: (result.bytes as u64 * 1000 / self.settings.search.memory_limit as u64).min(1000)
                as u32,
        }
    }

    /// Returns the move to play according to the last search, and the expected reply, on which an
    /// engine can ponder. Returns `None` before the first search, or if the position has no legal
    /// move. The reply is `None` if the tree has none.
    pub fn best(&self) -> Option<(Move, Option<Move>)> {
        let best = self.search.result().best?;
        Some((best, self.search.variation(best).get(1).copied()))
    }

    /// Samples a move and returns it with the expected reply, like [`best`](Self::best). A move's
    /// probability is proportional to its target probability ([`Variation::share`]) to the power of 1
    /// / `temperature`. Temperatures below 0.01 count as 0.01, but 0 gives the best move.
    pub fn sample_move(&self, temperature: f32, seed: u64) -> Option<(Move, Option<Move>)> {
        if temperature <= 0.0 {
            return self.best();
        }
        let lines = self.snapshot().lines;
        let most = lines.iter().map(|line| line.share).fold(0.0, f32::max);
        let weight = |line: &Variation| (line.share / most).powf(1.0 / temperature.max(0.01));
        let sum: f32 = lines.iter().map(weight).sum();
        let mut left = Pcg64Mcg::seed_from_u64(seed).random_range(0.0..1.0f32) * sum;
        let drawn = lines.iter().find(|line| {
            left -= weight(line);
            left < 0.0
        });
        // Fallback to the best move: rounding may leave a remainder, or all probabilities may be 0.
        let moves = &drawn.or(lines.first())?.moves;
        Some((*moves.first()?, moves.get(1).copied()))
    }

    fn runs_until_stopped(&self) -> bool {
        self.limits.ponder || self.limits.infinite
    }

    /// Moves the deadline to the planned time, because the running round may be much longer.
    fn end_as_planned(&mut self) {
        if let Some(allowance) = &mut self.allowance {
            allowance.latest = allowance.planned.max(Duration::from_millis(1));
        }
    }

    /// Returns true if the deadline of the move has passed.
    fn is_late(&self, now: Duration) -> bool {
        self.allowance.is_some_and(|allowance| now.saturating_sub(self.began) >= allowance.latest)
    }

    fn first_round(&self) -> u32 {
        if let Some(nodes) = self.limits.nodes {
            return nodes;
        }
        let planned = self.allowance.map(|allowance| allowance.planned);
        match (planned, self.rate) {
            (Some(planned), Some(rate)) if !self.has_no_choice() => simulations_in(planned, rate).max(1),
            _ => FIRST_ROUND,
        }
    }

    /// Adds a round of simulations if the limits allow it, and then returns true. Otherwise ends
    /// the search, unless it must run until stopped.
    fn prolong(&mut self, now: Duration) -> bool {
        let made = self.search.simulations_made();
        let endless = self.runs_until_stopped();
        let mated = self.limits.mate.is_some_and(|moves| self.has_mate_in(moves));
        let more = match (self.limits.nodes, self.allowance) {
            _ if endless => made.clamp(64, LONGEST_ROUND),
            (Some(nodes), _) => nodes.saturating_sub(made),
            (None, Some(allowance)) => {
                let left = allowance.planned.saturating_sub(now.saturating_sub(self.began));
                let more = self.rate.map_or(FIRST_ROUND, |rate| simulations_in(left, rate));
                // A speed that leaves most of the time unused is wrong: the system delayed the
                // search that measured it.
                let more = if left > allowance.planned / 2 { more.max(LEAST_ROUND) } else { more };
                if more < LEAST_ROUND || self.has_no_choice() { 0 } else { more }
            }
            // No limit on nodes or time: the search ends at a proven root or full memory.
            (None, None) => made.clamp(64, LONGEST_ROUND),
        };
        if more > 0 && !mated {
            self.search.prolong(more);
        }
        let is_over = self.search.is_done();
        if is_over && !endless {
            self.thinking = false;
        }
        !is_over
    }

    /// Returns true if a limit ends the search before its planned time.
    fn is_limit_reached(&self) -> bool {
        let has_enough = match (self.limits.nodes, self.allowance) {
            (Some(nodes), _) => self.search.simulations_made() >= nodes,
            (None, Some(_)) => self.has_no_choice(),
            (None, None) => false,
        };
        has_enough || self.limits.mate.is_some_and(|moves| self.has_mate_in(moves))
    }

    fn has_no_choice(&self) -> bool {
        self.game.position().legal_moves().len() < 2
    }

    fn has_mate_in(&self, moves: u32) -> bool {
        let mate = self.snapshot().lines.first().and_then(|line| line.mate);
        mate.is_some_and(|mate| mate > 0 && mate.unsigned_abs() <= moves)
    }
}

/// Returns the number of simulations that fit into `time` at `rate` simulations per second, at most
/// [`LONGEST_ROUND`].
fn simulations_in(time: Duration, rate: f64) -> u32 {
    (time.as_secs_f64() * rate).min(f64::from(LONGEST_ROUND)) as u32
}
