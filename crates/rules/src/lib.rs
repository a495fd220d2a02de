//! Rules of Chess++ and related games: squares, legal moves, outcomes, FEN and notation.
//!
//! Chess++ is chess with a second layer. Each side has two catapults, and its pieces can teleport
//! between them. The module [`chess::chesspp`] explains the rules.
//!
//! * [`Position`] is the trait of positions: legal moves, check, outcome, key, FEN and move text.
//!   Positions are small, `Copy` and have no history.
//! * [`Squares`] is a set of squares of the 8x8 board, with steps, rays and attacks. The module
//!   [`board`] has such sets for boards of any size.
//! * [`Game`] is a start position and the moves played from there. It detects repetition.
//! * [`Variant`] names a game and its options. [`Variant::game`] returns an [`AnyGame`], whose
//!   interface is the same for all games. [`with_variant!`] runs generic code with a variant's
//!   position type. [`with_variants!`] runs generic code with several variants.
//! * [`perft`] counts the leaves of move trees. [`PgnReader`] and [`write_pgn`] read and write PGN
//!   files.
//! * [`conformance`] is a test suite that every game of this crate passes.
//!
//! ```
//! use catapult_rules::{ChessPp, Game, Outcome, Plain, Position};
//!
//! // White's catapults are under the knight on b1 and the bishop on f1.
//! let mut game = Game::new(ChessPp::start(Plain));
//! for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
//!     let mv = game.position().parse_move(text)?;
//!     game.push(mv);
//! }
//! assert_eq!(game.outcome(), Some(Outcome::Checkmate));
//! assert_eq!(
//!     game.position().to_string(),
//!     "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3 b1*f1*/b8*f8*"
//! );
//! # Ok::<(), catapult_rules::MoveError>(())
//! ```

// The macros of `named` are in scope in the modules after it.
#[macro_use]
mod named;

pub mod board;
mod castling;
mod color;
pub mod conformance;
mod describe;
mod engine;
mod epd;
mod error;
mod fen;
mod forbidden;
mod game;
pub mod games;
mod moves;
mod outcome;
mod parts;
mod perft;
mod pgn;
mod pieces;
mod position;
mod sinks;
// The macros of `variant` are in scope in the modules after it.
#[macro_use]
mod variant;

mod any;

pub use games::{century, chess, half, maxim};

pub use any::{AnyGame, Line};
pub use color::Color;
pub use describe::{Describe, Shown};
pub use epd::Epd;
pub use error::{FenError, MoveError};
#[doc(hidden)]
pub use fen::write_placement;
pub use forbidden::ForbiddenKind;
pub use game::Game;
pub use games::century::{Century, CenturyMove, CenturyMoveKind, CenturyPiece};
pub use games::chess::{
    AnyChess, AnyRules, Break, BreakReason, Chess, ChessMove, ChessMoveKind, ChessPosition, ChessPp,
    ChessPpProposals, ChessReplay, ChessRules, Number, Plain, PromotionTo, Proposal, Proposals, Standard,
    replay_chess,
};
pub use games::half::{Half, HalfMove, HalfMoveKind, HalfPiece};
pub use games::maxim::{Maxim, MaximMove, MaximMoveKind, Phase};
pub use moves::{MAX_MOVES, Move, MoveList};
pub use outcome::Outcome;
pub use parts::{MoveParts, PartsKind, move_parts};
pub use perft::{divide, perft, perft_made};
pub use pgn::{PgnError, PgnGame, PgnMove, PgnReader, PgnResult, ReplayError, is_tag_name, write_pgn};
pub use pieces::PieceKind;
pub use position::{MAX_PIECE_TYPES, PieceCounts, PieceType, Position, Role};
pub use variant::{Variant, VariantError};

/// A square of the 8x8 board. Its index is 0 for a1, 1 for b1, ... 63 for h8.
pub type Square = board::Square<8, 8>;
/// A set of squares of the 8x8 board.
pub type Squares = board::Squares<8, 8, 1>;
