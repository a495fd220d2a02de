//! Kinds of pieces.

use crate::board::{Cell, Kind};

crate::pieces::piece_kinds! {
    /// A piece kind of Twenty-First Century Chess.
    ///
    /// The values from knight to Baron are those that H. G. Muller measured for Capablanca Chess,
    /// on a board of the same size. He measured them by engine games, with the archbishop in place
    /// of the Baron. The values of the Sorcerer (queen plus knight) and the Jester (pawn plus 50)
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
        /// Moves as bishop or knight (rule 1).
        Baron: Officer 'a' "Baron" 875;
        /// Moves as queen or knight (rule 1).
        Sorcerer: Officer 's' "Sorcerer" 1250;
        /// A pawn that also steps diagonally (rule 4).
        Jester: Officer 'j' "Jester" 150;
    }
}

impl Kind for CenturyPiece {
    const KINDS: &'static [CenturyPiece] = &CenturyPiece::ALL;

    /// Returns a code whose bits are ways of attacking: 1 slides diagonally, 2 slides straight, 4
    /// leaps as a knight. Bit 8 marks pawns (8), kings (8 + 2) and Jesters (8 + 4).
    #[inline(always)]
    fn code(self) -> u8 {
        [8, 4, 1, 2, 3, 10, 5, 7, 12][self as usize]
    }
}

/// Returns true for a pawn or a Jester.
#[inline(always)]
pub(super) const fn walks(cell: Cell) -> bool {
    cell.0 & 10 == 8
}
