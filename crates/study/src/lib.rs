//! What games say about rules.
//!
//! A study names arms (rule sets), the networks that play them, and endpoints registered before a game is played. Its
//! games are the same on every machine; its metrics are computed from them with intervals, its claims judged by them.
//!
//! * [`config`]: a study's file; [`plan`]: what it will take; [`run`](mod@run): from it to its report
//! * [`folder`]: what lies where on disk; [`agents`], [`play`], [`matches`](mod@matches), [`exact`]: how it comes there
//! * [`spread`]: the same on many machines; [`pack`]: all of it in one file
//! * [`ablation`]: a study whose arms are ways of training
//! * [`games`]: what a study asks of a game
//! * [`data`]: what has been played, the input of every metric
//! * [`analysis`]: what networks say beyond the games that were played
//! * [`metrics`]: from what was played to what was found
//! * [`results`]: what has been found, the input of every figure, table and judgement
//! * [`report`]: data files, figures and pages
//! * [`catapult_stats`]: intervals, differences, tests
//! * [`judge`]: from endpoints and metrics to judgements
//! * [`examples`]: games to look at, chosen by rules
//!
//! Without the feature `lab` (on by default) only finished studies are read and reported.
//!
//! ```
//! use catapult_study::config::StudyFile;
//!
//! let study = StudyFile::read("../../configs/study-quick.toml".as_ref()).unwrap();
//! assert_eq!(study.config.control.to_string(), "chess");
//! assert!(study.config.endpoints.iter().any(|endpoint| endpoint.claim == "fewer draws"));
//! ```

// Then what only makes studies is not used, and where it is private not compiled.
#![cfg_attr(not(feature = "lab"), allow(dead_code, unused_imports, unreachable_pub))]

#[cfg(feature = "lab")]
pub mod ablation;
#[cfg(feature = "lab")]
pub mod agents;
#[cfg(feature = "lab")]
mod analyse;
#[cfg(not(feature = "lab"))]
mod analysis;
#[cfg(feature = "lab")]
pub mod analysis;
#[cfg(feature = "lab")]
mod arms;
#[cfg(feature = "lab")]
pub mod config;
pub mod data;
mod error;
#[cfg(feature = "lab")]
pub mod exact;
#[cfg(feature = "lab")]
pub mod examples;
#[cfg(feature = "lab")]
pub mod folder;
#[cfg(not(feature = "lab"))]
mod games;
#[cfg(feature = "lab")]
pub mod games;
#[cfg(feature = "lab")]
pub mod judge;
#[cfg(feature = "lab")]
mod looks;
#[cfg(feature = "lab")]
pub mod matches;
#[cfg(not(feature = "lab"))]
mod metrics;
#[cfg(feature = "lab")]
pub mod metrics;
#[cfg(feature = "lab")]
pub mod pack;
#[cfg(feature = "lab")]
pub mod plan;
#[cfg(feature = "lab")]
pub mod play;
#[cfg(feature = "lab")]
pub mod progress;
pub mod report;
pub mod results;
#[cfg(feature = "lab")]
pub mod run;
#[cfg(feature = "lab")]
pub mod spread;
#[cfg(feature = "lab")]
pub mod units;

pub use error::StudyError;
