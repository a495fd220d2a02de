//! Quiet positions, in which material differences are meaningful.

use super::facts::GameFacts;
use crate::games::TermCounts;

/// Returns the balance of terms before a ply. The ply after the last move gives the final balance.
pub(super) fn terms_at(game: &GameFacts, ply: usize) -> &TermCounts {
    game.plies.get(ply).map_or(&game.last_terms, |facts| &facts.terms)
}

/// Returns true if the mover is not in check, and neither the previous move nor the played move
/// changes the balance.
pub(super) fn is_quiet(game: &GameFacts, ply: usize) -> bool {
    let terms = terms_at(game, ply);
    !game.plies[ply].in_check
        && terms_at(game, ply + 1) == terms
        && ply.checked_sub(1).is_none_or(|before| terms_at(game, before) == terms)
}
