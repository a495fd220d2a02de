//! Chess and a Half on its 12x12 board. The rules are in [`rules`].
//!
//! A position cannot take back moves, so callers play them on copies.

mod attacks;
mod draw;
mod fen;
mod generate;
mod kinds;
mod piece;
mod play;
mod query;
mod state;
mod text;

#[doc = include_str!("rules.md")]
pub mod rules {
    pub use super::Half;
}

pub use kinds::{HalfMove, HalfMoveKind};
pub use piece::HalfPiece;

use crate::engine::{engine_methods, one_rule_set};
use crate::position::piece_counts;
use crate::{Color, Move, MoveError, PieceCounts, PieceType, Position, board};
use state::State;

/// A square of the 12x12 board. Its index is 0 for a1, 1 for b1, ... 143 for l12.
pub type Square = board::Square<12, 12>;
/// A set of squares of the 12x12 board.
pub type Squares = board::Squares<12, 12, 3>;

/// A position of Chess and a Half.
///
/// ```
/// use catapult_rules::{Half, HalfPiece, Position};
///
/// // A Cat jumps over the pawn in front of it.
/// let mut position = Half::start(());
/// position.play(position.parse_move("e1e3").unwrap());
/// let (_, piece) = position.piece_at("e3".parse().unwrap()).unwrap();
/// assert_eq!(piece, HalfPiece::Cat);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Half {
    state: State,
}

impl Position for Half {
    const FILES: usize = 12;

    const RANKS: usize = 12;

    const PIECES: &'static [PieceType] = &HalfPiece::TYPES;

    one_rule_set!(Half, fen::START);

    engine_methods!();

    fn is_dead(&self) -> bool {
        // Bare kings, or one bishop with them (rule 8).
        let others = self.state.occupied().without(self.state.kind(HalfPiece::King));
        !others.is_many() && others.without(self.state.kind(HalfPiece::Bishop)).is_empty()
    }

    fn move_text(&self, mv: Move) -> String {
        text::write(mv).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        text::read(self, text)
    }

    fn count_pieces(&self, side: Color) -> PieceCounts {
        piece_counts(HalfPiece::ALL.map(|kind| self.pieces(side, kind).count()))
    }
}
