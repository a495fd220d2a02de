//! Rating of one player: an estimate or a bound.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Rating of a player according to its games, in Elo. The scale has rating 0 at one of the players.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Rating {
    /// Estimate with its 95 % interval. An end is `None` if the games leave the interval open on
    /// that side.
    Value {
        /// Most likely rating, in Elo.
        elo: f64,
        /// Low end of the interval, in Elo.
        low: Option<f64>,
        /// High end of the interval, in Elo.
        high: Option<f64>,
    },
    /// Bound for a player whose rating the games bound only from below.
    AtLeast {
        /// Lower bound of the rating, in Elo.
        elo: f64,
    },
    /// Bound for a player whose rating the games bound only from above.
    AtMost {
        /// Upper bound of the rating, in Elo.
        elo: f64,
    },
    /// The games bound the rating on neither side.
    Unknown,
}

impl Rating {
    /// Returns three values in Elo: the estimate or bound, the low end and the high end. An end is
    /// `None` if the games leave it open. A bound is also the end on its side.
    pub fn elos(self) -> [Option<f64>; 3] {
        match self {
            Rating::Value { elo, low, high } => [Some(elo), low, high],
            Rating::AtLeast { elo } => [Some(elo), Some(elo), None],
            Rating::AtMost { elo } => [Some(elo), None, Some(elo)],
            Rating::Unknown => [None; 3],
        }
    }
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
