//! Training runs: their config, run directory, learner and loop over generations.
//!
//! In each generation, a run plays games with an earlier generation's network, by default the
//! previous one. It then trains the next network on training samples of the most recent games.
//! [`run`] describes the files, and [`train`] runs the loop.
//!
//! ```
//! use catapult_training::TrainConfig;
//! use std::path::Path;
//!
//! let tiny = Path::new("../../configs/test/tiny.toml");
//! let config = TrainConfig::read(tiny, &["games.per_generation=12".to_owned()]).unwrap();
//! assert_eq!(config.games.per_generation, 12);
//! // Errors name the key.
//! let error = TrainConfig::read(tiny, &["games.per_generation=0".to_owned()]).unwrap_err();
//! assert!(error.to_string().contains("games.per_generation"), "{error}");
//! ```

mod archive;
mod budget;
pub mod chart;
mod config;
mod error;
mod evaluate;
mod fork;
mod games;
pub mod ladder;
mod learner;
mod logs;
mod origin;
mod pack;
pub mod progress;
pub mod report;
pub mod run;
mod supervised;
mod tensorboard;
mod train;
pub mod units;

pub use budget::BudgetConfig;
pub use config::{EvaluationConfig, GamesConfig, LearningConfig, Machine, MachineConfig, TrainConfig};
pub use error::TrainingError;
pub use evaluate::{evaluate, played_matches};
pub use fork::{check_fork, fork};
pub use games::{KERNEL, ShardId, VERSION, play_shard_of, play_to_file};
pub use logs::refresh_logs;
pub use origin::Fork;
pub use pack::{Packed, pack, unpack};
pub use report::Work;
pub use supervised::{SupervisedReport, learn_from};
pub use train::{train, train_until};
