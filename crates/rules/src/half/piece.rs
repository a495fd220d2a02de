//! Kinds of pieces of Chess and a Half.

use crate::PieceType;
use crate::grid::Kind;

/// A kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum HalfPiece {
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
    /// One square in any direction (rule 1).
    Guard = 6,
    /// Jumps one or two squares (rule 2).
    Cat = 7,
    /// Jumps one, two or three squares (rule 2).
    StarCat = 8,
    /// Repeats a knight's leap (rule 1).
    Nightrider = 9,
}

impl HalfPiece {
    /// All kinds, the pawn first.
    pub const ALL: [HalfPiece; 10] = [
        HalfPiece::Pawn,
        HalfPiece::Knight,
        HalfPiece::Bishop,
        HalfPiece::Rook,
        HalfPiece::Queen,
        HalfPiece::King,
        HalfPiece::Guard,
        HalfPiece::Cat,
        HalfPiece::StarCat,
        HalfPiece::Nightrider,
    ];

    /// What a pawn may become, in the order of the rule.
    pub const PROMOTIONS: [HalfPiece; 6] = [
        HalfPiece::Queen,
        HalfPiece::Rook,
        HalfPiece::Bishop,
        HalfPiece::Knight,
        HalfPiece::Guard,
        HalfPiece::Cat,
    ];

    /// The lower-case letter of FEN and of promotions.
    pub const fn letter(self) -> char {
        ['p', 'n', 'b', 'r', 'q', 'k', 'g', 'c', 's', 'h'][self as usize]
    }

    /// The kind of a lower-case letter of FEN.
    pub fn from_letter(letter: char) -> Option<HalfPiece> {
        HalfPiece::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// Its worth in centipawns, nothing for a king.
    ///
    /// Pawn to queen are as in chess, the Nightrider as a rook. The others follow the rule that H. G. Muller fitted to
    /// matches between engines (chessvariants.com and chess.com, 2010 to 2017): on an 8x8 board a leaper with `n` moves is
    /// worth about `1.1 n (30 + 5 n / 8)` centipawns, which gives the Guard (8) 308, the Cat (16) 704 and the Star Cat (24)
    /// 1188; rounded here. Captures on the way and the wider board are not in it.
    pub const fn value(self) -> i32 {
        [100, 300, 300, 500, 900, 0, 300, 700, 1200, 500][self as usize]
    }
}

/// The kinds in their order, for [`Position::PIECES`](crate::Position::PIECES).
pub(super) const PIECES: [PieceType; 10] = {
    const NAMES: [&str; 10] =
        ["pawn", "knight", "bishop", "rook", "queen", "king", "Guard", "Cat", "Star Cat", "Nightrider"];
    let mut pieces = [PieceType { letter: ' ', name: "", centipawns: 0 }; 10];
    let mut i = 0;
    while i < 10 {
        let kind = HalfPiece::ALL[i];
        pieces[i] = PieceType {
            letter: kind.letter().to_ascii_uppercase(),
            name: NAMES[i],
            centipawns: kind.value(),
        };
        i += 1;
    }
    pieces
};

impl Kind for HalfPiece {
    const KINDS: &'static [HalfPiece] = &HalfPiece::ALL;

    const FIRST_KEY: u64 = 0x1_0000;

    #[inline(always)]
    fn code(self) -> u8 {
        self as u8 + 1
    }
}
