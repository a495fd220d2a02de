//! Legal move generator of Twenty-First Century Chess.
//!
//! The generator first computes checks and pins. Therefore it generates only legal moves. Captures
//! en passant and castling empty two squares at once, so the generator tests them separately.

use super::attacks::Army;
use super::kinds::{CASTLE, DECLARE, DOUBLE_PUSH, EN_PASSANT, NORMAL, PROMOTE};
use super::state::State;
use super::{Century, Square, Squares};
use crate::castling::castling_bit;
use crate::sinks::Sink;
use crate::{Color, Move};

/// Castling moves (rule 5): kingside flag, then files of the rook's origin, the rook's destination
/// and the king's destination. Files count from 0.
pub(super) const CASTLINGS: [(bool, usize, usize, usize); 2] = [(true, 9, 7, 8), (false, 0, 2, 1)];

/// The king's file in the start position, from 0.
pub(super) const KING_FILE: usize = 5;

/// Facts about a position that the legal move generator needs for every piece.
struct Generator<'a> {
    state: &'a State,
    us: Color,
    king: Square,
    own: Squares,
    enemy: Squares,
    occupied: Squares,
    /// Squares of the enemy's pieces, grouped by their way of attacking.
    army: Army,
    checkers: Squares,
    /// Squares of own pieces that alone shield the king from an enemy slider.
    pinned: Squares,
    /// Squares where moves of pieces other than the king may end. In check, a move to one of these
    /// squares captures the checking piece or blocks its line. Otherwise all squares are in the
    /// set.
    stops: Squares,
}

impl Century {
    /// Generates all legal moves and passes them to the sink.
    #[inline(always)]
    pub(super) fn generate<S: Sink<10, 8, 2>>(&self, sink: &mut S) {
        match self.state.side() {
            Color::White => Generator::new(&self.state, Color::White).generate(sink),
            Color::Black => Generator::new(&self.state, Color::Black).generate(sink),
        }
    }
}

