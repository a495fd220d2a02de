//! Piece kinds of Chess and a Half.

use crate::board::Kind;

crate::pieces::piece_kinds! {
    /// A piece kind of Chess and a Half.
    ///
    /// Pawn, knight, bishop, rook and queen have their values in chess. The Nightrider has the
    /// rook's value. Guard, Cat and Star Cat follow a formula that H. G. Muller fitted to engine
    /// matches (chessvariants.com and chess.com, 2010 to 2017). By this formula, a leaper with `n`
    /// moves on an 8x8 board has the value `1.1 n (30 + 5 n / 8)` centipawns. This gives 308 for
    /// the Guard (8 moves), 704 for the Cat (16) and 1188 for the Star Cat (24). The values here
    /// are rounded. The formula ignores captures on the way and the wider board.
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
        /// Guard: moves one square in any direction (rule 1).
        Guard: Officer 'g' "Guard" 300;
        /// Cat: jumps one or two squares (rule 2).
        Cat: Officer 'c' "Cat" 700;
        /// Star Cat: jumps one, two or three squares (rule 2).
        StarCat: Officer 's' "Star Cat" 1200;
        /// Nightrider: repeats a knight's leap in one direction (rule 1).
        Nightrider: Officer 'h' "Nightrider" 500;
    }
}

impl HalfPiece {
    /// Promotion pieces of a pawn, in the order of rule 6.
    pub const PROMOTIONS: [HalfPiece; 6] =
        [Self::Queen, Self::Rook, Self::Bishop, Self::Knight, Self::Guard, Self::Cat];
}

impl Kind for HalfPiece {
    const KINDS: &'static [HalfPiece] = &HalfPiece::ALL;

    #[inline(always)]
    fn code(self) -> u8 {
        self as u8 + 1
    }
}
