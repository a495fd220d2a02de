//! What the page in the browser asks of the laboratory: rules, search and networks, for a worker.
//!
//! Everything goes in and out as text, most of it JSON, so that the page needs no types of ours and a test can ask the same natively.
//!
//! * Questions about games carry a variant's name, a start (a FEN; empty for the game's own) and moves in our move text, with spaces
//!   between. They hold nothing between calls: [`state`], [`after`], [`alphabeta`], [`read_pgn`], [`write_pgn`], [`perft`], [`branching`].
//! * An [`Engine`] thinks step by step; between steps its worker can be told something else. Times are handed in.
//!
//! What can't be understood is answered by a message that names it.

mod alphabeta;
mod counts;
mod engine;
mod game;
mod notation;
mod pgn;
mod state;

use wasm_bindgen::prelude::*;

pub use engine::Engine;

/// What is asked and can't be answered: a message for people.
pub type Answer<T = String> = Result<T, String>;

/// What a panic says reaches the worker as an exception, which ends it; the page then starts another one.
#[wasm_bindgen(start)]
pub fn start() {
    #[cfg(target_arch = "wasm32")]
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// The games: name, what is special about each, board, start, names of pieces, and the proposals that a game may be played with.
#[wasm_bindgen]
pub fn games() -> String {
    state::games()
}

/// The position after some moves: board, legal moves in parts, what the last move did, outcome, notation.
#[wasm_bindgen]
pub fn state(variant: &str, start: &str, moves: &str) -> Answer {
    state::state(variant, start, moves)
}

/// Every legal move of a position with the FEN after it, check, outcome and the leaves at depth 2: what vectors of the rules hold.
#[wasm_bindgen]
pub fn after(variant: &str, fen: &str) -> Answer {
    state::after(variant, fen)
}

/// The move of alpha-beta on hand-made values, so many turns deep, drawn by the seed among equals; empty if the game is over.
#[wasm_bindgen]
pub fn alphabeta(variant: &str, start: &str, moves: &str, depth: u32, seed: u32) -> Answer {
    alphabeta::best(variant, start, moves, depth, seed)
}

/// The games of a PGN file; what can't be read of it stands in the game's place.
#[wasm_bindgen]
pub fn read_pgn(text: &str) -> Answer {
    pgn::read(text)
}

/// A game as PGN; `tags` is a JSON list of pairs, `result` what the page knows of the end (a resignation), else empty.
#[wasm_bindgen]
pub fn write_pgn(variant: &str, start: &str, moves: &str, tags: &str, result: &str) -> Answer {
    pgn::write(variant, start, moves, tags, result)
}

/// Leaves at a depth, below each move.
#[wasm_bindgen]
pub fn perft(variant: &str, fen: &str, depth: u32) -> Answer {
    counts::perft(variant, fen, depth)
}

/// Legal moves a decision in games of random moves, from a seed.
#[wasm_bindgen]
pub fn branching(variant: &str, fen: &str, games: u32, seed: u32) -> Answer {
    counts::branching(variant, fen, games, seed)
}
