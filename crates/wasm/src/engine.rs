//! A player in a worker: it thinks a step at a time.

use crate::Answer;
use crate::game::{play, variant};
use crate::state::json;
use catapult_encoding::Encode;
use catapult_engine::{Limits, Session, Settings, Snapshot};
use catapult_mcts::{Batch, Evaluator, Outlook, SearchConfig};
use catapult_model::{CpuEvaluator, Network};
use catapult_rules::{Move, Position, with_variant};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use wasm_bindgen::prelude::*;

/// What the page may ask for with a search.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Asked {
    /// Simulations; without them and without `ms` it thinks until it is told otherwise.
    nodes: Option<u32>,
    /// A time in milliseconds.
    ms: Option<f64>,
    /// Scale of the Gumbel noise by which moves are drawn: 0 plays the best that is found.
    noise: f32,
    seed: u32,
}

/// A move of the root, for the page.
#[derive(Serialize)]
struct Line {
    /// Move texts, and the same in algebraic notation.
    moves: Vec<String>,
    san: Vec<String>,
    visits: u32,
    prior: f32,
    share: f32,
    wdl: Option<[f32; 3]>,
    /// `win`, `draw` or `loss` of the side to move, and plies to it, where proven.
    proven: Option<(&'static str, u16)>,
}

#[derive(Serialize)]
struct Found {
    /// Of the side to move.
    wdl: [f32; 3],
    simulations: u32,
    /// Thousandths of the memory that the tree may hold.
    full: u32,
    lines: Vec<Line>,
}

/// The most memory that a tree takes: phones have little.
const MEMORY: usize = 192 << 20;

/// Lines that are told in full; the rest with its first move only.
const LINES: usize = 12;

/// A network that thinks about one game.
#[wasm_bindgen]
pub struct Engine {
    seat: Box<dyn Seat>,
}

#[wasm_bindgen]
impl Engine {
    /// A player of a variant by a network's file; the name is what messages call the file.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, file: &str, bytes: Vec<u8>) -> Answer<Engine> {
        with_variant!(variant(name)?, |P, rules| {
            let network = Network::from_bytes(file, bytes, &P::LAYOUT).map_err(|error| error.to_string())?;
            let evaluator = CpuEvaluator::<P>::portable(&network).map_err(|error| error.to_string())?;
            Ok(Engine { seat: Box::new(Place::<P>::new(rules, evaluator)) })
        })
    }

    /// Begins to think about the position after these moves, at this time in milliseconds. `asked` is a JSON object.
    pub fn think(&mut self, start: &str, moves: &str, asked: &str, now: f64) -> Answer<()> {
        let asked: Asked = serde_json::from_str(asked).map_err(|error| format!("what is asked: {error}"))?;
        self.seat.think(start, moves, &asked, time(now))
    }

    /// Looks at some more positions, few enough for a moment; whether there is more to do.
    pub fn step(&mut self, now: f64) -> Answer<bool> {
        self.seat.step(time(now))
    }

    /// What has been found so far.
    pub fn found(&self) -> String {
        self.seat.found()
    }

    /// Forgets what is known of the game.
    pub fn forget(&mut self) {
        self.seat.forget();
    }
}

fn time(milliseconds: f64) -> Duration {
    Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default()
}

/// An engine of whatever game.
trait Seat {
    fn think(&mut self, start: &str, moves: &str, asked: &Asked, now: Duration) -> Answer<()>;
    fn step(&mut self, now: Duration) -> Answer<bool>;
    fn found(&self) -> String;
    fn forget(&mut self);
}

struct Place<P: Position> {
    rules: P::Rules,
    session: Session<P>,
    evaluator: CpuEvaluator<P>,
    batch: Batch<P>,
    /// What the settings were made of.
    noise: f32,
    seed: u32,
}

impl<P: Encode> Place<P> {
    fn new(rules: P::Rules, evaluator: CpuEvaluator<P>) -> Place<P> {
        let session = Session::new(catapult_rules::Game::new(P::start(rules)), settings(0.0, 0));
        Place { rules, session, evaluator, batch: Batch::default(), noise: 0.0, seed: 0 }
    }
}

fn settings(noise: f32, seed: u32) -> Settings {
    let noise = if noise.is_finite() { noise.clamp(0.0, 100.0) } else { 0.0 };
    let search = SearchConfig { gumbel_scale: noise, memory_limit: MEMORY, ..SearchConfig::default() };
    Settings { search, overhead: Duration::ZERO, seed: u64::from(seed), ..Settings::default() }
}

impl<P: Encode> Seat for Place<P> {
    fn think(&mut self, start: &str, moves: &str, asked: &Asked, now: Duration) -> Answer<()> {
        let game = play::<P>(start, moves, self.rules)?;
        if (asked.noise, asked.seed) != (self.noise, self.seed) {
            (self.noise, self.seed) = (asked.noise, asked.seed);
            self.session.set_settings(settings(asked.noise, asked.seed));
        }
        self.session.set_game(game);
        let move_time = asked.ms.map(time);
        let infinite = asked.nodes.is_none() && move_time.is_none();
        self.session.start(Limits { nodes: asked.nodes, move_time, infinite, ..Limits::default() }, now);
        Ok(())
    }

    fn step(&mut self, now: Duration) -> Answer<bool> {
        self.batch.clear();
        if self.session.gather(&mut self.batch, now) == 0 {
            // A search that waits to be stopped and has nothing left to ask has found all there is.
            self.session.stop();
            return Ok(false);
        }
        self.evaluator.evaluate(&mut self.batch).map_err(|error| error.to_string())?;
        self.session.apply(&self.batch, 0, now);
        Ok(self.session.is_thinking())
    }

    fn found(&self) -> String {
        let position = *self.session.game().position();
        let Snapshot { lines, value, simulations, permille_full } = self.session.snapshot();
        let line = |(index, line): (usize, catapult_engine::Line)| {
            let told = if index < LINES { line.moves.len() } else { 1 };
            let (moves, san) = texts(position, &line.moves[..told.min(line.moves.len())]);
            Line {
                moves,
                san,
                visits: line.visits,
                prior: line.prior,
                share: line.share,
                wdl: line.wdl,
                proven: line.proven.map(|proven| (outlook(proven.outlook), proven.plies)),
            }
        };
        json(&Found {
            wdl: value.wdl,
            simulations,
            full: permille_full,
            lines: lines.into_iter().enumerate().map(line).collect(),
        })
    }

    fn forget(&mut self) {
        self.session.forget();
    }
}

fn outlook(outlook: Outlook) -> &'static str {
    match outlook {
        Outlook::Win => "win",
        Outlook::Draw => "draw",
        Outlook::Loss => "loss",
    }
}

/// A line's moves in our text and in algebraic notation.
fn texts<P: Position>(mut position: P, moves: &[Move]) -> (Vec<String>, Vec<String>) {
    let text = |&mv: &Move| {
        let texts = (position.move_text(mv), position.san(mv));
        position.play(mv);
        texts
    };
    moves.iter().map(text).unzip()
}
