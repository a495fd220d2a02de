//! Studies of rules and of ways of training: from a file to a folder of games, matches and a report.
//!
//! A study names arms (rule sets), the networks that play them, and endpoints registered before a game is played. Its
//! games are the same on every machine. [`catapult_measures`] computes metrics from them, [`catapult_judge`] judges the claims,
//! [`catapult_report`] writes the pages.
//!
//! * [`config`]: a study's file, or the plan of an ablation, a study whose agents are ways of training; [`plan`]: what it will take; [`run`](mod@run): from it to its report
//! * [`folder`]: what lies where on disk; [`agents`]: the networks
//! * [`spread`]: the same on many machines; [`pack`]: all of it in one file
//!
//! ```
//! use catapult_study::config::StudyFile;
//!
//! let study = StudyFile::read("../../configs/study-quick.toml".as_ref()).unwrap();
//! assert_eq!(study.config.control.to_string(), "chess");
//! assert!(study.config.endpoints.iter().any(|endpoint| endpoint.claim == "fewer draws"));
//! ```

pub mod agents;
mod analyse;
pub mod config;
mod error;
mod exact;
pub mod folder;
mod looks;
mod matches;
pub mod pack;
pub mod plan;
mod play;
pub mod progress;
mod rows;
pub mod run;
pub mod spread;
mod stages;
mod trunks;
mod units;

pub use error::StudyError;
