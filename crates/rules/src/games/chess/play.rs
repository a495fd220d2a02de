//! Playing a move.

use super::kinds::{self, promotion_of};
use super::piece::PromotionTo;
use super::rules::ChessRules;
use super::state::NO_SQUARE;
use super::{ChessPosition, bits};
use crate::Move;
use crate::board::attacks8::pawn_attacks;

/// The rights that stay when a square is left or taken: those of the king or rook at home there go.
pub(super) const KEEPS: [u8; 64] = {
    let mut keeps = [15; 64];
    keeps[0] = 15 & !2;
    keeps[4] = 15 & !3;
    keeps[7] = 15 & !1;
    keeps[56] = 15 & !8;
    keeps[60] = 15 & !12;
    keeps[63] = 15 & !4;
    keeps
};

const PAWN: u8 = 1;

impl<R: ChessRules> ChessPosition<R> {
    #[inline(always)]
    pub(super) fn apply(&mut self, mv: Move) {
        let s = &mut self.state;
        let us = s.side();
        let from = mv.from() & 63;
        let to = mv.to() & 63;
        s.halfmove_clock = s.halfmove_clock.saturating_add(1);
        let mut en_passant = NO_SQUARE;
        let kind = mv.kind() & 7;
        match kind {
            kinds::NORMAL | kinds::DOUBLE_PUSH | kinds::TELEPORT => {
                let cell = s.cell(from);
                let captured = s.cell(to);
                let pawn = cell & 7 == PAWN;
                if captured != 0 || pawn && kind != kinds::TELEPORT {
                    s.halfmove_clock = 0;
                }
                if mv.kind() >> 4 == 0 {
                    s.move_piece(from, to, cell, captured);
                } else {
                    s.replace(from, cell, 0);
                    self.promote(mv);
                }
                self.leave(from, to);
                if kind == kinds::DOUBLE_PUSH {
                    let passed = (from + to) / 2;
                    let s = &self.state;
                    if pawn_attacks(1 << passed, us) & s.pawns() & s.side_pieces(!us) != 0 {
                        en_passant = passed;
                    }
                }
            }
            kinds::EN_PASSANT => {
                s.halfmove_clock = 0;
                s.move_piece(from, to, s.cell(from), s.cell(to));
                let taken = to ^ 8;
                s.replace(taken, s.cell(taken), 0);
            }
            kinds::CASTLE => {
                s.move_piece(from, to, s.cell(from), s.cell(to));
                let home = to & 56;
                let (rook, goal) = if to & 7 == 6 { (home + 7, home + 5) } else { (home, home + 3) };
                s.move_piece(rook, goal, s.cell(rook), s.cell(goal));
                self.leave(from, to);
            }
            kinds::CATAPULT => {
                s.remove_catapult(us, from);
                s.add_catapult(us, to, false);
            }
            kinds::INSTANT => self.go_through(mv),
            _ => {
                let (white, black) =
                    (s.left_to_place(crate::Color::White), s.left_to_place(crate::Color::Black));
                match us {
                    crate::Color::White => s.set_to_place(white.saturating_sub(1), black),
                    crate::Color::Black => s.set_to_place(white, black.saturating_sub(1)),
                }
                s.add_catapult(us, to, true);
            }
        }
        let s = &mut self.state;
        s.set_en_passant(en_passant);
        if self.rules.catapults() {
            let theirs = s.catapults(!us);
            if theirs != 0 && theirs & !s.side_pieces(us) == 0 {
                for square in bits(theirs) {
                    s.remove_catapult(!us, square);
                }
                s.halfmove_clock = 0;
            }
        }
        if us == crate::Color::Black {
            s.fullmove_number = s.fullmove_number.saturating_add(1);
        }
        s.pass_turn();
    }

    /// The pawn that has left for `mv.to()` becomes what the move says.
    fn promote(&mut self, mv: Move) {
        let s = &mut self.state;
        let us = s.side();
        let to = mv.to() & 63;
        let captured = s.cell(to);
        s.halfmove_clock = 0;
        match promotion_of(mv) {
            Some(PromotionTo::Catapult) => {
                s.replace(to, captured, 0);
                s.add_catapult(us, to, true);
            }
            Some(piece) => s.replace(to, captured, (piece as u8 + 1) | (us as u8) << 3),
            None => s.replace(to, captured, 0),
        }
    }

    /// Castling rights after squares have been left or taken.
    #[inline(always)]
    fn leave(&mut self, from: u8, to: u8) {
        let rights = self.state.castling();
        let kept = rights & KEEPS[from as usize] & KEEPS[to as usize];
        if kept != rights {
            self.state.set_castling(kept);
        }
    }

    /// `+instant`: an ordinary move to the middle square, then the teleport.
    fn go_through(&mut self, mv: Move) {
        let s = &mut self.state;
        let (from, mid, to) = (mv.from() & 63, mv.aux() & 63, mv.to() & 63);
        let cell = s.cell(from);
        let on_mid = s.cell(mid);
        let pawn = cell & 7 == PAWN;
        if pawn || on_mid != 0 || s.cell(to) != 0 {
            s.halfmove_clock = 0;
        }
        if pawn && on_mid == 0 && from & 7 != mid & 7 {
            let taken = mid ^ 8;
            s.replace(taken, s.cell(taken), 0);
        }
        s.move_piece(from, mid, cell, on_mid);
        let captured = s.cell(to);
        if mv.kind() >> 4 == 0 {
            s.move_piece(mid, to, cell, captured);
        } else {
            s.replace(mid, cell, 0);
            self.promote(mv);
        }
        self.leave(from, to);
        self.leave(mid, mid);
    }
}
