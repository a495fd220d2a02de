//! Legal move generator for `+instant`, `+pawns` and captures that bare a king under `+bare`. With
//! `+instant`, a move may pass through a middle square and capture there and at its end.
//!
//! The generator plays each pseudo-legal move of a piece to test it. If several moves lead to the
//! same position, only one of them is generated. The generator prefers an ordinary move, then a
//! teleport, then the instant teleport through the middle square with the lowest index.

use super::ChessPosition;
use super::generate::castling_files;
use super::kinds::{self, PIECES, promoting};
use super::proposals::Proposals;
use super::rules::ChessRules;
use crate::castling::castling_bit;
use crate::sinks::Sink;
use crate::{Color, Move, Square, Squares};

impl<R: ChessRules> ChessPosition<R> {
    /// Generates all legal moves and passes them to the sink. Moves of pieces are tested by playing
    /// them.
    pub(super) fn generate_general<S: Sink<8, 8, 1>>(&self, us: Color, sink: &mut S) {
        let s = &self.state;
        let occupied = s.occupied();
        let own = s.side_pieces(us);
        for from in own & !s.pawns() {
            self.piece_moves(us, from, own, occupied, sink);
        }
        for from in own & s.pawns() {
            self.general_pawn_moves(us, from, own, occupied, sink);
        }
        if self.rules.has(Proposals::PROMOTE) {
            self.promotions_to_catapults(us, occupied, occupied ^ own, sink);
        }
        if !sink.is_done() && self.king_attackers(us).is_empty() {
            self.general_castling(us, sink);
            self.catapult_moves(us, occupied, sink);
        }
    }

    fn try_move<S: Sink<8, 8, 1>>(&self, mv: Move, sink: &mut S) {
        if !sink.is_done() && self.is_safe_after(mv) {
            sink.one(mv);
        }
    }

    fn piece_moves<S: Sink<8, 8, 1>>(
        &self,
        us: Color,
        from: Square,
        own: Squares,
        occupied: Squares,
        sink: &mut S,
    ) {
        let catapults = self.state.catapults(us);
        let ordinary = self.reach_of(from, self.obstacles_with(us, occupied)) & !own;
        let closed = self.closed_to_teleports(own);
        for to in ordinary {
            self.try_move(Move::new(from.byte(), to.byte(), 0, kinds::NORMAL), sink);
        }
        // Squares that the piece reaches without an earlier capture on the way.
        let mut reached = ordinary;
        if !self.teleporting().has(from) {
            return;
        }
        if catapults.has(from) {
            for to in catapults & !closed & !ordinary {
                self.try_move(Move::new(from.byte(), to.byte(), 0, kinds::TELEPORT), sink);
            }
            reached |= catapults & !closed;
        }
        if !self.rules.has(Proposals::INSTANT) {
            return;
        }
        for mid in catapults & ordinary {
            let captures = occupied.has(mid);
            let ends = catapults & !closed & !Squares::of(mid);
            let ends_now = if captures { ends } else { ends & !reached };
            for to in ends_now {
                self.try_move(Move::new(from.byte(), to.byte(), mid.byte(), kinds::INSTANT), sink);
            }
            if !captures {
                reached |= ends;
            }
        }
    }

