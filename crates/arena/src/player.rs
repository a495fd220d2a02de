//! Anything that picks moves.

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

/// A game in which a player is to move.
pub struct Turn<'a, P: Position> {
    /// The game so far; it is not over.
    pub game: &'a Game<P>,
    /// Settles whatever the player leaves to chance.
    pub seed: u64,
    /// What one of the sides may not do in this game.
    pub mask: Option<Mask<P>>,
    /// The time there is, in a match with clocks.
    pub time: Option<MoveTime>,
}

impl<'a, P: Position> Turn<'a, P> {
    /// A turn of a game without clocks in which nothing is forbidden.
    pub fn new(game: &'a Game<P>, seed: u64) -> Self {
        Turn { game, seed, mask: None, time: None }
    }
}

/// Picks moves in many games at once, so that one network call can serve them all.
///
/// The choice in a game follows from that game, its seed and the player alone: never from the other games, from their
/// number or order, or from earlier choices. Players that go by a clock, and other programs, do not promise that.
pub trait Player<P: Position> {
    /// A legal move for each of the turns, in their order, that no mask forbids.
    fn choose(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Move>, PlayerError>;

    /// The same by players that can fail in a game, which loses that game alone, or that say what they thought.
    fn reply(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Reply>, PlayerError> {
        Ok(self.choose(turns)?.into_iter().map(Reply::from).collect())
    }
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
    /// Its settings can't be used.
    #[error("{0}")]
    Settings(String),
    /// It goes by a clock, and the match has none.
    #[error("it goes by a clock, and there is none: give the match a time control")]
    NoClock,
    /// Another program can't be used.
    #[error("`{command}`: {reason}")]
    External {
        /// What it was started with.
        command: String,
        /// What happened.
        reason: String,
    },
    /// Its network can't be used.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// Its network's file can't be used.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Picks any legal move, each as likely.
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

/// Any legal move of a position that has one, but for what is forbidden.
pub(crate) fn random_move<P: Position>(position: &P, mask: Option<&Mask<P>>, random: &mut impl Rng) -> Move {
    let moves = allowed_moves(position, mask);
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
        let choose = |turn: &Turn<'_, P>| {
            self.0.set_mask(turn.mask);
            self.0.analyse(turn.game).choose(turn.seed).ok_or(PlayerError::NoMove)
        };
        turns.iter().map(choose).collect()
    }
}

/// Picks by alpha-beta but for a share of its moves, which are any legal ones: an anchor between two depths. Where a turn is
/// several decisions, each is drawn for itself.
pub struct WeakenedPlayer<P> {
    player: AlphaBetaPlayer<P>,
    thousandths: u32,
}

impl<P: Anchor> WeakenedPlayer<P> {
    /// As [`AlphaBetaPlayer::new`], with so many random moves in a thousand.
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
