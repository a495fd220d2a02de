//! Attacks of one side in chess and Chess++, by ordinary moves and by teleport.

use super::ChessPosition;
use super::proposals::Proposals;
use super::rules::ChessRules;
use crate::{Color, Square, Squares};

impl<R: ChessRules> ChessPosition<R> {
    /// Returns all squares that a side attacks by ordinary moves or teleports (rule 10), even if
    /// the opponent is to move. Squares of own pieces that are guarded are included.
    pub fn attacks(&self, side: Color) -> Squares {
        let s = &self.state;
        let obstacles = self.obstacles(side);
        let own = s.side_pieces(side);
        let mut set = (s.pawns() & own).pawn_attacks(side) | (s.knights() & own).knights();
        set |= (s.kings() & own).kings();
        for from in s.diagonal() & own {
            set |= Squares::bishop(from, obstacles);
        }
        for from in s.straight() & own {
            set |= Squares::rook(from, obstacles);
        }
        if self.rules.catapults() && !self.rules.has(Proposals::PEACEFUL) {
            set |= self.guarded_catapults(side);
        }
        set
    }

    /// Returns the squares that a side's pieces cannot pass over: all occupied squares, and with
    /// `+block` also the opponent's catapults.
    #[inline]
    pub fn obstacles(&self, side: Color) -> Squares {
        self.obstacles_with(side, self.state.occupied())
    }

    /// Returns [`obstacles`](Self::obstacles) with pieces on `occupied`.
    #[inline(always)]
    pub(super) fn obstacles_with(&self, side: Color, occupied: Squares) -> Squares {
        if self.rules.has(Proposals::BLOCK) { occupied | self.state.catapults(!side) } else { occupied }
    }

    /// Returns the squares to which a side with pieces on `own` may not teleport: `own`, and with
    /// `+peaceful` the squares of all pieces.
    #[inline(always)]
    pub(super) fn closed_to_teleports(&self, own: Squares) -> Squares {
        if self.rules.has(Proposals::PEACEFUL) { self.state.occupied() } else { own }
    }

    /// Returns the squares that the piece on `from` reaches by an ordinary move, including squares
    /// of its own side. Pawns reach none.
    #[inline(always)]
    pub(super) fn reach_of(&self, from: Square, obstacles: Squares) -> Squares {
        let s = &self.state;
        let mut reach = Squares::EMPTY;
        if s.knights().has(from) {
            reach |= Squares::knight(from);
        }
        if s.kings().has(from) {
            reach |= Squares::king(from);
        }
        if s.diagonal().has(from) {
            reach |= Squares::bishop(from, obstacles);
        }
        if s.straight().has(from) {
            reach |= Squares::rook(from, obstacles);
        }
        reach
    }

    /// Returns the squares of the enemy pieces that could capture a side's king if the enemy were
    /// to move. The set is empty during placement (`+free`).
    #[inline(always)]
    pub(super) fn king_attackers(&self, side: Color) -> Squares {
        let s = &self.state;
        if s.placing() {
            return Squares::EMPTY;
        }
        let occupied = s.occupied();
        let enemy = occupied & !s.side_pieces(side);
        let king = s.king(side);
        let mut found = Squares::of(king).pawn_attacks(side) & s.pawns();
        found |= self.steps_onto(king, self.obstacles_with(!side, occupied));
        let by_teleport = self.rules.catapults() && s.catapults(!side).has(king);
        if by_teleport && !self.rules.has(Proposals::PEACEFUL) {
            found |= if self.rules.has(Proposals::INSTANT) || self.rules.has(Proposals::PAWNS) {
                // Only the side to move can use an en-passant square.
                let en_passant = if s.side() == side { None } else { s.en_passant() };
                self.teleporters_to(!side, king, en_passant)
            } else {
                s.catapults(!side) & self.teleporting()
            };
        }
        found & enemy
    }

    /// Returns the squares of both sides' pieces, except pawns, that may teleport from a catapult.
    /// The set may also contain empty squares.
    #[inline(always)]
    pub(super) fn teleporting(&self) -> Squares {
        let proposals = self.rules.proposals();
        if proposals.limits_teleports() {
            proposals.teleporting().fold(Squares::EMPTY, |set, kind| set | self.state.kind(kind))
        } else {
            !self.state.pawns()
        }
    }

