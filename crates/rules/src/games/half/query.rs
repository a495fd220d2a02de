//! Public queries of a position of Chess and a Half.

use super::attacks::{Army, CAT, STAR_CAT, rides};
use super::generate::skipped;
use super::kinds::HalfMove;
use super::piece::HalfPiece;
use super::{Half, Square, Squares};
use crate::engine::board_queries;
use crate::{Color, Move};

impl Half {
    board_queries!(HalfPiece);

    /// Returns the squares of a side's knights that have never moved (rule 4).
    pub fn unmoved_knights(&self, side: Color) -> Squares {
        self.state.unmoved_knights() & self.state.side_pieces(side)
    }

    /// Returns the squares on which a pawn of the side to move could capture en passant (rule 5).
    pub fn en_passant(&self) -> Squares {
        let us = self.state.side();
        let own = self.pieces(us, HalfPiece::Pawn);
        self.state.en_passant().map_or(Squares::EMPTY, |pawn| skipped(pawn, !us) & own.pawn_attacks(us))
    }

    /// Returns all squares that a side attacks, even if the opponent is to move. Squares of own
    /// pieces that are guarded are included. Squares that a Cat only jumps over are excluded.
    pub fn attacks(&self, side: Color) -> Squares {
        HalfPiece::ALL.into_iter().fold(Squares::EMPTY, |all, kind| all | self.attacks_of(side, kind))
    }

    /// Returns all squares that a side's pieces of one kind attack.
    pub fn attacks_of(&self, side: Color, kind: HalfPiece) -> Squares {
        let pieces = self.pieces(side, kind);
        if kind == HalfPiece::Pawn {
            return pieces.pawn_attacks(side);
        }
        pieces.into_iter().fold(Squares::EMPTY, |all, square| all | self.reach(kind, square))
    }

    /// Returns a side's mobility: the number of squares without own pieces that a piece reaches,
    /// summed over its pieces.
    ///
    /// Pawns and the king are excluded. Captures of pieces jumped over and pins are ignored.
    pub fn mobility(&self, side: Color) -> u32 {
        let own = self.state.side_pieces(side);
        let kinds =
            HalfPiece::ALL.into_iter().filter(|kind| !matches!(kind, HalfPiece::Pawn | HalfPiece::King));
        let pieces =
            kinds.flat_map(|kind| self.pieces(side, kind).into_iter().map(move |square| (kind, square)));
        pieces.map(|(kind, square)| self.reach(kind, square).without(own).count()).sum()
    }

    /// Returns the squares that a piece of `kind` attacks from `square`. The set is empty for a
    /// pawn.
    fn reach(&self, kind: HalfPiece, square: Square) -> Squares {
        let occupied = self.state.occupied();
        match kind {
            HalfPiece::Pawn => Squares::EMPTY,
            HalfPiece::Knight if self.state.unmoved_knights().has(square) => rides(square, occupied, 2),
            HalfPiece::Knight => Squares::knight(square),
            HalfPiece::Bishop => Squares::bishop(square, occupied),
            HalfPiece::Rook => Squares::rook(square, occupied),
            HalfPiece::Queen => Squares::rook(square, occupied) | Squares::bishop(square, occupied),
            HalfPiece::King | HalfPiece::Guard => Squares::king(square),
            HalfPiece::Cat => CAT[square],
            HalfPiece::StarCat => STAR_CAT[square],
            HalfPiece::Nightrider => rides(square, occupied, 12),
        }
    }

    /// Returns the squares of the enemy pieces that give check to the side to move.
    pub fn checkers(&self) -> Squares {
        let us = self.state.side();
        Army::of(&self.state, !us).attackers(self.king(us), self.state.occupied())
    }

    /// Returns the squares of a side's pieces that attack a square, even if the opponent is to
    /// move.
    pub fn attackers(&self, square: Square, side: Color) -> Squares {
        Army::of(&self.state, side).attackers(square, self.state.occupied())
    }

    /// Returns true if the side to move could capture the opponent's king.
    pub(super) fn king_can_be_captured(&self) -> bool {
        let us = self.state.side();
        !self.attackers(self.king(!us), us).is_empty()
    }

    /// Returns the squares of the pieces that a legal move captures.
    pub fn captures(&self, mv: Move) -> Squares {
        use super::kinds::HalfMoveKind::{Castle, EnPassant, Normal};
        let parts = HalfMove::of(mv);
        match parts.kind {
            Normal => parts.taken_on_the_way() | (Squares::one(parts.to) & self.state.occupied()),
            EnPassant => self.state.en_passant().into_iter().collect(),
            Castle => Squares::EMPTY,
        }
    }
}
