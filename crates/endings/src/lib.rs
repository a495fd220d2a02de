//! Exact tables of small endings.
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
