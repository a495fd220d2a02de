//! The move generator: one walk over a position's legal moves, several consumers.
//!
//! Checks, pins and the squares a king must avoid are worked out first, so that every move handed on is legal.
//! Teleports need little more: a piece that teleports goes nowhere an enemy teleport could be blocked, so an enemy
//! teleport never pins, and a check by teleport is met only by taking the piece that gives it or by moving the king.
//! (`+instant` and `+pawns` break this; see [`super::general`].)

use super::ChessPosition;
use super::attacks::guarded_by_teleport;
use super::kinds::{self, promoting};
use super::piece::PromotionTo;
use super::proposals::Proposals;
use super::rules::ChessRules;
use crate::board::PerSquare;
use crate::castling::castling_bit;
use crate::sinks::Sink;
use crate::{Color, Move, Square, Squares};

/// The files between king and rook, and those of them that the king crosses on the queen's side.
pub(super) const F_TO_G: Squares = Squares::file(5).or(Squares::file(6));
pub(super) const B_TO_D: Squares = Squares::file(1).or(C_TO_D);
pub(super) const C_TO_D: Squares = Squares::file(2).or(Squares::file(3));

/// A catapult's first move (rule 2): within two files and two ranks.
static FIRST_STEPS: PerSquare<Squares, 8, 8> = {
    let mut offsets = [(0, 0); 24];
    let mut i = 0;
    while i < 24 {
        // The square itself, the thirteenth of the 25, is passed over.
        let place = i as i32 + (i >= 12) as i32;
        offsets[i] = (place % 5 - 2, place / 5 - 2);
        i += 1;
    }
    Squares::leaps(&offsets)
};

/// What the generator knows of a position before it makes moves.
struct Scene {
    us: Color,
    /// Where our king stands.
    king: Square,
    occupied: Squares,
    own: Squares,
    /// Our pieces that shield the king from a slider.
    pinned: Squares,
    /// Catapults of the enemy that a teleport of its could reach (rule 10).
    guarded: Squares,
    /// Where a move of another piece than the king ends: anywhere, or where it stops the one check.
    stops: Squares,
    enemy: Squares,
    enemy_pawns: Squares,
    enemy_knights: Squares,
    enemy_diagonal: Squares,
    enemy_straight: Squares,
    enemy_king: Squares,
}

impl Scene {
    /// Whether an enemy slider attacks the square on a board with these occupied squares.
    #[inline(always)]
    fn slides_to(&self, square: Square, occupied: Squares) -> bool {
        Squares::bishop(square, occupied).meets(self.enemy_diagonal)
            || Squares::rook(square, occupied).meets(self.enemy_straight)
    }

    /// Squares that enemy pawns, knights, king and teleports attack.
    #[inline(always)]
    fn stepped_on(&self) -> Squares {
        self.guarded
            | self.enemy_pawns.pawn_attacks(!self.us)
            | self.enemy_knights.knights()
            | self.enemy_king.kings()
    }
}

impl<R: ChessRules> ChessPosition<R> {
    /// Hands all legal moves to the sink.
    #[inline(always)]
    pub(super) fn generate<S: Sink<8, 8, 1>>(&self, sink: &mut S) {
        match self.state.side() {
            Color::White => self.generate_for(Color::White, sink),
            Color::Black => self.generate_for(Color::Black, sink),
        }
    }

