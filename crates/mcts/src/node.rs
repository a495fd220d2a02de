//! Values for White or for a mover, and tree nodes.

use crate::Value;
use catapult_rules::Color;

/// P(White wins) - P(Black wins). A separate type prevents mixing it up with a mover's value.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct WhiteQ(pub f32);

impl WhiteQ {
    pub(crate) fn new(q: f32, mover: Color) -> WhiteQ {
        WhiteQ(q * sign(mover))
    }

    /// P(win) - P(loss) of `mover`.
    #[inline(always)]
    pub(crate) fn of(self, mover: Color) -> f32 {
        self.0 * sign(mover)
    }
}

/// Factor between White's view and that of `mover`.
#[inline(always)]
pub(crate) fn sign(mover: Color) -> f32 {
    match mover {
        Color::White => 1.0,
        Color::Black => -1.0,
    }
}

/// Value of a position in White's view.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct WhiteValue {
    pub q: WhiteQ,
    /// P(draw).
    pub draw: f32,
    /// Expected plies until the game ends.
    pub moves_left: f32,
}

impl WhiteValue {
    pub(crate) const DRAW: WhiteValue = WhiteValue { q: WhiteQ(0.0), draw: 1.0, moves_left: 0.0 };

    /// Converts an evaluation of a position with `mover` to move. A value that is not finite counts
    /// as a draw.
    pub(crate) fn new(value: &Value, mover: Color) -> WhiteValue {
        let q = value.wdl[0] - value.wdl[2];
        let draw = value.wdl[1];
        if !q.is_finite() || !draw.is_finite() {
            return WhiteValue::DRAW;
        }
        let moves_left = if value.moves_left.is_finite() { value.moves_left.max(0.0) } else { 0.0 };
        WhiteValue { q: WhiteQ::new(q.clamp(-1.0, 1.0), mover), draw: draw.clamp(0.0, 1.0), moves_left }
    }

    /// Value for `mover`.
    pub(crate) fn of(self, mover: Color) -> Value {
        let q = self.q.of(mover);
        let decided = 1.0 - self.draw;
        let win = ((decided + q) / 2.0).max(0.0);
        let loss = ((decided - q) / 2.0).max(0.0);
        Value { wdl: [win, (1.0 - win - loss).max(0.0), loss], moves_left: self.moves_left }
    }
}

/// Known result of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub(crate) enum Status {
    /// No known result: the value is an estimate.
    #[default]
    Open,
    /// A draw on this path only (repetition, fifty-move rule). It is not proven, so it proves
    /// nothing above it.
    Drawn,
    /// Proven win for White.
    WhiteWins,
    /// Proven win for Black.
    BlackWins,
    /// Proven draw.
    ProvenDraw,
}

impl Status {
    pub(crate) fn win_of(color: Color) -> Status {
        match color {
            Color::White => Status::WhiteWins,
            Color::Black => Status::BlackWins,
        }
    }

    pub(crate) fn is_proven(self) -> bool {
        matches!(self, Status::WhiteWins | Status::BlackWins | Status::ProvenDraw)
    }

    /// The exact value of a known result `plies` before the end.
    pub(crate) fn value(self, plies: u16) -> Option<WhiteValue> {
        let q = match self {
            Status::Open => return None,
            Status::WhiteWins => 1.0,
            Status::BlackWins => -1.0,
            Status::Drawn | Status::ProvenDraw => 0.0,
        };
        Some(WhiteValue { q: WhiteQ(q), draw: 1.0 - q.abs(), moves_left: plies as f32 })
    }
}

/// A visited position. Its edges (all legal moves) are consecutive in the tree's edge arena. The
/// nodes of its visited children are consecutive in the node arena, in the order of the first
/// edges.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Sum of the values of all visits in White's view.
    pub sum_q: f64,
    /// Mean of these values, or the exact value of a known result.
    pub q: WhiteQ,
    /// Mean of P(draw).
    pub draw: f32,
    /// Mean plies left.
    pub moves_left: f32,
    /// The evaluator's own value.
    pub raw_q: WhiteQ,
    pub visits: u32,
    pub first_child: u32,
    pub first_edge: u32,
    /// Number of legal moves; 0 until the node's evaluation is requested.
    pub edge_count: u16,
    /// Number of children with a node.
    pub child_count: u16,
    /// Visits in flight.
    pub in_flight: u16,
    /// Plies to the end with best play as far as proven, for a proven status.
    pub plies: u16,
    pub status: Status,
    pub mover: Color,
    /// True if some legal moves are not edges, so that the edges can prove only a win.
    pub narrowed: bool,
}

const _: () = assert!(size_of::<Node>() <= 64);

impl Node {
    pub(crate) fn new(mover: Color, status: Status) -> Node {
        let value = status.value(0).unwrap_or_default();
        Node {
            sum_q: 0.0,
            q: value.q,
            draw: value.draw,
            moves_left: value.moves_left,
            raw_q: WhiteQ::default(),
            visits: 0,
            first_child: 0,
            first_edge: 0,
            edge_count: 0,
            child_count: 0,
            in_flight: 0,
            plies: 0,
            status,
            mover,
            narrowed: false,
        }
    }

    pub(crate) fn value(&self) -> WhiteValue {
        WhiteValue { q: self.q, draw: self.draw, moves_left: self.moves_left }
    }

    /// True if the node has its own value: it has visits or a known result.
    pub(crate) fn has_value(&self) -> bool {
        self.visits > 0 || self.status != Status::Open
    }

    /// Sets an exact result `plies` before the end.
    pub(crate) fn settle(&mut self, status: Status, plies: u16) {
        self.status = status;
        self.plies = plies;
        if let Some(value) = status.value(plies) {
            self.q = value.q;
            self.draw = value.draw;
            self.moves_left = value.moves_left;
        }
    }

    /// Counts a visit with this value. An exact result does not change.
    #[inline]
    pub(crate) fn record(&mut self, value: &WhiteValue) {
        self.visits += 1;
        self.sum_q += value.q.0 as f64;
        if self.status == Status::Open {
            let share = 1.0 / self.visits as f32;
            self.q = WhiteQ((self.sum_q / self.visits as f64) as f32);
            self.draw += (value.draw - self.draw) * share;
            self.moves_left += (value.moves_left - self.moves_left) * share;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_of_a_value() {
        let value = Value { wdl: [0.5, 0.375, 0.125], moves_left: 7.0 };
        let seen = WhiteValue::new(&value, Color::Black);
        assert_eq!(seen.q, WhiteQ(-0.375));
        assert_eq!(seen.q.of(Color::Black), 0.375);
        assert_eq!(seen.of(Color::Black), value);
        assert_eq!(seen.of(Color::White).wdl, [0.125, 0.375, 0.5]);
        let nonsense = Value { wdl: [f32::NAN, 0.0, 0.0], moves_left: 1.0 };
        assert_eq!(WhiteValue::new(&nonsense, Color::White), WhiteValue::DRAW);
    }

    #[test]
    fn means_of_visits() {
        let mut node = Node::new(Color::White, Status::Open);
        for (q, draw, moves_left) in [(0.5, 0.25, 10.0), (-1.0, 0.0, 4.0), (0.0, 1.0, 1.0)] {
            node.record(&WhiteValue { q: WhiteQ(q), draw, moves_left });
        }
        assert_eq!(node.visits, 3);
        assert!((node.q.0 + 0.5 / 3.0).abs() < 1e-7);
        assert!((node.draw - 1.25 / 3.0).abs() < 1e-7);
        assert!((node.moves_left - 5.0).abs() < 1e-6);
    }
}
