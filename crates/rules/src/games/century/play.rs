//! Playing a move of Twenty-First Century Chess.

use super::generate::{CASTLINGS, KING_FILE};
use super::kinds::{CASTLE, DECLARE, DOUBLE_PUSH, EN_PASSANT, PROMOTE};
use super::piece::{CenturyPiece, walks};
use super::state::State;
use super::{Century, Square, Squares};
use crate::board::Cell;
use crate::castling::castling_bit;
use crate::{Color, Move};

/// Masks of the castling rights that remain after a move from or to each square. A move from or to
/// the start square of a king or rook removes the rights of that piece.
static CASTLING_MASK: [u8; 80] = {
    let mut masks = [15; 80];
    let mut i = 0;
    while i < 2 {
        let (kingside, rook, ..) = CASTLINGS[i];
        let (white, black) = (castling_bit(Color::White, kingside), castling_bit(Color::Black, kingside));
        masks[KING_FILE] &= !white;
        masks[rook] &= !white;
        masks[70 + KING_FILE] &= !black;
        masks[70 + rook] &= !black;
        i += 1;
    }
    masks
};

impl Century {
    #[inline(always)]
    pub(super) fn apply(&mut self, mv: Move) {
        let s = &mut self.state;
        let us = s.side();
        let (from, to) = (Square::of(mv.from()), Square::of(mv.to()));
        let cell = s.cell(from);
        s.replace(from, cell, Cell::EMPTY);
        let captured = s.cell(to);
        let zeroing = captured != Cell::EMPTY || walks(cell);
        s.halfmove_clock = if zeroing { 0 } else { s.halfmove_clock.saturating_add(1) };
        let becomes = match mv.kind() {
            PROMOTE => Cell::of(us, CenturyPiece::Sorcerer),
            DECLARE => Cell::of(us, CenturyPiece::Jester),
            _ => cell,
        };
        s.replace(to, captured, becomes);
        let mut passed = None;
        match mv.kind() {
            DOUBLE_PUSH => passed = passed_square(s, to, us),
            EN_PASSANT => take_passed(s, to, us),
            CASTLE => castle_rook(s, to),
            DECLARE => s.set_declaring(us, false),
            _ => {}
        }
        s.keep_castling(CASTLING_MASK[from.index()] & CASTLING_MASK[to.index()]);
        s.set_en_passant(passed);
        s.pass_turn();
    }
}

/// Returns the square that a pawn of `side` passed on its way to `to`, if an enemy can capture the
/// pawn there. Otherwise returns `None`.
pub(super) fn passed_square(s: &State, to: Square, side: Color) -> Option<Square> {
    let passed = Squares::of(to).forward(!side);
    let theirs = s.walkers() & s.side_pieces(!side);
    if passed.pawn_attacks(side).meets(theirs) { passed.first() } else { None }
}

fn take_passed(s: &mut State, to: Square, us: Color) {
    if let Some(taken) = Squares::of(to).forward(!us).first() {
        s.replace(taken, s.cell(taken), Cell::EMPTY);
    }
}

/// Moves the rook of a castling move. `king` is the king's destination.
fn castle_rook(s: &mut State, king: Square) {
    for (_, rook, rook_goal, goal) in CASTLINGS {
        if let (true, Some(rook), Some(rook_goal)) =
            (king.file() == goal, Square::at(rook, king.rank()), Square::at(rook_goal, king.rank()))
        {
            s.move_piece(rook, rook_goal, s.cell(rook), s.cell(rook_goal));
        }
    }
}
