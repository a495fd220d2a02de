//! The move generator: one walk over a position's legal moves, several consumers.
//!
//! Checks, pins and the squares a king must avoid are worked out first, so that every move handed on is legal.
//! Teleports need little more: a piece that teleports goes nowhere an enemy teleport could be blocked, so an enemy
//! teleport never pins, and a check by teleport is met only by taking the piece that gives it or by moving the king.
//! (`+instant` and `+pawns` break this; see [`super::general`].)

use super::attacks::guarded_by_teleport;
use super::kinds::{self, promoting};
use super::piece::PromotionTo;
use super::rules::ChessRules;
use super::state::NO_SQUARE;
use super::{ChessPosition, bits};
use crate::board::attacks8::{
    self as attacks, between, forward, line, pawn_attacks, pawn_east, pawn_west, rank_of,
};
use crate::castling::castling_bit;
use crate::sinks::Sink;
use crate::{Color, Move};

/// What the generator knows of a position before it makes moves.
struct Scene {
    us: Color,
    /// Where our king stands.
    king: u8,
    occupied: u64,
    own: u64,
    /// Our pieces that shield the king from a slider.
    pinned: u64,
    /// Catapults of the enemy that a teleport of its could reach (rule 10).
    guarded: u64,
    /// Where a move of another piece than the king ends: anywhere, or where it stops the one check.
    stops: u64,
    enemy: u64,
    enemy_pawns: u64,
    enemy_knights: u64,
    enemy_diagonal: u64,
    enemy_straight: u64,
    enemy_king: u64,
}

impl Scene {
    /// Whether an enemy slider attacks the square on a board with these occupied squares.
    #[inline(always)]
    fn slides_to(&self, square: u8, occupied: u64) -> bool {
        attacks::bishop(square, occupied) & self.enemy_diagonal != 0
            || attacks::rook(square, occupied) & self.enemy_straight != 0
    }

    /// Squares that enemy pawns, knights, king and teleports attack.
    #[inline(always)]
    fn stepped_on(&self) -> u64 {
        self.guarded
            | pawn_attacks(self.enemy_pawns, !self.us)
            | attacks::knight_leaps(self.enemy_knights)
            | attacks::neighbours(self.enemy_king)
    }
}

impl<R: ChessRules> ChessPosition<R> {
    /// Hands all legal moves to the sink.
    #[inline(always)]
    pub(super) fn generate<S: Sink<u64>>(&self, sink: &mut S) {
        match self.state.side() {
            Color::White => self.generate_for(Color::White, sink),
            Color::Black => self.generate_for(Color::Black, sink),
        }
    }

    #[inline(always)]
    fn generate_for<S: Sink<u64>>(&self, us: Color, sink: &mut S) {
        let s = &self.state;
        if self.rules.free() && s.placing() {
            return self.generate_placements(us, sink);
        }
        if self.rules.instant() || self.rules.pawns() {
            return self.generate_general(us, sink);
        }
        let occupied = s.occupied();
        let own = s.side_pieces(us);
        let enemy = occupied ^ own;
        let king_bit = s.kings() & own;
        let king = king_bit.trailing_zeros() as u8 & 63;
        let their_catapults = s.catapults(!us);
        let teleporters = their_catapults & enemy & !s.pawns();
        let mut scene = Scene {
            us,
            king,
            occupied,
            own,
            pinned: 0,
            guarded: guarded_by_teleport(their_catapults, teleporters),
            stops: !0,
            enemy,
            enemy_pawns: s.pawns() & enemy,
            enemy_knights: s.knights() & enemy,
            enemy_diagonal: s.diagonal() & enemy,
            enemy_straight: s.straight() & enemy,
            enemy_king: s.kings() & enemy,
        };

        let mut checkers =
            pawn_attacks(king_bit, us) & scene.enemy_pawns | attacks::knight(king) & scene.enemy_knights;
        // Sliders that would attack the king if our pieces were away: they give check or pin.
        let snipers = attacks::bishop(king, enemy) & scene.enemy_diagonal
            | attacks::rook(king, enemy) & scene.enemy_straight;
        for sniper in bits(snipers) {
            let blockers = between(king, sniper) & own;
            if blockers == 0 {
                checkers |= 1 << sniper;
            } else if blockers & (blockers - 1) == 0 {
                scene.pinned |= blockers;
            }
        }
        let check_by_teleport = their_catapults & king_bit != 0 && teleporters != 0;
        if check_by_teleport {
            checkers |= teleporters;
        }

        self.king_moves(&scene, sink);
        if self.rules.promote() {
            self.promotions_to_catapults(us, occupied, enemy, sink);
        }
        if sink.is_done() || checkers & checkers.wrapping_sub(1) != 0 {
            return;
        }
        if checkers != 0 {
            scene.stops = checkers;
            if !check_by_teleport {
                scene.stops |= between(king, checkers.trailing_zeros() as u8);
            }
        }
        self.pawn_moves(&scene, sink);
        let targets = scene.stops & !own;
        let free = own & !scene.pinned;
        for from in bits(s.knights() & free) {
            sink.targets(from, attacks::knight(from) & targets, kinds::NORMAL);
        }
        for from in bits(s.diagonal() & free) {
            sink.targets(from, attacks::bishop(from, occupied) & targets, kinds::NORMAL);
        }
        for from in bits(s.straight() & free) {
            sink.targets(from, attacks::rook(from, occupied) & targets, kinds::NORMAL);
        }
        // A pinned piece can stop no other slider's check, but take the piece that pins it and checks by teleport.
        if checkers == 0 || check_by_teleport {
            for from in bits(s.diagonal() & scene.pinned) {
                let reach = attacks::bishop(from, occupied) & targets & line(king, from);
                sink.targets(from, reach, kinds::NORMAL);
            }
            for from in bits(s.straight() & scene.pinned) {
                let reach = attacks::rook(from, occupied) & targets & line(king, from);
                sink.targets(from, reach, kinds::NORMAL);
            }
        }
        let rights = castling_bit(us, true) | castling_bit(us, false);
        if checkers == 0 && s.castling() & rights != 0 {
            self.castling_moves(&scene, sink);
        }
        if self.rules.catapults() {
            self.teleports(&scene, sink);
            if checkers == 0 {
                self.catapult_moves(us, occupied, sink);
            }
        }
    }

