//! Kinds of pieces, and what stands on a square.

use crate::board::{Cell, Kind};

crate::pieces::piece_kinds! {
    /// A kind of piece of Twenty-First Century Chess.
    ///
    /// Knight to Baron are worth what H. G. Muller measured for Capablanca Chess on the same board by games between engines (its
    /// archbishop is the Baron). A Sorcerer is a queen and a knight, a Jester half a pawn more than a pawn: estimates.
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
        /// Bishop and knight (rule 1).
        Baron: Officer 'a' "Baron" 875;
        /// Queen and knight (rule 1).
        Sorcerer: Officer 's' "Sorcerer" 1250;
        /// A pawn that also steps diagonally (rule 4).
        Jester: Officer 'j' "Jester" 150;
    }
}

impl Kind for CenturyPiece {
    const KINDS: &'static [CenturyPiece] = &CenturyPiece::ALL;

    /// 1 slides diagonally, 2 straight, 4 leaps as a knight; with 8 it is a pawn, and so a king (10) or a Jester (12).
    #[inline(always)]
    fn code(self) -> u8 {
        [8, 4, 1, 2, 3, 10, 5, 7, 12][self as usize]
    }
}

/// Whether a pawn or a Jester stands there.
#[inline(always)]
pub(super) const fn walks(cell: Cell) -> bool {
    cell.0 & 10 == 8
}
