//! Units of what is shown.

use serde::{Deserialize, Serialize};

/// In what a metric is measured, and so how it is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// 0 to 1, printed in per cent.
    Share,
    /// Half moves.
    Plies,
    /// Natural units of information.
    Nats,
    /// A number of something.
    Count,
    /// Elo.
    Elo,
    /// A pawn's worth.
    Pawns,
    /// Anything without a unit.
    Ratio,
}
