//! Playing a decision of Maxim chess: the move of a piece, or the choice of a portal.

use super::Maxim;
use super::declare::Declaring;
use super::kinds::{DONE, PORTAL, pushed_to};
use super::piece::PAWN;
use super::state::{Phase, State};
use crate::{Color, Move, PieceKind, Square, Squares};

impl Maxim {
    pub(super) fn apply(&mut self, mv: Move) {
        let s = &mut self.state;
        let us = s.side();
        let square = Square::of(mv.to());
        match mv.kind() {
            DONE => {
                s.extra.took = false;
                s.end_turn();
            }
            PORTAL => {
                s.extra.took = false;
                match s.phase() {
                    Phase::Second(first) => {
                        s.set_portals(us, Squares::of(first).with(square));
                        s.end_turn();
                    }
                    _ => s.set_phase(Phase::Second(square)),
                }
            }
            _ => {
                s.play_piece(mv);
                if Declaring::is_possible(s) {
                    s.set_phase(Phase::First);
                } else {
                    s.end_turn();
                }
            }
        }
    }
}

impl State {
    fn end_turn(&mut self) {
        self.set_phase(Phase::Move);
        self.pass_turn();
    }

    /// Plays the move of a piece, without ending the turn. The method handles capture, push,
    /// portal, removal, half-move clock and en-passant square.
    #[inline(always)]
    pub(super) fn play_piece(&mut self, mv: Move) {
        let us = self.side();
        let code = mv.kind() & 7;
        let (from, to) = (Square::of(mv.from()), Square::of(mv.to()));
        let pawn = code == PAWN;
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.extra.took = false;
        self.remove(us, from, code);
        let mut end = to;
        if !self.occupied().has(to) {
            if pawn && self.passes(from, to) {
                self.remove(!us, Square::at(to.file(), from.rank()).unwrap_or(to), PAWN);
                self.extra.took = true;
            }
            if self.all_portals().has(to) {
                end = self.pass_portal(to);
            }
        } else if self.owner(to) != us {
            let later = self.occupants(to)[1];
            self.clear(to);
            if later != 0
                && let Some(push) = pushed_to(mv)
            {
                self.add(!us, push, later);
            }
            self.extra.took = true;
        }
        if !pawn || !Squares::rank_of(us, 7).has(end) {
            self.add(us, end, code);
        } else {
            self.extra.took = true;
        }
        if self.extra.took || pawn {
            self.halfmove_clock = 0;
        }
        let mut en_passant = None;
        if pawn && from.byte().abs_diff(to.byte()) == 16 && end == to {
            let passed = Square::of((from.byte() + to.byte()) / 2);
            if self.takes_in_passing(!us, passed) {
                en_passant = Some(passed);
            }
        }
        if en_passant != self.en_passant() {
            self.set_en_passant(en_passant);
        }
    }

    /// Removes the pair of portals that has one portal on `to` (rule 9). Returns the square of the
    /// pair's second portal.
    fn pass_portal(&mut self, to: Square) -> Square {
        let side = if self.portals(Color::White).has(to) { Color::White } else { Color::Black };
        let other = self.portals(side) & !Squares::of(to);
        self.set_portals(side, Squares::EMPTY);
        other.only()
    }

    /// Returns true if a pawn that moves from `from` to `to` captures en passant (rule 5).
    #[inline(always)]
    pub(super) fn passes(&self, from: Square, to: Square) -> bool {
        self.en_passant() == Some(to) && from.file() != to.file() && from.rank() != to.rank()
    }

    /// Returns true if a side has a pawn that could capture en passant on `square`. Only a pawn
    /// that is alone on its square can do so (rule 5).
    pub(super) fn takes_in_passing(&self, side: Color, square: Square) -> bool {
        let alone = self.kind(PieceKind::Pawn) & self.side_pieces(side) & !self.stacks();
        Squares::of(square).pawn_attacks(!side).meets(alone)
    }

    /// Returns the squares to which the later piece of a side's stack on `square` may be pushed
    /// (rule 4). The capturing piece comes from `from`. Square `from` counts as empty if the
    /// capturing piece was alone there.
    #[inline(always)]
    pub(super) fn pushes(&self, side: Color, square: Square, from: Square) -> Squares {
        let left = if self.stacks().has(from) { Squares::EMPTY } else { Squares::of(from) };
        let barred =
            if self.occupants(square)[1] == PAWN { Squares::rank_of(side, 7) } else { Squares::EMPTY };
        Squares::of(square).beside() & (!self.occupied() | left) & !self.all_portals() & !barred
    }
}
