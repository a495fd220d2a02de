//! Values of all positions of an ending by one metric.

use crate::bitboards::{Men, TableRules};
use crate::geometry::apply;
use crate::geometry::bit;
use crate::value::{Codes, Metric, Value};

/// Values of a table by one metric.
pub(crate) struct Layer {
    pub rules: TableRules,
    pub metric: Metric,
    /// Codes by side to move, White first, 64 per word.
    pub codes: [Codes; 2],
}

impl Layer {
    /// Returns the value of a position for the side to move.
    pub(crate) fn value(&self, side: usize, men: Men, black: u8) -> Value {
        let place = self.rules.space.locate(men.king, men.piece, men.catapults);
        let black = apply(place.symmetry, bit(black)).trailing_zeros() as usize;
        self.metric.value(self.codes[side].get(place.word * 64 + black))
    }
}
