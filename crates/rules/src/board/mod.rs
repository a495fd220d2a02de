//! Squares, sets of squares, the ways across boards of any size, and what a position on one consists of: what games beside
//! the 8x8 engine are built on.
//!
//! Files and ranks are parameters of the types, so that every mask is worked out by the compiler. A game names its own:
//!
//! ```
//! use catapult_rules::board;
//! type Square = board::Square<12, 12>;
//! type Squares = board::Set<12, 12, 3>; // 144 squares in three words
//!
//! let square: Square = "l12".parse().unwrap();
//! assert_eq!((square.file(), square.rank(), square.index()), (11, 11, 143));
//! assert_eq!(Squares::rook(square, Squares::EMPTY).count(), 22);
//! ```

pub(crate) mod attacks8;
mod cell;
mod keys;
mod lines8;
pub(crate) mod random;
mod set;
mod sides;
#[cfg(target_feature = "bmi2")]
mod sliders8;
mod square;
mod state;
mod tables;

pub(crate) use cell::{Cell, Kind};
pub use set::{Iter, Set};
pub use square::Square;
pub(crate) use state::State;
pub use tables::{KING_STEPS, KNIGHT_LEAPS, PerSquare};

#[cfg(test)]
mod tests;
