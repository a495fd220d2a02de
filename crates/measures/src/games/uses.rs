//! Macro that defines the uses of a game's own rules as metrics.

/// Defines the uses of a game in the order of their bits, as `"id" "name": "definition";`.
///
/// `USES` counts each use per game for both sides together. `WINNERS` is the eventual winner's
/// share of each use. Uses after `setup` precede the first move. Both sides make them equally
/// often, so they have no winner's share.
macro_rules! uses {
    (
        $($id:literal $name:literal: $counted:literal;)+
        $(setup $($setup_id:literal $setup:literal: $setup_counted:literal;)+)?
    ) => {
        /// Counts of uses per game, in the order of the bits.
        pub(crate) const USES: &[$crate::results::MetricInfo] = &[
            $($crate::rows::info!(NewRules Count $id, concat!($name, " per game"); $counted),)+
            $($($crate::rows::info!(NewRules Count $setup_id, concat!($setup, " per game"); $setup_counted),)+)?
        ];

        /// Winner's share of each use. It is one half if both sides make the use equally often.
        pub(crate) const WINNERS: &[$crate::results::MetricInfo] = &[$($crate::rows::info!(
            NewRules Share concat!("winner_share_", $id), concat!($name, ", by the winner"), neutral 0.5;
            concat!("Share of the eventual winner, in decisive games, of the ", $name, ". It is one half if winners and losers \
                     make them alike.")
        ),)+];
    };
}

pub(super) use uses;

/// Packs flags into bits. The first flag becomes the lowest bit.
pub(super) fn bits<const N: usize>(holds: [bool; N]) -> u16 {
    holds.into_iter().enumerate().fold(0, |bits, (index, holds)| bits | u16::from(holds) << index)
}
