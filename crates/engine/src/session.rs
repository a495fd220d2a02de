//! Thinking about one game.

use crate::limits::{Allowance, Limits};
use crate::snapshot::{Line, Snapshot};
use catapult_mcts::{Batch, Search, SearchConfig};
use catapult_rules::{Game, Move, Position};
use catapult_seeds::Stream;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::time::Duration;

/// How a session thinks.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// How moves are searched. What its memory limit allows is shared by a tree and, where the game goes on, for a moment its copy.
    pub search: SearchConfig,
    /// What passes between an answer and the opponent's clock.
    pub overhead: Duration,
    /// The seed of all that is drawn.
    pub seed: u64,
    /// Whether what is known of the game stays where the game goes on; else every move's search begins anew.
    pub keep_tree: bool,
    /// Leaves asked for at once at most.
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

/// Simulations of the first round where nothing is known of the speed.
const FIRST_ROUND: u32 = 32;
/// The fewest that are worth a round.
const LEAST_ROUND: u32 = 8;
/// Seconds from which on a rate is measured; before, chance decides.
const MEASURED_FROM: f64 = 0.01;
/// The most at once, so that sums of rounds fit.
const LONGEST_ROUND: u32 = 1 << 24;
/// Time below which leaves are asked for one at a time.
const HURRY: Duration = Duration::from_millis(20);

/// One game, thought about: a position is set, a search is started with limits, and whoever holds the session gathers and applies until
/// it is done.
pub struct Session<P> {
    settings: Settings,
    search: Search<P>,
    game: Game<P>,
    /// Plies of the game at which the tree's root stands, if there is a tree for this game.
    root_ply: Option<usize>,
    limits: Limits,
    allowance: Option<Allowance>,
    /// When the time of the move began, and how many simulations had been made then.
    began: Duration,
    made_before: u32,
    thinking: bool,
    /// Simulations a second, as far as known.
    rate: Option<f64>,
}

impl<P: Position> Session<P> {
    /// A session at a game.
    pub fn new(game: Game<P>, settings: Settings) -> Session<P> {
        Session {
            search: Search::new(settings.search.clone()),
            settings,
            game,
            root_ply: None,
            limits: Limits::default(),
            allowance: None,
            began: Duration::ZERO,
            made_before: 0,
            thinking: false,
            rate: None,
        }
    }

    /// The game.
    pub fn game(&self) -> &Game<P> {
        &self.game
    }

