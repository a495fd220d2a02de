//! Legal move generator of chess and Chess++. It generates each legal move of a position once and
//! passes it to a [sink](crate::sinks).
//!
//! The generator first computes checks, pins and the squares that the king must avoid. Therefore it
//! generates only legal moves. A teleport cannot be blocked, so teleports never pin. A check by
//! teleport is answered only by moving the king or capturing the teleporting piece. This does not
//! hold under `+instant` and `+pawns`, or if a capture can bare the enemy's king under `+bare`.
//! Then [`super::general`] generates the moves.

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

/// Returns the files between king and rook in castling, the files that the king crosses (its
/// destination included), and the number of files that it moves east.
#[inline(always)]
pub(super) const fn castling_files(kingside: bool) -> (Squares, Squares, i8) {
    const F_TO_G: Squares = Squares::file(5).or(Squares::file(6));
    const B_TO_D: Squares = Squares::file(1).or(C_TO_D);
    const C_TO_D: Squares = Squares::file(2).or(Squares::file(3));
    if kingside { (F_TO_G, F_TO_G, 2) } else { (B_TO_D, C_TO_D, -2) }
}

/// Destinations of a catapult's first move from each square: within two files and two ranks (rule
/// 3).
static WITHIN_TWO: PerSquare<Squares, 8, 8> = {
    let mut offsets = [(0, 0); 24];
    let mut i = 0;
    while i < 24 {
        // This skips the origin itself, the thirteenth of the 25 squares.
        let place = i as i32 + (i >= 12) as i32;
        offsets[i] = (place % 5 - 2, place / 5 - 2);
        i += 1;
    }
    Squares::leaps(&offsets)
};

/// Facts about a position that the legal move generator needs for every piece.
struct CheckInfo {
    us: Color,
    /// Square of the king of the side to move.
    king: Square,
    occupied: Squares,
    own: Squares,
    /// Squares of own pieces that alone shield the king from an enemy slider.
    pinned: Squares,
    /// Enemy catapults that an enemy teleport could reach (rule 10).
    guarded: Squares,
    /// Squares where moves of pieces other than the king may end. In check, a move to one of these
    /// squares captures the checking piece or blocks its line. Otherwise all squares are in the
    /// set.
    stops: Squares,
    enemy: Squares,
    enemy_pawns: Squares,
    enemy_knights: Squares,
    enemy_diagonal: Squares,
    enemy_straight: Squares,
    enemy_king: Squares,
}

impl CheckInfo {
    /// Returns true if an enemy slider attacks `square` on a board where `obstacles` stop it.
    #[inline(always)]
    fn slides_to(&self, square: Square, obstacles: Squares) -> bool {
        Squares::bishop(square, obstacles).meets(self.enemy_diagonal)
            || Squares::rook(square, obstacles).meets(self.enemy_straight)
    }

    /// Returns true if an enemy slider attacks one of `squares` on a board where `obstacles` stop it.
    // A loop, because the compiler does not inline `Iterator::any` here.
    #[inline(always)]
    fn slides_onto(&self, squares: Squares, obstacles: Squares) -> bool {
        for square in squares {
            if self.slides_to(square, obstacles) {
                return true;
            }
        }
        false
    }

    /// Returns the squares that enemy pawns, knights, king and teleports attack.
    #[inline(always)]
    fn stepped_on(&self) -> Squares {
        self.guarded
            | self.enemy_pawns.pawn_attacks(!self.us)
            | self.enemy_knights.knights()
            | self.enemy_king.kings()
    }
}

