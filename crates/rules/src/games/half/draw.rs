//! What people are shown.

use super::{Half, Square};
use crate::{Drawn, Shown};

impl Drawn for Half {
    fn about(_: ()) -> &'static str {
        "Cats and Star Cats jump two or three squares over anything and may capture what enemies they jump over. A knight's \
         first move may be two leaps, a pawn's four steps. Guards step as kings."
    }

    fn shown(&self, file: usize, rank: usize) -> Shown {
        let piece = Square::at(file, rank).and_then(|square| self.piece_at(square));
        Shown::of(piece.map(|(side, kind)| (side, kind.letter())))
    }
}
