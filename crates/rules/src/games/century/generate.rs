//! The move generator: checks, pins and the squares a king must avoid are worked out first, so that every move handed on
//! is legal. What takes two pieces off their lines at once (en passant, castling) is looked at afresh.

use super::attacks::Army;
use super::kinds::{CASTLE, DECLARE, DOUBLE_PUSH, EN_PASSANT, NORMAL, PROMOTE};
use super::state::State;
use super::{Century, Square, Squares};
use crate::castling::castling_bit;
use crate::sinks::Sink;
use crate::{Color, Move};

/// Whether a side castles on the king's side, the rook's home and goal and the king's goal as files (rule 5).
pub(super) const CASTLINGS: [(bool, usize, usize, usize); 2] = [(true, 9, 7, 8), (false, 0, 2, 1)];

/// The king's file at home.
pub(super) const KING_FILE: usize = 5;

/// What the generator knows of a position before it makes moves.
struct Scene<'a> {
    state: &'a State,
    us: Color,
    king: Square,
    own: Squares,
    enemy: Squares,
    occupied: Squares,
    /// The enemy's pieces.
    army: Army,
    checkers: Squares,
    /// Our pieces that shield the king from a slider.
    pinned: Squares,
    /// Where a move of another piece than the king ends: anywhere, or where it stops the one check.
    stops: Squares,
}

impl Century {
    /// Hands all legal moves to the sink.
    #[inline(always)]
    pub(super) fn generate<S: Sink<10, 8, 2>>(&self, sink: &mut S) {
        match self.state.side() {
            Color::White => Scene::new(&self.state, Color::White).generate(sink),
            Color::Black => Scene::new(&self.state, Color::Black).generate(sink),
        }
    }
}

impl<'a> Scene<'a> {
    #[inline(always)]
    fn new(state: &'a State, us: Color) -> Scene<'a> {
        let (own, enemy) = (state.side_pieces(us), state.side_pieces(!us));
        let (king, army) = (state.king(us), Army::of(state, !us));
        let mut checkers = army.steppers_to(king);
        let mut pinned = Squares::EMPTY;
        // Sliders that would attack the king if our pieces were away: they give check or pin.
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
        Scene { state, us, king, own, enemy, occupied: own | enemy, army, checkers, pinned, stops }
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

    /// Pieces that are neither kings, pawns nor Jesters.
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

    /// All pawns but for captures in passing: those not pinned together, the others one by one.
    #[inline(always)]
    fn pawns<S: Sink<10, 8, 2>>(&self, sink: &mut S) {
        let pawns = self.state.pawns() & self.own;
        self.pawns_among(pawns.without(self.pinned), self.stops, sink);
        for from in pawns & self.pinned {
            self.pawns_among(Squares::of(from), self.stops & Squares::line(self.king, from), sink);
        }
    }

    /// The moves of some pawns that end on `wanted` squares.
    #[inline(always)]
    fn pawns_among<S: Sink<10, 8, 2>>(&self, pawns: Squares, wanted: Squares, sink: &mut S) {
        let us = self.us;
        // Towards White's eighth rank indices grow.
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
            // Rule 3: from the second rank, so that one step ends on the third.
            let third = Squares::rank_of(us, 2);
            sink.shifted(double, 2 * rank, DECLARE);
            for (reach, shift) in [(push, rank), (west, rank - 1), (east, rank + 1)] {
                sink.shifted((reach & third).without(self.own), shift, DECLARE);
            }
        }
    }

    /// A Jester's moves but for captures in passing (rule 4).
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

    /// Captures in passing: two pieces leave their lines at once, so the king's safety is looked at afresh.
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

    /// Rule 5: out of no check and into none, through any.
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