    fn general_pawn_moves<S: Sink<8, 8, 1>>(
        &self,
        us: Color,
        from: Square,
        own: Squares,
        occupied: Squares,
        sink: &mut S,
    ) {
        let s = &self.state;
        let catapults = s.catapults(us);
        let last = Squares::rank_of(us, 7);
        let bit = Squares::of(from);
        let push = bit.forward(us) & !occupied;
        let double =
            (push & Squares::rank_of(us, 2) & !self.obstacles_with(us, occupied)).forward(us) & !occupied;
        let captures = bit.pawn_attacks(us) & occupied & !own;
        let en_passant = bit.pawn_attacks(us) & s.en_passant().map_or(Squares::EMPTY, Squares::of);
        let simple = push | captures;
        self.pawn_ends(from, 0, simple, kinds::NORMAL, last, sink);
        self.pawn_ends(from, 0, double, kinds::DOUBLE_PUSH, last, sink);
        self.pawn_ends(from, 0, en_passant, kinds::EN_PASSANT, last, sink);
        if !self.rules.has(Proposals::PAWNS) {
            return;
        }
        // A double push that sets an en-passant square leads to a different position than a
        // teleport to the same square.
        let enemy_pawns = s.pawns() & occupied & !own;
        let sets_square = push.pawn_attacks(us).meets(enemy_pawns);
        let mut reached = simple | if sets_square { Squares::EMPTY } else { double };
        let closed = self.closed_to_teleports(own) | Squares::rank_of(us, 0);
        let ends = catapults & !closed;
        if catapults.has(from) {
            self.pawn_ends(from, 0, ends & !reached, kinds::TELEPORT, last, sink);
            reached |= ends;
        }
        if !self.rules.has(Proposals::INSTANT) {
            return;
        }
        for mid in (simple | double | en_passant) & catapults & !last {
            let bit = Squares::of(mid);
            // A pawn captured on the way leaves its square.
            let left = if en_passant.has(mid) { bit.forward(!us) } else { Squares::EMPTY };
            let ends = catapults & !(closed & !left) & !bit;
            // Ends with the same board as a move without a capture before the end.
            let shared = if captures.has(mid) {
                Squares::EMPTY
            } else if en_passant.has(mid) {
                // The end is the square of the captured pawn, so another capture there leads to the
                // same position.
                ends & left
            } else {
                ends
            };
            self.pawn_ends(from, mid.byte(), ends & !(shared & reached), kinds::INSTANT, last, sink);
            reached |= shared;
        }
    }

    /// Generates a pawn's legal moves from `from` to each square of `ends`. On squares of `last`,
    /// these are promotions.
    fn pawn_ends<S: Sink<8, 8, 1>>(
        &self,
        from: Square,
        mid: u8,
        ends: Squares,
        kind: u8,
        last: Squares,
        sink: &mut S,
    ) {
        for to in ends & !last {
            self.try_move(Move::new(from.byte(), to.byte(), mid, kind), sink);
        }
        for to in ends & last {
            for piece in PIECES {
                self.try_move(Move::new(from.byte(), to.byte(), mid, promoting(kind, piece)), sink);
            }
        }
    }

    /// Generates castling moves (rule 12). Instant teleports and teleports of pawns can prevent
    /// castling too. The king must not be in check.
    fn general_castling<S: Sink<8, 8, 1>>(&self, us: Color, sink: &mut S) {
        let s = &self.state;
        let king = s.king(us);
        let enemy = s.side_pieces(!us);
        let teleports_bar = !self.rules.has(Proposals::CASTLE) && !self.rules.has(Proposals::PEACEFUL);
        for kingside in [true, false] {
            if s.castling() & castling_bit(us, kingside) == 0 {
                continue;
            }
            // The castling right implies that king and rook are at home.
            let home = Squares::rank_of(us, 0);
            let (between, crossed, step) = castling_files(kingside);
            let (lane, path) = (home & between, home & crossed);
            let barred = |square| teleports_bar && !self.teleporters_to(!us, square, None).is_empty();
            let attacked = |square| {
                let pawns = Squares::of(square).pawn_attacks(us) & s.pawns();
                (self.steps_onto(square, self.obstacles(!us)) | pawns).meets(enemy)
            };
            if !lane.meets(self.obstacles(us))
                && !lane.into_iter().any(barred)
                && !path.into_iter().any(attacked)
            {
                let to = king.byte().wrapping_add_signed(step);
                self.try_move(Move::new(king.byte(), to, 0, kinds::CASTLE), sink);
            }
        }
    }
}
