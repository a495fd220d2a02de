//! Questions to a position.

use super::Maxim;
use super::reach::{knights, sideways};
use super::state::{NO_SQUARE, Phase};
use super::zobrist::{TO_DECLARE, TO_MOVE};
use crate::PieceKind;
use crate::board::attacks8::{self as attacks, pawn_attacks};
use crate::sinks::Targets;
use crate::{Bitboard, Color, Square};

impl Maxim {
    /// Squares with a side's piece of a kind that is alone there or the earlier occupant.
    #[inline]
    pub fn earlier(&self, side: Color, kind: PieceKind) -> Bitboard {
        Bitboard(self.state.layer(0, kind as u8 + 1) & self.state.held(side))
    }

    /// Squares with a side's piece of a kind that is the later occupant of a stack.
    #[inline]
    pub fn later(&self, side: Color, kind: PieceKind) -> Bitboard {
        Bitboard(self.state.layer(1, kind as u8 + 1) & self.state.held(side))
    }

    /// Squares with a side's pieces.
    #[inline]
    pub fn occupied_by(&self, side: Color) -> Bitboard {
        Bitboard(self.state.held(side))
    }

    /// Squares with two pieces.
    #[inline]
    pub fn stacks(&self) -> Bitboard {
        Bitboard(self.state.stacks())
    }

    /// What stands on a square: whose, the earlier or only occupant, the later one.
    pub fn pieces_at(&self, square: Square) -> Option<(Color, PieceKind, Option<PieceKind>)> {
        let square = square.index() as u8;
        let [first, second] = self.state.codes(square).map(|code| {
            let kind = code.checked_sub(1)?;
            PieceKind::ALL.get(kind as usize).copied()
        });
        Some((self.state.owner(square), first?, second))
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king(&self, side: Color) -> Square {
        Square::new(self.state.king(side))
    }

    /// A side's portals: none or two squares.
    #[inline]
    pub fn portals(&self, side: Color) -> Bitboard {
        Bitboard(self.state.portals(side))
    }

    /// What is decided next.
    #[inline]
    pub fn phase(&self) -> Phase {
        match self.state.phase() {
            TO_MOVE => Phase::Move,
            TO_DECLARE => Phase::First,
            first => Phase::Second(Square::new(first)),
        }
    }

    /// The square that a pawn has just passed, if a pawn of the other side stands so that it could capture there.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        let square = self.state.en_passant();
        (square != NO_SQUARE).then(|| Square::new(square))
    }

    /// All squares on which a side would capture, were an enemy there, whoever is to move; its own are counted.
    pub fn attacks(&self, side: Color) -> Bitboard {
        let s = &self.state;
        let occupied = s.occupied();
        let own = s.held(side);
        let mut set = self.pawn_attacks(side).0;
        set |= knights(s.of_kind(PieceKind::Knight) & own, occupied) | attacks::king(s.king(side));
        for from in (s.diagonal() & own).indices() {
            set |= attacks::bishop(from, occupied);
        }
        for from in (s.straight() & own).indices() {
            set |= attacks::rook(from, occupied);
        }
        Bitboard(set)
    }

    /// The squares on which a side's pawns would capture: diagonally when alone, sideways when sharing.
    #[inline]
    pub fn pawn_attacks(&self, side: Color) -> Bitboard {
        let s = &self.state;
        Bitboard(pawn_attacks(s.lone_pawns(side), side) | sideways(s.sharing_pawns(side)))
    }

    /// Squares without friends that a side's knights, bishops, rooks and queens reach, counted once for each kind of piece on
    /// each square, whoever is to move; pins are disregarded.
    pub fn mobility(&self, side: Color) -> u32 {
        let s = &self.state;
        let occupied = s.occupied();
        let own = s.held(side);
        let reach = |kind, from| match kind {
            PieceKind::Knight => knights(1u64 << from, occupied),
            PieceKind::Bishop => attacks::bishop(from, occupied),
            PieceKind::Rook => attacks::rook(from, occupied),
            _ => attacks::bishop(from, occupied) | attacks::rook(from, occupied),
        };
        let mut count = 0;
        for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
            for from in (s.of_kind(kind) & own).indices() {
                count += (reach(kind, from) & !own).count_ones();
            }
        }
        count
    }

    /// The squares of the enemy pieces that could capture the king of the side to move (rule 10).
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        Bitboard(self.state.king_capturers(self.state.side()))
    }

    /// The key from scratch: what [`Position::key`](crate::Position::key) must always equal.
    pub fn recomputed_key(&self) -> u64 {
        self.state.recomputed_key()
    }
}
