//! What describes the uses that moves make of a game's own rules.

/// The uses of a game, in the order of their bits, as `(id, name, definition)`: `USES` counts them per game of both sides
/// together, `WINNERS` is the eventual winner's share of each. Those after `setup:` are made before the first move, as many by
/// either side, so nobody's share is asked for.
macro_rules! uses {
    (
        $(($id:literal, $name:literal, $counted:literal $(,)?),)+
        $(setup: $(($setup_id:literal, $setup:literal, $setup_counted:literal $(,)?),)+)?
    ) => {
        /// Counted per game, in the order of the bits.
        pub(crate) const USES: &[$crate::results::MetricInfo] = &[
            $($crate::games::uses::count_of($id, concat!($name, " per game"), $counted),)+
            $($($crate::games::uses::count_of($setup_id, concat!($setup, " per game"), $setup_counted),)+)?
        ];

        /// The winner's share of each.
        pub(crate) const WINNERS: &[$crate::results::MetricInfo] = &[$($crate::games::uses::winner_of(
            concat!("winner_share_", $id),
            concat!($name, ", by the winner"),
            concat!(
                "Share of the eventual winner, in decisive games, of the ", $name, ". It is one half if winners and losers make \
                 them alike.",
            ),
        ),)+];
    };
}

use crate::results::{Chapter, MetricInfo, Unit};
pub(super) use uses;

/// A use, counted per game.
pub(super) const fn count_of(id: &'static str, name: &'static str, definition: &'static str) -> MetricInfo {
    MetricInfo { id, name, unit: Unit::Count, chapter: Chapter::NewRules, neutral: None, definition }
}

/// The winner's share of a use.
pub(super) const fn winner_of(id: &'static str, name: &'static str, definition: &'static str) -> MetricInfo {
    // Both sides alike, whatever the use.
    MetricInfo { id, name, unit: Unit::Share, chapter: Chapter::NewRules, neutral: Some(0.5), definition }
}

/// The bits of the uses that hold, in their order.
pub(super) fn bits<const N: usize>(holds: [bool; N]) -> u16 {
    holds.into_iter().enumerate().fold(0, |bits, (index, holds)| bits | u16::from(holds) << index)
}
