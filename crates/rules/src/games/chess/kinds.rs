//! What the parts of a [`Move`] mean in the 8x8 games.

use super::piece::PromotionTo;
use crate::{Move, Square};

pub(super) const NORMAL: u8 = 0;
pub(super) const DOUBLE_PUSH: u8 = 1;
pub(super) const EN_PASSANT: u8 = 2;
pub(super) const CASTLE: u8 = 3;
pub(super) const CATAPULT: u8 = 4;
pub(super) const TELEPORT: u8 = 5;
pub(super) const INSTANT: u8 = 6;
pub(super) const PLACE: u8 = 7;

/// The kind byte of a move that promotes.
#[inline(always)]
pub(super) const fn promoting(kind: u8, to: PromotionTo) -> u8 {
    kind | (to as u8) << 4
}

/// The pieces a pawn may become.
pub(super) const PIECES: [PromotionTo; 4] =
    [PromotionTo::Queen, PromotionTo::Rook, PromotionTo::Bishop, PromotionTo::Knight];

/// The kind bytes of a pawn's ordinary moves to the last rank.
pub(super) const PROMOTIONS: [u8; 4] = {
    let mut all = [0; 4];
    let mut i = 0;
    while i < 4 {
        all[i] = promoting(NORMAL, PIECES[i]);
        i += 1;
    }
    all
};

/// How a move is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum ChessMoveKind {
    /// A move of standard chess that is none of the following.
    Normal,
    /// A pawn's double step.
    DoublePush,
    /// A pawn captures in passing.
    EnPassant,
    /// Castling, written as the king's move.
    Castle,
    /// A catapult moves by itself.
    Catapult,
    /// A piece goes from one catapult to another.
    Teleport,
    /// `+instant`: an ordinary move to a catapult (the middle square) and on to another.
    Instant,
    /// `+free`: a catapult is placed; origin and destination are the same square.
    Place,
}

impl ChessMoveKind {
    const ALL: [ChessMoveKind; 8] = [
        ChessMoveKind::Normal,
        ChessMoveKind::DoublePush,
        ChessMoveKind::EnPassant,
        ChessMoveKind::Castle,
        ChessMoveKind::Catapult,
        ChessMoveKind::Teleport,
        ChessMoveKind::Instant,
        ChessMoveKind::Place,
    ];

    pub(super) const fn of(mv: Move) -> ChessMoveKind {
        ChessMoveKind::ALL[(mv.kind() & 7) as usize]
    }
}

pub(super) const fn promotion_of(mv: Move) -> Option<PromotionTo> {
    match mv.kind() >> 4 {
        1 => Some(PromotionTo::Knight),
        2 => Some(PromotionTo::Bishop),
        3 => Some(PromotionTo::Rook),
        4 => Some(PromotionTo::Queen),
        5 => Some(PromotionTo::Catapult),
        _ => None,
    }
}

/// A move taken apart: what it says of itself. What it captures is the position's to say:
/// [`captures`](super::ChessPosition::captures).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChessMove {
    /// Where the piece or catapult comes from (for a placement: where it is placed).
    pub from: Square,
    /// Where it ends.
    pub to: Square,
    /// The catapult passed through, for an instant teleport.
    pub mid: Option<Square>,
    /// How the move is made.
    pub kind: ChessMoveKind,
    /// What the pawn becomes.
    pub promotion: Option<PromotionTo>,
}

impl ChessMove {
    /// Takes a legal move apart.
    #[inline]
    pub const fn of(mv: Move) -> ChessMove {
        let kind = ChessMoveKind::of(mv);
        let mid = if let ChessMoveKind::Instant = kind { Some(Square::of(mv.aux())) } else { None };
        ChessMove {
            from: Square::of(mv.from()),
            to: Square::of(mv.to()),
            mid,
            kind,
            promotion: promotion_of(mv),
        }
    }
}
