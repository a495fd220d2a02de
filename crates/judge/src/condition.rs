//! One of the conditions of a verdict.

use crate::results::Gate;
use catapult_stats::Scatter;

/// A gate and what is said of it.
pub(super) struct Condition {
    pub gate: Gate,
    /// Where the sign is the same, if it is met: `at 64 simulations`; empty for what is no place.
    pub place: String,
    /// What beside more networks would settle it, if it is not met.
    pub settle: String,
    /// How the difference that it asks of scatters between seeds.
    pub scatter: Option<Scatter>,
}
