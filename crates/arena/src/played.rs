//! A finished game of a match.

use crate::reply::Thought;
use catapult_rules::{Color, Game, Outcome, Position};

/// A finished game of a match.
#[derive(Clone, Debug)]
pub struct PlayedGame<P: Position> {
    /// Index of its pair, from 0. The games of a pair have the same opening.
    pub pair: usize,
    /// Colour of the match's player.
    pub player_color: Color,
    /// Start, moves and last position.
    pub game: Game<P>,
    /// Number of plies in the opening.
    pub opening_plies: u32,
    /// Reason for the end.
    pub outcome: Outcome,
    /// Winner, if any.
    pub winner: Option<Color>,
    /// Players' thoughts on their moves, without the opening.
    pub thoughts: Vec<Thought>,
    /// Reason for a forfeit.
    pub note: Option<String>,
}