    #[inline(always)]
    fn generate_for<S: Sink<8, 8, 1>>(&self, us: Color, sink: &mut S) {
        let s = &self.state;
        if self.rules.has(Proposals::FREE) && s.placing() {
            return self.generate_placements(us, sink);
        }
        if self.rules.has(Proposals::INSTANT) || self.rules.has(Proposals::PAWNS) {
            return self.generate_general(us, sink);
        }
        let occupied = s.occupied();
        let own = s.side_pieces(us);
        let enemy = occupied ^ own;
        let king_bit = s.kings() & own;
        let king = king_bit.first().unwrap_or(Square::of(0));
        let their_catapults = s.catapults(!us);
        let teleporters = their_catapults & enemy & !s.pawns();
        let mut scene = Scene {
            us,
            king,
            occupied,
            own,
            pinned: Squares::EMPTY,
            guarded: guarded_by_teleport(their_catapults, teleporters),
            stops: Squares::FULL,
            enemy,
            enemy_pawns: s.pawns() & enemy,
            enemy_knights: s.knights() & enemy,
            enemy_diagonal: s.diagonal() & enemy,
            enemy_straight: s.straight() & enemy,
            enemy_king: s.kings() & enemy,
        };

        let mut checkers =
            king_bit.pawn_attacks(us) & scene.enemy_pawns | Squares::knight(king) & scene.enemy_knights;
        // Sliders that would attack the king if our pieces were away: they give check or pin.
        let snipers = Squares::bishop(king, enemy) & scene.enemy_diagonal
            | Squares::rook(king, enemy) & scene.enemy_straight;
        for sniper in snipers {
            let blockers = Squares::between(king, sniper) & own;
            if blockers.is_empty() {
                checkers |= Squares::of(sniper);
            } else if !blockers.is_many() {
                scene.pinned |= blockers;
            }
        }
        let check_by_teleport = their_catapults.meets(king_bit) && !teleporters.is_empty();
        if check_by_teleport {
            checkers |= teleporters;
        }

        self.king_moves(&scene, sink);
        if self.rules.has(Proposals::PROMOTE) {
            self.promotions_to_catapults(us, occupied, enemy, sink);
        }
        if sink.is_done() || checkers.is_many() {
            return;
        }
        if let Some(checker) = checkers.first() {
            scene.stops = checkers;
            if !check_by_teleport {
                scene.stops |= Squares::between(king, checker);
            }
        }
        self.pawn_moves(&scene, sink);
        let targets = scene.stops & !own;
        let free = own & !scene.pinned;
        for from in s.knights() & free {
            sink.targets(from, Squares::knight(from) & targets, kinds::NORMAL);
        }
        for from in s.diagonal() & free {
            sink.targets(from, Squares::bishop(from, occupied) & targets, kinds::NORMAL);
        }
        for from in s.straight() & free {
            sink.targets(from, Squares::rook(from, occupied) & targets, kinds::NORMAL);
        }
        // A pinned piece can stop no other slider's check, but take the piece that pins it and checks by teleport.
        if checkers.is_empty() || check_by_teleport {
            for from in s.diagonal() & scene.pinned {
                let reach = Squares::bishop(from, occupied) & targets & Squares::line(king, from);
                sink.targets(from, reach, kinds::NORMAL);
            }
            for from in s.straight() & scene.pinned {
                let reach = Squares::rook(from, occupied) & targets & Squares::line(king, from);
                sink.targets(from, reach, kinds::NORMAL);
            }
        }
        let rights = castling_bit(us, true) | castling_bit(us, false);
        if checkers.is_empty() && s.castling() & rights != 0 {
            self.castling_moves(&scene, sink);
        }
        if self.rules.catapults() {
            self.teleports(&scene, sink);
            if checkers.is_empty() {
                self.catapult_moves(us, occupied, sink);
            }
        }
    }

    #[inline(always)]
    fn king_moves<S: Sink<8, 8, 1>>(&self, scene: &Scene, sink: &mut S) {
        let (us, king, own) = (scene.us, scene.king, scene.own);
        let steps = Squares::king(king) & !own;
        let catapults = self.state.catapults(us);
        let teleports = if catapults.has(king) { catapults & !own & !steps } else { Squares::EMPTY };
        let candidates = steps | teleports;
        if candidates.is_empty() {
            return;
        }
        let without_king = scene.occupied & !Squares::of(king);
        let mut safe = candidates & !scene.stepped_on();
        for to in safe {
            if scene.slides_to(to, without_king) {
                safe &= !Squares::of(to);
            }
        }
        sink.targets(king, safe & steps, kinds::NORMAL);
        if self.rules.catapults() {
            sink.targets(king, safe & teleports, kinds::TELEPORT);
        }
    }

    #[inline(always)]
    fn pawn_moves<S: Sink<8, 8, 1>>(&self, scene: &Scene, sink: &mut S) {
        let &Scene { us, king, occupied, pinned, stops, enemy, .. } = scene;
        let pawns = self.state.pawns() & scene.own;
        let last = Squares::rank_of(us, 7);
        let third = Squares::rank_of(us, 2);
        // Towards White's eighth rank indices grow.
        let sign: i8 = if us == Color::White { 1 } else { -1 };

        let free = pawns & !pinned;
        let push = free.forward(us) & !occupied;
        let double = (push & third).forward(us) & !occupied & stops;
        let push = push & stops;
        let west = free.pawn_west(us) & enemy & stops;
        let east = free.pawn_east(us) & enemy & stops;
        sink.shifted(push & !last, 8 * sign, kinds::NORMAL);
        sink.shifted(double, 16 * sign, kinds::DOUBLE_PUSH);
        sink.shifted(west & !last, 8 * sign - 1, kinds::NORMAL);
        sink.shifted(east & !last, 8 * sign + 1, kinds::NORMAL);
        if (push | west | east).meets(last) {
            sink.promotions(push & last, 8 * sign, &kinds::PROMOTIONS);
            sink.promotions(west & last, 8 * sign - 1, &kinds::PROMOTIONS);
            sink.promotions(east & last, 8 * sign + 1, &kinds::PROMOTIONS);
        }
        for from in pawns & pinned {
            let bit = Squares::of(from);
            let ray = Squares::line(king, from) & stops;
            let push = bit.forward(us) & !occupied;
            let double = (push & third).forward(us) & !occupied & ray;
            let reach = (push | bit.pawn_attacks(us) & enemy) & ray;
            sink.targets(from, reach & !last, kinds::NORMAL);
            sink.targets(from, double, kinds::DOUBLE_PUSH);
            for to in reach & last {
                sink.promotions(Squares::of(to), to.byte() as i8 - from.byte() as i8, &kinds::PROMOTIONS);
            }
        }
        if let Some(target) = self.state.en_passant() {
            self.en_passant_moves(scene, target, sink);
        }
    }

