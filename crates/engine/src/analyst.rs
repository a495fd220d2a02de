//! A player in a page: what is asked of it, and what it tells, as JSON has it.

use crate::{Limits, Session, Settings, Snapshot};
use catapult_mcts::{Batch, EvaluationError, Evaluator, Gumbel, Outlook, SearchConfig};
use catapult_rules::{Game, Move, Position};
use serde::Serialize;
use std::time::Duration;

/// Lines that are told in full; the rest with their first move only.
const LINES: usize = 12;

/// What may be asked of a search. Without simulations and without a time it goes on until it is left.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Question {
    /// Simulations.
    pub nodes: Option<u32>,
    /// A time, to be used up.
    pub time: Option<Duration>,
    /// Scale of the Gumbel noise by which moves are drawn: 0 plays the best that is found.
    pub noise: f32,
    /// What the noise is drawn from.
    pub seed: u32,
}

/// What has been found so far.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Found {
    /// Probabilities of a win, a draw and a loss of the side to move.
    pub wdl: [f32; 3],
    /// Simulations made for the position.
    pub simulations: u32,
    /// Thousandths of the memory that the tree may hold.
    pub full: u32,
    /// The legal moves, the best first.
    pub lines: Vec<FoundLine>,
}

/// A move of the root, and what is expected after it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FoundLine {
    /// The move and those after it, as the rules write them.
    pub moves: Vec<String>,
    /// The same in algebraic notation.
    pub san: Vec<String>,
    /// Simulations that began with it.
    pub visits: u32,
    /// Its probability by the evaluator.
    pub prior: f32,
    /// Its probability by the search.
    pub share: f32,
    /// As [`Found::wdl`], after it; none where it has not been visited.
    pub wdl: Option<[f32; 3]>,
    /// `win`, `draw` or `loss` of the side to move, and plies to it, where proven.
    pub proven: Option<(&'static str, u16)>,
}

/// A session with an evaluator of its own, step by step.
pub struct Analyst<P: Position, E> {
    session: Session<P>,
    evaluator: E,
    batch: Batch<P>,
    /// Bytes that the tree may take.
    memory: usize,
    /// What the session's settings were made of.
    noise: f32,
    seed: u32,
}

impl<P: Position, E: Evaluator<P>> Analyst<P, E> {
    /// One that has seen no game yet; its tree may take so many bytes.
    pub fn new(rules: P::Rules, evaluator: E, memory: usize) -> Analyst<P, E> {
        let session = Session::new(Game::new(P::start(rules)), settings(0.0, 0, memory));
        Analyst { session, evaluator, batch: Batch::default(), memory, noise: 0.0, seed: 0 }
    }

    /// Begins to think about a game.
    pub fn think(&mut self, game: Game<P>, asked: &Question, now: Duration) {
        if (asked.noise, asked.seed) != (self.noise, self.seed) {
            (self.noise, self.seed) = (asked.noise, asked.seed);
            self.session.set_settings(settings(asked.noise, asked.seed, self.memory));
        }
        self.session.set_game(game);
        let infinite = asked.nodes.is_none() && asked.time.is_none();
        let limits = Limits { nodes: asked.nodes, move_time: asked.time, infinite, ..Limits::default() };
        self.session.start(limits, now);
    }

    /// Looks at some more positions, few enough for a moment; whether there is more to do.
    ///
    /// # Errors
    /// What the evaluator can't answer.
    pub fn step(&mut self, now: Duration) -> Result<bool, EvaluationError> {
        self.batch.clear();
        if self.session.gather(&mut self.batch, now) == 0 {
            // A search that waits to be stopped and has nothing left to ask has found all there is.
            self.session.stop();
            return Ok(false);
        }
        self.evaluator.evaluate(&mut self.batch)?;
        self.session.apply(&self.batch, 0, now);
        Ok(self.session.is_thinking())
    }

    /// What has been found so far.
    pub fn found(&self) -> Found {
        let position = *self.session.game().position();
        let Snapshot { lines, value, simulations, permille_full } = self.session.snapshot();
        let told = |(index, line): (usize, crate::Line)| {
            let count = if index < LINES { line.moves.len() } else { line.moves.len().min(1) };
            let (moves, san) = texts(position, &line.moves[..count]);
            FoundLine {
                moves,
                san,
                visits: line.visits,
                prior: line.prior,
                share: line.share,
                wdl: line.wdl,
                proven: line.proven.map(|proven| (outlook(proven.outlook), proven.plies)),
            }
        };
        let lines = lines.into_iter().enumerate().map(told).collect();
        Found { wdl: value.wdl, simulations, full: permille_full, lines }
    }

    /// Forgets what is known of the game.
    pub fn forget(&mut self) {
        self.session.forget();
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

/// A line's moves as the rules write them, and in algebraic notation.
fn texts<P: Position>(mut position: P, moves: &[Move]) -> (Vec<String>, Vec<String>) {
    let text = |&mv: &Move| {
        let texts = (position.move_text(mv), position.san(mv));
        position.play(mv);
        texts
    };
    moves.iter().map(text).unzip()
}
