//! Public queries of a position of Maxim chess.

use super::Maxim;
use super::kinds::{MaximMove, MaximMoveKind};
use super::reach::knights;
use super::state::Phase;
use crate::{Color, Move, PieceKind, Square, Squares};

impl Maxim {
    /// Returns the squares on which a side's piece of a kind is the only piece or the earlier of
    /// two.
    #[inline]
    pub fn earlier(&self, side: Color, kind: PieceKind) -> Squares {
        self.state.kind(kind) & self.state.side_pieces(side)
    }

    /// Returns the squares on which a side's piece of a kind is the later of two pieces.
    #[inline]
    pub fn later(&self, side: Color, kind: PieceKind) -> Squares {
        self.state.later(kind) & self.state.side_pieces(side)
    }

    /// Returns the squares with a side's pieces.
    #[inline]
    pub fn occupied_by(&self, side: Color) -> Squares {
        self.state.side_pieces(side)
    }

    /// Returns the squares with two pieces.
    #[inline]
    pub fn stacks(&self) -> Squares {
        self.state.stacks()
    }

    /// Returns the side of the pieces on a square, the kind of the only or earlier piece, and the
    /// kind of the later piece. Returns `None` for an empty square.
    pub fn pieces_at(&self, square: Square) -> Option<(Color, PieceKind, Option<PieceKind>)> {
        let [first, second] = self.state.occupants(square).map(|code| {
            let kind = code.checked_sub(1)?;
            PieceKind::ALL.get(kind as usize).copied()
        });
        Some((self.state.owner(square), first?, second))
    }

    /// Returns the square of a side's king.
    #[inline]
    pub fn king(&self, side: Color) -> Square {
        self.state.king(side)
    }

    /// Returns the squares of a side's portals: none or two.
    #[inline]
    pub fn portals(&self, side: Color) -> Squares {
        self.state.portals(side)
    }

    /// Returns the kind of the next decision: a piece's move, or the first or second portal.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.state.phase()
    }

    /// Returns the square that a pawn just passed, if an enemy pawn could capture there. Otherwise
    /// returns `None`.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant()
    }

    /// Returns all squares on which a side would capture an enemy, even if the opponent is to move.
    /// Squares of the side's own pieces are included.
    pub fn attacks(&self, side: Color) -> Squares {
        let s = &self.state;
        let occupied = s.occupied();
        let own = s.side_pieces(side);
        let mut set = self.pawn_attacks(side);
        set |= knights(s.of_kind(PieceKind::Knight) & own, occupied) | Squares::king(s.king(side));
        for from in s.diagonal() & own {
            set |= Squares::bishop(from, occupied);
        }
        for from in s.straight() & own {
            set |= Squares::rook(from, occupied);
        }
        set
    }

    /// Returns the squares on which a side's pawns would capture. A pawn captures diagonally if it
    /// is alone on its square, and sideways if it shares the square.
    #[inline]
    pub fn pawn_attacks(&self, side: Color) -> Squares {
        let s = &self.state;
        s.lone_pawns(side).pawn_attacks(side) | s.sharing_pawns(side).sideways()
    }

    /// Returns the mobility of a side's knights, bishops, rooks and queens. It is the number of
    /// squares without own pieces that a piece reaches, summed over kinds and their squares.
    ///
    /// Two pieces of one kind on a square count once. Pins and the side to move are ignored.
    pub fn mobility(&self, side: Color) -> u32 {
        let s = &self.state;
        let occupied = s.occupied();
        let own = s.side_pieces(side);
        let reach = |kind, from| match kind {
            PieceKind::Knight => knights(Squares::of(from), occupied),
            PieceKind::Bishop => Squares::bishop(from, occupied),
            PieceKind::Rook => Squares::rook(from, occupied),
            _ => Squares::bishop(from, occupied) | Squares::rook(from, occupied),
        };
        let mut count = 0;
        for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
            for from in s.of_kind(kind) & own {
                count += (reach(kind, from) & !own).count();
            }
        }
        count
    }

    /// Returns the squares of the enemy pieces that could capture the king of the side to move
    /// (rule 10).
    #[inline]
    pub fn checkers(&self) -> Squares {
        self.state.king_capturers(self.state.side())
    }

    /// Returns the square on which a legal decision captures, or the empty set if it captures
    /// nothing.
    ///
    /// If two enemy pieces are on the square, the earlier piece is captured. The later piece is
    /// captured too unless it is pushed away.
    pub fn captures(&self, mv: Move) -> Squares {
        let MaximMove { from, to, kind, .. } = MaximMove::of(mv);
        match kind {
            MaximMoveKind::Piece(PieceKind::Pawn) if self.state.passes(from, to) => {
                Square::at(to.file(), from.rank()).map_or(Squares::EMPTY, Squares::of)
            }
            MaximMoveKind::Piece(_) => Squares::of(to) & self.occupied_by(!self.state.side()),
            MaximMoveKind::Portal | MaximMoveKind::Done => Squares::EMPTY,
        }
    }
}
