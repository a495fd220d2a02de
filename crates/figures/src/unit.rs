//! Units of metrics.

use serde::{Deserialize, Serialize};

/// Unit of a metric. It determines how numbers are formatted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// A share from 0 to 1, printed as a percentage.
    Share,
    /// Plies (moves of one side).
    Plies,
    /// Nats: units of information with the natural logarithm.
    Nats,
    /// A count without a unit.
    Count,
    /// Elo points.
    Elo,
    /// Pawns: the value of a pawn is 1.
    Pawns,
    /// A ratio or any other number without a unit.
    Ratio,
}

impl Unit {
    /// Returns the smallest and the largest possible value.
    pub fn limits(self) -> [f64; 2] {
        match self {
            Unit::Share => [0.0, 1.0],
            Unit::Plies | Unit::Nats | Unit::Count => [0.0, f64::INFINITY],
            Unit::Elo | Unit::Pawns | Unit::Ratio => [f64::NEG_INFINITY, f64::INFINITY],
        }
    }
}
