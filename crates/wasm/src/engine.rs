//! A player in a worker: it thinks a step at a time.

use crate::Answer;
use crate::game::{play, variant};
use crate::state::json;
use catapult_encoding::Encode;
use catapult_engine::{Analyst, Question};
use catapult_model::{CpuEvaluator, Network};
use catapult_rules::{Position, with_variant};
use serde::Deserialize;
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

/// The most memory that a tree takes: phones have little.
const MEMORY: usize = 192 << 20;

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
            let analyst = Analyst::new(rules, evaluator, MEMORY);
            Ok(Engine { seat: Box::new(Place::<P> { rules, analyst }) })
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
    analyst: Analyst<P, CpuEvaluator<P>>,
}

impl<P: Encode> Seat for Place<P> {
    fn think(&mut self, start: &str, moves: &str, asked: &Asked, now: Duration) -> Answer<()> {
        let game = play::<P>(start, moves, self.rules)?;
        let &Asked { nodes, ms, noise, seed } = asked;
        self.analyst.think(game, &Question { nodes, time: ms.map(time), noise, seed }, now);
        Ok(())
    }

    fn step(&mut self, now: Duration) -> Answer<bool> {
        self.analyst.step(now).map_err(|error| error.to_string())
    }

    fn found(&self) -> String {
        json(&self.analyst.found())
    }

    fn forget(&mut self) {
        self.analyst.forget();
    }
}
