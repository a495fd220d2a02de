//! The computer players: a network's search, which a web worker advances in steps, and alpha-beta.

use crate::Answer;
use crate::game::{play, variant};
use crate::state::json;
use catapult_arena::{alphabeta_move, thinker};
use catapult_encoding::layout;
use catapult_engine::{AnalysisRequest, Analyst, milliseconds};
use catapult_network::{EvaluatorSettings, Network};
use wasm_bindgen::prelude::*;

/// Memory limit of the search tree in bytes. During tree reuse, there are briefly two trees. Phones
/// have little memory.
const MEMORY: usize = 96 << 20;
/// Maximum number of evaluations that an engine caches.
const CACHED: usize = 1 << 15;

/// Search engine for one game and one network.
#[wasm_bindgen]
pub struct Engine {
    variant: String,
    analyst: Analyst,
}

#[wasm_bindgen]
impl Engine {
    /// Creates an engine for the variant `name` from the bytes of a network file. `file` is the
    /// name of this file in error messages.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, file: &str, bytes: Vec<u8>) -> Answer<Engine> {
        let variant = variant(name)?;
        let network =
            Network::from_bytes(file, bytes, &layout(variant)).map_err(|error| error.to_string())?;
        let thinker = thinker(variant, &network, EvaluatorSettings::default(), CACHED);
        let thinker = thinker.map_err(|error| error.to_string())?;
        Ok(Engine { variant: name.to_owned(), analyst: Analyst::new(thinker, variant, MEMORY) })
    }

    /// Starts a search of the position after `moves` from the FEN `start`. `request` is an
    /// [`AnalysisRequest`] as JSON. All its keys are optional. `now` is the time in milliseconds, on
    /// any clock.
    pub fn think(&mut self, start: &str, moves: &str, request: &str, now: f64) -> Answer<()> {
        let request: AnalysisRequest =
            serde_json::from_str(request).map_err(|error| format!("search request: {error}"))?;
        let game = play(&self.variant, start, moves)?;
        self.analyst.think(&*game, &request, milliseconds(now))
    }

    /// Evaluates one small batch of positions, so that the worker can read messages between steps.
    /// Returns false if the search has ended. `now` is the time in milliseconds, on the clock of
    /// [`think`](Self::think).
    pub fn step(&mut self, now: f64) -> Answer<bool> {
        self.analyst.step(milliseconds(now)).map_err(|error| error.to_string())
    }

    /// Returns the current state of the search as JSON.
    pub fn found(&self) -> String {
        json(&self.analyst.report())
    }
}

/// Maximum depth of the alpha-beta search in turns. Deeper searches take too long in a browser.
const DEEPEST: u32 = 4;

/// Returns the move of an alpha-beta search, as text. The search is at most `depth` turns deep and
/// has a hand-made evaluation instead of a network. `seed` chooses between equal moves. The text is
/// empty if the game is over.
#[wasm_bindgen]
pub fn alphabeta(variant: &str, start: &str, moves: &str, depth: u32, seed: u32) -> Answer {
    let game = play(variant, start, moves)?;
    let best = alphabeta_move(&*game, depth.min(DEEPEST), u64::from(seed));
    Ok(best.map(|mv| game.move_text(mv)).unwrap_or_default())
}
