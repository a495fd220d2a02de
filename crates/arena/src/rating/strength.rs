//! Strength of one player.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Strength of a player according to its games, in Elo above the zero.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Rating {
    /// Estimate with its 95 % interval. An end is none if the games leave it open.
    Value {
        /// The estimate.
        elo: f64,
        /// Low end.
        low: Option<f64>,
        /// High end.
        high: Option<f64>,
    },
    /// The games bound it only from below.
    AtLeast {
        /// The bound.
        elo: f64,
    },
    /// The games bound it only from above.
    AtMost {
        /// The bound.
        elo: f64,
    },
    /// The games do not connect it to the zero.
    Unknown,
}

impl fmt::Display for Rating {
    /// Writes `+269 [+211, +340]`, `> +566`, `< -800` or `not connected`. An open end is `...`.
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