impl<R: ChessRules> ChessPosition<R> {
    /// Generates all legal moves and passes them to the sink.
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
        if self.rules.has(Proposals::INSTANT) || self.rules.has(Proposals::PAWNS) || self.may_bare() {
            return self.generate_general(us, sink);
        }
        let occupied = s.occupied();
        let own = s.side_pieces(us);
        let enemy = occupied ^ own;
        let king_bit = s.kings() & own;
        let king = king_bit.first().unwrap_or(Square::of(0));
        let their_catapults = s.catapults(!us);
        // Own catapults that stop enemy sliders, also when a piece leaves them.
        let shields = if self.rules.has(Proposals::BLOCK) { s.catapults(us) } else { Squares::EMPTY };
        let teleporters = if self.rules.has(Proposals::PEACEFUL) {
            Squares::EMPTY
        } else {
            their_catapults & enemy & self.teleporting()
        };
        let mut info = CheckInfo {
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
            king_bit.pawn_attacks(us) & info.enemy_pawns | Squares::knight(king) & info.enemy_knights;
        // Without own pieces, these sliders would attack the king. Each gives check or pins.
        let snipers = Squares::bishop(king, enemy | shields) & info.enemy_diagonal
            | Squares::rook(king, enemy | shields) & info.enemy_straight;
        for sniper in snipers {
            let blockers = Squares::between(king, sniper) & own;
            if blockers.is_empty() {
                checkers |= Squares::of(sniper);
            } else if !blockers.is_many() {
                info.pinned |= blockers;
            }
        }
        let check_by_teleport = their_catapults.meets(king_bit) && !teleporters.is_empty();
        if check_by_teleport {
            checkers |= teleporters;
        }

        self.king_moves(&info, sink);
        if self.rules.has(Proposals::PROMOTE) {
            self.promotions_to_catapults(us, occupied, enemy, sink);
        }
        if sink.is_done() || checkers.is_many() {
            return;
        }
        if let Some(checker) = checkers.first() {
            info.stops = checkers;
            if !check_by_teleport {
                info.stops |= Squares::between(king, checker);
            }
        }
        self.pawn_moves(&info, sink);
        let targets = info.stops & !own;
        let obstacles = self.obstacles_with(us, occupied);
        let free = own & !info.pinned;
        for from in s.knights() & free {
            sink.targets(from, Squares::knight(from) & targets, kinds::NORMAL);
        }
        for from in s.diagonal() & free {
            sink.targets(from, Squares::bishop(from, obstacles) & targets, kinds::NORMAL);
        }
        for from in s.straight() & free {
            sink.targets(from, Squares::rook(from, obstacles) & targets, kinds::NORMAL);
        }
        // A pinned piece cannot answer another slider's check. It can capture its pinner, which may
        // also check by teleport.
        if checkers.is_empty() || check_by_teleport {
            for from in s.diagonal() & info.pinned {
                let reach = Squares::bishop(from, obstacles) & targets & Squares::line(king, from);
                sink.targets(from, reach, kinds::NORMAL);
            }
            for from in s.straight() & info.pinned {
                let reach = Squares::rook(from, obstacles) & targets & Squares::line(king, from);
                sink.targets(from, reach, kinds::NORMAL);
            }
        }
        let rights = castling_bit(us, true) | castling_bit(us, false);
        if checkers.is_empty() && s.castling() & rights != 0 {
            self.castling_moves(&info, sink);
        }
        if self.rules.catapults() {
            self.teleports(&info, sink);
            if checkers.is_empty() {
                self.catapult_moves(us, occupied, sink);
            }
        }
    }

    #[inline(always)]
    fn king_moves<S: Sink<8, 8, 1>>(&self, info: &CheckInfo, sink: &mut S) {
        let (us, king, own) = (info.us, info.king, info.own);
        let steps = Squares::king(king) & !own;
        let catapults = self.state.catapults(us);
        let limited = self.rules.proposals().limits_teleports();
        let may_teleport = catapults.has(king) && (!limited || self.teleporting().has(king));
        let teleports =
            if may_teleport { catapults & !self.closed_to_teleports(own) & !steps } else { Squares::EMPTY };
        let candidates = steps | teleports;
        if candidates.is_empty() {
            return;
        }
        let mut without_king = info.occupied & !Squares::of(king);
        if self.rules.has(Proposals::BLOCK) {
            without_king |= catapults;
        }
        let mut safe = candidates & !info.stepped_on();
        for to in safe {
            if info.slides_to(to, without_king) {
                safe &= !Squares::of(to);
            }
        }
        sink.targets(king, safe & steps, kinds::NORMAL);
        if self.rules.catapults() {
            sink.targets(king, safe & teleports, kinds::TELEPORT);
        }
    }

