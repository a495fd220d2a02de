//! Measurement of game rules: from games of networks to metrics with intervals.
//!
//! * [`data`]: identity of networks, games and samples
//! * [`games`]: properties of games that a study needs beyond the rules
//! * [`analysis`]: evaluations of networks beyond the played games
//! * [`metrics`]: computation of values from games and analyses
//! * [`results`]: values, differences, curves, boards, tables, warnings
//!
//! An arm is a rule set of a study. Metrics depend only on their input. They read no files and do
//! not know the claims of a study.
//!
//! ```
//! use catapult_measures::metrics::metric;
//!
//! let draws = metric("draw_rate").unwrap();
//! assert_eq!(draws.name, "draw rate");
//! ```

pub mod analysis;
mod arms;
pub mod data;
mod error;
pub mod games;
pub mod metrics;
pub mod results;
mod rows;
#[doc(hidden)]
pub mod testing;
mod warning;

pub use arms::{Arm, in_words, neither_side};
pub use error::MeasureError;
