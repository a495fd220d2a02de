//! Macro that defines metrics of the uses of the rules that a game adds to chess.

/// Defines the uses of a game's added rules, in the order of their bits. Each row is
/// `"id" "name": "definition";`.
///
/// The constant `USES` has metrics that count each use per game, for both sides together. The
/// constant `WINNERS` has metrics of the eventual winner's share of each use. Rows after `setup`
/// are uses of set-up moves. Both sides make equally many set-up moves, so these uses have no
/// winner's share.
macro_rules! uses {
    (
        $($id:literal $name:literal: $counted:literal;)+
        $(setup $($setup_id:literal $setup:literal: $setup_counted:literal;)+)?
    ) => {
        /// Metrics that count uses of added rules per game, in the order of the uses' bits.
        pub(crate) const USES: &[$crate::results::MetricInfo] = &[
            $($crate::rows::info!(NewRules Count $id, concat!($name, " per game"); $counted),)+
            $($($crate::rows::info!(NewRules Count $setup_id, concat!($setup, " per game"); $setup_counted),)+)?
        ];

        /// Metrics of the winner's share of each use, 0 to 1. It is one half if both sides make the
        /// use equally often.
        pub(crate) const WINNERS: &[$crate::results::MetricInfo] = &[$($crate::rows::info!(
            NewRules Share concat!("winner_share_", $id), concat!($name, ", by the winner"), neutral: Some(0.5);
            concat!("Share of the eventual winner, in decisive games, of the ", $name, ". It is one half if winners and losers \
                     make them equally often.")
        ),)+];
    };
}

pub(super) use uses;

/// Packs flags into bits. The first flag becomes the lowest bit.
pub(super) fn bits<const N: usize>(holds: [bool; N]) -> u16 {
    holds.into_iter().enumerate().fold(0, |bits, (index, holds)| bits | u16::from(holds) << index)
}
