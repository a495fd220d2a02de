//! Piece kinds of Twenty-First Century Chess.

use crate::board::{Cell, Kind};

crate::pieces::piece_kinds! {
    /// A piece kind of Twenty-First Century Chess.
    ///
    /// Values are in centipawns. H. G. Muller measured the values from knight to Baron in engine
    /// games of Capablanca Chess, which is played on a 10x8 board too. There the archbishop moves
    /// as the Baron. The values of the Sorcerer (queen plus knight) and the Jester (pawn plus 50)
    /// are estimates.
    CenturyPiece {
        /// Pawn.
        Pawn: Pawn 'p' "pawn" 100;
        /// Knight.
        Knight: Officer 'n' "knight" 300;
        /// Bishop.
        Bishop: Officer 'b' "bishop" 350;
        /// Rook.
        Rook: Officer 'r' "rook" 475;
        /// Queen.
        Queen: Officer 'q' "queen" 950;
        /// King.
        King: King 'k' "king" 0;
        /// Baron: moves as a bishop or as a knight (rule 1).
        Baron: Officer 'a' "Baron" 875;
        /// Sorcerer: moves as a queen or as a knight (rule 1).
        Sorcerer: Officer 's' "Sorcerer" 1250;
        /// Jester: a pawn that also steps diagonally (rule 4).
        Jester: Officer 'j' "Jester" 150;
    }
}

impl Kind for CenturyPiece {
    const KINDS: &'static [CenturyPiece] = &CenturyPiece::ALL;

    /// Returns a code whose bits are ways of attacking: 1 slides diagonally, 2 slides straight, 4
    /// leaps as a knight. Bit 8 marks the pieces without these ways: pawns (8), kings (8 + 2) and
    /// Jesters (8 + 4).
    #[inline(always)]
    fn code(self) -> u8 {
        [8, 4, 1, 2, 3, 10, 5, 7, 12][self as usize]
    }
}

/// Returns true if the square holds a pawn or a Jester.
#[inline(always)]
pub(super) const fn walks(cell: Cell) -> bool {
    cell.0 & 10 == 8
}
