//! Meaning of the parts of a [`Move`] in Chess and a Half.
//!
//! The auxiliary byte is the set of passed squares on which a Cat or Star Cat also captures (rule
//! 3). Bit 0 is the first square passed, bit 1 the second. The low four bits of the kind byte are
//! the kind of move. The high bits are 0, or the index plus 1 of the promotion piece.

use super::piece::HalfPiece;
use super::{Square, Squares};
use crate::Move;

pub(super) const NORMAL: u8 = 0;
pub(super) const EN_PASSANT: u8 = 1;
pub(super) const CASTLE: u8 = 2;

/// Returns the kind byte of a move that promotes to `to`.
#[inline(always)]
pub(super) const fn promoting(to: HalfPiece) -> u8 {
    NORMAL | (to as u8 + 1) << 4
}

/// Kind of a move in Chess and a Half.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum HalfMoveKind {
    /// Any move except captures en passant and castling. Promotions are included.
    Normal,
    /// A capture en passant (rule 5).
    EnPassant,
    /// Castling (rule 7). Origin and destination of the move are the king's.
    Castle,
}

/// The parts of a move in Chess and a Half. The captured pieces depend on the position: see
/// [`captures`](super::Half::captures).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HalfMove {
    /// Square that the moving piece leaves.
    pub from: Square,
    /// Square on which the moving piece arrives.
    pub to: Square,
    /// Squares passed on which a Cat or Star Cat also captures (rule 3), in the order passed.
    pub on_the_way: [Option<Square>; 2],
    /// Kind of the move.
    pub kind: HalfMoveKind,
    /// Promotion piece (rule 6), or `None` if the move is not a promotion.
    pub promotion: Option<HalfPiece>,
}

impl HalfMove {
    /// Splits a legal move of Chess and a Half into its parts. Moves of other games give
    /// meaningless parts, but their squares are on the board.
    #[inline(always)]
    pub fn of(mv: Move) -> HalfMove {
        let (from, to) = (Square::of(mv.from()), Square::of(mv.to()));
        let mut on_the_way = [None; 2];
        if mv.aux() != 0 {
            let files = (to.file() as i32 - from.file() as i32).signum();
            let ranks = (to.rank() as i32 - from.rank() as i32).signum();
            for (i, square) in on_the_way.iter_mut().enumerate() {
                if mv.aux() >> i & 1 != 0 {
                    *square = from.offset(files * (i as i32 + 1), ranks * (i as i32 + 1));
                }
            }
        }
        let kind = match mv.kind() & 15 {
            EN_PASSANT => HalfMoveKind::EnPassant,
            CASTLE => HalfMoveKind::Castle,
            _ => HalfMoveKind::Normal,
        };
        let promotion = HalfPiece::ALL.get((mv.kind() >> 4).wrapping_sub(1) as usize).copied();
        HalfMove { from, to, on_the_way, kind, promotion }
    }

    /// Returns the squares passed on which the move captures ([`HalfMove::on_the_way`]), as a set.
    pub fn taken_on_the_way(&self) -> Squares {
        self.on_the_way.into_iter().flatten().collect()
    }
}
