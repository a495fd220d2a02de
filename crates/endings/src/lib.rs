//! Endgame tablebases for endings of chess and Chess++ with at most three men: solver, verifier and
//! probing.
//!
//! A table covers one ending ([`TableKey`]): White's king and at most one piece against Black's
//! king, with the catapults of at most one side. There are two tables per ending, one per distance
//! ([`Metric`]):
//!
//! * DTM: plies to mate, without the fifty-move rule.
//! * DTZ: plies to the next reset of the half-move clock, with the fifty-move rule. [`Probe`]
//!   derives the result at the position's half-move clock from the DTZ.
//!
//! [`Tables`] is a folder of tables. It solves missing tables, probes positions, and verifies
//! tables with the moves of `catapult_rules`. [`Plan`] estimates the cost of a table before it is
//! solved. [`Counts`] contains statistics of a table.
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
//! assert_eq!((probe.dtm, probe.winner(Color::White)), (Value::Won(1), Some(Color::White)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bitboards;
#[cfg(test)]
mod bitboards_tests;
mod conversions;
mod count;
mod error;
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
pub use count::{Counts, SideCounts};
pub use error::EndingsError;
pub use key::{CATAPULTS, Catapults, KeyError, Material, TableKey, parse_catapults};
pub use plan::Plan;
pub use probe::{Probe, could_have};
pub use solve::Wave;
pub use tables::{Solved, Tables};
pub use value::{CLOCK_LIMIT, Metric, Value};
pub use verify::placement::{Placement, write_fen};
pub use verify::{Checked, Sample};