    #[inline(always)]
    fn pawn_moves<S: Sink<8, 8, 1>>(&self, info: &CheckInfo, sink: &mut S) {
        let &CheckInfo { us, king, occupied, pinned, stops, enemy, .. } = info;
        let obstacles = self.obstacles_with(us, occupied);
        let pawns = self.state.pawns() & info.own;
        let last = Squares::rank_of(us, 7);
        let third = Squares::rank_of(us, 2);
        // Indices grow towards White's eighth rank.
        let sign: i8 = if us == Color::White { 1 } else { -1 };

        let free = pawns & !pinned;
        let push = free.forward(us) & !occupied;
        let double = (push & third & !obstacles).forward(us) & !occupied & stops;
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
            let double = (push & third & !obstacles).forward(us) & !occupied & ray;
            let reach = (push | bit.pawn_attacks(us) & enemy) & ray;
            sink.targets(from, reach & !last, kinds::NORMAL);
            sink.targets(from, double, kinds::DOUBLE_PUSH);
            for to in reach & last {
                sink.promotions(Squares::of(to), to.byte() as i8 - from.byte() as i8, &kinds::PROMOTIONS);
            }
        }
        if let Some(target) = self.state.en_passant() {
            self.en_passant_moves(info, target, sink);
        }
    }

    /// Generates captures en passant. Such a capture empties two squares at once, so the king's
    /// safety is tested again.
    #[cold]
    fn en_passant_moves<S: Sink<8, 8, 1>>(&self, info: &CheckInfo, target: Square, sink: &mut S) {
        let &CheckInfo { us, king, occupied, .. } = info;
        let bit = Squares::of(target);
        let taken = bit.forward(!us);
        let king_bit = Squares::of(king);
        // Capturing this pawn does not answer a check by a knight, another pawn or a teleport.
        let stays = Squares::knight(king).meets(info.enemy_knights)
            || king_bit.pawn_attacks(us).meets(info.enemy_pawns & !taken)
            || info.guarded.has(king);
        if stays {
            return;
        }
        for from in bit.pawn_attacks(!us) & self.state.pawns() & info.own {
            let mut after = occupied & !taken & !Squares::of(from) | bit;
            if self.rules.has(Proposals::BLOCK) {
                after |= self.state.catapults(us);
            }
            if !info.slides_to(king, after) {
                sink.targets(from, bit, kinds::EN_PASSANT);
            }
        }
    }

    #[inline(always)]
    fn castling_moves<S: Sink<8, 8, 1>>(&self, info: &CheckInfo, sink: &mut S) {
        let &CheckInfo { us, king, occupied, guarded, .. } = info;
        let ours = self.obstacles_with(us, occupied);
        let theirs = self.obstacles_with(!us, occupied);
        let home = Squares::rank_of(us, 0);
        let stepped_on = if self.rules.has(Proposals::CASTLE) {
            CheckInfo { guarded: Squares::EMPTY, ..*info }.stepped_on()
        } else {
            info.stepped_on()
        };
        for kingside in [true, false] {
            if self.state.castling() & castling_bit(us, kingside) == 0 {
                continue;
            }
            let (between, crossed, step) = castling_files(kingside);
            let (lane, path) = (home & between, home & crossed);
            // With `+castle`, only the king's destination counts.
            let barred = if self.rules.has(Proposals::CASTLE) {
                guarded & Squares::file(if kingside { 6 } else { 2 })
            } else {
                guarded
            };
            if lane.meets(ours | barred) {
                continue;
            }
            if !path.meets(stepped_on) && !info.slides_onto(path, theirs) {
                let to = king.byte().wrapping_add_signed(step);
                sink.one(Move::new(king.byte(), to, 0, kinds::CASTLE));
            }
        }
    }

    /// Generates teleports of pieces other than the king (rule 8), except those that lead to the
    /// same position as an ordinary move.
    #[inline(always)]
    fn teleports<S: Sink<8, 8, 1>>(&self, info: &CheckInfo, sink: &mut S) {
        let &CheckInfo { us, king, occupied, own, pinned, .. } = info;
        let s = &self.state;
        let catapults = s.catapults(us);
        let open = catapults & info.stops & !self.closed_to_teleports(own);
        if open.is_empty() {
            return;
        }
        for from in catapults & own & self.teleporting() & !s.kings() {
            let mut reach = open & !self.reach_of(from, self.obstacles_with(us, occupied));
            if pinned.has(from) {
                for to in reach {
                    let after = occupied & !Squares::of(from) | Squares::of(to);
                    let taken = Squares::of(to);
                    let sliders = Squares::bishop(king, after) & info.enemy_diagonal
                        | Squares::rook(king, after) & info.enemy_straight;
                    if sliders.meets(!taken) {
                        reach &= !taken;
                    }
                }
            }
            sink.targets(from, reach, kinds::TELEPORT);
        }
    }

    /// Returns true if a capture could bare the opponent's king, whose catapults then vanish
    /// (`+bare`). This may end a check by teleport.
    #[inline(always)]
    pub(super) fn may_bare(&self) -> bool {
        let them = !self.state.side();
        self.rules.has(Proposals::BARE)
            && !self.state.catapults(them).is_empty()
            && self.state.side_pieces(them).count() <= 2
    }

    /// Generates moves of the catapults themselves (rules 1 to 5). The side to move must not be in
    /// check.
    #[inline(always)]
    pub(super) fn catapult_moves<S: Sink<8, 8, 1>>(&self, us: Color, occupied: Squares, sink: &mut S) {
        let s = &self.state;
        let is_limited = self.rules.proposals().catapult_moves_per_game().is_some();
        if self.rules.has(Proposals::STILL) && s.rests(us) || is_limited && s.moves_left(us) == 0 {
            return;
        }
        let taken = occupied | s.catapults(us) | s.catapults(!us);
        for from in s.catapults(us) & !occupied {
            let steps = match self.rules.proposals().catapult_reach(s.fresh().has(from)) {
                0 => Squares::EMPTY,
                1 => Squares::king(from),
                _ => WITHIN_TWO[from],
            };
            let steps = steps & !taken;
            // With `+block`, the catapult may be all that stops an enemy slider. With `+instant` too,
            // it may be all that keeps an enemy from a catapult from which it could teleport on to
            // the king.
            let king = s.king(us);
            let bares = self.rules.has(Proposals::BLOCK)
                && (self.rules.has(Proposals::INSTANT) && s.catapults(!us).has(king)
                    || self
                        .steps_onto(king, self.obstacles(!us) & !Squares::of(from))
                        .meets(s.side_pieces(!us)));
            if bares {
                for to in steps {
                    let mv = Move::new(from.byte(), to.byte(), 0, kinds::CATAPULT);
                    if self.is_safe_after(mv) {
                        sink.one(mv);
                    }
                }
            } else {
                sink.targets(from, steps, kinds::CATAPULT);
            }
        }
    }

    /// Generates placements of catapults before the first move (`+free`).
    pub(super) fn generate_placements<S: Sink<8, 8, 1>>(&self, us: Color, sink: &mut S) {
        if self.state.left_to_place(us) > 0 {
            for square in Squares::rank_of(us, 0) & !self.state.catapults(us) {
                sink.one(Move::new(square.byte(), square.byte(), 0, kinds::PLACE));
            }
        }
    }

    /// Generates promotions to a catapult (`+promote`). The pawn leaves the board, which may open a
    /// line through the promotion square. Each move is therefore tested by playing it.
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

    /// Returns true if the king of the side that moves cannot be captured after the move.
    pub(super) fn is_safe_after(&self, mv: Move) -> bool {
        let mut after = *self;
        after.apply(mv);
        after.king_attackers(self.state.side()).is_empty()
    }
}
