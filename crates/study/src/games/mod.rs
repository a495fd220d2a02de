//! What a study asks of a game beyond its rules: what its moves make use of, what its pieces are worth by, and how it
//! is related to chess.
//!
//! A game that adds nothing needs `impl StudiedGame for MyGame {}`.

mod century;
mod chess;
mod half;
mod maxim;
#[cfg(test)]
mod testing;
mod uses;

use crate::results::MetricInfo;
use catapult_endings::{EndingsError, Probe, Tables};
use catapult_rules::{ChessReplay, Color, Move, PgnGame, Position, ReplayError};

/// The uses of all games' own rules.
pub(crate) const ALL_USES: [&[MetricInfo]; 4] = [chess::USES, century::USES, half::USES, maxim::USES];

/// The most terms of piece values of a game.
pub const MAX_TERMS: usize = 16;

/// Numbers of a side's pieces, pairs and so on, in the order of [`StudiedGame::terms`].
pub type TermCounts = [i8; MAX_TERMS];

/// Something that may be worth something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// Its name in tables: `knight`, `pair of catapults`.
    pub name: &'static str,
    /// Whether it is what the values of the others are measured in.
    pub is_pawn: bool,
}

/// What a move is for, by what it changes on the board at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Aim {
    /// It takes, threatens, or goes to where the enemy is.
    pub attacks: bool,
    /// It saves or guards something of its own.
    pub defends: bool,
}

/// A board on which a study counts what happens where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapInfo {
    /// What it shows.
    pub title: &'static str,
    /// Whether a mark is an event, counted per game; else a state, counted as a share of the plies.
    pub per_game: bool,
}

/// A game that can be studied.
pub trait StudiedGame: Position {
    /// Files and ranks of its board.
    const BOARD: (usize, usize) = (Self::FILES, Self::RANKS);

    /// The ways in which a move may use what the game adds to chess, counted per game; at most 16.
    const USES: &'static [MetricInfo] = &[];

    /// Boards to be drawn.
    const MAPS: &'static [MapInfo] = &[];

    /// Whether the rules know the use with this index.
    fn has_use(_rules: Self::Rules, _index: usize) -> bool {
        true
    }

    /// The uses that a legal move makes of the rules, as bits in the order of [`StudiedGame::USES`].
    fn uses(&self, _mv: Move, _after: &Self) -> u16 {
        0
    }

    /// What a legal move is for; none where the question makes no sense.
    fn aim(&self, _mv: Move, _after: &Self) -> Option<Aim> {
        None
    }

    /// Marks squares, rank by rank from the mover's own first rank, on a board of [`StudiedGame::MAPS`] given by its
    /// index.
    fn mark(&self, _mv: Move, _mark: &mut dyn FnMut(usize, usize)) {}

    /// What is valued: by default every kind of piece but the king. At most [`MAX_TERMS`].
    fn terms() -> Vec<Term> {
        let worth = Self::PIECES.iter().filter(|piece| piece.name != "king");
        worth.map(|piece| Term { name: piece.name, is_pawn: piece.name == "pawn" }).collect()
    }

    /// How many of each term a side has.
    fn count_terms(&self, side: Color) -> TermCounts {
        let counts = self.count_pieces(side);
        let worth = Self::PIECES.iter().zip(counts).filter(|(piece, _)| piece.name != "king");
        let mut terms = TermCounts::default();
        for (term, (_, count)) in terms.iter_mut().zip(worth) {
            *term = count as i8;
        }
        terms
    }

    /// What tables of endings say of it; nothing if none has it.
    ///
    /// # Errors
    /// Its table is not there, or damaged.
    fn probe(&self, _tables: &Tables) -> Result<Option<Probe>, EndingsError> {
        Ok(None)
    }

    /// The position from which games of chess can be replayed; none for a game that is not played with them.
    fn chess_start(_rules: Self::Rules) -> Option<Self> {
        None
    }

    /// Replays a game of chess under the rules; none for a game in which that makes no sense.
    fn replay_chess(_game: &PgnGame, _rules: Self::Rules) -> Option<Result<ChessReplay, ReplayError>> {
        None
    }
}