    #[inline(always)]
    fn king_moves<S: Sink<u64>>(&self, scene: &Scene, sink: &mut S) {
        let (us, king, own) = (scene.us, scene.king, scene.own);
        let steps = attacks::king(king) & !own;
        let catapults = self.state.catapults(us);
        let teleports = if catapults >> king & 1 != 0 { catapults & !own & !steps } else { 0 };
        let candidates = steps | teleports;
        if candidates == 0 {
            return;
        }
        let without_king = scene.occupied & !(1 << king);
        let mut safe = candidates & !scene.stepped_on();
        for to in bits(safe) {
            if scene.slides_to(to, without_king) {
                safe &= !(1 << to);
            }
        }
        sink.targets(king, safe & steps, kinds::NORMAL);
        if self.rules.catapults() {
            sink.targets(king, safe & teleports, kinds::TELEPORT);
        }
    }

    #[inline(always)]
    fn pawn_moves<S: Sink<u64>>(&self, scene: &Scene, sink: &mut S) {
        let &Scene { us, king, occupied, pinned, stops, enemy, .. } = scene;
        let pawns = self.state.pawns() & scene.own;
        let last = rank_of(us, 7);
        let third = rank_of(us, 2);
        // Towards White's eighth rank indices grow.
        let sign: i8 = if us == Color::White { 1 } else { -1 };

        let free = pawns & !pinned;
        let push = forward(free, us) & !occupied;
        let double = forward(push & third, us) & !occupied & stops;
        let push = push & stops;
        let west = pawn_west(free, us) & enemy & stops;
        let east = pawn_east(free, us) & enemy & stops;
        sink.shifted(push & !last, 8 * sign, kinds::NORMAL);
        sink.shifted(double, 16 * sign, kinds::DOUBLE_PUSH);
        sink.shifted(west & !last, 8 * sign - 1, kinds::NORMAL);
        sink.shifted(east & !last, 8 * sign + 1, kinds::NORMAL);
        if (push | west | east) & last != 0 {
            sink.promotions(push & last, 8 * sign, &kinds::PROMOTIONS);
            sink.promotions(west & last, 8 * sign - 1, &kinds::PROMOTIONS);
            sink.promotions(east & last, 8 * sign + 1, &kinds::PROMOTIONS);
        }
        for from in bits(pawns & pinned) {
            let bit = 1u64 << from;
            let ray = line(king, from) & stops;
            let push = forward(bit, us) & !occupied;
            let double = forward(push & third, us) & !occupied & ray;
            let reach = (push | pawn_attacks(bit, us) & enemy) & ray;
            sink.targets(from, reach & !last, kinds::NORMAL);
            sink.targets(from, double, kinds::DOUBLE_PUSH);
            for to in bits(reach & last) {
                sink.promotions(1 << to, to as i8 - from as i8, &kinds::PROMOTIONS);
            }
        }
        let target = self.state.en_passant();
        if target != NO_SQUARE {
            self.en_passant_moves(scene, target, sink);
        }
    }

