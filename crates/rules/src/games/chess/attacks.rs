//! What the pieces of one side attack, by their own way of moving and by teleport.

use super::rules::ChessRules;
use super::state::NO_SQUARE;
use super::{ChessPosition, bits};
use crate::board::attacks8::{self as attacks, forward, pawn_attacks, rank_of};
use crate::{Bitboard, Color};

impl<R: ChessRules> ChessPosition<R> {
    /// All squares that a side attacks, whoever is to move: those of its own pieces are counted where they are
    /// guarded, and teleports count (rule 10).
    pub fn attacks(&self, side: Color) -> Bitboard {
        let s = &self.state;
        let occupied = s.occupied();
        let own = s.side_pieces(side);
        let mut set = pawn_attacks(s.pawns() & own, side) | attacks::knight_leaps(s.knights() & own);
        set |= attacks::neighbours(s.kings() & own);
        for from in bits(s.diagonal() & own) {
            set |= attacks::bishop(from, occupied);
        }
        for from in bits(s.straight() & own) {
            set |= attacks::rook(from, occupied);
        }
        if self.rules.catapults() {
            set |= self.guarded_catapults(side);
        }
        Bitboard(set)
    }

    /// Where the piece on a square goes by its own way of moving, other pieces' colours not regarded; pawns excepted.
    #[inline(always)]
    pub(super) fn reach_of(&self, from: u8, occupied: u64) -> u64 {
        let s = &self.state;
        let bit = 1u64 << from;
        let mut reach = 0;
        if s.knights() & bit != 0 {
            reach |= attacks::knight(from);
        }
        if s.kings() & bit != 0 {
            reach |= attacks::king(from);
        }
        if s.diagonal() & bit != 0 {
            reach |= attacks::bishop(from, occupied);
        }
        if s.straight() & bit != 0 {
            reach |= attacks::rook(from, occupied);
        }
        reach
    }

    /// The pieces that could capture a side's king, were the other side to move.
    #[inline(always)]
    pub(super) fn king_attackers(&self, side: Color) -> u64 {
        let s = &self.state;
        if s.placing() {
            return 0;
        }
        let occupied = s.occupied();
        let enemy = occupied & !s.side_pieces(side);
        let king_bit = s.kings() & !enemy;
        let king = king_bit.trailing_zeros() as u8;
        let mut found = pawn_attacks(king_bit, side) & s.pawns()
            | attacks::knight(king) & s.knights()
            | attacks::king(king) & s.kings()
            | attacks::bishop(king, occupied) & s.diagonal()
            | attacks::rook(king, occupied) & s.straight();
        if self.rules.catapults() && s.catapults(!side) & king_bit != 0 {
            found |= if self.rules.instant() || self.rules.pawns() {
                // An en-passant square is of use only to the side that has the move.
                let en_passant = if s.side() == side { NO_SQUARE } else { s.en_passant() };
                self.teleporters_to(!side, king, en_passant)
            } else {
                s.catapults(!side) & !s.pawns()
            };
        }
        found & enemy
    }

    /// Catapults that a teleport of their side could reach, were there no piece of its own; none while they are placed.
    pub(super) fn guarded_catapults(&self, side: Color) -> u64 {
        let s = &self.state;
        if s.placing() {
            return 0;
        }
        let catapults = s.catapults(side);
        if self.rules.instant() || self.rules.pawns() {
            let en_passant = if s.side() == side { s.en_passant() } else { NO_SQUARE };
            return bits(catapults)
                .filter(|square| self.teleporters_to(side, *square, en_passant) != 0)
                .fold(0, |set, square| set | 1 << square);
        }
        let teleporters = catapults & s.side_pieces(side) & !s.pawns();
        guarded_by_teleport(catapults, teleporters)
    }

    /// A side's pieces that could teleport to its catapult on `target`, pseudo-legally, whatever stands there. An
    /// instant teleport may use `en_passant` on its way.
    pub(super) fn teleporters_to(&self, side: Color, target: u8, en_passant: u8) -> u64 {
        let s = &self.state;
        let bit = 1u64 << target;
        if s.placing() || s.catapults(side) & bit == 0 {
            return 0;
        }
        let occupied = s.occupied();
        let own = s.side_pieces(side);
        let others = s.catapults(side) & !bit;
        let with_pawns = self.rules.pawns() && bit & rank_of(side, 0) == 0;
        let mut found = others & own & if with_pawns { !0 } else { !s.pawns() };
        if self.rules.instant() {
            for mid in bits(others & !own) {
                found |= self.steps_onto(mid, occupied) & own;
                if with_pawns && 1 << mid & rank_of(side, 7) == 0 {
                    found |= self.pawns_onto(side, mid, en_passant);
                }
            }
        }
        found & !bit
    }

    /// Pieces of both sides, pawns excepted, that go to the square by their own way of moving.
    pub(super) fn steps_onto(&self, square: u8, occupied: u64) -> u64 {
        let s = &self.state;
        attacks::knight(square) & s.knights()
            | attacks::king(square) & s.kings()
            | attacks::bishop(square, occupied) & s.diagonal()
            | attacks::rook(square, occupied) & s.straight()
    }

    /// A side's pawns with an ordinary move to the square.
    pub(super) fn pawns_onto(&self, side: Color, square: u8, en_passant: u8) -> u64 {
        let s = &self.state;
        let bit = 1u64 << square;
        let occupied = s.occupied();
        let pawns = s.pawns() & s.side_pieces(side);
        if occupied & bit != 0 {
            return if s.side_pieces(!side) & bit != 0 { pawn_attacks(bit, !side) & pawns } else { 0 };
        }
        let behind = forward(bit, !side);
        let mut found = behind & pawns;
        if behind & occupied == 0 && bit & rank_of(side, 3) != 0 {
            found |= forward(behind, !side) & pawns;
        }
        if square == en_passant {
            found |= pawn_attacks(bit, !side) & pawns;
        }
        found
    }
}

/// The catapults to which a piece on another one could teleport, whatever stands there.
#[inline(always)]
pub(super) fn guarded_by_teleport(catapults: u64, teleporters: u64) -> u64 {
    if teleporters & teleporters.wrapping_sub(1) != 0 {
        catapults
    } else if teleporters != 0 {
        catapults & !teleporters
    } else {
        0
    }
}
