//! Kinds of pieces of Chess and a Half.

use crate::board::Kind;

crate::pieces::piece_kinds! {
    /// A piece kind of Chess and a Half.
    ///
    /// Pawn, knight, bishop, rook and queen have their values in chess. The Nightrider has the
    /// rook's value. The others follow a rule that H. G. Muller fitted to engine matches
    /// (chessvariants.com and chess.com, 2010 to 2017). On an 8x8 board, a leaper with `n` moves is
    /// worth about `1.1 n (30 + 5 n / 8)` centipawns. This gives 308 for the Guard (8 moves), 704
    /// for the Cat (16) and 1188 for the Star Cat (24). These values are rounded here. The rule
    /// ignores captures on the way and the wider board.
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
        /// Moves one square in any direction (rule 1).
        Guard: Officer 'g' "Guard" 300;
        /// Jumps one or two squares (rule 2).
        Cat: Officer 'c' "Cat" 700;
        /// Jumps one, two or three squares (rule 2).
        StarCat: Officer 's' "Star Cat" 1200;
        /// Repeats a knight's leap in one direction (rule 1).
        Nightrider: Officer 'h' "Nightrider" 500;
    }
}

impl HalfPiece {
    /// Promotion pieces of a pawn, in the order of rule 6.
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
