//! Maxim chess: squares that two own pieces may share, portals, and knights that move along ranks
//! and files.
//!
//! The rules are in [`rules`].
//!
//! A turn has up to three decisions (rule 8): a move of a piece, and the squares of two portals.
//! Each decision is a [`Move`], and the position's [`Phase`] is the kind of the next decision. A
//! square holds up to two pieces, of which one arrived earlier. The part of the state that all
//! games share stores the earlier piece. The game-specific part stores the later piece.

mod attacks;
mod declare;
mod draw;
mod fen;
mod generate;
mod kinds;
mod piece;
mod play;
mod query;
mod reach;
mod state;
mod text;

#[doc = include_str!("rules.md")]
pub mod rules {
    pub use super::Maxim;
}

pub use kinds::{MaximMove, MaximMoveKind};
pub use state::Phase;

use crate::engine::{engine_methods, one_rule_set};
use crate::{Color, Move, MoveError, PieceCounts, PieceType, Position};
use kinds::DONE;
use piece::PIECES;
use state::State;

const START: &str = "rnpqkpnr/bppppppb/8/8/8/8/BPPPPPPB/RNPQKPNR w - - 0 1 -/- -";

/// A position of Maxim chess.
///
/// ```
/// use catapult_rules::{Color, Maxim, Phase, Position};
///
/// // After a move, a player may declare a pair of portals.
/// let mut position = Maxim::start(());
/// position.play(position.parse_move("e2e4").unwrap());
/// assert_eq!((position.phase(), position.side_to_move()), (Phase::First, Color::White));
/// for text in ["@c3", "@f6"] {
///     position.play(position.parse_move(text).unwrap());
/// }
/// assert_eq!(position.portals(Color::White).count(), 2);
/// assert_eq!((position.phase(), position.side_to_move()), (Phase::Move, Color::Black));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Maxim {
    state: State,
}

impl Position for Maxim {
    const FILES: usize = 8;

    const RANKS: usize = 8;

    const PIECES_PER_SQUARE: usize = 2;

    const PIECES: &'static [PieceType] = &PIECES;

    one_rule_set!(Maxim, START);

    engine_methods!();

    fn is_dead(&self) -> bool {
        self.state.occupied().count() == 2 && self.state.stacks().is_empty()
    }

    fn is_turn_start(&self) -> bool {
        self.state.phase() == Phase::Move
    }

    /// Returns the decision `done`, which ends the turn, in the phase [`Phase::First`] (rule 8).
    /// Returns `None` in other phases.
    fn turn_end(&self) -> Option<Move> {
        let king = self.state.king(self.state.side());
        (self.state.phase() == Phase::First).then(|| Move::new(king.byte(), king.byte(), 0, DONE))
    }

    /// Returns true if the last decision removed a piece. Nothing else is irreversible, because
    /// pawns can move sideways, back and through portals.
    fn forgets_history(&self) -> bool {
        self.state.extra.took
    }

    fn move_text(&self, mv: Move) -> String {
        text::write(&self.state, mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        text::read(self, text)
    }

    fn count_pieces(&self, side: Color) -> PieceCounts {
        fen::count_pieces(&self.state, side)
    }
}
