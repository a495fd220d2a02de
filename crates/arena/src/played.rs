//! A finished game of a match.

use crate::reply::Thought;
use catapult_rules::{Color, Game, Outcome, Position};

/// A finished game of a match.
#[derive(Clone, Debug)]
pub struct PlayedGame<P: Position> {
    /// The pair it belongs to, from 0: games of a pair have the same opening.
    pub pair: usize,
    /// The side that the match's player had.
    pub player_color: Color,
    /// Its start, moves and last position.
    pub game: Game<P>,
    /// How many of its plies were the opening's.
    pub opening_plies: u32,
    /// Why it is over.
    pub outcome: Outcome,
    /// Who has won.
    pub winner: Option<Color>,
    /// What the players said of their moves, those of the opening left out.
    pub thoughts: Vec<Thought>,
    /// How it was lost otherwise than on the board, in words.
    pub note: Option<String>,
}
