//! Public queries of a position of chess or Chess++.

use super::ChessPosition;
use super::kinds::{ChessMove, ChessMoveKind};
use super::proposals::Proposals;
use super::rules::ChessRules;
use crate::engine::board_queries;
use crate::{Color, Move, PieceKind, Square, Squares};

impl<R: ChessRules> ChessPosition<R> {
    board_queries!(PieceKind);

    /// Returns the squares of all pieces. Catapults do not occupy squares.
    #[inline]
    pub fn occupied(&self) -> Squares {
        self.state.occupied()
    }

    /// Returns the square of a side's king.
    #[inline]
    pub fn king(&self, side: Color) -> Square {
        self.state.king(side)
    }

    /// Returns the squares of a side's catapults.
    #[inline]
    pub fn catapults(&self, side: Color) -> Squares {
        self.state.catapults(side)
    }

    /// Returns the squares of a side's catapults that have not moved yet.
    #[inline]
    pub fn fresh_catapults(&self, side: Color) -> Squares {
        self.state.catapults(side) & self.state.fresh()
    }

    /// Returns the number of catapults that a side still has to place (`+free`).
    #[inline]
    pub fn catapults_to_place(&self, side: Color) -> u8 {
        self.state.left_to_place(side)
    }

    /// Returns true if a side moved a catapult on its last turn and so may not move one on its next
    /// (`+still`). Always false without `+still`.
    #[inline]
    pub fn catapults_rest(&self, side: Color) -> bool {
        self.state.rests(side)
    }

    /// Returns the number of catapult moves that a side has left in the game (`+moves`). `None` if
    /// there is no limit.
    #[inline]
    pub fn catapult_moves_left(&self, side: Color) -> Option<u8> {
        self.rules.proposals().catapult_moves_per_game().map(|_| self.state.moves_left(side))
    }

    /// Returns the square that a pawn just passed, if a pawn of the side to move could capture
    /// there. Otherwise returns `None`.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant()
    }

    /// Returns the squares that a side could teleport to if it were to move, ignoring its king's
    /// safety.
    pub fn teleport_targets(&self, side: Color) -> Squares {
        if !self.rules.catapults() {
            return Squares::EMPTY;
        }
        self.guarded_catapults(side) & !self.closed_to_teleports(self.state.side_pieces(side))
    }

    /// Returns the squares of the enemy pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Squares {
        self.king_attackers(self.state.side())
    }

    /// Returns true if the rules list the position as dead, which is a draw (rule 16).
    pub fn is_dead(&self) -> bool {
        let s = &self.state;
        if !(s.pawns() | s.straight()).is_empty() {
            return false;
        }
        let minors = s.knights() | s.bishops();
        let catapults = s.catapults(Color::White) | s.catapults(Color::Black);
        // Catapults count only if a piece on the board may teleport (rule 21).
        let catapults = if self.teleporting().meets(s.occupied()) { catapults } else { Squares::EMPTY };
        // Kings and one minor piece can mate only with attacks by teleport.
        if self.rules.has(Proposals::PEACEFUL) && !minors.is_many() {
            return true;
        }
        if minors.is_empty() {
            return Color::ALL.into_iter().all(|side| (s.catapults(side) & catapults).count() < 3);
        }
        if !catapults.is_empty() {
            return false;
        }
        if !s.knights().is_empty() {
            return !minors.is_many();
        }
        !s.bishops().meets(Squares::DARK) || !s.bishops().meets(!Squares::DARK)
    }

    /// Returns the squares of the pieces that a legal move captures: at most one, or two for an
    /// instant teleport.
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

    /// Returns true if a legal move captures all catapults of the opponent (rule 13). Always false
    /// with `+safe`.
    pub fn captures_catapults(&self, mv: Move) -> bool {
        self.rules.catapults() && !self.rules.has(Proposals::SAFE) && {
            let us = self.state.side();
            let theirs = self.state.catapults(!us);
            let mut after = *self;
            after.apply(mv);
            // A bare king's catapults vanish without being occupied (`+bare`).
            let occupied = !theirs.meets(!after.state.side_pieces(us));
            !theirs.is_empty() && after.state.catapults(!us).is_empty() && occupied
        }
    }
}
