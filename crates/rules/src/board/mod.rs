//! Boards of any size: squares, sets of squares with steps, rays and attacks, and the state of a
//! position with its key.
//!
//! All games are built on this module. Files and ranks are type parameters, so the compiler
//! computes every mask. Each game defines its own types:
//!
//! ```
//! use catapult_rules::board;
//! type Square = board::Square<12, 12>;
//! type Squares = board::Squares<12, 12, 3>; // 144 squares in three words
//!
//! let square: Square = "l12".parse().unwrap();
//! assert_eq!((square.file(), square.rank(), square.index()), (11, 11, 143));
//! assert_eq!(Squares::rook(square, Squares::EMPTY).count(), 22);
//! ```

mod cell;
mod contents;
mod eight;
mod keys;
mod random;
mod reach;
mod sides;
mod square;
mod squares;

pub(crate) use cell::{Cell, Kind};
pub(crate) use contents::{BoardGame, Contents};
pub(crate) use keys::{KeyLayout, Rights};
pub use reach::{KING_STEPS, KNIGHT_LEAPS, PerSquare};
pub use square::Square;
pub use squares::{Iter, Squares};

#[cfg(test)]
mod tests;
