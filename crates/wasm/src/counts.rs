//! Size of a game tree: numbers of leaves, and of legal moves per decision.

use crate::Answer;
use crate::game::start;
use crate::state::json;
use catapult_rules::AnyGame;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;
use wasm_bindgen::prelude::*;

#[derive(Serialize)]
struct Leaves {
    leaves: u64,
    /// Text of each legal move with the number of leaves below the move. Empty at depth 0.
    divide: Vec<(String, u64)>,
}

/// Returns the number of leaves at `depth` as JSON, in total and below each move (perft).
#[wasm_bindgen]
pub fn perft(variant: &str, fen: &str, depth: u32) -> Answer {
    let game = start(variant, fen)?;
    if depth == 0 {
        return Ok(json(&Leaves { leaves: 1, divide: Vec::new() }));
    }
    let divided = game.divide(depth);
    Ok(json(&Leaves {
        leaves: divided.iter().map(|(_, leaves)| leaves).sum(),
        divide: divided.into_iter().map(|(mv, leaves)| (game.move_text(mv), leaves)).collect(),
    }))
}

#[derive(Serialize)]
struct Branching {
    games: u32,
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
    Ok(json(&random_games(&*start(variant, fen)?, games.clamp(1, 10_000), seed)))
}

fn random_games(start: &dyn AnyGame, games: u32, seed: u32) -> Branching {
    let mut rng = Pcg64Mcg::seed_from_u64(u64::from(seed));
    let (mut decisions, mut sum, mut fewest, mut most) = (0, 0, usize::MAX, 0);
    for _ in 0..games {
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
    Branching { games, decisions, mean, fewest: if decisions == 0 { 0 } else { fewest }, most }
}
