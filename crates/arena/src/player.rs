//! Interface of players. The random and alpha-beta players are also here.

use crate::alphabeta::AlphaBeta;
use crate::anchor::Anchor;
use crate::random::numbers;
use crate::reply::Reply;
use crate::time::Clocks;
use catapult_mcts::{EvaluationError, Mask, allowed_moves};
use catapult_network::{ModelError, NetworkError};
use catapult_rules::{Game, Move, Position};
use catapult_seeds::Stream;
use rand::Rng;

/// Decision that a player has to make in a game.
pub struct Turn<'a, P: Position> {
    /// Game up to this decision. It is not over.
    pub game: &'a Game<P>,
    /// Seed of the player's random choices in this turn.
    pub seed: u64,
    /// Moves that may not be made in this game. `None` allows all legal moves.
    pub mask: Option<Mask<P>>,
    /// Clocks of the game. `None` in a match without clocks.
    pub clocks: Option<Clocks>,
}

impl<'a, P: Position> Turn<'a, P> {
    /// Creates a turn of a game without clocks and forbidden moves.
    pub fn new(game: &'a Game<P>, seed: u64) -> Self {
        Turn { game, seed, mask: None, clocks: None }
    }
}

/// Picks moves in many games at once, so that one network call can serve all of them.
///
/// The choice in a game depends only on the player, the game and the seed. It does not depend on
/// other games, their number or order, or earlier choices. External programs and players with a
/// clock are exceptions.
pub trait Player<P: Position> {
    /// Returns one reply per turn, in the order of `turns`: a legal move that obeys the mask, or a
    /// forfeit, which loses only that game. A reply can also report on the player's search.
    ///
    /// # Errors
    /// The player can't choose a move in one of the games. The error ends the match.
    fn reply(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Reply>, PlayerError>;

    /// Returns one legal move per turn, in the order of `turns`. The moves obey the masks.
    ///
    /// # Errors
    /// The errors of [`reply`](Self::reply), or the player forfeits a game.
    fn choose(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Move>, PlayerError> {
        let chosen = |reply: Reply| reply.chosen.map_err(|forfeit| PlayerError::Other(forfeit.reason));
        self.reply(turns)?.into_iter().map(chosen).collect()
    }
}

/// Reason for which a player can't be made or can't move.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// The player's evaluator failed.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// A move was requested in a game that is over.
    #[error("a move was requested in a game that is over")]
    NoMove,
    /// The player's settings are invalid, or an external program can't be used. The text says why.
    #[error("{0}")]
    Other(String),
    /// The player needs a clock, and the match has none.
    #[error("the player needs a clock; add a time control")]
    NoClock,
    /// The player's network can't be evaluated.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The player's network file can't be read.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Picks a random legal move. All legal moves have the same probability.
pub struct RandomPlayer;

impl<P: Position> Player<P> for RandomPlayer {
    fn reply(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Reply>, PlayerError> {
        Ok(turns.iter().map(|turn| random_choice(turn).into()).collect())
    }
}

/// Returns the random move of a turn, drawn by its seed.
fn random_choice<P: Position>(turn: &Turn<'_, P>) -> Move {
    random_move(turn.game.position(), turn.mask.as_ref(), &mut numbers(Stream::Choice.seed(turn.seed)))
}

/// Picks a random legal move that the mask allows.
///
/// # Panics
/// If there is no legal move.
pub(crate) fn random_move<P: Position>(position: &P, mask: Option<&Mask<P>>, random: &mut impl Rng) -> Move {
    let moves = allowed_moves(position, mask);
    moves[random.random_range(0..moves.len())]
}

/// Picks one of the best moves by alpha-beta, drawn by the turn's seed. With `thousandths` above 0,
/// it picks this share of its moves at random, so its strength is between random play and the full
/// search. If a turn has several decisions, chance decides separately for each.
pub struct AlphaBetaPlayer<P> {
    search: AlphaBeta<P>,
    thousandths: u32,
}

impl<P: Anchor> AlphaBetaPlayer<P> {
    /// Creates a player that searches `depth` turns. With `quiescence`, the search continues from
    /// its leaves with captures. On average, `thousandths` of a thousand moves are random.
    pub fn new(depth: u32, quiescence: bool, thousandths: u32) -> Self {
        AlphaBetaPlayer { search: AlphaBeta::new(depth, quiescence), thousandths }
    }
}

impl<P: Anchor> Player<P> for AlphaBetaPlayer<P> {
    fn reply(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Reply>, PlayerError> {
        let reply = |turn: &Turn<'_, P>| {
            if Stream::Blunder.seed(turn.seed) % 1000 < u64::from(self.thousandths) {
                return Ok(Reply::from(random_choice(turn)));
            }
            self.search.set_mask(turn.mask);
            let chosen = self.search.analyse(turn.game).choose(turn.seed);
            chosen.map(Reply::from).ok_or(PlayerError::NoMove)
        };
        turns.iter().map(reply).collect()
    }
}
