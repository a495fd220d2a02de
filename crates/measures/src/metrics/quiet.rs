//! Quiet positions: where counting what stands on the board says something.

use super::facts::GameFacts;
use crate::games::TermCounts;

/// The balance of terms at a ply; that after the last move for the ply after it.
pub(super) fn terms_at(game: &GameFacts, ply: usize) -> &TermCounts {
    game.plies.get(ply).map_or(&game.last_terms, |facts| &facts.terms)
}

/// Whether the mover is not in check, and neither the move before nor the move played changes the balance.
pub(super) fn is_quiet(game: &GameFacts, ply: usize) -> bool {
    let terms = terms_at(game, ply);
    !game.plies[ply].in_check
        && terms_at(game, ply + 1) == terms
        && ply.checked_sub(1).is_none_or(|before| terms_at(game, before) == terms)
}
