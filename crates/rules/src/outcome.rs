//! Outcomes of games.

use crate::Color;
use serde::{Deserialize, Serialize};

/// Reason for the end of a game. Records, commands and reports write its [name](Outcome::name).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The side to move is in check without a legal move and loses.
    Checkmate,
    /// The side to move is not in check and has no legal move: a draw.
    Stalemate,
    /// The game's rules list the position as dead: a draw.
    Dead,
    /// The half-move clock reached its limit (fifty-move rule), 100 plies in all games but Chess++
    /// with the option `fifty=`: a draw.
    HundredPlies,
    /// A position occurred for the third time: a draw.
    Repetition,
    /// The caller ended the game because an endgame tablebase knows the result of best play.
    Tablebase,
    /// A side resigned and loses.
    Resignation,
    /// The caller truncated the game at a limit: neither won, lost nor drawn.
    Capped,
    /// A player ran out of time and loses.
    TimeForfeit,
    /// A player returned an illegal move and loses.
    IllegalMove,
    /// A player crashed and loses.
    Crash,
}

impl Outcome {
    /// Returns the name in records, commands and reports: `checkmate`, `stalemate`, `dead`,
    /// `hundred-plies`, `repetition`, `tablebase`, `resignation`, `capped`, `time-forfeit`,
    /// `illegal-move` or `crash`.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Checkmate => "checkmate",
            Outcome::Stalemate => "stalemate",
            Outcome::Dead => "dead",
            Outcome::HundredPlies => "hundred-plies",
            Outcome::Repetition => "repetition",
            Outcome::Tablebase => "tablebase",
            Outcome::Resignation => "resignation",
            Outcome::Capped => "capped",
            Outcome::TimeForfeit => "time-forfeit",
            Outcome::IllegalMove => "illegal-move",
            Outcome::Crash => "crash",
        }
    }

    /// Returns the winner after checkmate, and `None` for all other outcomes. `side_to_move` is the
    /// side to move in the last position.
    ///
    /// After a tablebase result, a resignation or a forfeit, only the caller that ended the game
    /// knows the winner.
    pub fn winner(self, side_to_move: Color) -> Option<Color> {
        (self == Outcome::Checkmate).then_some(!side_to_move)
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
