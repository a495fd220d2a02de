//! Search engine of the web page, which a web worker advances in steps.

use crate::Answer;
use crate::game::{play, variant};
use crate::state::json;
use catapult_arena::thinker;
use catapult_encoding::layout;
use catapult_engine::{AnalysisRequest, Analyst};
use catapult_network::{EvaluatorSettings, Network};
use serde::Deserialize;
use std::time::Duration;
use wasm_bindgen::prelude::*;

/// Request of the web page for a search, as JSON.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct SearchRequest {
    /// Maximum number of simulations. If `nodes` and `ms` are missing, the search runs until it is
    /// stopped.
    nodes: Option<u32>,
    /// Maximum thinking time in milliseconds.
    ms: Option<f64>,
    /// Scale of the Gumbel noise that varies the chosen move. With 0, the best move is chosen.
    noise: f32,
    seed: u32,
}

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

    /// Starts a search of the position after `moves` from the FEN `start`. `request` is a JSON
    /// object with the optional keys `nodes`, `ms`, `noise` and `seed`. `now` is the time in
    /// milliseconds, on any clock.
    pub fn think(&mut self, start: &str, moves: &str, request: &str, now: f64) -> Answer<()> {
        let request: SearchRequest =
            serde_json::from_str(request).map_err(|error| format!("search request: {error}"))?;
        let SearchRequest { nodes, ms, noise, seed } = request;
        let game = play(&self.variant, start, moves)?;
        self.analyst.think(&*game, &AnalysisRequest { nodes, time: ms.map(time), noise, seed }, time(now))
    }

    /// Evaluates one small batch of positions, so that the worker can read messages between steps.
    /// Returns false if the search has ended. `now` is the time in milliseconds, on the clock of
    /// [`think`](Self::think).
    pub fn step(&mut self, now: f64) -> Answer<bool> {
        self.analyst.step(time(now)).map_err(|error| error.to_string())
    }

    /// Returns the current state of the search as JSON.
    pub fn found(&self) -> String {
        json(&self.analyst.report())
    }
}

fn time(milliseconds: f64) -> Duration {
    Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default()
}
