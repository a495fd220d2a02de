//! One distance for every position of an ending.

use crate::geometry::apply;
use crate::geometry::bit;
use crate::value::{Codes, Metric, Value};
use crate::words::{Men, Words};

/// A table's values by one metric.
pub(crate) struct Layer {
    pub words: Words,
    pub metric: Metric,
    /// By side to move, White first; 64 a word.
    pub codes: [Codes; 2],
}

impl Layer {
    /// What a position is worth to the side to move.
    pub(crate) fn value(&self, side: usize, men: Men, black: u8) -> Value {
        let place = self.words.space.locate(men.king, men.piece, men.catapults);
        let black = apply(place.symmetry, bit(black)).trailing_zeros() as usize;
        self.metric.value(self.codes[side].get(place.word * 64 + black))
    }
}
