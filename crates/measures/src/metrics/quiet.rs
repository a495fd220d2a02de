//! Quiet positions. Only in these are differences of material meaningful.

use super::facts::GameFacts;
use crate::games::TermCounts;

/// Returns the counts of terms, White's less Black's, before a ply. If `ply` is the number of
/// plies, these are the counts at the end.
pub(super) fn terms_at(game: &GameFacts, ply: usize) -> &TermCounts {
    game.plies.get(ply).map_or(&game.last_terms, |facts| &facts.terms)
}

/// Returns true if the mover is not in check, and the moves before and at `ply` leave the counts of
/// terms unchanged. Panics if the game has no such ply.
pub(super) fn is_quiet(game: &GameFacts, ply: usize) -> bool {
    let terms = terms_at(game, ply);
    !game.plies[ply].in_check
        && terms_at(game, ply + 1) == terms
        && ply.checked_sub(1).is_none_or(|before| terms_at(game, before) == terms)
}
