//! Metrics of the branching factor (number of legal moves) and of the size of the game tree.

use super::findings::PerGame;
use crate::rows::per_game;

pub(super) const METRICS: &[PerGame] = per_game! {
    Skill Count "branching", "branching factor"; "Legal moves of a position, mean over all plies.";
        |game| (game.plies.iter().map(|ply| f64::from(ply.legal)).sum(), game.plies.len() as f64);
    Skill Share "decision_moves", "decision moves"; "Plies with more than one legal move (Ludii's Decision Moves).";
        |game| (game.plies.iter().filter(|ply| ply.legal > 1).count() as f64, game.plies.len() as f64);
    Skill Ratio "game_tree", "game tree, powers of ten";
        "Estimated size of the game tree (Allis 1994). It is the decimal logarithm of the product of the numbers of legal \
         moves along a game, mean over games.";
        |game| (game.plies.iter().map(|ply| f64::from(ply.legal).log10()).sum(), 1.0);
};
