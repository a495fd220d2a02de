//! What the parts of a [`Move`] mean in Chess and a Half.
//!
//! The auxiliary byte is the choice of captures on the way (rule 3): bit 0 for the first square passed, bit 1 for the
//! second. The kind's low four bits tell how the move is made, its high ones the piece that arrives, plus 1.

use super::piece::HalfPiece;
use super::{Square, Squares};
use crate::Move;

pub(super) const NORMAL: u8 = 0;
pub(super) const EN_PASSANT: u8 = 1;
pub(super) const CASTLE: u8 = 2;

/// The kind byte of a normal move after which the piece is another.
#[inline(always)]
pub(super) const fn promoting(to: HalfPiece) -> u8 {
    NORMAL | (to as u8 + 1) << 4
}

/// How a move is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum HalfMoveKind {
    /// A move that is none of the following.
    Normal,
    /// A pawn captures in passing (rule 5).
    EnPassant,
    /// Castling; origin and destination are the king's (rule 7).
    Castle,
}

/// A move taken apart: what it says of itself. What it captures is the position's to say:
/// [`captures`](super::Half::captures).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HalfMove {
    /// Where the piece comes from.
    pub from: Square,
    /// Where it ends.
    pub to: Square,
    /// The squares on the way on which it captures too (rule 3), in the order passed.
    pub on_the_way: [Option<Square>; 2],
    /// How the move is made.
    pub kind: HalfMoveKind,
    /// What the piece becomes (rule 6).
    pub promotion: Option<HalfPiece>,
}

impl HalfMove {
    /// Takes a legal move apart. Garbage gives squares of the board all the same.
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

    /// The squares of [`HalfMove::on_the_way`] as a set.
    pub fn taken_on_the_way(&self) -> Squares {
        self.on_the_way.into_iter().flatten().collect()
    }
}
