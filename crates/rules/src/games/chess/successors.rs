//! Plays all legal moves of a position, each on its own copy. Work common to the moves of one piece
//! is done once.

use super::play::CASTLING_MASK;
use super::proposals::Proposals;
use super::rules::ChessRules;
use super::{ChessPosition, kinds};
use crate::board::Cell;
use crate::sinks::Sink;
use crate::{Move, PieceKind, Square, Squares};

/// Sink that calls a function with each move and the position after it.
pub(super) struct Successors<'a, R: ChessRules, F> {
    position: &'a ChessPosition<R>,
    occupied: Squares,
    visit: F,
}

impl<'a, R: ChessRules, F: FnMut(Move, &ChessPosition<R>)> Successors<'a, R, F> {
    pub(super) fn new(position: &'a ChessPosition<R>, visit: F) -> Self {
        Successors { position, occupied: position.state.occupied(), visit }
    }

    fn play(&mut self, mv: Move) {
        let mut after = *self.position;
        after.apply(mv);
        (self.visit)(mv, &after);
    }

    /// Returns the position with the turn passed and no piece moved.
    #[inline(always)]
    fn passed(&self) -> ChessPosition<R> {
        let mut base = *self.position;
        let s = &mut base.state;
        s.halfmove_clock = s.halfmove_clock.saturating_add(1);
        if s.en_passant().is_some() {
            s.set_en_passant(None);
        }
        if self.position.rules.has(Proposals::STILL) {
            s.set_rest(s.side(), false);
        }
        s.pass_turn();
        base
    }

    /// Returns true if a move to one of `targets` may capture catapults. Such moves are played in
    /// full by [`ChessPosition::apply`]. So are all moves if one may bare a king (`+bare`), because
    /// [`super::general`] generates them.
    #[inline(always)]
    fn meets_catapults(&self, targets: Squares) -> bool {
        self.position.rules.catapults()
            && self.position.state.catapults(!self.position.state.side()).meets(targets)
    }
}

impl<R: ChessRules, F: FnMut(Move, &ChessPosition<R>)> Sink<8, 8, 1> for Successors<'_, R, F> {
    #[inline(always)]
    fn targets(&mut self, from: Square, targets: Squares, kind: u8) {
        if targets.is_empty() {
            return;
        }
        if kind != kinds::NORMAL || self.meets_catapults(targets) {
            for to in targets {
                self.play(Move::new(from.byte(), to.byte(), 0, kind));
            }
            return;
        }
        let mut base = self.passed();
        let cell = base.state.cell(from);
        base.state.replace(from, cell, Cell::EMPTY);
        if cell.is(PieceKind::Pawn) {
            base.state.halfmove_clock = 0;
        }
        base.state.keep_castling(CASTLING_MASK[from]);
        for to in targets & !self.occupied {
            let mut after = base;
            after.state.replace(to, Cell::EMPTY, cell);
            (self.visit)(Move::new(from.byte(), to.byte(), 0, kind), &after);
        }
        base.state.halfmove_clock = 0;
        for to in targets & self.occupied {
            let mut after = base;
            after.state.replace(to, after.state.cell(to), cell);
            after.state.keep_castling(CASTLING_MASK[to]);
            (self.visit)(Move::new(from.byte(), to.byte(), 0, kind), &after);
        }
    }

    #[inline(always)]
    fn shifted(&mut self, targets: Squares, shift: i8, kind: u8) {
        let pushes = shift & 7 == 0;
        if kind != kinds::NORMAL || !pushes || self.meets_catapults(targets) {
            for to in targets {
                self.play(Move::new(to.byte().wrapping_add_signed(-shift), to.byte(), 0, kind));
            }
            return;
        }
        if targets.is_empty() {
            return;
        }
        let mut base = self.passed();
        base.state.halfmove_clock = 0;
        let pawn = Cell::of(self.position.state.side(), PieceKind::Pawn);
        for to in targets {
            let from = Square::of(to.byte().wrapping_add_signed(-shift));
            let mut after = base;
            after.state.move_piece(from, to, pawn, Cell::EMPTY);
            (self.visit)(Move::new(from.byte(), to.byte(), 0, kind), &after);
        }
    }

    fn one(&mut self, mv: Move) {
        self.play(mv);
    }
}
