//! Legal move generator of Chess and a Half.
//!
//! The generator first computes checks and pins. Captures en passant and captures of pieces that a
//! Cat jumps over empty several squares at once. Such captures are tested if they could uncover an
//! attack on the king.

use super::attacks::{Army, CAT, STAR_CAT, rides};
use super::kinds::{CASTLE, EN_PASSANT, NORMAL, promoting};
use super::piece::HalfPiece;
use super::state::State;
use super::{Half, Square, Squares};
use crate::board::KING_STEPS;
use crate::castling::castling_bit;
use crate::sinks::Sink;
use crate::{Color, Move};
use arrayvec::ArrayVec;

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
    /// Squares where moves of pieces other than the king may end. In check, a move to one of these
    /// squares captures the checking piece or blocks its attack. Otherwise all squares without own
    /// pieces are in the set.
    wanted: Squares,
    pinned: Squares,
    /// Square of each pinned piece, with the squares on which that piece still shields the king.
    /// The attacker's square is included.
    pins: ArrayVec<(Square, Squares), 16>,
    /// Lines from the king to enemy sliders and riders, with any number of pieces between. Removing
    /// pieces from such a line may uncover an attack.
    exposed: Squares,
}

impl Half {
    /// Returns the square of a side's king. An invalid position, left by an illegal move, gives an
    /// unspecified square.
    #[inline(always)]
    pub(super) fn king(&self, side: Color) -> Square {
        let kings = self.state.kind(HalfPiece::King) & self.state.side_pieces(side);
        kings.only()
    }

    /// Generates all legal moves and passes them to a sink.
    pub(super) fn generate(&self, sink: &mut impl Sink<12, 12, 3>) {
        let generator = Generator::new(self);
        generator.king_moves(sink);
        if sink.is_done() {
            return;
        }
        if !generator.checkers.is_many() {
            generator.pieces(sink);
            generator.all_pawns(sink);
        }
        if sink.is_done() {
            return;
        }
        generator.captures_on_the_way(HalfPiece::Cat, sink);
        generator.captures_on_the_way(HalfPiece::StarCat, sink);
        generator.en_passant(sink);
        generator.castlings(sink);
    }
}

