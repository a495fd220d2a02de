//! Macro that defines the uses of the rules that a game adds to chess.

/// Defines the uses of a game's added rules, in the order of their bits. Each row is
/// `"id" "name": "definition";`.
///
/// The constant `USES` has one [`Use`](crate::games::Use) per row. Rows after `setup` are uses of
/// set-up moves.
macro_rules! uses {
    (
        $($id:literal $name:literal: $counted:literal;)+
        $(setup $($setup_id:literal $setup:literal: $setup_counted:literal;)+)?
    ) => {
        /// Uses of added rules, in the order of their bits.
        pub(crate) const USES: &[$crate::games::Use] = &[
            $($crate::games::Use {
                counted: $crate::rows::info!(NewRules Count $id, concat!($name, " per game"); $counted),
                by_winner: Some($crate::rows::info!(
                    NewRules Share concat!("winner_share_", $id), concat!($name, ", by the winner"), neutral: Some(0.5);
                    concat!("Share of the eventual winner, in decisive games, of the ", $name, ". It is one half if winners and losers \
                             make them equally often.")
                )),
            },)+
            $($($crate::games::Use {
                counted: $crate::rows::info!(NewRules Count $setup_id, concat!($setup, " per game"); $setup_counted),
                by_winner: None,
            },)+)?
        ];
    };
}

pub(super) use uses;

/// Packs flags into bits. The first flag becomes the lowest bit.
pub(super) fn bits<const N: usize>(holds: [bool; N]) -> u16 {
    holds.into_iter().enumerate().fold(0, |bits, (index, holds)| bits | u16::from(holds) << index)
}