    /// Two pawns leave their lines at once: the king's safety is looked at afresh.
    #[cold]
    fn en_passant_moves<S: Sink<u64>>(&self, scene: &Scene, target: u8, sink: &mut S) {
        let &Scene { us, king, occupied, .. } = scene;
        let bit = 1u64 << target;
        let taken = forward(bit, !us);
        let king_bit = 1u64 << king;
        // A check by knight, other pawn or teleport is not met by taking this pawn.
        let stays = attacks::knight(king) & scene.enemy_knights != 0
            || pawn_attacks(king_bit, us) & scene.enemy_pawns & !taken != 0
            || scene.guarded & king_bit != 0;
        if stays {
            return;
        }
        for from in bits(pawn_attacks(bit, !us) & self.state.pawns() & scene.own) {
            let after = occupied & !taken & !(1 << from) | bit;
            if !scene.slides_to(king, after) {
                sink.targets(from, bit, kinds::EN_PASSANT);
            }
        }
    }

    #[inline(always)]
    fn castling_moves<S: Sink<u64>>(&self, scene: &Scene, sink: &mut S) {
        let &Scene { us, king, occupied, guarded, .. } = scene;
        let home = rank_of(us, 0);
        for kingside in [true, false] {
            if self.state.castling() & castling_bit(us, kingside) == 0 {
                continue;
            }
            // Files f and g, or b, c and d lie between; the king crosses f and g, or d and c.
            let lane = home & if kingside { 0x6060_6060_6060_6060 } else { 0x0e0e_0e0e_0e0e_0e0e };
            let path = home & if kingside { 0x6060_6060_6060_6060 } else { 0x0c0c_0c0c_0c0c_0c0c };
            if lane & (occupied | guarded) != 0 {
                continue;
            }
            let slid_to = |square| scene.slides_to(square, occupied);
            if path & scene.stepped_on() == 0 && !bits(path).any(slid_to) {
                let to = if kingside { king.wrapping_add(2) } else { king.wrapping_sub(2) };
                sink.one(Move::new(king, to, 0, kinds::CASTLE));
            }
        }
    }

    /// Teleports of pieces other than the king (rule 8), without those that an ordinary move makes as well.
    #[inline(always)]
    fn teleports<S: Sink<u64>>(&self, scene: &Scene, sink: &mut S) {
        let &Scene { us, king, occupied, own, pinned, .. } = scene;
        let s = &self.state;
        let catapults = s.catapults(us);
        let open = catapults & scene.stops & !own;
        if open == 0 {
            return;
        }
        for from in bits(catapults & own & !s.pawns() & !s.kings()) {
            let mut reach = open & !self.reach_of(from, occupied);
            if pinned >> from & 1 != 0 {
                for to in bits(reach) {
                    let after = occupied & !(1 << from) | 1 << to;
                    let taken = 1 << to;
                    let sliders = attacks::bishop(king, after) & scene.enemy_diagonal
                        | attacks::rook(king, after) & scene.enemy_straight;
                    if sliders & !taken != 0 {
                        reach &= !taken;
                    }
                }
            }
            sink.targets(from, reach, kinds::TELEPORT);
        }
    }

    /// Catapults that move by themselves (rules 1 to 5): only ever looked at when not in check.
    #[inline(always)]
    pub(super) fn catapult_moves<S: Sink<u64>>(&self, us: Color, occupied: u64, sink: &mut S) {
        let s = &self.state;
        let taken = occupied | s.catapults(us) | s.catapults(!us);
        for from in bits(s.catapults(us) & !occupied) {
            let steps = if s.fresh() >> from & 1 != 0 { attacks::near(from) } else { attacks::king(from) };
            sink.targets(from, steps & !taken, kinds::CATAPULT);
        }
    }

    /// `+free`: placements before the first move.
    pub(super) fn generate_placements<S: Sink<u64>>(&self, us: Color, sink: &mut S) {
        if self.state.left_to_place(us) > 0 {
            for square in bits(rank_of(us, 0) & !self.state.catapults(us)) {
                sink.one(Move::new(square, square, 0, kinds::PLACE));
            }
        }
    }

    /// `+promote`: the pawn leaves the board, which may open a line through its destination; so each is tried.
    pub(super) fn promotions_to_catapults<S: Sink<u64>>(
        &self,
        us: Color,
        occupied: u64,
        enemy: u64,
        sink: &mut S,
    ) {
        let s = &self.state;
        if s.catapults(us).count_ones() >= self.rules.catapults_per_side() as u32 {
            return;
        }
        let open = rank_of(us, 7) & !s.catapults(us) & !s.catapults(!us);
        for from in bits(s.pawns() & (occupied ^ enemy) & rank_of(us, 6)) {
            let bit = 1u64 << from;
            let reach = (forward(bit, us) & !occupied | pawn_attacks(bit, us) & enemy) & open;
            for to in bits(reach) {
                let mv = Move::new(from, to, 0, promoting(kinds::NORMAL, PromotionTo::Catapult));
                if self.is_safe_after(mv) {
                    sink.one(mv);
                }
            }
        }
    }

    /// Whether the mover's king can't be captured after the move.
    pub(super) fn is_safe_after(&self, mv: Move) -> bool {
        let mut after = *self;
        after.apply(mv);
        after.king_attackers(self.state.side()) == 0
    }
}
