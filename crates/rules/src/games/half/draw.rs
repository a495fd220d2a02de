//! Description of Chess and a Half, and drawing of its positions.

use super::Half;
use crate::{Describe, Shown};

impl Describe for Half {
    fn about(_: ()) -> &'static str {
        "Cats jump one or two squares, Star Cats one to three, over anything. They may capture the enemies they jump over. A \
         knight's first move may be two leaps, a pawn's up to four steps. Guards step like kings."
    }

    fn shown(&self, file: usize, rank: usize) -> Shown {
        Shown::of(self.letter_at(file, rank))
    }
}
