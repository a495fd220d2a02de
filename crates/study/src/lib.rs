//! Studies that compare rules or ways of training, from a config file to a folder of games, matches
//! and a report.
//!
//! A study names arms (rule sets), the networks that play them, and endpoints registered before the
//! first game. Machines with the same kernel play the same games. [`catapult_measures`] computes
//! metrics from the games, [`catapult_judge`] judges the claims and [`catapult_report`] writes the
//! pages.
//!
//! A *cell* is the games of one network against itself, in one arm, at one checkpoint and one
//! search level (simulations per move). A *checkpoint* is the last generation of a network or an
//! early one. An *agent* is a training recipe with one network per training seed. A *unit* is a
//! piece of work that one thread builds into one file, such as a shard of games or a match. A
//! *stage* is all units of one kind. A *look* is one computation of the results.
//!
//! * [`config`]: a study's file, or the plan of an ablation, which is a study whose agents are ways
//!   of training
//! * [`plan`]: the expected cost
//! * [`run`](mod@run): a study from its file to its report
//! * [`folder`]: the files on disk
//! * [`agents`]: the networks
//! * [`exam`]: a study of one network, with gates
//! * [`rule`]: a study of one rule, made from a template
//! * [`spread`]: a study on many machines
//!
//! ```
//! use catapult_study::config::StudyFile;
//!
//! let study = StudyFile::read("../../configs/study/quick.toml".as_ref()).unwrap();
//! assert_eq!(study.config.control.to_string(), "chess");
//! assert!(study.config.endpoints.iter().any(|endpoint| endpoint.claim == "fewer draws"));
//! ```

pub mod agents;
mod analyse;
pub mod config;
mod error;
mod exact;
pub mod exam;
pub mod folder;
mod looks;
mod matches;
pub mod plan;
mod play;
mod probes;
pub mod progress;
mod rows;
pub mod rule;
pub mod run;
pub mod spread;
mod stages;
mod trunks;
mod units;

pub use error::StudyError;
