//! Size of a game tree: numbers of leaves, and of legal moves per decision.

use crate::Answer;
use crate::game::start;
use crate::state::json;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// Returns the number of leaves at `depth` (perft), as text.
#[wasm_bindgen]
pub fn perft(variant: &str, fen: &str, depth: u32) -> Answer {
    Ok(start(variant, fen)?.perft(depth).to_string())
}

#[derive(Serialize)]
struct Branching {
    decisions: u64,
    /// Mean number of legal moves per decision. `fewest` and `most` are the minimum and the
    /// maximum. All three are 0 without decisions.
    mean: f64,
    fewest: usize,
    most: usize,
}

/// Maximum number of decisions in a random game. Without this limit, most positions would have
/// little material, unlike positions of real games.
const DECISIONS: usize = 100;

/// Returns statistics of random games as JSON: the mean, minimum and maximum number of legal moves
/// per decision. `seed` draws the games.
#[wasm_bindgen]
pub fn branching(variant: &str, fen: &str, games: u32, seed: u32) -> Answer {
    let start = start(variant, fen)?;
    let mut rng = Pcg64Mcg::seed_from_u64(u64::from(seed));
    let (mut decisions, mut sum, mut fewest, mut most) = (0, 0, usize::MAX, 0);
    for _ in 0..games.clamp(1, 10_000) {
        let mut game = start.forked();
        while game.moves().len() < DECISIONS && game.outcome().is_none() {
            let moves = game.legal_moves();
            decisions += 1;
            sum += moves.len() as u64;
            (fewest, most) = (fewest.min(moves.len()), most.max(moves.len()));
            game.push(moves[rng.random_range(0..moves.len())]);
        }
    }
    let mean = if decisions == 0 { 0.0 } else { sum as f64 / decisions as f64 };
    Ok(json(&Branching { decisions, mean, fewest: if decisions == 0 { 0 } else { fewest }, most }))
}
