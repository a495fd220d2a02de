//! A search session for a web page. It takes requests and returns reports that serialise to JSON.

use crate::{Limits, Session, Settings, Snapshot};
use catapult_mcts::{Batch, EvaluationError, Evaluator, Gumbel, Outlook, SearchConfig};
use catapult_rules::{AnyGame, Drawn, Game, Move, Position};
use serde::Serialize;
use std::time::Duration;

/// Number of lines that a report contains with all their moves. Each further line has only its root
/// move.
const LINES: usize = 12;

/// Limits and randomness of a search. Without `nodes` and `time`, it runs until the page stops it
/// or nothing is left to search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AnalysisRequest {
    /// Maximum number of simulations. `None` for no limit.
    pub nodes: Option<u32>,
    /// Thinking time. `None` for no limit.
    pub time: Option<Duration>,
    /// Scale of the Gumbel noise that randomises the choice of the move, from 0 to 100. 0 means no
    /// noise. Other values are clamped, and NaN counts as 0.
    pub noise: f32,
    /// Seed of the noise.
    pub seed: u32,
}

/// State of a search. Values are for the side to move at the root.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AnalysisReport {
    /// Probabilities of win, draw and loss for the side to move. They sum to 1.
    pub wdl: [f32; 3],
    /// Number of simulations since the search started.
    pub simulations: u32,
    /// Memory used by the tree, in thousandths of its limit.
    pub full: u32,
    /// One line per legal move, best first.
    pub lines: Vec<AnalysisLine>,
}

/// A root move and its expected continuation.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AnalysisLine {
    /// The root move and the moves after it, in the variant's own notation. It is UCI notation if
    /// possible.
    pub moves: Vec<String>,
    /// The moves of `moves`, in standard algebraic notation.
    pub san: Vec<String>,
    /// Number of simulations that passed through the root move.
    pub visits: u32,
    /// Probability of the root move according to the evaluator (prior).
    pub prior: f32,
    /// Probability of the root move according to the search (target policy).
    pub share: f32,
    /// Probabilities of win, draw and loss after the root move, for the side to move at the root.
    /// `None` if the move has neither visits nor a known result.
    pub wdl: Option<[f32; 3]>,
    /// Proven result of the root move: `win`, `draw` or `loss` for the side to move, and the number
    /// of plies from the position after the root move to the end of the game. `None` if unproven.
    pub proven: Option<(&'static str, u16)>,
}

/// A session with its own evaluator, advanced in steps. The times `now` may count from any fixed
/// moment.
///
/// ```
/// use catapult_engine::{AnalysisRequest, Analyst};
/// use catapult_mcts::evaluators::Material;
/// use catapult_rules::{Chess, Game, Position, Standard};
/// use std::time::Duration;
///
/// let back_rank = Chess::from_fen("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", Standard).unwrap();
/// let mut analyst = Analyst::new(Standard, Material, 1 << 20);
/// let request = AnalysisRequest { nodes: Some(16), ..Default::default() };
/// analyst.think(Game::new(back_rank), &request, Duration::ZERO);
/// while analyst.step(Duration::ZERO).unwrap() {}
/// let report = analyst.report();
/// assert_eq!(report.lines[0].san, ["Ra8#"]);
/// assert_eq!(report.wdl, [1.0, 0.0, 0.0]);
/// ```
pub struct Analyst<P: Position, E> {
    session: Session<P>,
    evaluator: E,
    batch: Batch<P>,
    /// Memory limit of the tree in bytes.
    memory: usize,
    /// Noise scale of the session's current settings. `seed` is the seed of the noise.
    noise: f32,
    seed: u32,
}

impl<P: Position, E: Evaluator<P>> Analyst<P, E> {
    /// Creates an analyst at the start position of `rules`. `memory` is the limit of the search
    /// tree in bytes.
    pub fn new(rules: P::Rules, evaluator: E, memory: usize) -> Analyst<P, E> {
        let session = Session::new(Game::new(P::start(rules)), settings(0.0, 0, memory));
        Analyst { session, evaluator, batch: Batch::default(), memory, noise: 0.0, seed: 0 }
    }

    /// Starts a search of the current position of `game`. If the game continues the previous one,
    /// the tree is reused.
    pub fn think(&mut self, game: Game<P>, request: &AnalysisRequest, now: Duration) {
        if (request.noise, request.seed) != (self.noise, self.seed) {
            (self.noise, self.seed) = (request.noise, request.seed);
            self.session.set_settings(settings(request.noise, request.seed, self.memory));
        }
        self.session.set_game(game);
        let infinite = request.nodes.is_none() && request.time.is_none();
        let limits = Limits { nodes: request.nodes, move_time: request.time, infinite, ..Limits::default() };
        self.session.start(limits, now);
    }

