//! Playing a decision.

use super::Maxim;
use super::declare::Declaring;
use super::kinds::{DONE, PORTAL, pushed_to};
use super::piece::PAWN;
use super::reach::beside;
use super::state::{NO_SQUARE, State};
use super::zobrist::TO_DECLARE;
use crate::board::attacks8::{pawn_attacks, rank_of};
use crate::{Color, Move};

impl Maxim {
    pub(super) fn apply(&mut self, mv: Move) {
        let s = &mut self.state;
        let us = s.side();
        let square = mv.to() & 63;
        match mv.kind() {
            DONE => {
                s.took = false;
                s.end_turn();
            }
            PORTAL => {
                s.took = false;
                match s.phase() {
                    first @ 0..64 => {
                        s.set_portals(us, 1 << first | 1 << square);
                        s.end_turn();
                    }
                    _ => s.set_phase(square),
                }
            }
            _ => {
                s.carry(mv);
                if Declaring::is_possible(s) {
                    s.set_phase(TO_DECLARE);
                } else {
                    s.end_turn();
                }
            }
        }
    }
}

impl State {
    fn end_turn(&mut self) {
        if self.side() == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.pass_turn();
    }

    /// The move of a piece with all its consequences: capture and push, portal, removal; clock and en-passant square.
    #[inline(always)]
    pub(super) fn carry(&mut self, mv: Move) {
        let us = self.side();
        let code = mv.kind() & 7;
        let (from, to) = (mv.from() & 63, mv.to() & 63);
        let target = 1u64 << to;
        let pawn = code == PAWN;
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.took = false;
        self.remove(us, from, code);
        let occupied = self.occupied();
        let mut end = to;
        if occupied & target == 0 {
            if pawn && to == self.en_passant() && goes_diagonally(from, to) {
                self.remove(!us, to ^ 8, PAWN);
                self.took = true;
            }
            if self.all_portals() & target != 0 {
                end = self.pass_portal(to);
            }
        } else if self.owner(to) != us {
            let later = self.codes(to)[1];
            self.clear(to);
            if later != 0
                && let Some(push) = pushed_to(mv)
            {
                self.add(!us, push, later);
            }
            self.took = true;
        }
        if !pawn || 1 << end & rank_of(us, 7) == 0 {
            self.add(us, end, code);
        } else {
            self.took = true;
        }
        if self.took || pawn {
            self.halfmove_clock = 0;
        }
        let mut en_passant = NO_SQUARE;
        if pawn && from.abs_diff(to) == 16 && end == to {
            let passed = (from + to) / 2;
            if self.takes_in_passing(!us, passed) {
                en_passant = passed;
            }
        }
        if en_passant != self.en_passant() {
            self.set_en_passant(en_passant);
        }
    }

    /// The other end of the pair (rule 9); both vanish.
    fn pass_portal(&mut self, to: u8) -> u8 {
        let side = if self.portals(Color::White) >> to & 1 != 0 { Color::White } else { Color::Black };
        let other = self.portals(side) & !(1 << to);
        self.set_portals(side, 0);
        other.trailing_zeros() as u8 & 63
    }

    /// Whether a side has a pawn that could go to the square in passing: one that is alone (rule 5).
    pub(super) fn takes_in_passing(&self, side: Color, square: u8) -> bool {
        let alone = self.layer(0, PAWN) & self.held(side) & !self.stacks();
        pawn_attacks(1 << square, !side) & alone != 0
    }

    /// Where the later occupant of a side's stack may be pushed, the capturer having left `from` (rule 4).
    #[inline(always)]
    pub(super) fn pushes(&self, side: Color, square: u8, from: u8) -> u64 {
        let left = if self.stacks() >> from & 1 == 0 { 1 << from } else { 0 };
        let barred = if self.codes(square)[1] == PAWN { rank_of(side, 7) } else { 0 };
        beside(1 << square) & (!self.occupied() | left) & !self.all_portals() & !barred
    }
}

fn goes_diagonally(from: u8, to: u8) -> bool {
    from & 7 != to & 7 && from >> 3 != to >> 3
}
