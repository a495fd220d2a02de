//! Units of metrics.

use serde::{Deserialize, Serialize};

/// Unit of a metric. It determines the format of its numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// A share from 0 to 1, printed in per cent.
    Share,
    /// Plies (half moves).
    Plies,
    /// Nats, natural units of information.
    Nats,
    /// A count.
    Count,
    /// Elo.
    Elo,
    /// Pawns, the unit of piece values.
    Pawns,
    /// A ratio or any other number without a unit.
    Ratio,
}
