//! Description of Chess and a Half, and drawing of its positions.

use super::{Half, Square};
use crate::{Drawn, Shown};

impl Drawn for Half {
    fn about(_: ()) -> &'static str {
        "Cats jump one or two squares, Star Cats one to three, over anything. They may capture the enemies they jump over. A \
         knight's first move may be two leaps, a pawn's up to four steps. Guards step like kings."
    }

    fn shown(&self, file: usize, rank: usize) -> Shown {
        let piece = Square::at(file, rank).and_then(|square| self.piece_at(square));
        Shown::of(piece.map(|(side, kind)| (side, kind.letter())))
    }
}
