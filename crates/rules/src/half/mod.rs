//! Chess and a Half on its 12x12 board.
//!
//! Pieces are kept as five planes of bits, a square's five bits being its contents; the key changes in the same functions
//! as the contents do. Moves are played on copies. The rules of the game: [`rules`].

mod attacks;
mod fen;
mod generate;
mod kinds;
mod piece;
mod play;
mod query;
mod state;
mod text;
mod zobrist;

#[doc = include_str!("rules.md")]
pub mod rules {
    pub use super::Half;
}

pub use kinds::{HalfMove, HalfMoveKind};
pub use piece::HalfPiece;

use crate::sinks::{Any, Collect, Count, Find};
use crate::{Color, FenError, Move, MoveError, MoveList, PieceCounts, PieceType, Position, Shown, grid};
use state::State;
use std::sync::LazyLock;

/// A square of the board: a1 = 0, b1 = 1, ... l12 = 143.
pub type Square = grid::Square<12, 12>;
/// A set of squares.
pub type Squares = grid::Set<12, 12, 3>;

/// A position of Chess and a Half.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Half {
    state: State,
}

impl Position for Half {
    type Rules = ();

    const FILES: usize = 12;

    const RANKS: usize = 12;

    const PIECES: &'static [PieceType] = &piece::PIECES;

    fn about(_: ()) -> &'static str {
        "Cats and Star Cats jump two or three squares over anything and may capture what enemies they jump over. A knight's \
         first move may be two leaps, a pawn's four steps. Guards step as kings."
    }

    fn start(_: ()) -> Half {
        static START: LazyLock<Half> = LazyLock::new(Half::start_position);
        *START
    }

    fn from_fen(fen: &str, _: ()) -> Result<Half, FenError> {
        Half::read_fen(fen)
    }

    fn rules(&self) {}

    #[inline]
    fn side_to_move(&self) -> Color {
        self.state.side()
    }

    fn halfmove_clock(&self) -> u32 {
        self.state.halfmove_clock.into()
    }

    fn fullmove_number(&self) -> u32 {
        self.state.fullmove_number.into()
    }

    #[inline]
    fn key(&self) -> u64 {
        self.state.key()
    }

    fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    fn legal_moves_into(&self, moves: &mut MoveList) {
        self.generate(&mut Collect(moves));
    }

    fn count_legal_moves(&self) -> usize {
        let mut count = Count(0);
        self.generate(&mut count);
        count.0
    }

    fn has_legal_move(&self) -> bool {
        let mut any = Any(false);
        self.generate(&mut any);
        any.0
    }

    fn is_legal(&self, mv: Move) -> bool {
        let mut find = Find::new(mv);
        self.generate(&mut find);
        find.found
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.apply(mv);
    }

    fn is_dead(&self) -> bool {
        // Rule 8: bare kings, or one bishop beside them.
        let others = self.state.occupied().without(self.state.kind(HalfPiece::King));
        !others.is_many() && others.without(self.state.kind(HalfPiece::Bishop)).is_empty()
    }

    fn move_text(&self, mv: Move) -> String {
        text::write(mv).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        text::read(self, text)
    }

    fn shown(&self, file: usize, rank: usize) -> Shown {
        let mut shown = Shown::default();
        if let Some((side, kind)) = Square::at(file, rank).and_then(|square| self.piece_at(square)) {
            shown.pieces.push(side.cased(kind.letter()));
        }
        shown
    }

    fn count_pieces(&self, side: Color) -> PieceCounts {
        let mut counts = PieceCounts::default();
        for (count, kind) in counts.iter_mut().zip(HalfPiece::ALL) {
            *count = self.pieces(side, kind).count() as u8;
        }
        counts
    }
}
