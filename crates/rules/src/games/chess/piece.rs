//! Promotion pieces.

use crate::PieceKind;

/// Piece that a pawn becomes by promotion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum PromotionTo {
    /// A knight.
    Knight = 1,
    /// A bishop.
    Bishop = 2,
    /// A rook.
    Rook = 3,
    /// A queen.
    Queen = 4,
    /// A catapult (`+promote`) that counts as not yet moved.
    Catapult = 5,
}

impl PromotionTo {
    /// All promotion pieces, the knight first.
    pub const ALL: [PromotionTo; 5] = [
        PromotionTo::Knight,
        PromotionTo::Bishop,
        PromotionTo::Rook,
        PromotionTo::Queen,
        PromotionTo::Catapult,
    ];

    /// Returns the lower-case letter in move texts.
    pub const fn letter(self) -> char {
        [' ', 'n', 'b', 'r', 'q', 'c'][self as usize]
    }

    /// Returns the piece kind, or `None` for a catapult.
    pub const fn piece(self) -> Option<PieceKind> {
        match self {
            PromotionTo::Knight => Some(PieceKind::Knight),
            PromotionTo::Bishop => Some(PieceKind::Bishop),
            PromotionTo::Rook => Some(PieceKind::Rook),
            PromotionTo::Queen => Some(PieceKind::Queen),
            PromotionTo::Catapult => None,
        }
    }
}