    /// Two pawns leave their lines at once: the king's safety is looked at afresh.
    #[cold]
    fn en_passant_moves<S: Sink<8, 8, 1>>(&self, scene: &Scene, target: Square, sink: &mut S) {
        let &Scene { us, king, occupied, .. } = scene;
        let bit = Squares::of(target);
        let taken = bit.forward(!us);
        let king_bit = Squares::of(king);
        // A check by knight, other pawn or teleport is not met by taking this pawn.
        let stays = Squares::knight(king).meets(scene.enemy_knights)
            || king_bit.pawn_attacks(us).meets(scene.enemy_pawns & !taken)
            || scene.guarded.has(king);
        if stays {
            return;
        }
        for from in bit.pawn_attacks(!us) & self.state.pawns() & scene.own {
            let after = occupied & !taken & !Squares::of(from) | bit;
            if !scene.slides_to(king, after) {
                sink.targets(from, bit, kinds::EN_PASSANT);
            }
        }
    }

    #[inline(always)]
    fn castling_moves<S: Sink<8, 8, 1>>(&self, scene: &Scene, sink: &mut S) {
        let &Scene { us, king, occupied, guarded, .. } = scene;
        let home = Squares::rank_of(us, 0);
        let stepped_on = scene.stepped_on();
        for kingside in [true, false] {
            if self.state.castling() & castling_bit(us, kingside) == 0 {
                continue;
            }
            // Files f and g, or b, c and d lie between; the king crosses f and g, or d and c.
            let lane = home & if kingside { F_TO_G } else { B_TO_D };
            let path = home & if kingside { F_TO_G } else { C_TO_D };
            if lane.meets(occupied | guarded) {
                continue;
            }
            let slid_to = |square| scene.slides_to(square, occupied);
            if !path.meets(stepped_on) && !path.into_iter().any(slid_to) {
                let to = if kingside { king.byte().wrapping_add(2) } else { king.byte().wrapping_sub(2) };
                sink.one(Move::new(king.byte(), to, 0, kinds::CASTLE));
            }
        }
    }

    /// Teleports of pieces other than the king (rule 8), without those that an ordinary move makes as well.
    #[inline(always)]
    fn teleports<S: Sink<8, 8, 1>>(&self, scene: &Scene, sink: &mut S) {
        let &Scene { us, king, occupied, own, pinned, .. } = scene;
        let s = &self.state;
        let catapults = s.catapults(us);
        let open = catapults & scene.stops & !own;
        if open.is_empty() {
            return;
        }
        for from in catapults & own & !s.pawns() & !s.kings() {
            let mut reach = open & !self.reach_of(from, occupied);
            if pinned.has(from) {
                for to in reach {
                    let after = occupied & !Squares::of(from) | Squares::of(to);
                    let taken = Squares::of(to);
                    let sliders = Squares::bishop(king, after) & scene.enemy_diagonal
                        | Squares::rook(king, after) & scene.enemy_straight;
                    if sliders.meets(!taken) {
                        reach &= !taken;
                    }
                }
            }
            sink.targets(from, reach, kinds::TELEPORT);
        }
    }

    /// Catapults that move by themselves (rules 1 to 5): only ever looked at when not in check.
    #[inline(always)]
    pub(super) fn catapult_moves<S: Sink<8, 8, 1>>(&self, us: Color, occupied: Squares, sink: &mut S) {
        let s = &self.state;
        let taken = occupied | s.catapults(us) | s.catapults(!us);
        for from in s.catapults(us) & !occupied {
            let steps = if s.fresh().has(from) { FIRST_STEPS[from] } else { Squares::king(from) };
            sink.targets(from, steps & !taken, kinds::CATAPULT);
        }
    }

    /// `+free`: placements before the first move.
    pub(super) fn generate_placements<S: Sink<8, 8, 1>>(&self, us: Color, sink: &mut S) {
        if self.state.left_to_place(us) > 0 {
            for square in Squares::rank_of(us, 0) & !self.state.catapults(us) {
                sink.one(Move::new(square.byte(), square.byte(), 0, kinds::PLACE));
            }
        }
    }

    /// `+promote`: the pawn leaves the board, which may open a line through its destination; so each is tried.
    pub(super) fn promotions_to_catapults<S: Sink<8, 8, 1>>(
        &self,
        us: Color,
        occupied: Squares,
        enemy: Squares,
        sink: &mut S,
    ) {
        let s = &self.state;
        if s.catapults(us).count() >= self.rules.catapults_per_side() as u32 {
            return;
        }
        let open = Squares::rank_of(us, 7) & !s.catapults(us) & !s.catapults(!us);
        for from in s.pawns() & (occupied ^ enemy) & Squares::rank_of(us, 6) {
            let bit = Squares::of(from);
            let reach = (bit.forward(us) & !occupied | bit.pawn_attacks(us) & enemy) & open;
            for to in reach {
                let mv =
                    Move::new(from.byte(), to.byte(), 0, promoting(kinds::NORMAL, PromotionTo::Catapult));
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
        after.king_attackers(self.state.side()).is_empty()
    }
}