    /// Returns a side's catapults to which one of its pieces could teleport if no own piece were
    /// there. The set is empty during placement (`+free`).
    pub(super) fn guarded_catapults(&self, side: Color) -> Squares {
        let s = &self.state;
        if s.placing() {
            return Squares::EMPTY;
        }
        let catapults = s.catapults(side);
        if self.rules.has(Proposals::INSTANT) || self.rules.has(Proposals::PAWNS) {
            let en_passant = if s.side() == side { s.en_passant() } else { None };
            let guarded = |square: &Square| !self.teleporters_to(side, *square, en_passant).is_empty();
            return catapults.into_iter().filter(guarded).collect();
        }
        let teleporters = catapults & s.side_pieces(side) & self.teleporting();
        guarded_by_teleport(catapults, teleporters)
    }

    /// Returns the squares of a side's pieces that could teleport to its catapult on `target`. Pins
    /// and the piece on `target` are ignored. If `en_passant` is set, the first half of an instant
    /// teleport may capture en passant there.
    pub(super) fn teleporters_to(&self, side: Color, target: Square, en_passant: Option<Square>) -> Squares {
        let s = &self.state;
        if s.placing() || !s.catapults(side).has(target) {
            return Squares::EMPTY;
        }
        let here = Squares::of(target);
        let obstacles = self.obstacles(side);
        let own = s.side_pieces(side);
        let others = s.catapults(side) & !here;
        let with_pawns = self.rules.has(Proposals::PAWNS) && !Squares::rank_of(side, 0).has(target);
        let pieces = own & self.teleporting();
        let mut found = others & (pieces | if with_pawns { own & s.pawns() } else { Squares::EMPTY });
        if self.rules.has(Proposals::INSTANT) {
            for mid in others & !own {
                found |= self.steps_onto(mid, obstacles) & pieces;
                if with_pawns && !Squares::rank_of(side, 7).has(mid) {
                    found |= self.pawns_onto(side, mid, en_passant);
                }
            }
        }
        found & !here
    }

    /// Returns the squares of both sides' pieces, except pawns, that reach `square` by an ordinary
    /// move. A piece is included even if its own side occupies the square. `obstacles` are the
    /// moving side's.
    #[inline(always)]
    pub(super) fn steps_onto(&self, square: Square, obstacles: Squares) -> Squares {
        let s = &self.state;
        Squares::knight(square) & s.knights()
            | Squares::king(square) & s.kings()
            | Squares::bishop(square, obstacles) & s.diagonal()
            | Squares::rook(square, obstacles) & s.straight()
    }

    /// Returns the squares of a side's pawns that have an ordinary move to `square`. A capture en
    /// passant counts if `square` equals `en_passant`.
    fn pawns_onto(&self, side: Color, square: Square, en_passant: Option<Square>) -> Squares {
        let s = &self.state;
        let here = Squares::of(square);
        let occupied = s.occupied();
        let pawns = s.pawns() & s.side_pieces(side);
        if occupied.has(square) {
            let captures = s.side_pieces(!side).has(square);
            return if captures { here.pawn_attacks(!side) & pawns } else { Squares::EMPTY };
        }
        let behind = here.forward(!side);
        let mut found = behind & pawns;
        if !behind.meets(self.obstacles(side)) && Squares::rank_of(side, 3).has(square) {
            found |= behind.forward(!side) & pawns;
        }
        if en_passant == Some(square) {
            found |= here.pawn_attacks(!side) & pawns;
        }
        found
    }
}

/// Returns the catapults to which a piece of `teleporters` on another catapult could teleport.
/// Pieces on the destination are ignored.
#[inline(always)]
pub(super) fn guarded_by_teleport(catapults: Squares, teleporters: Squares) -> Squares {
    if teleporters.is_many() {
        catapults
    } else if !teleporters.is_empty() {
        catapults & !teleporters
    } else {
        Squares::EMPTY
    }
}
