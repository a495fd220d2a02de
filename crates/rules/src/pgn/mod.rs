//! Portable game notation: a streaming reader and a writer.
//!
//! The reader follows the import format of the PGN standard: tags, moves, results; comments (`{...}` and `;`), lines
//! that begin with `%`, variations in parentheses, move numbers and annotation glyphs are passed over. It holds one
//! game at a time and parts of long lines, whatever the size of the file. A game that can't be read costs that game:
//! the error names it, and reading goes on with the next one.
//!
//! The writer follows the export format: the seven tags of the roster first, then the other tags, `Variant` where the
//! game is not standard chess, `SetUp` and `FEN` where it does not begin at the start, and moves in lines below
//! 80 columns.

mod reader;
mod writer;

pub use reader::PgnReader;
pub use writer::{write_pgn, write_pgn_with_comments};

use crate::{Color, FenError, Game, MoveError, Outcome, Position, Variant, VariantError};
use std::fmt;
use std::io;

/// How a PGN game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PgnResult {
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
    /// `*`: not over, or not known.
    #[default]
    Unknown,
}

impl PgnResult {
    /// The result with this text.
    pub fn from_text(text: &str) -> Option<PgnResult> {
        Some(match text {
            "1-0" => PgnResult::White,
            "0-1" => PgnResult::Black,
            "1/2-1/2" | "1/2" => PgnResult::Draw,
            "*" => PgnResult::Unknown,
            _ => return None,
        })
    }

    /// The result of a game that ended so: [`PgnResult::Unknown`] of one that was capped.
    pub fn new(outcome: Outcome, winner: Option<Color>) -> PgnResult {
        match (winner, outcome) {
            (Some(Color::White), _) => PgnResult::White,
            (Some(Color::Black), _) => PgnResult::Black,
            (None, Outcome::Capped) => PgnResult::Unknown,
            (None, _) => PgnResult::Draw,
        }
    }

    /// The result of a game that is over by the rules, [`PgnResult::Unknown`] of one that is not.
    pub fn of<P: Position>(game: &Game<P>) -> PgnResult {
        let side = game.position().side_to_move();
        game.outcome().map_or(PgnResult::Unknown, |outcome| PgnResult::new(outcome, outcome.winner(side)))
    }
}

impl fmt::Display for PgnResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PgnResult::White => "1-0",
            PgnResult::Black => "0-1",
            PgnResult::Draw => "1/2-1/2",
            PgnResult::Unknown => "*",
        })
    }
}

/// A game as it stands in a file; the moves are not looked at yet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PgnGame {
    /// Which game of the file it is, from 1; games that could not be read count.
    pub number: usize,
    /// The line of the file on which it begins, from 1.
    pub line: usize,
    /// Tags in their order.
    pub tags: Vec<(String, String)>,
    /// The moves of the main line.
    pub moves: Vec<PgnMove>,
    /// The result at the end of the moves.
    pub result: PgnResult,
}

/// A move as it stands in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnMove {
    /// Its text, without move number and annotation.
    pub text: String,
    /// The line of the file on which it stands, from 1.
    pub line: usize,
}

/// A game that can't be read as PGN.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// The input could not be read; nothing follows.
    #[error("game {game}, line {line}: {error}")]
    Io {
        /// The game that was being read, from 1.
        game: usize,
        /// The line that was wanted, from 1.
        line: usize,
        /// What the system says.
        error: io::Error,
    },
    /// The text is not PGN; the reader goes on with the next game.
    #[error("game {game}, line {line}, after {ply} plies: {reason}")]
    Syntax {
        /// The game at fault, from 1.
        game: usize,
        /// The line at fault, from 1.
        line: usize,
        /// How many moves of the main line were read before.
        ply: usize,
        /// What is wrong, with the text at fault.
        reason: String,
    },
}

/// Why a game could not be played through.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// The `FEN` tag was refused.
    #[error("game {game}, line {line}: {error}")]
    Start {
        /// The game, from 1.
        game: usize,
        /// Where it begins.
        line: usize,
        /// Why.
        error: FenError,
    },
    /// A move is not one of the position's.
    #[error("game {game}, line {line}, after {ply} plies: {error}")]
    Move {
        /// The game, from 1.
        game: usize,
        /// The line on which the move stands.
        line: usize,
        /// How many moves could be played before it.
        ply: usize,
        /// Why, with the move's text.
        error: MoveError,
    },
}

impl PgnGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The variant named by the `Variant` tag; standard chess without one, or by its usual names.
    pub fn variant(&self) -> Result<Variant, VariantError> {
        match self.tag("Variant") {
            None => Ok(Variant::Chess),
            Some(name) => match name.to_ascii_lowercase().as_str() {
                "standard" | "chess" | "normal" | "from position" | "" | "?" => Ok(Variant::Chess),
                other => other.parse(),
            },
        }
    }

    /// Plays the game through under a game's rules, from its `FEN` tag or else the start. On an illegal move the
    /// game up to there is given with the error.
    #[allow(clippy::result_large_err)] // Errors are rare and looked at once.
    pub fn replay<P: Position>(&self, rules: P::Rules) -> Result<Game<P>, (Option<Game<P>>, ReplayError)> {
        let number = self.number;
        let start = match self.tag("FEN") {
            None => P::start(rules),
            Some(fen) => P::from_fen(fen, rules)
                .map_err(|error| (None, ReplayError::Start { game: number, line: self.line, error }))?,
        };
        let mut game = Game::new(start);
        for PgnMove { text, line } in &self.moves {
            match game.position().parse_san(text) {
                Ok(mv) => game.push(mv),
                Err(error) => {
                    let ply = game.ply();
                    return Err((Some(game), ReplayError::Move { game: number, line: *line, ply, error }));
                }
            }
        }
        Ok(game)
    }
}
