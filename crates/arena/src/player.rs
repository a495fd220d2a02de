//! Anything that picks moves.

use crate::alphabeta::AlphaBeta;
use crate::anchor::Anchor;
use crate::random::stream;
use catapult_mcts::EvaluationError;
use catapult_network::NetworkError;
use catapult_rules::{Game, Move, Position};
use rand::Rng;

/// A game in which a player is to move.
pub struct Turn<'a, P: Position> {
    /// The game so far; it is not over.
    pub game: &'a Game<P>,
    /// Settles whatever the player leaves to chance.
    pub seed: u64,
}

/// Picks moves in many games at once, so that one network call can serve them all.
///
/// The choice in a game follows from that game, its seed and the player alone: never from the other games, from their
/// number or order, or from earlier choices.
pub trait Player<P: Position> {
    /// A legal move for each of the turns, in their order.
    fn choose(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Move>, PlayerError>;
}

/// A player that can't be made or can't move.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// Its evaluator failed.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// It was asked for a move where there is none.
    #[error("asked for a move in a game that is over")]
    NoMove,
    /// Its network can't be used.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// Picks any legal move, each as likely.
pub struct RandomPlayer;

impl<P: Position> Player<P> for RandomPlayer {
    fn choose(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Move>, PlayerError> {
        Ok(turns.iter().map(|turn| random_move(turn.game.position(), &mut stream(&[turn.seed]))).collect())
    }
}

/// Any legal move of a position that has one.
pub(crate) fn random_move<P: Position>(position: &P, random: &mut impl Rng) -> Move {
    let moves = position.legal_moves();
    moves[random.random_range(0..moves.len())]
}

/// Picks by alpha-beta.
pub struct AlphaBetaPlayer<P>(AlphaBeta<P>);

impl<P: Anchor> AlphaBetaPlayer<P> {
    /// A player that looks `depth` plies deep.
    pub fn new(depth: u32, quiescence: bool) -> Self {
        AlphaBetaPlayer(AlphaBeta::new(depth, quiescence))
    }
}

impl<P: Anchor> Player<P> for AlphaBetaPlayer<P> {
    fn choose(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Move>, PlayerError> {
        let choose =
            |turn: &Turn<'_, P>| self.0.analyse(turn.game).choose(turn.seed).ok_or(PlayerError::NoMove);
        turns.iter().map(choose).collect()
    }
}