    /// Advances the search by one batch of positions. Batches are small, so a call is short.
    /// Returns false once the search has ended.
    ///
    /// # Errors
    /// The first failed evaluation.
    pub fn step(&mut self, now: Duration) -> Result<bool, EvaluationError> {
        self.batch.clear();
        if self.session.gather(&mut self.batch, now) == 0 {
            // A search without requests has nothing left to find, even if it waits for a stop.
            self.session.stop();
            return Ok(false);
        }
        self.evaluator.evaluate(&mut self.batch)?;
        self.session.apply(&self.batch, 0, now);
        Ok(self.session.is_thinking())
    }

    /// Returns the state of the search so far.
    pub fn report(&self) -> AnalysisReport {
        let position = *self.session.game().position();
        let Snapshot { lines, value, simulations, permille_full } = self.session.snapshot();
        let report = |(index, line): (usize, crate::Line)| {
            let count = if index < LINES { line.moves.len() } else { line.moves.len().min(1) };
            let (moves, san) = texts(position, &line.moves[..count]);
            AnalysisLine {
                moves,
                san,
                visits: line.visits,
                prior: line.prior,
                share: line.share,
                wdl: line.wdl,
                proven: line.proven.map(|proven| (outlook(proven.outlook), proven.plies)),
            }
        };
        let lines = lines.into_iter().enumerate().map(report).collect();
        AnalysisReport { wdl: value.wdl, simulations, full: permille_full, lines }
    }

    /// Ends a search in progress and discards its tree.
    pub fn forget(&mut self) {
        self.session.forget();
    }
}

/// An [`Analyst`] of any variant.
pub trait Thinker: Send {
    /// Starts a search of the current position of `game`. If the game continues the previous one,
    /// the tree is reused. `now` is the time on the caller's clock.
    ///
    /// # Errors
    /// The game has another position type than the thinker's variant. The error is a message.
    fn think(&mut self, game: &dyn AnyGame, request: &AnalysisRequest, now: Duration) -> Result<(), String>;

    /// Advances the search by one small batch of positions. Returns false once the search has
    /// ended.
    ///
    /// # Errors
    /// The first failed evaluation.
    fn step(&mut self, now: Duration) -> Result<bool, EvaluationError>;

    /// Returns the state of the search so far.
    fn report(&self) -> AnalysisReport;

    /// Ends a search in progress and discards its tree.
    fn forget(&mut self);
}

impl<P: Drawn, E: Evaluator<P> + Send> Thinker for Analyst<P, E> {
    fn think(&mut self, game: &dyn AnyGame, request: &AnalysisRequest, now: Duration) -> Result<(), String> {
        let line = game.line::<P>();
        let line = line.ok_or_else(|| format!("this search does not play {}", game.variant()))?;
        Analyst::think(self, line.game(), request, now);
        Ok(())
    }

    fn step(&mut self, now: Duration) -> Result<bool, EvaluationError> {
        Analyst::step(self, now)
    }

    fn report(&self) -> AnalysisReport {
        Analyst::report(self)
    }

    fn forget(&mut self) {
        Analyst::forget(self);
    }
}

fn settings(noise: f32, seed: u32, memory: usize) -> Settings {
    let noise = if noise.is_finite() { noise.clamp(0.0, 100.0) } else { 0.0 };
    let gumbel = Gumbel { gumbel_scale: noise, ..Gumbel::default() };
    let search = SearchConfig { memory_limit: memory, ..gumbel.into() };
    Settings { search, overhead: Duration::ZERO, seed: u64::from(seed), ..Settings::default() }
}

fn outlook(outlook: Outlook) -> &'static str {
    match outlook {
        Outlook::Win => "win",
        Outlook::Draw => "draw",
        Outlook::Loss => "loss",
    }
}

/// Returns the texts of a line's moves: in the variant's own notation, and in standard algebraic
/// notation.
fn texts<P: Position>(mut position: P, moves: &[Move]) -> (Vec<String>, Vec<String>) {
    let text = |&mv: &Move| {
        let texts = (position.move_text(mv), position.san(mv));
        position.play(mv);
        texts
    };
    moves.iter().map(text).unzip()
}
