//! Outcomes of games.

use crate::Color;
use serde::{Deserialize, Serialize};

named! {
    /// Reason for the end of a game. Records, commands and reports write its [name](Outcome::name).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Outcome {
        /// The side to move is in check without a legal move and loses.
        Checkmate = "checkmate",
        /// The side to move is not in check and has no legal move: a draw.
        Stalemate = "stalemate",
        /// The game's rules list the position as dead: a draw.
        Dead = "dead",
        /// The half-move clock reached its limit (fifty-move rule): a draw. The limit is 100 plies,
        /// except in Chess++ with `fifty=`.
        HundredPlies = "hundred-plies",
        /// A position occurred for the third time: a draw.
        Repetition = "repetition",
        /// The caller ended the game because an endgame tablebase knows the result of best play.
        Tablebase = "tablebase",
        /// A side resigned and loses.
        Resignation = "resignation",
        /// The caller truncated the game at a limit: neither won, lost nor drawn.
        Capped = "capped",
        /// A player ran out of time and loses.
        TimeForfeit = "time-forfeit",
        /// A player returned an illegal move and loses.
        IllegalMove = "illegal-move",
        /// A player crashed and loses.
        Crash = "crash",
    }
}

impl Outcome {
    /// Returns the winner after checkmate, and `None` for all other outcomes. `side_to_move` is the
    /// side to move in the last position.
    ///
    /// After a tablebase result, a resignation or a forfeit, only the caller that ended the game
    /// knows the winner.
    pub fn winner(self, side_to_move: Color) -> Option<Color> {
        (self == Outcome::Checkmate).then_some(!side_to_move)
    }
}
