//! Playing a move of chess or Chess++.

use super::ChessPosition;
use super::kinds::{self, promotion_of};
use super::piece::PromotionTo;
use super::proposals::Proposals;
use super::rules::ChessRules;
use crate::board::{Cell, PerSquare};
use crate::{Color, Move, PieceKind, Square, Squares};

/// Masks of the castling rights that remain after a move from or to each square. A move from or to
/// the start square of a king or rook removes the rights of that piece.
pub(super) static CASTLING_MASK: PerSquare<u8, 8, 8> = {
    let mut masks = [[15; 8]; 8];
    masks[0][0] = 15 & !2;
    masks[0][4] = 15 & !3;
    masks[0][7] = 15 & !1;
    masks[7][0] = 15 & !8;
    masks[7][4] = 15 & !12;
    masks[7][7] = 15 & !4;
    PerSquare(masks)
};

/// Returns the square on the rank of `square` and the given file, from 0.
#[inline(always)]
fn beside(square: Square, file: usize) -> Square {
    Square::at(file, square.rank()).unwrap_or(square)
}

impl<R: ChessRules> ChessPosition<R> {
    #[inline(always)]
    pub(super) fn apply(&mut self, mv: Move) {
        let s = &mut self.state;
        let us = s.side();
        let (from, to) = (Square::of(mv.from()), Square::of(mv.to()));
        s.halfmove_clock = s.halfmove_clock.saturating_add(1);
        let mut en_passant = None;
        let kind = mv.kind() & 7;
        match kind {
            // Most moves. A branch of their own makes them cheaper.
            _ if mv.kind() == kinds::NORMAL => self.step(from, to, true),
            kinds::DOUBLE_PUSH => {
                s.halfmove_clock = 0;
                s.move_piece(from, to, s.cell(from), s.cell(to));
                let passed = Square::of((from.byte() + to.byte()) / 2);
                if Squares::of(passed).pawn_attacks(us).meets(s.pawns() & s.side_pieces(!us)) {
                    en_passant = Some(passed);
                }
            }
            kinds::NORMAL | kinds::TELEPORT => {
                if mv.kind() >> 4 == 0 {
                    self.step(from, to, false);
                } else {
                    s.replace(from, s.cell(from), Cell::EMPTY);
                    self.promote(mv);
                    self.leave(from, to);
                }
            }
            kinds::EN_PASSANT => {
                s.halfmove_clock = 0;
                s.move_piece(from, to, s.cell(from), s.cell(to));
                let taken = beside(from, to.file());
                s.replace(taken, s.cell(taken), Cell::EMPTY);
            }
            kinds::CASTLE => {
                s.move_piece(from, to, s.cell(from), s.cell(to));
                let (rook, goal) = if to.file() == 6 { (7, 5) } else { (0, 3) };
                let (rook, goal) = (beside(to, rook), beside(to, goal));
                s.move_piece(rook, goal, s.cell(rook), s.cell(goal));
                self.leave(from, to);
            }
            kinds::CATAPULT => {
                if self.rules.has(Proposals::RESTART) {
                    s.halfmove_clock = 0;
                }
                if self.rules.proposals().catapult_moves_per_game().is_some() {
                    s.set_moves_left(us, s.moves_left(us).saturating_sub(1));
                }
                s.remove_catapult(us, from);
                s.add_catapult(us, to, false);
            }
            kinds::INSTANT => self.go_through(mv),
            _ => {
                let (white, black) = (s.left_to_place(Color::White), s.left_to_place(Color::Black));
                match us {
                    Color::White => s.set_to_place(white.saturating_sub(1), black),
                    Color::Black => s.set_to_place(white, black.saturating_sub(1)),
                }
                s.add_catapult(us, to, true);
            }
        }
        let s = &mut self.state;
        s.set_en_passant(en_passant);
        if self.rules.has(Proposals::STILL) {
            s.set_rest(us, kind == kinds::CATAPULT);
        }
        if self.rules.catapults() && !self.rules.has(Proposals::SAFE) {
            let theirs = s.catapults(!us);
            if !theirs.is_empty() && !theirs.meets(!s.side_pieces(us)) {
                s.lose_catapults(!us);
            }
        }
        if self.rules.has(Proposals::BARE) {
            // The mover may be bare too, if its last pawn became a catapult.
            for side in Color::ALL {
                if s.is_bare_with_catapults(side) {
                    s.lose_catapults(side);
                }
            }
        }
        s.pass_turn();
    }

    /// Moves a piece, with a capture if `to` is occupied. `pawns_reset` is true if a pawn's move
    /// resets the half-move clock.
    #[inline(always)]
    fn step(&mut self, from: Square, to: Square, pawns_reset: bool) {
        let s = &mut self.state;
        let (cell, captured) = (s.cell(from), s.cell(to));
        if captured != Cell::EMPTY || pawns_reset && cell.is(PieceKind::Pawn) {
            s.halfmove_clock = 0;
        }
        s.move_piece(from, to, cell, captured);
        self.leave(from, to);
    }

    /// Puts the promotion piece on `mv.to()`, replacing a captured piece. The pawn has already left
    /// the board.
    fn promote(&mut self, mv: Move) {
        let s = &mut self.state;
        let us = s.side();
        let to = Square::of(mv.to());
        let captured = s.cell(to);
        s.halfmove_clock = 0;
        let promotion = promotion_of(mv);
        let piece = promotion.and_then(PromotionTo::piece).map_or(Cell::EMPTY, |kind| Cell::of(us, kind));
        s.replace(to, captured, piece);
        if promotion == Some(PromotionTo::Catapult) {
            s.add_catapult(us, to, true);
        }
    }

    /// Updates the castling rights for a move from `from` to `to`.
    #[inline(always)]
    fn leave(&mut self, from: Square, to: Square) {
        self.state.keep_castling(CASTLING_MASK[from] & CASTLING_MASK[to]);
    }

    /// Plays an instant teleport (`+instant`): an ordinary move onto a catapult, and from there a
    /// teleport in the same turn. The move's `aux` byte is the square of that catapult.
    fn go_through(&mut self, mv: Move) {
        let s = &mut self.state;
        let (from, mid, to) = (Square::of(mv.from()), Square::of(mv.aux()), Square::of(mv.to()));
        let cell = s.cell(from);
        let on_mid = s.cell(mid);
        let pawn = cell.is(PieceKind::Pawn);
        if pawn || on_mid != Cell::EMPTY || s.cell(to) != Cell::EMPTY {
            s.halfmove_clock = 0;
        }
        if pawn && on_mid == Cell::EMPTY && from.file() != mid.file() {
            let taken = beside(from, mid.file());
            s.replace(taken, s.cell(taken), Cell::EMPTY);
        }
        s.move_piece(from, mid, cell, on_mid);
        let captured = s.cell(to);
        if mv.kind() >> 4 == 0 {
            s.move_piece(mid, to, cell, captured);
        } else {
            s.replace(mid, cell, Cell::EMPTY);
            self.promote(mv);
        }
        self.leave(from, to);
        self.leave(mid, mid);
    }
}