impl<'a> Generator<'a> {
    #[inline(always)]
    fn new(state: &'a State, us: Color) -> Generator<'a> {
        let (own, enemy) = (state.side_pieces(us), state.side_pieces(!us));
        let (king, army) = (state.king(us), Army::of(state, !us));
        let mut checkers = army.steppers_to(king);
        let mut pinned = Squares::EMPTY;
        // Without own pieces, these sliders would attack the king. Each gives check or pins.
        for sniper in army.sliders_to(king, enemy) {
            let blockers = Squares::between(king, sniper) & own;
            if blockers.is_empty() {
                checkers = checkers.with(sniper);
            } else if !blockers.is_many() {
                pinned |= blockers;
            }
        }
        let stops = match checkers.first() {
            Some(checker) => checkers | Squares::between(king, checker),
            None => Squares::FULL,
        };
        Generator { state, us, king, own, enemy, occupied: own | enemy, army, checkers, pinned, stops }
    }

    #[inline(always)]
    fn generate<S: Sink<10, 8, 2>>(&self, sink: &mut S) {
        self.king_moves(sink);
        if let Some(target) = self.state.en_passant() {
            self.en_passant(target, sink);
        }
        if sink.is_done() || self.checkers.is_many() {
            return;
        }
        self.pieces(sink);
        self.pawns(sink);
        for from in self.state.jesters() & self.own {
            self.jester(from, sink);
        }
        if self.checkers.is_empty() && self.state.castling() != 0 {
            self.castling(sink);
        }
    }

    #[inline(always)]
    fn king_moves<S: Sink<10, 8, 2>>(&self, sink: &mut S) {
        let without_king = self.occupied.without(Squares::of(self.king));
        let mut safe = Squares::king(self.king).without(self.own);
        safe = safe.without(self.army.walkers.pawn_attacks(!self.us));
        for to in safe {
            let near = (Squares::knight(to) & self.army.leapers) | (Squares::king(to) & self.army.king);
            if !near.is_empty() || !self.army.sliders_to(to, without_king).is_empty() {
                safe ^= Squares::of(to);
            }
        }
        sink.targets(self.king, safe, NORMAL);
    }

    /// Generates moves of pieces other than king, pawns and Jesters.
    #[inline(always)]
    fn pieces<S: Sink<10, 8, 2>>(&self, sink: &mut S) {
        let targets = self.stops.without(self.own);
        let free = self.own.without(self.pinned);
        for from in self.state.leapers() & free {
            sink.targets(from, Squares::knight(from) & targets, NORMAL);
        }
        let slide = |sink: &mut S, from, reach: Squares| {
            let line = if self.pinned.has(from) { Squares::line(self.king, from) } else { Squares::FULL };
            sink.targets(from, reach & targets & line, NORMAL);
        };
        for from in self.state.diagonal() & self.own {
            slide(sink, from, Squares::bishop(from, self.occupied));
        }
        for from in self.state.straight() & self.own {
            slide(sink, from, Squares::rook(from, self.occupied));
        }
    }

    /// Generates pawn moves except captures en passant. Pinned pawns are handled one by one, all
    /// other pawns together.
    #[inline(always)]
    fn pawns<S: Sink<10, 8, 2>>(&self, sink: &mut S) {
        let pawns = self.state.pawns() & self.own;
        self.pawns_among(pawns.without(self.pinned), self.stops, sink);
        for from in pawns & self.pinned {
            self.pawns_among(Squares::of(from), self.stops & Squares::line(self.king, from), sink);
        }
    }

    /// Generates the moves of `pawns` that end on squares of `wanted`.
    #[inline(always)]
    fn pawns_among<S: Sink<10, 8, 2>>(&self, pawns: Squares, wanted: Squares, sink: &mut S) {
        let us = self.us;
        // Indices grow towards White's eighth rank.
        let rank: i8 = if us == Color::White { 10 } else { -10 };
        let last = Squares::rank_of(us, 7);
        let push = pawns.forward(us).without(self.occupied);
        let double = (push & Squares::rank_of(us, 2)).forward(us).without(self.occupied) & wanted;
        let push = push & wanted;
        let west = pawns.pawn_west(us) & wanted;
        let east = pawns.pawn_east(us) & wanted;
        sink.shifted(double, 2 * rank, DOUBLE_PUSH);
        for (reach, shift) in [(push, rank), (west & self.enemy, rank - 1), (east & self.enemy, rank + 1)] {
            sink.shifted(reach.without(last), shift, NORMAL);
            sink.shifted(reach & last, shift, PROMOTE);
        }
        if self.state.may_declare(us) {
            // A pawn declares from its second rank, so a single step ends on the third (rule 3).
            let third = Squares::rank_of(us, 2);
            sink.shifted(double, 2 * rank, DECLARE);
            for (reach, shift) in [(push, rank), (west, rank - 1), (east, rank + 1)] {
                sink.shifted((reach & third).without(self.own), shift, DECLARE);
            }
        }
    }

    /// Generates a Jester's moves except captures en passant (rule 4).
    fn jester<S: Sink<10, 8, 2>>(&self, from: Square, sink: &mut S) {
        let here = Squares::of(from);
        let passing = self.state.en_passant().map_or(Squares::EMPTY, Squares::of);
        let push = here.forward(self.us).without(self.occupied);
        let diagonal = here.pawn_attacks(self.us).without(self.own | passing);
        let line = if self.pinned.has(from) { Squares::line(self.king, from) } else { Squares::FULL };
        let reach = (push | diagonal) & self.stops & line;
        let last = Squares::rank_of(self.us, 7);
        sink.targets(from, reach.without(last), NORMAL);
        sink.targets(from, reach & last, PROMOTE);
    }

    /// Generates captures en passant. Such a capture empties two squares at once, so the king's
    /// safety is tested again.
    #[cold]
    fn en_passant<S: Sink<10, 8, 2>>(&self, target: Square, sink: &mut S) {
        let bit = Squares::of(target);
        let taken = bit.forward(!self.us);
        if !self.army.steppers_to(self.king).without(taken).is_empty() {
            return;
        }
        for from in bit.pawn_attacks(!self.us) & self.state.walkers() & self.own {
            let after = self.occupied.without(taken | Squares::of(from)) | bit;
            if self.army.sliders_to(self.king, after).is_empty() {
                sink.targets(from, bit, EN_PASSANT);
            }
        }
    }

    /// Generates castling moves (rule 5). The king must not be in check before or after castling.
    /// It may cross attacked squares.
    fn castling<S: Sink<10, 8, 2>>(&self, sink: &mut S) {
        let rank = self.king.rank();
        for (kingside, rook, rook_goal, goal) in CASTLINGS {
            if self.state.castling() & castling_bit(self.us, kingside) == 0 {
                continue;
            }
            let at = |file| Square::at(file, rank).unwrap_or(self.king);
            if Squares::between(self.king, at(rook)).meets(self.occupied) {
                continue;
            }
            let left = Squares::of(self.king) | Squares::of(at(rook));
            let after = self.occupied.without(left).with(at(rook_goal));
            if self.army.attackers(at(goal), after).is_empty() {
                sink.one(Move::new(self.king.byte(), at(goal).byte(), 0, CASTLE));
            }
        }
    }
}
