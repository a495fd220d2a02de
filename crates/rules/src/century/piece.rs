//! Kinds of pieces, and what stands on a square.

use crate::PieceType;
use crate::grid::{Cell, Kind};

/// A kind of piece of Twenty-First Century Chess.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum CenturyPiece {
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
    /// Bishop and knight (rule 1).
    Baron = 6,
    /// Queen and knight (rule 1).
    Sorcerer = 7,
    /// A pawn that also steps diagonally (rule 4).
    Jester = 8,
}

impl CenturyPiece {
    /// All kinds, the pawn first.
    pub const ALL: [CenturyPiece; 9] = [
        CenturyPiece::Pawn,
        CenturyPiece::Knight,
        CenturyPiece::Bishop,
        CenturyPiece::Rook,
        CenturyPiece::Queen,
        CenturyPiece::King,
        CenturyPiece::Baron,
        CenturyPiece::Sorcerer,
        CenturyPiece::Jester,
    ];

    /// The lower-case letter of FEN.
    pub const fn letter(self) -> char {
        ['p', 'n', 'b', 'r', 'q', 'k', 'a', 's', 'j'][self as usize]
    }

    /// The kind of a lower-case letter of FEN.
    pub fn from_letter(letter: char) -> Option<CenturyPiece> {
        CenturyPiece::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// Its worth in centipawns, nothing for a king.
    ///
    /// Knight to Baron as H. G. Muller measured them for Capablanca Chess on the same board by games between engines (its
    /// archbishop is the Baron). A Sorcerer is a queen and a knight, a Jester half a pawn more than a pawn: estimates.
    pub const fn value(self) -> i32 {
        [100, 300, 350, 475, 950, 0, 875, 1250, 150][self as usize]
    }
}

/// The kinds in their order.
pub(super) const PIECES: [PieceType; 9] = {
    const NAMES: [&str; 9] =
        ["pawn", "knight", "bishop", "rook", "queen", "king", "Baron", "Sorcerer", "Jester"];
    let mut pieces = [PieceType { letter: ' ', name: "", centipawns: 0 }; 9];
    let mut i = 0;
    while i < 9 {
        let kind = CenturyPiece::ALL[i];
        let letter = kind.letter().to_ascii_uppercase();
        pieces[i] = PieceType { letter, name: NAMES[i], centipawns: kind.value() };
        i += 1;
    }
    pieces
};

impl Kind for CenturyPiece {
    const KINDS: &'static [CenturyPiece] = &CenturyPiece::ALL;

    const FIRST_KEY: u64 = 0x2_0000;

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
