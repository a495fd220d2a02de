//! How a game ended.

use crate::Color;
use serde::{Deserialize, Serialize};

/// Why a game is over. The names are those that records, commands and reports print.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The side to move is in check and has no legal move: it has lost.
    Checkmate,
    /// The side to move is not in check and has no legal move: a draw.
    Stalemate,
    /// A position from the game's list of dead positions: a draw.
    Dead,
    /// A hundred plies without a restart of the half-move clock: a draw.
    HundredPlies,
    /// The third occurrence of a position: a draw.
    Repetition,
    /// Ended by whoever ran the game, since an exact table knows the result by best play: won or drawn, never a mate.
    Tablebase,
    /// Given up for a side by whoever ran the game: the other has won.
    Resignation,
    /// Cut at a limit by whoever ran the game; neither won, lost nor drawn.
    Capped,
    /// Lost by a player whose time was up.
    TimeForfeit,
    /// Lost by a player that answered with what is no legal move.
    IllegalMove,
    /// Lost by a player that broke down.
    Crash,
}

impl Outcome {
    /// The name that is printed: `checkmate stalemate dead hundred-plies repetition tablebase resignation capped
    /// time-forfeit illegal-move crash`.
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

    /// The side that has won, if one has, given the side to move in the last position; who has won by a table or
    /// a resignation, and who has lost by time, an illegal move or a crash, who ended the game knows.
    pub fn winner(self, side_to_move: Color) -> Option<Color> {
        (self == Outcome::Checkmate).then_some(!side_to_move)
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
