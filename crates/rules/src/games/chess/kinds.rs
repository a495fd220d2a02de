//! Meaning of the parts of a [`Move`] in the 8x8 games.

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

/// Returns the kind byte of a promotion.
#[inline(always)]
pub(super) const fn promoting(kind: u8, to: PromotionTo) -> u8 {
    kind | (to as u8) << 4
}

/// Pieces that a pawn may become.
pub(super) const PIECES: [PromotionTo; 4] =
    [PromotionTo::Queen, PromotionTo::Rook, PromotionTo::Bishop, PromotionTo::Knight];

/// Kind bytes of a pawn's ordinary moves to the last rank.
pub(super) const PROMOTIONS: [u8; 4] = {
    let mut all = [0; 4];
    let mut i = 0;
    while i < 4 {
        all[i] = promoting(NORMAL, PIECES[i]);
        i += 1;
    }
    all
};

/// Kind of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum ChessMoveKind {
    /// A move of standard chess that is none of the kinds below.
    Normal,
    /// A pawn's double push.
    DoublePush,
    /// A pawn's capture en passant.
    EnPassant,
    /// Castling. Origin and destination are the king's.
    Castle,
    /// A move of a catapult itself.
    Catapult,
    /// A teleport as a turn (rule 8). [`Instant`](Self::Instant) is a kind of its own.
    Teleport,
    /// An ordinary move to a catapult (the middle square) and a teleport on to another
    /// (`+instant`).
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

/// The parts of a move. The position knows what the move captures:
/// [`captures`](super::ChessPosition::captures).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChessMove {
    /// Origin of the piece or catapult. For a placement it is the square of the catapult.
    pub from: Square,
    /// Destination.
    pub to: Square,
    /// The catapult passed through by an instant teleport.
    pub mid: Option<Square>,
    /// The kind.
    pub kind: ChessMoveKind,
    /// The piece that the pawn becomes.
    pub promotion: Option<PromotionTo>,
}

impl ChessMove {
    /// Splits a legal move of the 8x8 engine into its parts. Moves of other games give meaningless
    /// parts.
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
