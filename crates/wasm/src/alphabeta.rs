//! Alpha-beta opponent, which needs no network.

use crate::Answer;
use crate::game::play;

/// Maximum depth of the alpha-beta search in turns. Deeper searches take too long in a browser.
const DEEPEST: u32 = 4;

pub(crate) fn best(name: &str, start: &str, moves: &str, depth: u32, seed: u32) -> Answer {
    let game = play(name, start, moves)?;
    let best = catapult_arena::alphabeta_move(&*game, depth.min(DEEPEST), u64::from(seed));
    Ok(best.map(|mv| game.move_text(mv)).unwrap_or_default())
}