    /// How it thinks from the next search on; the tree is forgotten.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
        self.search.set_config(self.settings.search.clone());
        self.root_ply = None;
    }

    /// Sets the game; a search under way ends. Where it goes on from the one before, what is known of it is kept.
    pub fn set_game(&mut self, game: Game<P>) {
        self.thinking = false;
        let goes_on = self.root_ply.is_some_and(|ply| {
            self.settings.keep_tree
                && game.start().key() == self.game.start().key()
                && game.moves().len() >= ply
                && game.moves()[..ply] == self.game.moves()[..ply]
        });
        if !goes_on {
            self.root_ply = None;
        }
        self.game = game;
    }

    /// Forgets what is known.
    pub fn forget(&mut self) {
        self.thinking = false;
        self.root_ply = None;
    }

    /// Begins to think at this time. A game that is over, or moves none of which is legal, leave nothing to think about.
    pub fn start(&mut self, limits: Limits, now: Duration) {
        (self.began, self.made_before) = (now, 0);
        self.limits = limits;
        self.allowance = self.limits.allowance(self.settings.overhead);
        self.search.set_root_moves(self.limits.only.clone());
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

    /// The opponent has made the expected move: the limits hold from now on.
    pub fn ponder_hit(&mut self, now: Duration) {
        self.limits.ponder = false;
        (self.began, self.made_before) = (now, self.search.simulations_made());
    }

    /// Ends the search; what has been found stays.
    pub fn stop(&mut self) {
        self.thinking = false;
    }

    /// Whether the search goes on.
    pub fn is_thinking(&self) -> bool {
        self.thinking
    }

    /// Appends requests to the batch and says how many. None if the search has come to its end, or if all it could still find is
    /// known and it only waits to be stopped.
    pub fn gather(&mut self, batch: &mut Batch<P>, now: Duration) -> usize {
        if !self.thinking {
            return 0;
        }
        let hurries = self.allowance.is_some_and(|allowance| allowance.latest < HURRY);
        // A round may consist of ends of the game alone, with nothing to ask. Another one after that would find no more.
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
        self.thinking = self.waits_to_be_stopped();
        0
    }

    /// Takes the answers; `first` is the index in the batch of the first that was gathered.
    pub fn apply(&mut self, batch: &Batch<P>, first: usize, now: Duration) {
        self.search.apply(batch, first);
        let seconds = now.saturating_sub(self.began).as_secs_f64();
        let simulations = self.search.simulations_made() - self.made_before;
        if simulations >= LEAST_ROUND && !self.limits.ponder {
            let measured = f64::from(simulations) / seconds.max(MEASURED_FROM);
            // A shorter time tells only the least that the rate can be: so much is known even so, where something held up the last move.
            let known = self.rate.filter(|_| seconds < MEASURED_FROM);
            self.rate = Some(known.map_or(measured, |known| known.max(measured)));
        }
        if !self.waits_to_be_stopped() && self.is_late(now) {
            self.thinking = false;
        }
    }

    /// Simulations made for the position, those kept from earlier ones not counted.
    pub fn simulations(&self) -> u32 {
        self.search.simulations_made()
    }

    /// What has been found.
    pub fn snapshot(&self) -> Snapshot {
        let result = self.search.result();
        let mut order: Vec<usize> = (0..result.moves.len()).collect();
        // The best first, then by visits, then by the search's probability.
        let rank =
            |&i: &usize| (Some(result.moves[i].mv) != result.best, std::cmp::Reverse(result.moves[i].visits));
        order.sort_by(|a, b| rank(a).cmp(&rank(b)).then(result.policy[*b].1.total_cmp(&result.policy[*a].1)));
        let line = |i: usize| {
            let stats = &result.moves[i];
            Line {
                moves: self.search.variation(stats.mv),
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
            permille_full: (result.bytes as u64 * 1000 / self.settings.search.memory_limit as u64).min(1000)
                as u32,
        }
    }

    /// The move to play and the reply to ponder on; none in a game that is over.
    pub fn best(&self) -> Option<(Move, Option<Move>)> {
        let best = self.search.result().best?;
        Some((best, self.search.variation(best).get(1).copied()))
    }

    /// The same with the move drawn: each as likely as its probability by the search to the power of 1 / `temperature`.
    pub fn drawn(&self, temperature: f32, seed: u64) -> Option<(Move, Option<Move>)> {
        let lines = self.snapshot().lines;
        let most = lines.iter().map(|line| line.share).fold(0.0, f32::max);
        let weight = |line: &Line| (line.share / most).powf(1.0 / temperature.max(0.01));
        let sum: f32 = lines.iter().map(weight).sum();
        let mut left = Pcg64Mcg::seed_from_u64(seed).random_range(0.0..1.0f32) * sum;
        let drawn = lines.iter().find(|line| {
            left -= weight(line);
            left < 0.0
        });
        // The best is the first; rounding may leave a rest, or nothing have a probability.
        let moves = &drawn.or(lines.first())?.moves;
        Some((*moves.first()?, moves.get(1).copied()))
    }

    fn waits_to_be_stopped(&self) -> bool {
        self.limits.ponder || self.limits.infinite
    }

    /// Whether the time of the move is up.
    fn is_late(&self, now: Duration) -> bool {
        self.allowance.is_some_and(|allowance| now.saturating_sub(self.began) >= allowance.latest)
    }

    fn first_round(&self) -> u32 {
        if let Some(nodes) = self.limits.nodes {
            return nodes;
        }
        let planned = self.allowance.map(|allowance| allowance.planned);
        match (planned, self.rate) {
            (Some(planned), Some(rate)) => simulations_in(planned, rate).max(1),
            _ => FIRST_ROUND,
        }
    }

    /// Adds a round where there is time for one; else the search is over, unless it waits to be stopped.
    fn prolong(&mut self, now: Duration) -> bool {
        let made = self.search.simulations_made();
        let goes_on = self.waits_to_be_stopped();
        let mated = self.limits.mate.is_some_and(|moves| self.has_mate_in(moves));
        let more = match (self.limits.nodes, self.allowance) {
            _ if goes_on => made.clamp(64, LONGEST_ROUND),
            (Some(nodes), _) => nodes.saturating_sub(made),
            (None, Some(allowance)) => {
                let left = allowance.planned.saturating_sub(now.saturating_sub(self.began));
                let more = self.rate.map_or(FIRST_ROUND, |rate| simulations_in(left, rate));
                // A rate that leaves most of the time unused is wrong: something had held up the search that it is of.
                let more = if left > allowance.planned / 2 { more.max(LEAST_ROUND) } else { more };
                if more < LEAST_ROUND || self.has_no_choice() { 0 } else { more }
            }
            // Nothing but a mate ends it, or nothing at all.
            (None, None) => made.clamp(64, LONGEST_ROUND),
        };
        if more > 0 && !mated {
            self.search.prolong(more);
        }
        let is_over = self.search.is_done();
        if is_over && !goes_on {
            self.thinking = false;
        }
        !is_over
    }

    fn has_no_choice(&self) -> bool {
        self.game.position().legal_moves().len() < 2
    }

    fn has_mate_in(&self, moves: u32) -> bool {
        let proven = self.search.result().proven;
        proven.is_some_and(|proven| {
            proven.outlook == catapult_mcts::Outlook::Win && u32::from(proven.plies).div_ceil(2) <= moves
        })
    }
}

/// Simulations that a time is enough for.
fn simulations_in(time: Duration, rate: f64) -> u32 {
    (time.as_secs_f64() * rate).min(f64::from(LONGEST_ROUND)) as u32
}
