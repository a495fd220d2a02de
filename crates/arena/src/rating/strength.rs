//! Strength of one player.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Strength of a player according to its games, in Elo. The player with rating 0 is called the
/// zero.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Rating {
    /// Estimate with its 95 % interval. An end is `None` if the games leave that side open.
    Value {
        /// The most likely rating.
        elo: f64,
        /// Low end of the interval.
        low: Option<f64>,
        /// High end of the interval.
        high: Option<f64>,
    },
    /// Bound for a player whose rating the games bound only from below.
    AtLeast {
        /// The rating is at least this.
        elo: f64,
    },
    /// Bound for a player whose rating the games bound only from above.
    AtMost {
        /// The rating is at most this.
        elo: f64,
    },
    /// The games bound the rating on neither side.
    Unknown,
}

impl fmt::Display for Rating {
    /// Writes `+269 [+211, +340]`, `> +566`, `< -800` or `not connected`. An open end is written
    /// `...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding 0 to a rounded -0 makes it +0.
        let whole = |elo: f64| format!("{:+.0}", elo.round() + 0.0);
        let end = |elo: Option<f64>| elo.map_or("...".to_owned(), whole);
        let text = match *self {
            Rating::Value { elo, low, high } => format!("{} [{}, {}]", whole(elo), end(low), end(high)),
            Rating::AtLeast { elo } => format!("> {}", whole(elo)),
            Rating::AtMost { elo } => format!("< {}", whole(elo)),
            Rating::Unknown => "not connected".to_owned(),
        };
        f.pad(&text)
    }
}
