//! Alpha-beta opponent, which needs no network.

use crate::Answer;
use crate::game::play;
use wasm_bindgen::prelude::*;

/// Maximum depth of the alpha-beta search in turns. Deeper searches take too long in a browser.
const DEEPEST: u32 = 4;

/// Returns the move of an alpha-beta search, as text. The search is at most `depth` turns deep and
/// has a hand-made evaluation. `seed` chooses between equal moves. The text is empty if the game is
/// over.
#[wasm_bindgen]
pub fn alphabeta(variant: &str, start: &str, moves: &str, depth: u32, seed: u32) -> Answer {
    let game = play(variant, start, moves)?;
    let best = catapult_arena::alphabeta_move(&*game, depth.min(DEEPEST), u64::from(seed));
    Ok(best.map(|mv| game.move_text(mv)).unwrap_or_default())
}
