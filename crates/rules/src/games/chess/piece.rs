//! Promotion pieces of chess and Chess++.

use crate::PieceKind;

/// Piece that a pawn becomes by promotion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum PromotionTo {
    /// Promotion to a knight.
    Knight = 1,
    /// Promotion to a bishop.
    Bishop = 2,
    /// Promotion to a rook.
    Rook = 3,
    /// Promotion to a queen.
    Queen = 4,
    /// Promotion to a catapult (`+promote`), which counts as not yet moved.
    Catapult = 5,
}

impl PromotionTo {
    /// All promotion pieces, the knight first.
    pub const ALL: [PromotionTo; 5] = [Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::Catapult];

    /// Returns the piece's lower-case letter in move texts, such as `q`.
    pub const fn letter(self) -> char {
        [' ', 'n', 'b', 'r', 'q', 'c'][self as usize]
    }

    /// Returns the kind of the promotion piece, or `None` for a catapult.
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
