//! Exact tables of small endings of chess and Chess++: solver, verifier, probing.
//!
//! A table is of one ending: White's king and at most one piece against Black's king, with the catapults of one side
//! ([`TableKey`]). It tells two distances of every position ([`Metric`]): plies to mate without the hundred-ply rule, and with that
//! rule plies to the clock's next restart, from which a [`Probe`] knows the result at any clock.
//!
//! * [`Tables`] is a folder of them: it solves what is missing, reads, probes, and verifies with the moves of the rules crate.
//! * [`Plan`] says what a table takes before it is solved, [`Counts`] what it holds.
//!
//! ```
//! use catapult_endings::{Tables, Value};
//! use catapult_rules::{Chess, Color, Position, Standard};
//!
//! let dir = tempfile::tempdir()?;
//! let tables = Tables::new(dir.path());
//! tables.solve("KRvK".parse()?, &mut |_, _| true)?;
//! let position = Chess::from_fen("k7/8/1K6/8/8/8/8/7R w - - 0 1", Standard)?;
//! let probe = tables.probe(&position)?.expect("king and rook against king is that table");
//! assert_eq!((probe.mate, probe.winner(Color::White)), (Value::Won(1), Some(Color::White)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod count;
mod error;
mod exits;
mod file;
mod geometry;
mod key;
mod layer;
mod lines;
mod plan;
mod probe;
mod solve;
mod space;
mod tables;
mod value;
mod verify;
mod words;
#[cfg(test)]
mod words_tests;
pub use count::{Counts, SideCounts};
pub use error::EndingsError;
pub use key::{CATAPULTS, Catapults, KeyError, Material, TableKey, parse_catapults};
pub use plan::Plan;
pub use probe::{Probe, could_have};
pub use solve::Wave;
pub use tables::{Solved, Tables};
pub use value::{CLOCK_LIMIT, Metric, Value};
pub use verify::{Checked, Sample};
