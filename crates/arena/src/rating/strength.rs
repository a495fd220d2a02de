//! What the games say of one player.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What the games say of a player's strength, in Elo above the zero.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Rating {
    /// An estimate with its 95 % interval, of which the games may leave an end open.
    Value {
        /// The estimate.
        elo: f64,
        /// Lower end.
        low: Option<f64>,
        /// Upper end.
        high: Option<f64>,
    },
    /// The games bound it from below only: it gave away no point to anyone who is placed.
    AtLeast {
        /// The bound.
        elo: f64,
    },
    /// The games bound it from above only.
    AtMost {
        /// The bound.
        elo: f64,
    },
    /// The games do not join it to the zero.
    Unknown,
}

impl fmt::Display for Rating {
    /// `+269 [+211, +340]`, `> +566`, `< -800`, or `not connected`; an end that the games leave open is `...`.
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
