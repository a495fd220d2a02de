//! What games say about rules: from played games to values with intervals.
//!
//! * [`data`]: what has been played, the input of every metric
//! * [`games`]: what a study asks of a game
//! * [`analysis`]: what networks say beyond the games that were played
//! * [`metrics`]: from what was played to what was found
//! * [`results`]: values, differences, curves, boards, tables, warnings
//!
//! Everything here is a function of its input: nothing is read from disk, and no claim is known.
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
pub use metrics::{METRICS, StudyGames, StudyInput, measure};
