//! Values of positions, and the codes that store them in tables.

use std::fmt;

/// Value of a position for the side to move under best play. The number is a distance in plies,
/// whose meaning depends on the [`Metric`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Value {
    /// The side to move wins, with this distance in plies.
    Won(u16),
    /// Neither side wins.
    Drawn,
    /// The side to move loses, with this distance in plies.
    Lost(u16),
}

impl Value {
    /// Returns a number for sorting. It is larger the better the value is for the side to move.
    pub fn rank(self) -> i32 {
        match self {
            Value::Lost(plies) => i32::from(plies) - 100_000,
            Value::Drawn => 0,
            Value::Won(plies) => 100_000 - i32::from(plies),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Won(plies) => write!(f, "won in {plies}"),
            Value::Drawn => f.write_str("drawn"),
            Value::Lost(plies) => write!(f, "lost in {plies}"),
        }
    }
}

catapult_rules::named! {
    /// Kind of distance that a table stores.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Metric {
        /// DTM: plies to mate under best play, without the fifty-move rule.
        Dtm = "mate",
        /// DTZ: plies to the next reset of the half-move clock, or to mate. The fifty-move rule
        /// applies, and the position's half-move clock is 0.
        Dtz = "clock",
    }
}

/// Maximum number of plies without a reset of the half-move clock: the fifty-move rule.
pub const CLOCK_LIMIT: u16 = 100;

impl Metric {
    /// Returns the code that a table stores for a value. 0 is a draw. DTM needs no code for the
    /// winner, because it is odd if and only if the side to move wins.
    pub(crate) fn code(self, value: Value) -> u16 {
        match (self, value) {
            (_, Value::Drawn) => 0,
            (Metric::Dtm, Value::Won(plies) | Value::Lost(plies)) | (Metric::Dtz, Value::Won(plies)) => {
                plies + 1
            }
            (Metric::Dtz, Value::Lost(plies)) => plies + 2 + CLOCK_LIMIT,
        }
    }

    /// Returns the value that a stored code represents.
    pub(crate) fn value(self, code: u16) -> Value {
        match (self, code) {
            (_, 0) => Value::Drawn,
            (Metric::Dtm, code) if code % 2 == 0 => Value::Won(code - 1),
            (Metric::Dtm, code) => Value::Lost(code - 1),
            (Metric::Dtz, code) if code <= CLOCK_LIMIT + 1 => Value::Won(code - 1),
            (Metric::Dtz, code) => Value::Lost(code - 2 - CLOCK_LIMIT),
        }
    }
}

/// Codes of a table's values, one per position. Codes take one byte each until a code exceeds 255,
/// then two.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Codes {
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

impl Codes {
    pub(crate) fn new(positions: usize) -> Codes {
        Codes::Narrow(vec![0; positions])
    }

    #[inline]
    pub(crate) fn get(&self, position: usize) -> u16 {
        match self {
            Codes::Narrow(codes) => codes[position].into(),
            Codes::Wide(codes) => codes[position],
        }
    }

    /// Changes to two bytes per code if `code` does not fit into one byte.
    pub(crate) fn widen_for(&mut self, code: u16) {
        if let (Codes::Narrow(codes), 256..) = (&*self, code) {
            *self = Codes::Wide(codes.iter().map(|code| u16::from(*code)).collect());
        }
    }

    /// Returns the number of bytes per code.
    pub(crate) fn width(&self) -> usize {
        match self {
            Codes::Narrow(_) => 1,
            Codes::Wide(_) => 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_read_back() {
        for plies in 0..=CLOCK_LIMIT {
            for value in [Value::Won(plies), Value::Lost(plies), Value::Drawn] {
                assert_eq!(Metric::Dtz.value(Metric::Dtz.code(value)), value);
                assert!(Metric::Dtz.code(value) < 256);
            }
            let value = if plies % 2 == 1 { Value::Won(plies) } else { Value::Lost(plies) };
            assert_eq!(Metric::Dtm.value(Metric::Dtm.code(value)), value);
        }
    }

    #[test]
    fn a_long_distance_widens_and_loses_nothing() {
        let mut codes = Codes::Narrow(vec![0, 7, 255]);
        codes.widen_for(255);
        assert_eq!(codes.width(), 1);
        codes.widen_for(256);
        assert_eq!((codes.width(), codes.get(1), codes.get(2)), (2, 7, 255));
    }
}
