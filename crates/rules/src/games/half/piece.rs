//! Kinds of pieces of Chess and a Half.

use crate::board::Kind;

crate::pieces::piece_kinds! {
    /// A kind of piece of Chess and a Half.
    ///
    /// Pawn to queen are worth what they are in chess, the Nightrider as a rook. The others follow the rule that H. G. Muller
    /// fitted to matches between engines (chessvariants.com and chess.com, 2010 to 2017): on an 8x8 board a leaper with `n` moves
    /// is worth about `1.1 n (30 + 5 n / 8)` centipawns, which gives the Guard (8) 308, the Cat (16) 704 and the Star Cat (24)
    /// 1188; rounded here. Captures on the way and the wider board are not in it.
    HalfPiece {
        /// Pawn.
        Pawn: Pawn 'p' "pawn" 100;
        /// Knight.
        Knight: Officer 'n' "knight" 300;
        /// Bishop.
        Bishop: Officer 'b' "bishop" 300;
        /// Rook.
        Rook: Officer 'r' "rook" 500;
        /// Queen.
        Queen: Officer 'q' "queen" 900;
        /// King.
        King: King 'k' "king" 0;
        /// One square in any direction (rule 1).
        Guard: Officer 'g' "Guard" 300;
        /// Jumps one or two squares (rule 2).
        Cat: Officer 'c' "Cat" 700;
        /// Jumps one, two or three squares (rule 2).
        StarCat: Officer 's' "Star Cat" 1200;
        /// Repeats a knight's leap (rule 1).
        Nightrider: Officer 'h' "Nightrider" 500;
    }
}

impl HalfPiece {
    /// What a pawn may become, in the order of the rule.
    pub const PROMOTIONS: [HalfPiece; 6] = [
        HalfPiece::Queen,
        HalfPiece::Rook,
        HalfPiece::Bishop,
        HalfPiece::Knight,
        HalfPiece::Guard,
        HalfPiece::Cat,
    ];
}

impl Kind for HalfPiece {
    const KINDS: &'static [HalfPiece] = &HalfPiece::ALL;

    #[inline(always)]
    fn code(self) -> u8 {
        self as u8 + 1
    }
}
