//! Playing a move of Chess and a Half.

use super::generate::skipped;
use super::kinds::{HalfMove, HalfMoveKind};
use super::piece::HalfPiece;
use super::state::{KNIGHTS, State};
use super::{Half, Square};
use crate::board::Cell;
use crate::{Color, Move};

/// Masks of the castling rights and unmoved knights that remain after a move from or to each
/// square.
struct Masks {
    castling: [u8; 144],
    unmoved: [u8; 144],
}

static MASKS: Masks = {
    let mut masks = Masks { castling: [15; 144], unmoved: [15; 144] };
    let corners = [(11, 1), (0, 2), (6, 3), (143, 4), (132, 8), (138, 12)];
    let mut i = 0;
    while i < corners.len() {
        masks.castling[corners[i].0] &= !corners[i].1;
        i += 1;
    }
    i = 0;
    while i < 4 {
        masks.unmoved[KNIGHTS[i].index()] &= !(1 << i);
        i += 1;
    }
    masks
};

impl Half {
    #[inline(always)]
    pub(super) fn apply(&mut self, mv: Move) {
        let HalfMove { from, to, on_the_way, kind, promotion } = HalfMove::of(mv);
        let s = &mut self.state;
        let us = s.side();
        let cell = s.cell(from);
        let pawn = cell.is(HalfPiece::Pawn);
        let mut zeroing = pawn;
        for square in on_the_way.into_iter().flatten() {
            s.replace(square, s.cell(square), Cell::EMPTY);
            touch(s, square);
            zeroing = true;
        }
        if let (HalfMoveKind::EnPassant, Some(passed)) = (kind, s.en_passant()) {
            s.replace(passed, s.cell(passed), Cell::EMPTY);
        }
        s.replace(from, s.cell(from), Cell::EMPTY);
        let captured = s.cell(to);
        zeroing |= captured != Cell::EMPTY;
        s.replace(to, captured, promotion.map_or(cell, |piece| Cell::of(us, piece)));
        if kind == HalfMoveKind::Castle {
            castle_rook(s, from, to);
        }
        touch(s, from);
        touch(s, to);
        s.halfmove_clock = if zeroing { 0 } else { s.halfmove_clock.saturating_add(1) };
        let far = pawn && from.index().abs_diff(to.index()) >= 24;
        let passed = far && can_be_taken(s, to, us);
        s.set_en_passant(passed.then_some(to));
        s.pass_turn();
    }
}

/// Removes the castling rights and unmoved knights that a move from or to `square` ends.
#[inline(always)]
fn touch(s: &mut State, square: Square) {
    s.keep_castling(MASKS.castling[square.index()]);
    let unmoved = s.rights() & MASKS.unmoved[square.index()];
    if unmoved != s.rights() {
        s.set_rights(unmoved);
    }
}

/// Moves the rook of a castling move to the square that the king crossed last. `from` and `to` are
/// the king's origin and destination.
fn castle_rook(s: &mut State, from: Square, to: Square) {
    let kingside = to > from;
    let rook = Square::at(if kingside { 11 } else { 0 }, to.rank());
    let goal = to.offset(if kingside { -1 } else { 1 }, 0);
    if let (Some(rook), Some(goal)) = (rook, goal) {
        s.move_piece(rook, goal, s.cell(rook), s.cell(goal));
    }
}

/// Returns true if the pawn of `side` on `pawn` can be captured en passant on a square that it
/// skipped.
pub(super) fn can_be_taken(s: &State, pawn: Square, side: Color) -> bool {
    let theirs = s.kind(HalfPiece::Pawn) & s.side_pieces(!side);
    skipped(pawn, side).pawn_attacks(side).meets(theirs)
}
