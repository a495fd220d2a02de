//! Training samples ("rows"): positions of played games with their targets.
//!
//! * [`game_rows`] extracts the training samples of a recorded game. [`value_targets`] and
//!   [`game_result`] define the value targets.
//! * [`window_rows`] and [`first_generation`] compute the size of the replay window, which holds the
//!   most recent training samples.
//! * [`Sampler`] determines the order of training, and [`RowEncoder`] produces the tensors.
//!
//! The crate does not need libtorch, so a training program in another language can use the same
//! tensors.
//!
//! ```
//! use catapult_rows::{WindowConfig, window_rows};
//! let config = WindowConfig::default();
//! // The window starts at 30,000 samples and grows more slowly than the number of samples played.
//! assert_eq!(window_rows(&config, 1_000), 30_000);
//! assert_eq!(window_rows(&config, 300_000), 103_974);
//! ```

mod config;
mod encoder;
mod rows;
mod sampler;
mod targets;
mod window;

pub use config::{TargetConfig, WindowConfig};
pub use encoder::{EncodedRow, RowEncoder};
pub use rows::{FUTURE_PLIES, GameRows, Row, game_rows};
pub use sampler::{Sampler, flipped};
pub use targets::{DECISIVE_LEAD, GameResult, game_result, value_targets, would_resign};
pub use window::{first_generation, window_rows};
