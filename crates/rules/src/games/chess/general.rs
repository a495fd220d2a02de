//! The generator for `+instant` and `+pawns`, where a move may pass through two squares, capture on both, and end
//! anywhere: pseudo-legal moves, each tried. Of several ways to one position only the first is made: ordinary move,
//! teleport, instant teleport through the lowest middle square.

use super::kinds::{self, PIECES, promoting};
use super::rules::ChessRules;
use super::state::NO_SQUARE;
use super::{ChessPosition, bits};
use crate::board::attacks8::{forward, pawn_attacks, rank_of};
use crate::castling::castling_bit;
use crate::sinks::Sink;
use crate::{Color, Move};

/// Where a pawn may go by an ordinary move.
struct PawnReach {
    push: u64,
    double: u64,
    captures: u64,
    en_passant: u64,
}

impl<R: ChessRules> ChessPosition<R> {
    /// Hands all legal moves to the sink, each one tried.
    pub(super) fn generate_general<S: Sink<u64>>(&self, us: Color, sink: &mut S) {
        let s = &self.state;
        let occupied = s.occupied();
        let own = s.side_pieces(us);
        for from in bits(own & !s.pawns()) {
            self.piece_moves(us, from, own, occupied, sink);
        }
        for from in bits(own & s.pawns()) {
            self.general_pawn_moves(us, from, own, occupied, sink);
        }
        if self.rules.promote() {
            self.promotions_to_catapults(us, occupied, occupied ^ own, sink);
        }
        if !sink.is_done() && self.king_attackers(us) == 0 {
            self.general_castling(us, occupied, sink);
            self.catapult_moves(us, occupied, sink);
        }
    }

    fn try_move<S: Sink<u64>>(&self, mv: Move, sink: &mut S) {
        if !sink.is_done() && self.is_safe_after(mv) {
            sink.one(mv);
        }
    }

    fn piece_moves<S: Sink<u64>>(&self, us: Color, from: u8, own: u64, occupied: u64, sink: &mut S) {
        let catapults = self.state.catapults(us);
        let ordinary = self.reach_of(from, occupied) & !own;
        for to in bits(ordinary) {
            self.try_move(Move::new(from, to, 0, kinds::NORMAL), sink);
        }
        // Where the piece can get to without a capture on the way.
        let mut reached = ordinary;
        if catapults >> from & 1 != 0 {
            for to in bits(catapults & !own & !ordinary) {
                self.try_move(Move::new(from, to, 0, kinds::TELEPORT), sink);
            }
            reached |= catapults & !own;
        }
        if !self.rules.instant() {
            return;
        }
        for mid in bits(catapults & ordinary) {
            let captures = occupied >> mid & 1 != 0;
            let ends = catapults & !own & !(1 << mid);
            for to in bits(if captures { ends } else { ends & !reached }) {
                self.try_move(Move::new(from, to, mid, kinds::INSTANT), sink);
            }
            if !captures {
                reached |= ends;
            }
        }
    }

    fn pawn_reach(&self, us: Color, from: u8, own: u64, occupied: u64) -> PawnReach {
        let bit = 1u64 << from;
        let push = forward(bit, us) & !occupied;
        let target = self.state.en_passant();
        let passing = if target == NO_SQUARE { 0 } else { 1 << target };
        PawnReach {
            push,
            double: forward(push & rank_of(us, 2), us) & !occupied,
            captures: pawn_attacks(bit, us) & occupied & !own,
            en_passant: pawn_attacks(bit, us) & passing,
        }
    }

    fn general_pawn_moves<S: Sink<u64>>(&self, us: Color, from: u8, own: u64, occupied: u64, sink: &mut S) {
        let s = &self.state;
        let catapults = s.catapults(us);
        let last = rank_of(us, 7);
        let reach = self.pawn_reach(us, from, own, occupied);
        let simple = reach.push | reach.captures;
        self.pawn_ends(from, 0, simple, kinds::NORMAL, last, sink);
        self.pawn_ends(from, 0, reach.double, kinds::DOUBLE_PUSH, last, sink);
        self.pawn_ends(from, 0, reach.en_passant, kinds::EN_PASSANT, last, sink);
        if !self.rules.pawns() {
            return;
        }
        // A double push that sets an en-passant square is another position than a teleport to the same square.
        let enemy_pawns = s.pawns() & occupied & !own;
        let sets_square = pawn_attacks(reach.push, us) & enemy_pawns != 0;
        let mut reached = simple | if sets_square { 0 } else { reach.double };
        let ends = catapults & !own & !rank_of(us, 0);
        if catapults >> from & 1 != 0 {
            self.pawn_ends(from, 0, ends & !reached, kinds::TELEPORT, last, sink);
            reached |= ends;
        }
        if !self.rules.instant() {
            return;
        }
        for mid in bits((simple | reach.double | reach.en_passant) & catapults & !last) {
            let bit = 1u64 << mid;
            let ends = ends & !bit;
            // Ends that leave the same board as a way that captures nothing before the end.
            let shared = if reach.captures & bit != 0 {
                0
            } else if reach.en_passant & bit != 0 {
                // Onto the very square of the pawn taken in passing: as if it were taken there.
                ends & forward(bit, !us)
            } else {
                ends
            };
            self.pawn_ends(from, mid, ends & !(shared & reached), kinds::INSTANT, last, sink);
            reached |= shared;
        }
    }

    /// A pawn's moves to each end, promotions where it is on the last rank.
    fn pawn_ends<S: Sink<u64>>(&self, from: u8, mid: u8, ends: u64, kind: u8, last: u64, sink: &mut S) {
        for to in bits(ends & !last) {
            self.try_move(Move::new(from, to, mid, kind), sink);
        }
        for to in bits(ends & last) {
            for piece in PIECES {
                self.try_move(Move::new(from, to, mid, promoting(kind, piece)), sink);
            }
        }
    }

    /// Castling out of no check: rule 12 with all the ways an enemy could teleport.
    fn general_castling<S: Sink<u64>>(&self, us: Color, occupied: u64, sink: &mut S) {
        let s = &self.state;
        let home = rank_of(us, 0);
        let king = home & 0x1010_1010_1010_1010;
        let enemy = s.side_pieces(!us);
        for kingside in [true, false] {
            if s.castling() & castling_bit(us, kingside) == 0 {
                continue;
            }
            let lane = if kingside { king << 1 | king << 2 } else { king >> 1 | king >> 2 | king >> 3 };
            let path = if kingside { lane } else { king >> 1 | king >> 2 };
            let barred = |square| self.teleporters_to(!us, square, NO_SQUARE) != 0;
            let attacked = |square| {
                let pawns = pawn_attacks(1u64 << square, us) & s.pawns();
                (self.steps_onto(square, occupied) | pawns) & enemy != 0
            };
            if lane & occupied == 0 && !bits(lane).any(barred) && !bits(path).any(attacked) {
                let from = king.trailing_zeros() as u8;
                let to = if kingside { from.wrapping_add(2) } else { from.wrapping_sub(2) };
                self.try_move(Move::new(from, to, 0, kinds::CASTLE), sink);
            }
        }
    }
}
