//! Quiet positions. Differences of material are meaningful only in quiet positions.

use super::facts::GameFacts;
use crate::games::TermCounts;

/// Returns the counts of terms (such as kinds of pieces) before a ply: White's minus Black's. If
/// `ply` is the number of plies, these are the counts at the end of the game.
fn terms_at(game: &GameFacts, ply: usize) -> &TermCounts {
    game.plies.get(ply).map_or(&game.last_terms, |facts| &facts.terms)
}

/// Returns true if the position before ply `ply` is quiet. A turn begins there, the mover is not in
/// check, and neither the previous turn nor the move at `ply` changes the difference of material.
/// Panics if the game has no such ply.
pub(super) fn is_quiet(game: &GameFacts, ply: usize) -> bool {
    let terms = terms_at(game, ply);
    let mover = game.plies[ply].mover;
    let previous_turn = (0..ply).rev().take_while(|&before| game.plies[before].mover != mover).last();
    !game.plies[ply].in_check
        && terms_at(game, ply + 1) == terms
        && (ply == 0 || previous_turn.is_some_and(|start| terms_at(game, start) == terms))
}

#[cfg(test)]
mod tests {
    use super::super::testing::facts;
    use super::is_quiet;

    #[test]
    fn a_position_is_compared_with_the_previous_turn() {
        // In Maxim chess a turn has more than one ply. White captures on the first.
        let game = facts("maxim", "4k3/8/8/8/8/p7/8/R3K3 w - - 0 1 -/- -", "a1a3 done e8e7 done a3a4 done");
        let quiet: Vec<usize> = (0..game.plies.len()).filter(|&ply| is_quiet(&game, ply)).collect();
        assert_eq!(quiet, [4]);
    }
}
