//! What games say about rules.
//!
//! A study names arms (rule sets), the networks that play them, and endpoints registered before a game is played. Its
//! games are the same on every machine; its metrics are computed from them with intervals, its claims judged by them.
//!
//! * [`config`]: a study's file; [`plan`]: what it will take; [`run`](mod@run): from it to its report
//! * [`folder`]: what lies where on disk; [`agents`], [`play`], [`matches`], [`exact`]: how it comes there
//! * [`ablation`]: a study whose arms are ways of training
//! * [`games`]: what a study asks of a game
//! * [`data`]: what has been played, the input of every metric
//! * [`analysis`]: what networks say beyond the games that were played
//! * [`metrics`]: from what was played to what was found
//! * [`results`]: what has been found, the input of every figure, table and judgement
//! * [`report`]: data files, figures and pages
//! * [`stats`]: intervals, differences, tests
//! * [`judge`]: from endpoints and metrics to judgements
//! * [`examples`]: games to look at, chosen by rules

pub mod ablation;
pub mod agents;
mod analyse;
pub mod analysis;
mod arms;
pub mod config;
pub mod data;
mod error;
pub mod exact;
pub mod examples;
pub mod folder;
pub mod games;
pub mod judge;
mod kept;
mod looks;
pub mod matches;
pub mod metrics;
pub mod plan;
pub mod play;
pub mod progress;
pub mod report;
pub mod results;
pub mod run;
pub mod stats;
mod units;

pub use error::StudyError;
