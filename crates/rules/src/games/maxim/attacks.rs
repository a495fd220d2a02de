//! Who attacks a square, and whether a king can be captured there (rule 10).

use super::piece::{KING, PAWN};
use super::reach::{beside, knights, sideways};
use super::state::State;
use crate::Color;
use crate::PieceKind;
use crate::board::attacks8::{self as attacks, pawn_attacks};

impl State {
    /// Where a side's king stands.
    #[inline(always)]
    pub(super) fn king(&self, side: Color) -> u8 {
        (self.of_kind(PieceKind::King) & self.held(side)).trailing_zeros() as u8 & 63
    }

    /// Whether a side's king is the later occupant of a stack: captured only where it can't be pushed.
    #[inline(always)]
    pub(super) fn later_king(&self, side: Color) -> bool {
        self.layer(1, KING) & self.held(side) != 0
    }

    /// A side's pawns that are alone on their squares.
    #[inline(always)]
    pub(super) fn lone_pawns(&self, side: Color) -> u64 {
        self.layer(0, PAWN) & self.held(side) & !self.stacks()
    }

    /// Squares where a side's pawns share with a friend.
    #[inline(always)]
    pub(super) fn sharing_pawns(&self, side: Color) -> u64 {
        self.of_kind(PieceKind::Pawn) & self.held(side) & self.stacks()
    }

    /// Squares from which pieces of a side would capture on a square, were an enemy there.
    #[inline(always)]
    pub(super) fn attackers(&self, square: u8, by: Color) -> u64 {
        let occupied = self.occupied();
        let bit = 1u64 << square;
        let mut found = attacks::rook(square, occupied) & self.straight();
        found |= attacks::bishop(square, occupied) & self.diagonal();
        found |= attacks::king(square) & self.of_kind(PieceKind::King);
        found |= knights(bit, occupied) & self.of_kind(PieceKind::Knight);
        found &= self.held(by);
        found | pawn_attacks(bit, !by) & self.lone_pawns(by) | sideways(bit) & self.sharing_pawns(by)
    }

    /// The squares from which a side's king is attacked, those left out that a capturer would leave free for the king to be
    /// pushed to.
    #[inline(always)]
    pub(super) fn hard_attackers(&self, side: Color) -> u64 {
        let king = self.king(side);
        self.attackers(king, !side) & !(beside(1 << king) & !self.stacks())
    }

    /// The squares from which a side's king could be captured, were the other side to move.
    #[inline(always)]
    pub(super) fn king_capturers(&self, side: Color) -> u64 {
        let king = self.king(side);
        let attackers = self.attackers(king, !side);
        if attackers == 0 || !self.later_king(side) {
            return attackers;
        }
        if beside(1 << king) & !self.occupied() & !self.all_portals() != 0 {
            return 0;
        }
        self.hard_attackers(side)
    }
}
