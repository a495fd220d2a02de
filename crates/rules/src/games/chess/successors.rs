//! Making all moves of a position: what the moves of one piece share is done once.

use super::kinds;
use super::play::KEEPS;
use super::rules::ChessRules;
use super::state::NO_SQUARE;
use super::{ChessPosition, bits};
use crate::sinks::Sink;
use crate::{Color, Move};

/// Hands each move and the position after it to a function.
pub(super) struct Successors<'a, R: ChessRules, F> {
    position: &'a ChessPosition<R>,
    occupied: u64,
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

    /// The position with the turn passed on, but nothing moved yet.
    #[inline(always)]
    fn passed(&self) -> ChessPosition<R> {
        let mut base = *self.position;
        let s = &mut base.state;
        s.halfmove_clock = s.halfmove_clock.saturating_add(1);
        if s.en_passant() != NO_SQUARE {
            s.set_en_passant(NO_SQUARE);
        }
        s.fullmove_number = s.fullmove_number.saturating_add((s.side() == Color::Black) as u16);
        s.pass_turn();
        base
    }

    /// Whether a piece's arrival captures catapults, which is left to [`ChessPosition::apply`].
    #[inline(always)]
    fn meets_catapults(&self, targets: u64) -> bool {
        self.position.rules.catapults()
            && self.position.state.catapults(!self.position.state.side()) & targets != 0
    }
}

impl<R: ChessRules, F: FnMut(Move, &ChessPosition<R>)> Sink<u64> for Successors<'_, R, F> {
    #[inline(always)]
    fn targets(&mut self, from: u8, targets: u64, kind: u8) {
        if targets == 0 {
            return;
        }
        if kind != kinds::NORMAL || self.meets_catapults(targets) {
            for to in bits(targets) {
                self.play(Move::new(from, to, 0, kind));
            }
            return;
        }
        let mut base = self.passed();
        let cell = base.state.cell(from);
        base.state.replace(from, cell, 0);
        if cell & 7 == 1 {
            base.state.halfmove_clock = 0;
        }
        let kept = base.state.castling() & KEEPS[from as usize];
        if kept != base.state.castling() {
            base.state.set_castling(kept);
        }
        for to in bits(targets & !self.occupied) {
            let mut after = base;
            after.state.replace(to, 0, cell);
            (self.visit)(Move::new(from, to, 0, kind), &after);
        }
        base.state.halfmove_clock = 0;
        for to in bits(targets & self.occupied) {
            let mut after = base;
            after.state.replace(to, after.state.cell(to), cell);
            let kept = kept & KEEPS[to as usize];
            if kept != after.state.castling() {
                after.state.set_castling(kept);
            }
            (self.visit)(Move::new(from, to, 0, kind), &after);
        }
    }

    #[inline(always)]
    fn shifted(&mut self, targets: u64, shift: i8, kind: u8) {
        let pushes = shift & 7 == 0;
        if kind != kinds::NORMAL || !pushes || self.meets_catapults(targets) {
            for to in bits(targets) {
                self.play(Move::new(to.wrapping_add_signed(-shift), to, 0, kind));
            }
            return;
        }
        if targets == 0 {
            return;
        }
        let mut base = self.passed();
        base.state.halfmove_clock = 0;
        let pawn = 1 | (self.position.state.side() as u8) << 3;
        for to in bits(targets) {
            let from = to.wrapping_add_signed(-shift);
            let mut after = base;
            after.state.move_piece(from, to, pawn, 0);
            (self.visit)(Move::new(from, to, 0, kind), &after);
        }
    }

    fn promotions(&mut self, targets: u64, shift: i8, kinds: &[u8]) {
        for to in bits(targets) {
            for &kind in kinds {
                self.play(Move::new(to.wrapping_add_signed(-shift), to, 0, kind));
            }
        }
    }

    fn one(&mut self, mv: Move) {
        self.play(mv);
    }
}
