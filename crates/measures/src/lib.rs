//! Measurements of rules: from played games to values with intervals.
//!
//! * [`data`]: identity of networks, games and samples
//! * [`games`]: properties of games that a study needs beyond the rules
//! * [`analysis`]: evaluations of networks beyond the played games
//! * [`metrics`]: from games and analyses to values
//! * [`results`]: values, differences, curves, boards, tables, warnings
//!
//! Metrics depend only on their input. They read no files and do not know the claims of a study.
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
