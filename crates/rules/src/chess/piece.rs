//! Kinds of pieces of standard chess.

/// A kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum PieceKind {
    /// Pawn.
    Pawn = 0,
    /// Knight.
    Knight = 1,
    /// Bishop.
    Bishop = 2,
    /// Rook.
    Rook = 3,
    /// Queen.
    Queen = 4,
    /// King.
    King = 5,
}

impl PieceKind {
    /// All kinds, the pawn first.
    pub const ALL: [PieceKind; 6] = [
        PieceKind::Pawn,
        PieceKind::Knight,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::Queen,
        PieceKind::King,
    ];

    /// The lower-case letter of FEN.
    pub const fn letter(self) -> char {
        ['p', 'n', 'b', 'r', 'q', 'k'][self as usize]
    }

    /// The kind of a lower-case letter of FEN.
    pub const fn from_letter(letter: char) -> Option<PieceKind> {
        Some(match letter {
            'p' => PieceKind::Pawn,
            'n' => PieceKind::Knight,
            'b' => PieceKind::Bishop,
            'r' => PieceKind::Rook,
            'q' => PieceKind::Queen,
            'k' => PieceKind::King,
            _ => return None,
        })
    }

    /// Its worth in centipawns: 100, 300, 300, 500, 900 and nothing for a king.
    pub const fn value(self) -> i32 {
        [100, 300, 300, 500, 900, 0][self as usize]
    }
}

/// What a pawn becomes.
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
    /// A fresh catapult, under `+promote`.
    Catapult = 5,
}

impl PromotionTo {
    /// All of them, the knight first.
    pub const ALL: [PromotionTo; 5] = [
        PromotionTo::Knight,
        PromotionTo::Bishop,
        PromotionTo::Rook,
        PromotionTo::Queen,
        PromotionTo::Catapult,
    ];

    /// The letter of move texts.
    pub const fn letter(self) -> char {
        [' ', 'n', 'b', 'r', 'q', 'c'][self as usize]
    }

    /// The piece, none for a catapult.
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
