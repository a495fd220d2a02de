//! Questions to a position.

use super::ChessPosition;
use super::kinds::{ChessMove, ChessMoveKind};
use super::rules::ChessRules;
use crate::PieceKind;
use crate::castling::castling_bit;
use crate::{Color, Move, Square, Squares};

impl<R: ChessRules> ChessPosition<R> {
    /// A side's pieces of a kind.
    #[inline]
    pub fn pieces(&self, side: Color, kind: PieceKind) -> Squares {
        self.state.kind(kind) & self.state.side_pieces(side)
    }

    /// A side's pieces.
    #[inline]
    pub fn occupied_by(&self, side: Color) -> Squares {
        self.state.side_pieces(side)
    }

    /// All pieces. Catapults do not occupy.
    #[inline]
    pub fn occupied(&self) -> Squares {
        self.state.occupied()
    }

    /// What stands on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<(Color, PieceKind)> {
        let cell = self.state.cell(square);
        Some((cell.side(), cell.kind()?))
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king(&self, side: Color) -> Square {
        self.state.king(side)
    }

    /// A side's catapults.
    #[inline]
    pub fn catapults(&self, side: Color) -> Squares {
        self.state.catapults(side)
    }

    /// A side's catapults that have not moved yet.
    #[inline]
    pub fn fresh_catapults(&self, side: Color) -> Squares {
        self.state.catapults(side) & self.state.fresh()
    }

    /// How many catapults a side has still to place (`+free`).
    #[inline]
    pub fn catapults_to_place(&self, side: Color) -> u8 {
        self.state.left_to_place(side)
    }

    /// Whether a side still has the right to castle on the king's or the queen's side.
    #[inline]
    pub fn may_castle(&self, side: Color, kingside: bool) -> bool {
        self.state.castling() & castling_bit(side, kingside) != 0
    }

    /// The square where the side to move could capture in passing, if a pawn of its stands so that it could.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant()
    }

    /// The squares to which a side could teleport now, were it to move, its king's safety not regarded.
    pub fn teleport_targets(&self, side: Color) -> Squares {
        if !self.rules.catapults() {
            return Squares::EMPTY;
        }
        self.guarded_catapults(side) & !self.state.side_pieces(side)
    }

    /// The enemy pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Squares {
        self.king_attackers(self.state.side())
    }

    /// Whether the position is on the list of dead ones (rule 16).
    pub fn is_dead(&self) -> bool {
        let s = &self.state;
        if !(s.pawns() | s.straight()).is_empty() {
            return false;
        }
        let catapults = s.catapults(Color::White) | s.catapults(Color::Black);
        let minors = s.knights() | s.bishops();
        if minors.is_empty() {
            return Color::ALL.into_iter().all(|side| s.catapults(side).count() < 3);
        }
        if !catapults.is_empty() {
            return false;
        }
        if !s.knights().is_empty() {
            return !minors.is_many();
        }
        !s.bishops().meets(Squares::DARK) || !s.bishops().meets(!Squares::DARK)
    }

    /// The squares of the pieces that a legal move captures: none, one or (by an instant teleport) two.
    pub fn captures(&self, mv: Move) -> Squares {
        let ChessMove { from, to, mid, kind, .. } = ChessMove::of(mv);
        let mut captures = Squares::EMPTY;
        let mut passing = |to: Square| {
            let is_pawn = self.piece_at(from).is_some_and(|(_, kind)| kind == PieceKind::Pawn);
            if is_pawn && from.file() != to.file() && self.piece_at(to).is_none() {
                captures |= Square::at(to.file(), from.rank()).map_or(Squares::EMPTY, Squares::of);
            }
        };
        match kind {
            ChessMoveKind::EnPassant => passing(to),
            ChessMoveKind::Instant => passing(Square::of(mv.aux())),
            _ => {}
        }
        if !matches!(kind, ChessMoveKind::Catapult | ChessMoveKind::Place) {
            captures |= (Squares::of(to) | mid.map_or(Squares::EMPTY, Squares::of)) & self.occupied();
            captures &= !Squares::of(from);
        }
        captures
    }

    /// Whether a legal move captures the other side's catapults (rule 13).
    pub fn captures_catapults(&self, mv: Move) -> bool {
        self.rules.catapults() && {
            let them = !self.state.side();
            let mut after = *self;
            after.apply(mv);
            !self.state.catapults(them).is_empty() && after.state.catapults(them).is_empty()
        }
    }

    pub(super) fn is_teleport(&self, mv: Move) -> bool {
        matches!(ChessMove::of(mv).kind, ChessMoveKind::Teleport | ChessMoveKind::Instant)
    }

    pub(super) fn is_catapult_move(&self, mv: Move) -> bool {
        ChessMove::of(mv).kind == ChessMoveKind::Catapult
    }

    pub(super) fn leaves_fewer_catapults(&self, mv: Move) -> bool {
        let them = !self.state.side();
        let mut after = *self;
        after.apply(mv);
        after.state.catapults(them).count() < self.state.catapults(them).count()
    }

    /// The key from scratch: what [`Position::key`](crate::Position::key) must always equal.
    pub fn recomputed_key(&self) -> u64 {
        self.state.key_from_scratch()
    }
}
