//! WebAssembly interface of the web page: rules, search and networks, for a worker.
//!
//! All arguments and results are text, mostly JSON. The page therefore needs no generated types,
//! and native tests can call the same functions.
//!
//! * Stateless functions take a variant name, a start FEN (empty for the start position) and
//!   moves separated by spaces: [`state`], [`after`], [`alphabeta`], [`read_pgn`], [`write_pgn`],
//!   [`perft`], [`branching`].
//! * An [`Engine`] searches in steps, so that the worker can read messages between steps. The
//!   caller passes the current time.
//!
//! For invalid input, a function returns an error message that names the wrong input.

mod counts;
mod engine;
mod game;
mod pgn;
mod state;

use wasm_bindgen::prelude::*;

pub use counts::{branching, perft};
pub use engine::{Engine, alphabeta};
pub use pgn::{read_pgn, write_pgn};
pub use state::{after, games, state};

/// Result of a call from the page. The error is a message for people.
pub type Answer<T = String> = Result<T, String>;

/// Installs a hook that turns a panic into a JavaScript exception. The exception ends the worker,
/// and the page starts another one.
#[wasm_bindgen(start)]
pub fn start() {
    #[cfg(target_arch = "wasm32")]
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}
