//! Quiet positions. Differences of material are meaningful only in quiet positions.

use super::facts::GameFacts;
use crate::games::TermCounts;

/// Returns the counts of terms (such as kinds of pieces) before a ply: White's minus Black's. If
/// `ply` is the number of plies, these are the counts at the end of the game.
fn terms_at(game: &GameFacts, ply: usize) -> &TermCounts {
    game.plies.get(ply).map_or(&game.last_terms, |facts| &facts.terms)
}

/// Returns true if the position before ply `ply` is quiet. The mover is not in check, and neither
/// the previous move nor the move at `ply` changes the difference of material. Panics if the game
/// has no such ply.
pub(super) fn is_quiet(game: &GameFacts, ply: usize) -> bool {
    let terms = terms_at(game, ply);
    !game.plies[ply].in_check
        && terms_at(game, ply + 1) == terms
        && ply.checked_sub(1).is_none_or(|before| terms_at(game, before) == terms)
}
