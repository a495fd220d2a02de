//! What a network learns from: positions of played games with what the network is to say of them.
//!
//! * [`game_rows`] reads the rows off a game's record, [`value_targets`] and [`game_result`] say what a game means for its positions.
//! * [`Window`] keeps the most recent rows; [`window_rows`] and [`first_generation`] say how many those are.
//! * [`Deck`] is the order in which they are learned from, and [`RowEncoder`] writes them as numbers.
//!
//! Needs no libtorch: a learner in another language sees the very same numbers.
//!
//! ```
//! use catapult_rows::{WindowConfig, window_rows};
//! let config = WindowConfig::default();
//! // It begins with so many rows and grows more slowly than what has been played.
//! assert_eq!(window_rows(&config, 1_000), 30_000);
//! assert_eq!(window_rows(&config, 300_000), 103_974);
//! ```

mod config;
mod deck;
mod encoder;
mod rows;
mod targets;
mod window;

pub use config::{TargetConfig, WindowConfig};
pub use deck::{Deck, flipped};
pub use encoder::{EncodedRow, RowEncoder};
pub use rows::{FUTURE_PLIES, GameRows, Row, game_rows};
pub use targets::{DECISIVE_LEAD, GameResult, game_result, value_targets, would_give_up};
pub use window::{Window, first_generation, window_rows};
