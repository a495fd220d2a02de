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
