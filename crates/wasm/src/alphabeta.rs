//! Alpha-beta opponent, which needs no network.

use crate::Answer;
use crate::game::{play, variant};
use catapult_arena::AlphaBeta;
use catapult_rules::{Position, with_variant};

/// Maximum depth of the alpha-beta search in turns. Deeper searches take too long in a browser.
const DEEPEST: u32 = 4;

pub(crate) fn best(name: &str, start: &str, moves: &str, depth: u32, seed: u32) -> Answer {
    with_variant!(variant(name)?, |P, rules| {
        let game = play::<P>(start, moves, rules)?;
        if game.outcome().is_some() {
            return Ok(String::new());
        }
        let best = AlphaBeta::new(depth.min(DEEPEST), false).analyse(&game).choose(u64::from(seed));
        Ok(best.map(|mv| game.position().move_text(mv)).unwrap_or_default())
    })
}
