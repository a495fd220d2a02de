//! What describes the uses that moves make of a game's own rules.

/// The uses of a game, in the order of their bits, as `"id" "name": "definition";`. `USES` counts them per game of both sides
/// together, `WINNERS` is the eventual winner's share of each. Those after `setup` are made before the first move, as many by
/// either side, so they have no winner's share.
macro_rules! uses {
    (
        $($id:literal $name:literal: $counted:literal;)+
        $(setup $($setup_id:literal $setup:literal: $setup_counted:literal;)+)?
    ) => {
        /// Counted per game, in the order of the bits.
        pub(crate) const USES: &[$crate::results::MetricInfo] = &[
            $($crate::rows::info!(NewRules Count $id, concat!($name, " per game"); $counted),)+
            $($($crate::rows::info!(NewRules Count $setup_id, concat!($setup, " per game"); $setup_counted),)+)?
        ];

        /// The winner's share of each. One half if both sides make them alike, whatever the use.
        pub(crate) const WINNERS: &[$crate::results::MetricInfo] = &[$($crate::rows::info!(
            NewRules Share concat!("winner_share_", $id), concat!($name, ", by the winner"), neutral 0.5;
            concat!("Share of the eventual winner, in decisive games, of the ", $name, ". It is one half if winners and losers \
                     make them alike.")
        ),)+];
    };
}

pub(super) use uses;

/// The bits of the uses that hold, in their order.
pub(super) fn bits<const N: usize>(holds: [bool; N]) -> u16 {
    holds.into_iter().enumerate().fold(0, |bits, (index, holds)| bits | u16::from(holds) << index)
}
