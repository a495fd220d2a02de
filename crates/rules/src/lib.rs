//! Rules of Chess++ and its relatives: squares, pieces, legal moves, outcome, FEN, move text.

mod color;
mod error;
mod moves;
mod outcome;
mod position;

pub use color::Color;
pub use error::{FenError, MoveError};
pub use moves::{MAX_MOVES, Move, MoveList};
pub use outcome::Outcome;
pub use position::Position;
