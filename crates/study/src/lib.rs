//! What games say about rules.
//!
//! A study names arms (rule sets), the networks that play them, and endpoints registered before a game is played. Its
//! games are the same on every machine; its metrics are computed from them with intervals, its claims judged by them.
//!
//! * [`games`]: what a study asks of a game
//! * [`data`]: what has been played, the input of every metric
//! * [`analysis`]: what networks say beyond the games that were played
//! * [`metrics`]: from what was played to what was found
//! * [`results`]: what has been found, the input of every figure, table and judgement
//! * [`report`]: data files, figures and pages
//! * [`stats`]: intervals, differences, tests
//! * [`judge`]: from endpoints and metrics to judgements

pub mod analysis;
pub mod data;
mod error;
pub mod games;
pub mod judge;
pub mod metrics;
pub mod report;
pub mod results;
pub mod stats;

pub use error::StudyError;
