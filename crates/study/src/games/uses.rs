//! What describes the uses that moves make of a game's own rules.

use crate::results::{MetricInfo, Unit};

/// A use, counted per game of both sides together. The names of the games without catapults begin with `use_`: the report finds
/// its chapter by that.
pub(super) const fn use_of(id: &'static str, name: &'static str, definition: &'static str) -> MetricInfo {
    MetricInfo { id, name, unit: Unit::Count, definition }
}

/// The bits of the uses that hold, in their order.
pub(super) fn bits<const N: usize>(holds: [bool; N]) -> u16 {
    holds.into_iter().enumerate().fold(0, |bits, (index, holds)| bits | u16::from(holds) << index)
}
