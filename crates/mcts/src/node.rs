//! Tree nodes, and values from White's view.

use crate::Value;
use catapult_rules::Color;

/// P(White wins) - P(Black wins). The separate type prevents confusion with values for the side to
/// move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct WhiteQ(pub f32);

impl WhiteQ {
    pub(crate) fn new(q: f32, mover: Color) -> WhiteQ {
        WhiteQ(q * sign(mover))
    }

    /// Returns P(win) - P(loss) for `mover`.
    #[inline(always)]
    pub(crate) fn of(self, mover: Color) -> f32 {
        self.0 * sign(mover)
    }
}

/// Factor that converts Q between White's view and the view of `mover`.
#[inline(always)]
pub(crate) fn sign(mover: Color) -> f32 {
    match mover {
        Color::White => 1.0,
        Color::Black => -1.0,
    }
}

/// Value of a position from White's view.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct WhiteValue {
    pub q: WhiteQ,
    /// Probability of a draw.
    pub draw: f32,
    /// Expected plies until the game ends.
    pub moves_left: f32,
}

impl WhiteValue {
    pub(crate) const DRAW: WhiteValue = WhiteValue { q: WhiteQ(0.0), draw: 1.0, moves_left: 0.0 };

    /// Converts an evaluation of a position with `mover` to move. Probabilities that are not finite
    /// count as a draw.
    pub(crate) fn new(value: &Value, mover: Color) -> WhiteValue {
        let q = value.wdl[0] - value.wdl[2];
        let draw = value.wdl[1];
        if !q.is_finite() || !draw.is_finite() {
            return WhiteValue::DRAW;
        }
        let moves_left = if value.moves_left.is_finite() { value.moves_left.max(0.0) } else { 0.0 };
        WhiteValue { q: WhiteQ::new(q.clamp(-1.0, 1.0), mover), draw: draw.clamp(0.0, 1.0), moves_left }
    }

    /// Converts the value to the view of `mover`.
    pub(crate) fn of(self, mover: Color) -> Value {
        let q = self.q.of(mover);
        let decided = 1.0 - self.draw;
        let win = ((decided + q) / 2.0).max(0.0);
        let loss = ((decided - q) / 2.0).max(0.0);
        Value { wdl: [win, (1.0 - win - loss).max(0.0), loss], moves_left: self.moves_left }
    }
}

/// Result of a node. [`Status::Open`] if it is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub(crate) enum Status {
    /// Unknown result: the node's value is an estimate.
    #[default]
    Open,
    /// Draw by repetition or the fifty-move rule. It depends on the path to this node, so it is not
    /// a proof.
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

    /// Returns the exact value of a known result, with `plies` as the number of plies to the end of
    /// the game. Returns `None` for [`Status::Open`].
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

/// A node of the tree: one position on one path. Its edges are the moves to search, consecutive in
/// the tree's edge arena. Its children are consecutive in the node arena. Child i belongs to edge
/// i. The last edges may have no child yet.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Sum of Q over all visits, from White's view.
    pub sum_q: f64,
    /// Mean of Q over all visits, or the exact Q of a known result, from White's view.
    pub q: WhiteQ,
    /// Mean of P(draw) over all visits, or the exact value of a known result.
    pub draw: f32,
    /// Mean of the expected plies until the game ends, or the exact number of a known result.
    pub moves_left: f32,
    /// Q from the evaluation of this position, from White's view.
    pub raw_q: WhiteQ,
    pub visits: u32,
    pub first_child: u32,
    pub first_edge: u32,
    /// Number of edges. 0 until the search requests the node's evaluation or restricts the node to
    /// its turn-ending move.
    pub edge_count: u16,
    /// Number of children in the node arena.
    pub child_count: u16,
    /// Number of simulations through this node that wait for an evaluation.
    pub in_flight: u16,
    /// Plies to the end of the game, if the status is proven. In a win or loss it is an upper
    /// bound.
    pub plies: u16,
    pub status: Status,
    pub mover: Color,
    /// True if some legal moves have no edge. The children can then prove a win for the side to
    /// move, but no draw or loss.
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

    /// True if the node has visits or a known result, so that its value is set.
    pub(crate) fn has_value(&self) -> bool {
        self.visits > 0 || self.status != Status::Open
    }

    /// Sets a known result and its exact value. `plies` is the number of plies to the end of the
    /// game.
    pub(crate) fn settle(&mut self, status: Status, plies: u16) {
        self.status = status;
        self.plies = plies;
        if let Some(value) = status.value(plies) {
            self.q = value.q;
            self.draw = value.draw;
            self.moves_left = value.moves_left;
        }
    }

    /// Adds a visit with this value. The mean values change only if the node's result is unknown.
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
