//! Rules of Chess++ and its relatives: squares, pieces, legal moves, outcome, FEN, move text.

pub mod chess;
mod color;
#[doc(hidden)]
pub mod conformance;
mod error;
mod game;
mod moves;
mod outcome;
mod perft;
mod pgn;
mod position;
mod square;
mod variant;

pub use chess::{
    Chess, ChessPosition, ChessPp, ChessPpProposals, ChessRules, MoveKind, MoveParts, PieceKind, Plain,
    PromotionTo, Proposals, Standard,
};
pub use color::Color;
pub use error::{FenError, MoveError};
pub use game::Game;
pub use moves::{MAX_MOVES, Move, MoveList};
pub use outcome::Outcome;
pub use perft::{divide, perft, perft_made};
pub use pgn::{PgnError, PgnGame, PgnReader, PgnResult, ReplayError, write_pgn};
pub use position::Position;
pub use square::{Bitboard, Square, Squares};
pub use variant::{Variant, VariantError};
