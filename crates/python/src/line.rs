//! Games of boards: their legal moves and their moves as Python objects.

use crate::moves::Move;
use catapult_rules::{AnyGame, Move as Bits, MoveList};
use std::cell::RefCell;
use std::sync::Arc;

thread_local! {
    static MOVES: RefCell<Box<MoveList>> = RefCell::default();
}

/// Calls `visit` with the legal moves of a game's current position. Each thread reuses one list of
/// 16 KiB.
pub(crate) fn with_legal<T>(game: &dyn AnyGame, visit: impl FnOnce(&[Bits]) -> T) -> T {
    MOVES.with(|moves| match moves.try_borrow_mut() {
        Ok(mut moves) => {
            moves.clear();
            game.legal_moves_into(&mut moves);
            visit(&moves)
        }
        // `visit` itself called this function.
        Err(_) => visit(&game.legal_moves()),
    })
}

/// Returns the current position of a game, which determines the texts of its legal moves.
pub(crate) fn position(game: &dyn AnyGame) -> Arc<dyn AnyGame> {
    Arc::from(game.forked())
}

/// Returns the moves of a game with their algebraic notations, the first move first.
pub(crate) fn history(game: &dyn AnyGame) -> Vec<(Move, String)> {
    let mut at = game.rewound();
    let next = |mv: &Bits| {
        let found = (Move::new(*mv, &position(&*at)), at.san(*mv));
        at.push(*mv);
        found
    };
    game.moves().iter().map(next).collect()
}