impl<'a> Generator<'a> {
    #[inline(always)]
    fn new(position: &'a Half) -> Generator<'a> {
        let state = &position.state;
        let us = state.side();
        let king = position.king(us);
        let (own, enemy) = (state.side_pieces(us), state.side_pieces(!us));
        let occupied = own | enemy;
        let army = Army::of(state, !us);
        let checkers = army.attackers(king, occupied);
        let mut found = Generator {
            state,
            us,
            king,
            own,
            enemy,
            occupied,
            army,
            checkers,
            wanted: !own,
            pinned: Squares::EMPTY,
            pins: ArrayVec::new(),
            exposed: Squares::EMPTY,
        };
        if let Some(checker) = checkers.first() {
            found.wanted = checkers | found.blocks(checker);
        }
        found.find_pins();
        found
    }

    /// Returns the squares on which a piece would block the check by `checker`.
    fn blocks(&self, checker: Square) -> Squares {
        if (self.army.diagonal | self.army.straight).has(checker) {
            return Squares::between(self.king, checker);
        }
        let ride = self.army.rides_to(self.king).find(|(rider, _)| *rider == checker);
        // An unmoved knight that checks by one leap cannot be blocked.
        ride.map_or(Squares::EMPTY, |(_, between)| between)
    }

    #[inline(always)]
    fn find_pins(&mut self) {
        let Generator { king, occupied, army, .. } = *self;
        let rook = |occupied| Squares::rook(king, occupied);
        let bishop = |occupied| Squares::bishop(king, occupied);
        if rook(Squares::EMPTY).meets(army.straight) {
            self.exposed |= rook(Squares::EMPTY);
            let blockers = rook(occupied) & self.own;
            self.pin_by(rook(occupied.without(blockers)) & army.straight, blockers);
        }
        if bishop(Squares::EMPTY).meets(army.diagonal) {
            self.exposed |= bishop(Squares::EMPTY);
            let blockers = bishop(occupied) & self.own;
            self.pin_by(bishop(occupied.without(blockers)) & army.diagonal, blockers);
        }
        for (rider, between) in army.rides_to(king) {
            self.exposed |= between;
            let blockers = between & occupied;
            if !blockers.is_many() {
                self.pin(blockers & self.own, between.with(rider));
            }
        }
    }

    /// Adds the pins by `sliders`: enemy pieces that would attack the king if `blockers` were
    /// removed.
    #[inline(always)]
    fn pin_by(&mut self, sliders: Squares, blockers: Squares) {
        for slider in sliders.without(self.checkers) {
            let between = Squares::between(self.king, slider);
            self.pin(between & blockers, between.with(slider));
        }
    }

    #[inline(always)]
    fn pin(&mut self, piece: Squares, stays: Squares) {
        if let Some(square) = piece.first() {
            self.pinned |= piece;
            // At most one piece is pinned on each of eight lines and eight directions of leaps.
            let _ = self.pins.try_push((square, stays));
        }
    }

    /// Returns the squares of `reach` to which the piece on `from` may move without leaving the
    /// king in check.
    #[inline(always)]
    fn allowed(&self, from: Square, reach: Squares) -> Squares {
        let targets = reach & self.wanted;
        if !self.pinned.has(from) {
            return targets;
        }
        let pin = self.pins.iter().find(|(square, _)| *square == from);
        pin.map_or(targets, |(_, stays)| targets & *stays)
    }

    #[inline(always)]
    fn king_moves(&self, sink: &mut impl Sink<12, 12, 3>) {
        let mut safe = Squares::EMPTY;
        let without_king = self.occupied.without(Squares::one(self.king));
        for to in Squares::king(self.king).without(self.own) {
            if !self.army.attacks_without(to, without_king, Squares::one(to)) {
                safe |= Squares::one(to);
            }
        }
        sink.targets(self.king, safe, NORMAL);
    }

    fn pieces(&self, sink: &mut impl Sink<12, 12, 3>) {
        let state = self.state;
        let of = |kind| state.kind(kind) & self.own;
        let last = Squares::rank_of(self.us, 11);
        let queens = of(HalfPiece::Queen);
        let army = Army::of(state, self.us);
        for from in army.diagonal.without(queens) {
            sink.targets(from, self.allowed(from, Squares::bishop(from, self.occupied)), NORMAL);
        }
        for from in army.straight.without(queens) {
            sink.targets(from, self.allowed(from, Squares::rook(from, self.occupied)), NORMAL);
        }
        for from in queens {
            let reach = Squares::rook(from, self.occupied) | Squares::bishop(from, self.occupied);
            sink.targets(from, self.allowed(from, reach), NORMAL);
        }
        for from in army.near.without(Squares::one(self.king)) {
            sink.targets(from, self.allowed(from, Squares::king(from)), NORMAL);
        }
        for from in army.nightriders {
            sink.targets(from, self.allowed(from, rides(from, self.occupied, 12)), NORMAL);
        }
        // A piece promotes if it reaches the last rank from another rank (rule 6).
        let mut promoting_too = |from: Square, targets: Squares, to: HalfPiece| {
            sink.targets(from, targets, NORMAL);
            let promotions = targets & last;
            if !promotions.is_empty() && !last.has(from) {
                sink.targets(from, promotions, promoting(to));
            }
        };
        for from in army.knights {
            let reach =
                if army.unmoved.has(from) { rides(from, self.occupied, 2) } else { Squares::knight(from) };
            promoting_too(from, self.allowed(from, reach), HalfPiece::Nightrider);
        }
        for from in army.cats {
            promoting_too(from, self.allowed(from, CAT[from]), HalfPiece::StarCat);
        }
        for from in army.star_cats {
            sink.targets(from, self.allowed(from, STAR_CAT[from]), NORMAL);
        }
    }

    fn all_pawns(&self, sink: &mut impl Sink<12, 12, 3>) {
        let pawns = self.state.kind(HalfPiece::Pawn) & self.own;
        self.pawns(pawns.without(self.pinned), self.wanted, sink);
        for (square, stays) in &self.pins {
            self.pawns(Squares::one(*square) & pawns, self.wanted & *stays, sink);
        }
    }

    /// Generates the moves of `pawns` that end on squares of `wanted`, except captures en passant.
    #[inline(always)]
    fn pawns(&self, pawns: Squares, wanted: Squares, sink: &mut impl Sink<12, 12, 3>) {
        if pawns.is_empty() {
            return;
        }
        const PROMOTIONS: [u8; 6] = {
            let mut kinds = [0; 6];
            let mut i = 0;
            while i < 6 {
                kinds[i] = promoting(HalfPiece::PROMOTIONS[i]);
                i += 1;
            }
            kinds
        };
        let last = Squares::rank_of(self.us, 11);
        let forward: i8 = if self.us == Color::White { 12 } else { -12 };
        let mut arrive = |targets: Squares, shift: i8| {
            let promotions = targets & last;
            sink.shifted(targets.without(last), shift, NORMAL);
            if !promotions.is_empty() {
                sink.promotions(promotions, shift, &PROMOTIONS);
            }
        };
        let ahead = pawns.forward(self.us);
        arrive(ahead.step::<-1, 0>() & self.enemy & wanted, forward - 1);
        arrive(ahead.step::<1, 0>() & self.enemy & wanted, forward + 1);
        let mut reached = ahead.without(self.occupied);
        arrive(reached & wanted, forward);
        // A pawn on its second rank may step up to four squares (rule 5).
        reached &= Squares::rank_of(self.us, 2);
        for steps in 2..=4 {
            reached = reached.forward(self.us).without(self.occupied);
            sink.shifted(reached & wanted, forward * steps, NORMAL);
        }
    }

    /// Returns true if the king is safe after a move from `from` to `to` that captures the enemy
    /// pieces on `taken`.
    fn is_safe_after(&self, from: Square, to: Square, taken: Squares) -> bool {
        let occupied = self.occupied.without(Squares::one(from) | taken).with(to);
        !self.army.attacks_without(self.king, occupied, taken.with(to))
    }

    /// Generates moves of Cats or Star Cats (`kind`) that capture pieces they jump over (rule 3).
    fn captures_on_the_way(&self, kind: HalfPiece, sink: &mut impl Sink<12, 12, 3>) {
        let reach = if kind == HalfPiece::Cat { 1 } else { 2 };
        let last = Squares::rank_of(self.us, 11);
        for from in self.state.kind(kind) & self.own {
            let passed = if reach == 1 { Squares::king(from) } else { CAT[from] };
            if !passed.meets(self.enemy) {
                continue;
            }
            for (files, ranks) in KING_STEPS {
                let way = [1, 2].map(|n| from.offset(files * n, ranks * n).filter(|at| self.enemy.has(*at)));
                let mut to = from.offset(files, ranks);
                // Bits of the squares passed so far that have an enemy piece.
                let mut enemies = 0;
                for (i, taken) in way.into_iter().enumerate().take(reach) {
                    enemies |= u8::from(taken.is_some()) << i;
                    to = to.and_then(|at| at.offset(files, ranks));
                    let Some(to) = to.filter(|at| !self.own.has(*at)) else { continue };
                    for choice in (1..=enemies).filter(|choice| choice & !enemies == 0) {
                        let taken = way
                            .into_iter()
                            .enumerate()
                            .filter_map(|(i, at)| at.filter(|_| choice >> i & 1 != 0))
                            .collect::<Squares>();
                        let quiet = self.checkers.is_empty() && !self.exposed.meets(taken.with(from));
                        if !quiet && !self.is_safe_after(from, to, taken) {
                            continue;
                        }
                        sink.one(Move::new(from.byte(), to.byte(), choice, NORMAL));
                        if kind == HalfPiece::Cat && last.has(to) && !last.has(from) {
                            let kind = promoting(HalfPiece::StarCat);
                            sink.one(Move::new(from.byte(), to.byte(), choice, kind));
                        }
                    }
                }
            }
        }
    }

    fn en_passant(&self, sink: &mut impl Sink<12, 12, 3>) {
        let Some(pawn) = self.state.en_passant() else { return };
        let own = self.state.kind(HalfPiece::Pawn) & self.own;
        for to in skipped(pawn, !self.us) {
            for from in Squares::one(to).pawn_attacks(!self.us) & own {
                if self.is_safe_after(from, to, Squares::one(pawn)) {
                    sink.one(Move::new(from.byte(), to.byte(), 0, EN_PASSANT));
                }
            }
        }
    }

    /// Generates castling moves (rule 7).
    fn castlings(&self, sink: &mut impl Sink<12, 12, 3>) {
        let rights = self.state.castling();
        if !self.checkers.is_empty() || rights & (3 << (self.us as u8 * 2)) == 0 {
            return;
        }
        let without_king = self.occupied.without(Squares::one(self.king));
        for (kingside, files, most) in [(true, 1, 4), (false, -1, 5)] {
            let lane: ArrayVec<Square, 5> =
                (1..=most).filter_map(|n| self.king.offset(files * n, 0)).collect();
            let free = lane.iter().all(|at| !self.occupied.has(*at));
            if rights & castling_bit(self.us, kingside) == 0 || !free {
                continue;
            }
            for to in lane {
                if self.army.attacks_without(to, without_king, Squares::EMPTY) {
                    break;
                }
                sink.one(Move::new(self.king.byte(), to.byte(), 0, CASTLE));
            }
        }
    }
}

/// Returns the squares that a pawn of a side skipped on its way from the second rank to `pawn` in
/// one move.
pub(super) fn skipped(pawn: Square, side: Color) -> Squares {
    let ranks = match side {
        Color::White => 2..pawn.rank(),
        Color::Black => pawn.rank() + 1..10,
    };
    ranks.filter_map(|rank| Square::at(pawn.file(), rank)).collect()
}
