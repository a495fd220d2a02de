//! WebAssembly interface of the web page: rules, search and networks, for a worker.
//!
//! All arguments and results are text, mostly JSON. The page therefore needs no generated types,
//! and native tests can call the same functions.
//!
//! * Stateless functions take a variant name, a start FEN (empty for the initial position) and
//!   moves separated by spaces: [`state`], [`after`], [`alphabeta`], [`read_pgn`], [`write_pgn`],
//!   [`perft`], [`branching`].
//! * An [`Engine`] searches in steps, so that the worker can read messages between steps. The
//!   caller passes the current time.
//!
//! For invalid input, a function returns an error message that names the wrong input.

mod alphabeta;
mod counts;
mod engine;
mod game;
mod pgn;
mod state;

use wasm_bindgen::prelude::*;

pub use engine::Engine;

/// Result of a call from the page. The error is a message for people.
pub type Answer<T = String> = Result<T, String>;

/// Installs a hook that turns a panic into a JavaScript exception. The exception ends the worker,
/// and the page starts another one.
#[wasm_bindgen(start)]
pub fn start() {
    #[cfg(target_arch = "wasm32")]
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// Returns a JSON list of all games: name, description, board size, initial position, pieces and
/// proposals.
#[wasm_bindgen]
pub fn games() -> String {
    state::games()
}

/// Returns the position after `moves` as JSON. The JSON has the board, the legal moves in parts,
/// the effects of the last move, the outcome and the notation of all moves.
#[wasm_bindgen]
pub fn state(variant: &str, start: &str, moves: &str) -> Answer {
    state::state(variant, start, moves)
}

/// Returns a position as JSON, in the format of the rules' test vectors. The JSON has the FEN,
/// check, outcome and perft(2) of the position, and the FEN after every legal move.
#[wasm_bindgen]
pub fn after(variant: &str, fen: &str) -> Answer {
    state::after(variant, fen)
}

/// Returns the move of an alpha-beta search, as text. The search is at most `depth` turns deep and
/// has a hand-made evaluation. `seed` chooses between equal moves. The text is empty if the game is
/// over.
#[wasm_bindgen]
pub fn alphabeta(variant: &str, start: &str, moves: &str, depth: u32, seed: u32) -> Answer {
    alphabeta::best(variant, start, moves, depth, seed)
}

/// Returns the games of a PGN file as JSON. A game that cannot be read completely has an error
/// message.
#[wasm_bindgen]
pub fn read_pgn(text: &str) -> Answer {
    pgn::read(text)
}

/// Returns a game as PGN. `tags` is a JSON list of pairs of name and value. `result` is a PGN
/// result such as `1-0`, or empty for the result of the position.
#[wasm_bindgen]
pub fn write_pgn(variant: &str, start: &str, moves: &str, tags: &str, result: &str) -> Answer {
    pgn::write(variant, start, moves, tags, result)
}

/// Returns the number of leaves at `depth` as JSON, in total and below each move (perft).
#[wasm_bindgen]
pub fn perft(variant: &str, fen: &str, depth: u32) -> Answer {
    counts::perft(variant, fen, depth)
}

/// Returns statistics of random games as JSON: the mean, minimum and maximum number of legal moves
/// per decision. `seed` draws the games.
#[wasm_bindgen]
pub fn branching(variant: &str, fen: &str, games: u32, seed: u32) -> Answer {
    counts::branching(variant, fen, games, seed)
}
