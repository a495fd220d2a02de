//! What games say about rules.
//!
//! A study names arms (rule sets), the networks that play them, and endpoints registered before a game is played. Its
//! games are the same on every machine; its metrics are computed from them with intervals, its claims judged by them.
//!
//! * [`data`]: what has been played, the input of every metric
//! * [`results`]: what has been found, the input of every figure, table and judgement
//! * [`stats`]: intervals, differences, tests
//! * [`judge`]: from endpoints and metrics to judgements

pub mod data;
mod error;
pub mod judge;
pub mod results;
pub mod stats;

pub use error::StudyError;
