#![doc = include_str!("rules.md")]

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

pub use kinds::{CenturyMove, CenturyMoveKind};
pub use piece::CenturyPiece;

use crate::engine::{engine_methods, one_rule_set};
use crate::position::piece_counts;
use crate::{Color, Move, PieceCounts, PieceType, Position, board};
use state::State;

/// A square of the 10x8 board. Its index is 0 for a1, 1 for b1, ... 79 for j8.
pub type Square = board::Square<10, 8>;
/// A set of squares of the 10x8 board.
pub type Squares = board::Squares<10, 8, 2>;

/// A position of Twenty-First Century Chess.
///
/// ```
/// use catapult_rules::{Century, Color, Position};
///
/// // The pawn is declared a Jester as it moves.
/// let mut position = Century::start(());
/// position.play(position.parse_move("e2e3j").unwrap());
/// assert!(!position.may_declare(Color::White) && position.may_declare(Color::Black));
/// assert!(position.to_string().contains("/4J5/PPPP1PPPPP/"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Century {
    state: State,
}

impl Position for Century {
    const FILES: usize = 10;

    const RANKS: usize = 8;

    const PIECES: &'static [PieceType] = &CenturyPiece::TYPES;

    one_rule_set!(Century, fen::START);

    engine_methods!();

    /// Returns true if only the kings are left, or the kings and one knight or bishop (rule 6).
    fn is_dead(&self) -> bool {
        let s = &self.state;
        let others = s.occupied().without(s.kings());
        let minors = s.kind(CenturyPiece::Knight) | s.kind(CenturyPiece::Bishop);
        !others.is_many() && others.without(minors).is_empty()
    }

    fn move_text(&self, mv: Move) -> String {
        text::write(mv)
    }

    fn count_pieces(&self, side: Color) -> PieceCounts {
        piece_counts(CenturyPiece::ALL.map(|kind| self.pieces(side, kind).count()))
    }
}
