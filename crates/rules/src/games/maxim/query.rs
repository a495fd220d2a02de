//! Questions to a position.

use super::Maxim;
use super::kinds::{MaximMove, MaximMoveKind};
use super::reach::knights;
use super::state::Phase;
use crate::PieceKind;
use crate::{Color, Move, Square, Squares};

impl Maxim {
    /// Squares with a side's piece of a kind that is alone there or the earlier occupant.
    #[inline]
    pub fn earlier(&self, side: Color, kind: PieceKind) -> Squares {
        self.state.kind(kind) & self.state.side_pieces(side)
    }

    /// Squares with a side's piece of a kind that is the later occupant of a stack.
    #[inline]
    pub fn later(&self, side: Color, kind: PieceKind) -> Squares {
        self.state.later(kind) & self.state.side_pieces(side)
    }

    /// Squares with a side's pieces.
    #[inline]
    pub fn occupied_by(&self, side: Color) -> Squares {
        self.state.side_pieces(side)
    }

    /// Squares with two pieces.
    #[inline]
    pub fn stacks(&self) -> Squares {
        self.state.stacks()
    }

    /// What stands on a square: whose, the earlier or only occupant, the later one.
    pub fn pieces_at(&self, square: Square) -> Option<(Color, PieceKind, Option<PieceKind>)> {
        let [first, second] = self.state.occupants(square).map(|code| {
            let kind = code.checked_sub(1)?;
            PieceKind::ALL.get(kind as usize).copied()
        });
        Some((self.state.owner(square), first?, second))
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king(&self, side: Color) -> Square {
        self.state.king(side)
    }

    /// A side's portals: none or two squares.
    #[inline]
    pub fn portals(&self, side: Color) -> Squares {
        self.state.portals(side)
    }

    /// What is decided next.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.state.phase()
    }

    /// The square that a pawn has just passed, if a pawn of the other side stands so that it could capture there.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant()
    }

    /// All squares on which a side would capture, were an enemy there, whoever is to move; its own are counted.
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

    /// The squares on which a side's pawns would capture: diagonally when alone, sideways when sharing.
    #[inline]
    pub fn pawn_attacks(&self, side: Color) -> Squares {
        let s = &self.state;
        s.lone_pawns(side).pawn_attacks(side) | s.sharing_pawns(side).sideways()
    }

    /// Squares without friends that a side's knights, bishops, rooks and queens reach, counted once for each kind of piece on
    /// each square, whoever is to move; pins are disregarded.
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

    /// The squares of the enemy pieces that could capture the king of the side to move (rule 10).
    #[inline]
    pub fn checkers(&self) -> Squares {
        self.state.king_capturers(self.state.side())
    }

    /// The square on which a legal decision captures, if it does: the piece there, or of a pair the earlier one, and the later
    /// one unless it is pushed.
    pub fn captures(&self, mv: Move) -> Squares {
        let MaximMove { from, to, kind, .. } = MaximMove::of(mv);
        match kind {
            MaximMoveKind::Piece(PieceKind::Pawn) if self.passes(from, to) => {
                Square::at(to.file(), from.rank()).map_or(Squares::EMPTY, Squares::of)
            }
            MaximMoveKind::Piece(_) => Squares::of(to) & self.occupied_by(!self.state.side()),
            MaximMoveKind::Portal | MaximMoveKind::Done => Squares::EMPTY,
        }
    }

    /// Whether a pawn that goes so captures in passing (rule 5).
    fn passes(&self, from: Square, to: Square) -> bool {
        self.state.en_passant() == Some(to) && from.file() != to.file() && from.rank() != to.rank()
    }

    /// The key from scratch: what [`Position::key`](crate::Position::key) must always equal.
    pub fn recomputed_key(&self) -> u64 {
        self.state.key_from_scratch()
    }
}
