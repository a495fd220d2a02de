//! Description of Twenty-First Century Chess, and drawing of its positions.

use super::Century;
use crate::{Describe, Shown};

impl Describe for Century {
    fn about(_: ()) -> &'static str {
        "Barons move as bishop or knight. Pawns promote to Sorcerers (queen and knight) only. Once a game each side may declare a \
         pawn on its second rank a Jester, which also steps diagonally. Castling may pass over attacked squares."
    }

    fn shown(&self, file: usize, rank: usize) -> Shown {
        Shown::of(self.letter_at(file, rank))
    }
}
