//! Portable Game Notation (PGN): a streaming reader and a writer.
//!
//! The reader follows the import format of the PGN standard and reads tags, moves and results. It
//! skips comments (`{...}` and `;`), lines that start with `%`, variations, move numbers and
//! annotation glyphs. It holds one game in memory, whatever the size of the file. After an invalid
//! game, the reader returns an error with the game's number and continues with the next game.
//!
//! The writer follows the export format. It writes the seven tags that the standard requires, then
//! the other tags. It adds `Variant` unless the game is standard chess, and `SetUp` and `FEN`
//! unless the game begins at the start position. Lines of moves have fewer than 80 columns, except
//! for longer words and words of comments that begin with `[`.

mod reader;
mod writer;

pub use reader::PgnReader;
pub use writer::{is_tag_name, write_pgn};

use crate::fen::with_counters;
use crate::{Color, FenError, Game, MoveError, Outcome, Position, Variant, VariantError};
use std::io;

named! {
    /// Result of a game in a PGN file. Its name is its PGN text.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub enum PgnResult {
        /// `1-0`: White won.
        White = "1-0",
        /// `0-1`: Black won.
        Black = "0-1",
        /// `1/2-1/2`: the game was drawn.
        Draw = "1/2-1/2",
        /// `*`: the game is unfinished or its result is unknown.
        #[default]
        Unknown = "*",
    }
}

impl PgnResult {
    /// Returns the result with this PGN text, or `None` for other texts. `1/2` is a draw too.
    pub fn from_text(text: &str) -> Option<PgnResult> {
        let name = if text == "1/2" { PgnResult::Draw.name() } else { text };
        PgnResult::ALL.into_iter().find(|result| result.name() == name)
    }

    /// Returns the result for an outcome and a winner. Without a winner, the result is a draw, or
    /// [`PgnResult::Unknown`] if the game was truncated.
    pub fn new(outcome: Outcome, winner: Option<Color>) -> PgnResult {
        match (winner, outcome) {
            (Some(Color::White), _) => PgnResult::White,
            (Some(Color::Black), _) => PgnResult::Black,
            (None, Outcome::Capped) => PgnResult::Unknown,
            (None, _) => PgnResult::Draw,
        }
    }

    /// Returns the result of a game by the rules, or [`PgnResult::Unknown`] if the game is not
    /// over.
    pub fn of<P: Position>(game: &Game<P>) -> PgnResult {
        let side = game.position().side_to_move();
        game.outcome().map_or(PgnResult::Unknown, |outcome| PgnResult::new(outcome, outcome.winner(side)))
    }
}

/// A game as read from a PGN file. Its moves are not checked yet. [`PgnGame::replay`] checks them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PgnGame {
    /// Number of the game in the file, from 1. Invalid games count.
    pub number: usize,
    /// Line of the file where the game begins, from 1.
    pub line: usize,
    /// Names and values of the tags, in file order.
    pub tags: Vec<(String, String)>,
    /// Moves of the main line, without variations.
    pub moves: Vec<PgnMove>,
    /// Result written after the moves, or [`PgnResult::Unknown`] if it is missing.
    pub result: PgnResult,
}

/// A move as read from a PGN file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnMove {
    /// Text of the move, without move number and annotation.
    pub text: String,
    /// Line of the file with the move, from 1.
    pub line: usize,
}

/// A game that cannot be read as PGN.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// Reading the input failed. No game follows.
    #[error("game {game}, line {line}: {error}")]
    Io {
        /// Number of the game, from 1.
        game: usize,
        /// Line of the file where reading failed, from 1.
        line: usize,
        /// Error of the reader's input.
        error: io::Error,
    },
    /// The text is not PGN. The reader continues with the next game.
    #[error("game {game}, line {line}, after {ply} plies: {reason}")]
    Syntax {
        /// Number of the game, from 1.
        game: usize,
        /// Line of the file with the error, from 1.
        line: usize,
        /// Number of main-line moves read before the error.
        ply: usize,
        /// Description of the error.
        reason: String,
    },
}

/// A game that cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// The `FEN` tag is invalid.
    #[error("game {game}, line {line}: {error}")]
    Start {
        /// Number of the game, from 1.
        game: usize,
        /// Line of the file where the game begins, from 1.
        line: usize,
        /// Error of the FEN.
        error: FenError,
    },
    /// A move is illegal.
    #[error("game {game}, line {line}, after {ply} plies: {error}")]
    Move {
        /// Number of the game, from 1.
        game: usize,
        /// Line of the file with the illegal move, from 1.
        line: usize,
        /// Number of moves played before the illegal move.
        ply: usize,
        /// Error of the illegal move, with its text.
        error: MoveError,
    },
}

impl PgnGame {
    /// Returns the value of the first tag with this name, or `None` if the game lacks the tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Returns the variant that the `Variant` tag names, ignoring case. A missing tag and the usual
    /// names of standard chess give [`Variant::Chess`].
    ///
    /// # Errors
    /// The tag names no variant of this crate.
    pub fn variant(&self) -> Result<Variant, VariantError> {
        match self.tag("Variant") {
            None => Ok(Variant::Chess),
            Some(name) => match name.to_ascii_lowercase().as_str() {
                "standard" | "chess" | "normal" | "from position" | "" | "?" => Ok(Variant::Chess),
                other => other.parse(),
            },
        }
    }

    /// Replays the game under the given rules, from the position of its `FEN` tag or the start
    /// position. A FEN of four fields gets the counters `0 1`.
    ///
    /// # Errors
    /// The `FEN` tag is invalid or a move is illegal. After an illegal move, the error includes the
    /// game up to this move.
    #[allow(clippy::result_large_err)] // Errors are rare, so their size does not matter.
    pub fn replay<P: Position>(&self, rules: P::Rules) -> Result<Game<P>, (Option<Game<P>>, ReplayError)> {
        let start = match self.tag("FEN") {
            None => P::start(rules),
            Some(fen) => P::from_fen(&with_counters(fen), rules)
                .map_err(|error| (None, ReplayError::Start { game: self.number, line: self.line, error }))?,
        };
        self.replay_from(start)
    }

    /// Replays the moves of the game like [`PgnGame::replay`], but from the position `start`.
    #[allow(clippy::result_large_err)] // Errors are rare, so their size does not matter.
    pub(crate) fn replay_from<P: Position>(
        &self,
        start: P,
    ) -> Result<Game<P>, (Option<Game<P>>, ReplayError)> {
        let mut game = Game::new(start);
        for PgnMove { text, line } in &self.moves {
            match game.position().parse_san(text) {
                Ok(mv) => game.push(mv),
                Err(error) => {
                    let (number, ply) = (self.number, game.ply());
                    return Err((Some(game), ReplayError::Move { game: number, line: *line, ply, error }));
                }
            }
        }
        Ok(game)
    }
}
