//! A search session for a web page. Its requests deserialise from JSON, and its reports serialise to
//! JSON.

use crate::{Limits, Settings, Snapshot, Thinker};
use catapult_mcts::{EvaluationError, SearchConfig};
use catapult_rules::{AnyGame, Move, Variant};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Number of lines that a report contains with all their moves. Each further line has only its root
/// move.
const LINES: usize = 12;

/// Limits and randomness of a search. Without `nodes` and `ms`, it runs until the page stops it or
/// nothing is left to search.
#[derive(Clone, Copy, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AnalysisRequest {
    /// Maximum number of simulations. `None` for no limit.
    pub nodes: Option<u32>,
    /// Thinking time in milliseconds. `None` for no limit. A number that is not a duration counts as
    /// 0.
    pub ms: Option<f64>,
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
    #[serde(rename = "full")]
    pub hashfull: u32,
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

/// A thinker for a web page: it takes requests and returns reports. The times `now` may count from
/// any fixed moment.
///
/// ```
/// use catapult_engine::{AnalysisRequest, Analyst, SessionThinker};
/// use catapult_mcts::evaluators::Material;
/// use catapult_rules::{Chess, Standard, Variant};
/// use std::time::Duration;
///
/// let back_rank = Variant::Chess.game(Some("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")).unwrap();
/// let thinker = SessionThinker::<Chess, _>::new(Standard, Material);
/// let mut analyst = Analyst::new(Box::new(thinker), Variant::Chess, 1 << 20);
/// let request = AnalysisRequest { nodes: Some(16), ..Default::default() };
/// analyst.think(&*back_rank, &request, Duration::ZERO).unwrap();
/// while analyst.step(Duration::ZERO).unwrap() {}
/// let report = analyst.report();
/// assert_eq!(report.lines[0].san, ["Ra8#"]);
/// assert_eq!(report.wdl, [1.0, 0.0, 0.0]);
/// ```
pub struct Analyst {
    thinker: Box<dyn Thinker>,
    /// The position of the search, without the earlier moves.
    position: Box<dyn AnyGame>,
    /// Memory limit of the tree in bytes.
    memory: usize,
    /// Noise scale and seed of the thinker's current settings.
    noise: (f32, u32),
}

impl Analyst {
    /// Creates an analyst of the variant of `thinker`. `memory` is the limit of the search tree in
    /// bytes.
    pub fn new(mut thinker: Box<dyn Thinker>, variant: Variant, memory: usize) -> Analyst {
        thinker.set_settings(settings(0.0, 0, memory));
        Analyst { thinker, position: variant.start(), memory, noise: (0.0, 0) }
    }

    /// Starts a search of the current position of `game`. If the game continues the previous one,
    /// the tree is reused.
    ///
    /// # Errors
    /// The game has another position type than the variant. The error is a message.
    pub fn think(
        &mut self,
        game: &dyn AnyGame,
        request: &AnalysisRequest,
        now: Duration,
    ) -> Result<(), String> {
        // Other settings discard the tree, and without noise a seed has no effect.
        let noise = (request.noise, if request.noise > 0.0 { request.seed } else { 0 });
        if noise != self.noise {
            self.noise = noise;
            self.thinker.set_settings(settings(noise.0, noise.1, self.memory));
        }
        self.thinker.set_game(game)?;
        self.position = game.forked();
        let (nodes, move_time) = (request.nodes, request.ms.map(milliseconds));
        let infinite = nodes.is_none() && move_time.is_none();
        let limits = Limits { nodes, move_time, infinite, ..Limits::default() };
        self.thinker.start(limits, now);
        Ok(())
    }

    /// Advances the search by one batch of positions. Batches are small, so a call is short.
    /// Returns false once the search has ended.
    ///
    /// # Errors
    /// The first failed evaluation.
    pub fn step(&mut self, now: Duration) -> Result<bool, EvaluationError> {
        if !self.thinker.step(&|| now)? {
            // A search without requests has nothing left to find, even if it waits for a stop.
            self.thinker.stop();
        }
        Ok(self.thinker.is_thinking())
    }

    /// Returns the state of the search so far.
    pub fn report(&self) -> AnalysisReport {
        let Snapshot { lines, value, simulations, hashfull } = self.thinker.snapshot();
        let report = |(index, line): (usize, crate::Variation)| {
            let count = if index < LINES { line.moves.len() } else { line.moves.len().min(1) };
            let (moves, san) = texts(&*self.position, &line.moves[..count]);
            AnalysisLine {
                moves,
                san,
                visits: line.visits,
                prior: line.prior,
                share: line.share,
                wdl: line.wdl,
                proven: line.proven.map(|proven| (proven.outlook.name(), proven.plies)),
            }
        };
        let lines = lines.into_iter().enumerate().map(report).collect();
        AnalysisReport { wdl: value.wdl, simulations, hashfull, lines }
    }
}

fn settings(noise: f32, seed: u32, memory: usize) -> Settings {
    let noise = if noise.is_finite() { noise.clamp(0.0, 100.0) } else { 0.0 };
    let search = SearchConfig { gumbel_scale: noise, memory_limit: memory, ..SearchConfig::default() };
    Settings { search, overhead: Duration::ZERO, seed: u64::from(seed), ..Settings::default() }
}

/// Returns the texts of a line's moves: in the variant's own notation, and in standard algebraic
/// notation.
fn texts(position: &dyn AnyGame, moves: &[Move]) -> (Vec<String>, Vec<String>) {
    let mut at = position.forked();
    let text = |&mv: &Move| {
        let texts = (at.move_text(mv), at.san(mv));
        at.push(mv);
        texts
    };
    moves.iter().map(text).unzip()
}

/// Converts milliseconds to a duration. Negative, infinite and NaN numbers give 0.
pub fn milliseconds(ms: f64) -> Duration {
    Duration::try_from_secs_f64(ms / 1000.0).unwrap_or_default()
}
