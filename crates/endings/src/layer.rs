//! A table in memory.

use crate::bitboards::TableRules;
use crate::space::Men;
use crate::value::{Codes, Metric, Value};

/// A table in memory: the values of all positions of an ending by one metric.
pub(crate) struct Layer {
    pub rules: TableRules,
    pub metric: Metric,
    /// Codes of the values, by side to move (White first). The index is 64 times the number of the
    /// bitboard ([`Space`](crate::space::Space)) plus the square of Black's king.
    pub codes: [Codes; 2],
}

impl Layer {
    /// Returns the value of a position for the side to move. `side` is 0 for White and 1 for Black,
    /// and `black` is the square of Black's king.
    pub(crate) fn value(&self, side: usize, men: Men, black: u8) -> Value {
        self.metric.value(self.codes[side].get(self.rules.space.locate(men, black)))
    }
}
