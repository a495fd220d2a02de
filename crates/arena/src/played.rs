//! Finished games of a match.

use crate::reply::Thought;
use catapult_rules::{Color, Game, Outcome, Position};

/// Finished game of a match.
#[derive(Clone, Debug)]
pub struct PlayedGame<P: Position> {
    /// Index of the game's pair, from 0. Both games of a pair have the same opening.
    pub pair: usize,
    /// Colour of the match's first player.
    pub player_color: Color,
    /// Start position, moves and final position.
    pub game: Game<P>,
    /// Number of plies that belong to the opening.
    pub opening_plies: u32,
    /// Outcome of the game, such as checkmate or stalemate.
    pub outcome: Outcome,
    /// Colour of the winner. `None` without a winner.
    pub winner: Option<Color>,
    /// Reports of the players on their searches, one per ply after the opening.
    pub thoughts: Vec<Thought>,
    /// Description of the forfeit that ended the game. `None` if the game ended otherwise.
    pub note: Option<String>,
}

impl<P: Position> PlayedGame<P> {
    /// Returns the result of the game without its moves.
    pub(crate) fn end(&self) -> GameEnd {
        let PlayedGame { player_color, outcome, winner, ref game, .. } = *self;
        GameEnd { player_color, outcome, winner, plies: game.ply() as u32 }
    }
}

/// Result of one game in a match, without its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// Colour of the match's first player.
    pub player_color: Color,
    /// Outcome of the game, such as checkmate or stalemate.
    pub outcome: Outcome,
    /// Colour of the winner. `None` without a winner.
    pub winner: Option<Color>,
    /// Number of plies, including the opening.
    pub plies: u32,
}

impl GameEnd {
    /// Returns the half points of a side: 2 for a win, 1 without a winner, 0 for a loss.
    pub fn half_points(&self, side: Color) -> usize {
        self.winner.map_or(1, |winner| if winner == side { 2 } else { 0 })
    }
}
