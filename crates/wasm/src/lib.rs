//! WebAssembly interface of the web page: rules, search and networks, for a worker.
//!
//! All arguments and results are text, mostly JSON. The page therefore needs no generated types,
//! and native tests can call the same functions.
//!
//! * Stateless functions take a variant name, a start FEN (empty for the initial position) and
//!   moves separated by spaces: [`state`], [`after`], [`alphabeta`], [`read_pgn`], [`write_pgn`],
//!   [`perft`], [`branching`].
//! * An [`Engine`] thinks in steps, so that its worker can receive messages in between. The caller
//!   passes the time.
//!
//! Invalid input returns an error message that names it.

mod alphabeta;
mod counts;
mod engine;
mod game;
mod notation;
mod pgn;
mod state;

use wasm_bindgen::prelude::*;

pub use engine::Engine;

/// Result of a call. The error is a message for people.
pub type Answer<T = String> = Result<T, String>;

/// Turns a panic into a JavaScript exception. It ends the worker, and the page starts another one.
#[wasm_bindgen(start)]
pub fn start() {
    #[cfg(target_arch = "wasm32")]
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// Returns all games: name, description, board size, initial position, pieces and proposals.
#[wasm_bindgen]
pub fn games() -> String {
    state::games()
}

/// Returns the position after some moves: board, legal moves in parts, effects of the last move,
/// outcome, notation.
#[wasm_bindgen]
pub fn state(variant: &str, start: &str, moves: &str) -> Answer {
    state::state(variant, start, moves)
}

/// Returns every legal move of a position with the FEN after it, check, outcome and perft(2), as in
/// the rules' test vectors.
#[wasm_bindgen]
pub fn after(variant: &str, fen: &str) -> Answer {
    state::after(variant, fen)
}

/// Returns the move of an alpha-beta search with handmade evaluation, `depth` turns deep. `seed`
/// decides between equal moves. Empty if the game is over.
#[wasm_bindgen]
pub fn alphabeta(variant: &str, start: &str, moves: &str, depth: u32, seed: u32) -> Answer {
    alphabeta::best(variant, start, moves, depth, seed)
}

/// Returns the games of a PGN file. A game that cannot be read has an error message instead.
#[wasm_bindgen]
pub fn read_pgn(text: &str) -> Answer {
    pgn::read(text)
}

/// Writes a game as PGN. `tags` is a JSON list of pairs. `result` is the page's result (a
/// resignation) or empty.
#[wasm_bindgen]
pub fn write_pgn(variant: &str, start: &str, moves: &str, tags: &str, result: &str) -> Answer {
    pgn::write(variant, start, moves, tags, result)
}

/// Returns the number of leaves at a depth, per move (perft).
#[wasm_bindgen]
pub fn perft(variant: &str, fen: &str, depth: u32) -> Answer {
    counts::perft(variant, fen, depth)
}

/// Returns the number of legal moves per decision in random games drawn with `seed`.
#[wasm_bindgen]
pub fn branching(variant: &str, fen: &str, games: u32, seed: u32) -> Answer {
    counts::branching(variant, fen, games, seed)
}
