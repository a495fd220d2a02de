//! Interface of players, with the random and alpha-beta players.

use crate::alphabeta::AlphaBeta;
use crate::anchor::Anchor;
use crate::random::numbers;
use crate::reply::Reply;
use crate::time::MoveTime;
use catapult_mcts::{EvaluationError, Mask, allowed_moves};
use catapult_network::{ModelError, NetworkError};
use catapult_rules::{Game, Move, Position};
use catapult_seeds::Stream;
use rand::Rng;

/// Turn of a player in a game.
pub struct Turn<'a, P: Position> {
    /// The game so far; it is not over.
    pub game: &'a Game<P>,
    /// Seed of the player's random choices.
    pub seed: u64,
    /// Moves that may not be made in this game.
    pub mask: Option<Mask<P>>,
    /// Available time, in a match with clocks.
    pub time: Option<MoveTime>,
}

impl<'a, P: Position> Turn<'a, P> {
    /// Creates a turn of a game without clocks or forbidden moves.
    pub fn new(game: &'a Game<P>, seed: u64) -> Self {
        Turn { game, seed, mask: None, time: None }
    }
}

/// Picks moves in many games at once, so that one network call can serve them all.
///
/// The choice in a game depends only on that game, its seed and the player. It does not depend on
/// the other games, their number or order, or earlier choices. Players with a clock and external
/// programs do not guarantee that.
pub trait Player<P: Position> {
    /// Returns one legal move per turn, in order, that no mask forbids.
    fn choose(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Move>, PlayerError>;

    /// Returns one reply per turn. Unlike [`choose`](Self::choose), it can lose a single game by a
    /// forfeit, and can report the player's thoughts.
    fn reply(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Reply>, PlayerError> {
        Ok(self.choose(turns)?.into_iter().map(Reply::from).collect())
    }
}

/// Error of a player that can't be made or can't move.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// Its evaluator failed.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// A move was requested in a game that is over.
    #[error("asked for a move in a game that is over")]
    NoMove,
    /// Its settings are invalid.
    #[error("{0}")]
    Settings(String),
    /// It needs a clock, and the match has none.
    #[error("it goes by a clock, and there is none: give the match a time control")]
    NoClock,
    /// An external program can't be used.
    #[error("`{command}`: {reason}")]
    External {
        /// Command that starts it.
        command: String,
        /// Reason for the failure.
        reason: String,
    },
    /// Its network can't be used.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// Its network's file can't be used.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Picks a random legal move, each with the same probability.
pub struct RandomPlayer;

impl<P: Position> Player<P> for RandomPlayer {
    fn choose(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Move>, PlayerError> {
        let choose = |turn: &Turn<'_, P>| {
            random_move(
                turn.game.position(),
                turn.mask.as_ref(),
                &mut numbers(Stream::Choice.seed(turn.seed)),
            )
        };
        Ok(turns.iter().map(choose).collect())
    }
}

/// Picks a random legal move that the mask allows. The position must have a legal move.
pub(crate) fn random_move<P: Position>(position: &P, mask: Option<&Mask<P>>, random: &mut impl Rng) -> Move {
    let moves = allowed_moves(position, mask);
    moves[random.random_range(0..moves.len())]
}

/// Picks moves by alpha-beta.
pub struct AlphaBetaPlayer<P>(AlphaBeta<P>);

impl<P: Anchor> AlphaBetaPlayer<P> {
    /// Creates a player that searches `depth` turns.
    pub fn new(depth: u32, quiescence: bool) -> Self {
        AlphaBetaPlayer(AlphaBeta::new(depth, quiescence))
    }
}

impl<P: Anchor> Player<P> for AlphaBetaPlayer<P> {
    fn choose(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Move>, PlayerError> {
        let choose = |turn: &Turn<'_, P>| {
            self.0.set_mask(turn.mask);
            self.0.analyse(turn.game).choose(turn.seed).ok_or(PlayerError::NoMove)
        };
        turns.iter().map(choose).collect()
    }
}

/// Picks a share of its moves at random and the others by alpha-beta: an anchor between two depths.
/// If a turn has several decisions, each is drawn separately.
pub struct WeakenedPlayer<P> {
    player: AlphaBetaPlayer<P>,
    thousandths: u32,
}

impl<P: Anchor> WeakenedPlayer<P> {
    /// Creates a player like [`AlphaBetaPlayer::new`] with a share of random moves in thousandths.
    pub fn new(depth: u32, quiescence: bool, thousandths: u32) -> Self {
        WeakenedPlayer { player: AlphaBetaPlayer::new(depth, quiescence), thousandths }
    }
}

impl<P: Anchor> Player<P> for WeakenedPlayer<P> {
    fn choose(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Move>, PlayerError> {
        let mut choose = |turn: &Turn<'_, P>| {
            if Stream::Blunder.seed(turn.seed) % 1000 < u64::from(self.thousandths) {
                RandomPlayer.choose(std::slice::from_ref(turn))
            } else {
                self.player.choose(std::slice::from_ref(turn))
            }
        };
        let moves = turns.iter().map(|turn| choose(turn).map(|moves| moves[0]));
        moves.collect()
    }
}
