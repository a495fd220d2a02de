//! Meaning of the parts of a [`Move`] in chess and Chess++.

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

/// Returns the kind byte of a move of kind `kind` that promotes to `to`.
#[inline(always)]
pub(super) const fn promoting(kind: u8, to: PromotionTo) -> u8 {
    kind | (to as u8) << 4
}

/// Promotion pieces that every rule set allows. The catapult (`+promote`) is not included.
pub(super) const PIECES: [PromotionTo; 4] =
    [PromotionTo::Queen, PromotionTo::Rook, PromotionTo::Bishop, PromotionTo::Knight];

/// Kind bytes of a pawn's ordinary moves to the last rank, one per promotion piece.
pub(super) const PROMOTIONS: [u8; 4] = {
    let mut all = [0; 4];
    let mut i = 0;
    while i < 4 {
        all[i] = promoting(NORMAL, PIECES[i]);
        i += 1;
    }
    all
};

/// Kind of a move in chess and Chess++.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum ChessMoveKind {
    /// A move of standard chess except a double push, capture en passant or castling. Promotions
    /// are included.
    Normal,
    /// A pawn's double push.
    DoublePush,
    /// A pawn's capture en passant.
    EnPassant,
    /// Castling. Origin and destination of the move are the king's.
    Castle,
    /// A move of a catapult instead of a piece.
    Catapult,
    /// A teleport that is the whole turn (rule 8).
    Teleport,
    /// An instant teleport (`+instant`): an ordinary move to a catapult, then a teleport to another
    /// catapult. The first catapult's square is the middle square.
    Instant,
    /// A placement of a catapult (`+free`). Origin and destination are the same square.
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

/// The parts of a move in chess and Chess++. The captured pieces depend on the position: see
/// [`captures`](super::ChessPosition::captures).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChessMove {
    /// Square that the moving piece or catapult leaves. For a placement, it is the square of the
    /// new catapult.
    pub from: Square,
    /// Square on which the moving or placed piece or catapult arrives.
    pub to: Square,
    /// Middle square of an instant teleport. `None` for other kinds of moves.
    pub mid: Option<Square>,
    /// Kind of the move.
    pub kind: ChessMoveKind,
    /// Piece that the pawn becomes, or `None` if the move is not a promotion.
    pub promotion: Option<PromotionTo>,
}

impl ChessMove {
    /// Splits a legal move of chess or Chess++ into its parts. Moves of other games give
    /// meaningless parts.
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
