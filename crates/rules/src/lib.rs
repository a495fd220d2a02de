//! Rules of Chess++ and its relatives: squares, pieces, legal moves, outcome, FEN, notation.
//!
//! Chess++ is chess with a second layer: each side has two catapults, between which its pieces teleport. The module
//! [`chess::chesspp`] is the reference of the game.
//!
//! * A game's positions implement [`Position`]: legal moves, playing one, check, what the position alone decides, a key,
//!   FEN and move text. They are small, `Copy` and without history.
//! * [`Squares`] are sets of squares with steps, rays and attacks; the module [`board`] has them for boards of any size.
//! * A [`Game`] is a start and its moves, and adds repetition.
//! * A [`Variant`] is a game by name; [`with_variant!`] turns the name into types, [`with_variants!`] several names.
//! * [`perft`] counts trees; [`PgnReader`] and [`write_pgn`] read and write files of games.
//! * [`conformance`] is what every game of this crate must do, as a test suite.
//!
//! ```
//! use catapult_rules::{ChessPp, Game, Outcome, Plain, Position};
//!
//! // White's catapults lie under the knight on b1 and the bishop on f1.
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

pub mod board;
mod castling;
mod color;
pub mod conformance;
mod drawn;
mod engine;
mod epd;
mod error;
mod fen;
mod forbidden;
mod game;
pub mod games;
mod moves;
mod outcome;
mod perft;
mod pgn;
mod pieces;
mod position;
mod sinks;
mod variant;

pub use games::{century, chess, half, maxim};

pub use color::Color;
pub use drawn::{Drawn, Shown};
pub use epd::Epd;
pub use error::{FenError, MoveError};
pub use forbidden::ForbiddenKind;
pub use game::Game;
pub use games::century::{Century, CenturyMove, CenturyMoveKind, CenturyPiece};
pub use games::chess::{
    AnyChess, AnyRules, Break, BreakReason, Chess, ChessMove, ChessMoveKind, ChessPosition, ChessPp,
    ChessPpProposals, ChessReplay, ChessRules, Plain, PromotionTo, Proposal, Proposals, Standard,
    replay_chess,
};
pub use games::half::{Half, HalfMove, HalfMoveKind, HalfPiece};
pub use games::maxim::{Maxim, MaximMove, MaximMoveKind, Phase};
pub use moves::{MAX_MOVES, Move, MoveList};
pub use outcome::Outcome;
pub use perft::{divide, perft, perft_made};
pub use pgn::{
    PgnError, PgnGame, PgnMove, PgnReader, PgnResult, ReplayError, write_pgn, write_pgn_with_comments,
};
pub use pieces::PieceKind;
pub use position::{MAX_PIECE_TYPES, PieceCounts, PieceType, Position, Role};
pub use variant::{Variant, VariantError};

/// A square of the 8x8 board: a1 = 0, b1 = 1, ... h8 = 63.
pub type Square = board::Square<8, 8>;
/// A set of squares of the 8x8 board.
pub type Squares = board::Squares<8, 8, 1>;
