//! State of a search for reports.

use catapult_mcts::{Outlook, Proven, Value};
use catapult_rules::Move;

/// A root move and its expected continuation.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The root move and the expected moves after it (principal variation).
    pub moves: Vec<Move>,
    /// Number of simulations that passed through the root move.
    pub visits: u32,
    /// Probability of the root move according to the evaluator, without noise (prior).
    pub prior: f32,
    /// Probability of the root move according to the search (target policy).
    pub share: f32,
    /// P(win) - P(loss) after the root move, for the side to move at the root. `None` if the move
    /// has neither visits nor a known result.
    pub q: Option<f32>,
    /// Probabilities of win, draw and loss after the root move, for the side to move at the root.
    /// `None` if `q` is `None`.
    pub wdl: Option<[f32; 3]>,
    /// Proven result after the root move. Its plies count from the position after the move. `None`
    /// if unproven.
    pub proven: Option<Proven>,
}

impl Line {
    /// Returns the number of moves to a proven mate. It is negative if the side to move is mated.
    /// Returns `None` without a proven mate.
    pub fn mate(&self) -> Option<i32> {
        let proven = self.proven.filter(|proven| proven.outlook != Outlook::Draw)?;
        // `plies` counts from the position after the root move.
        let moves = (u32::from(proven.plies) + 1).div_ceil(2) as i32;
        Some(if proven.outlook == Outlook::Win { moves } else { -moves })
    }
}

/// State of a search. Values are for the side to move at the root.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Snapshot {
    /// One line per searched root move, best first.
    pub lines: Vec<Line>,
    /// Value of the root position.
    pub value: Value,
    /// Number of simulations since the search started. Visits from a reused tree do not count.
    pub simulations: u32,
    /// Memory used by the tree, in thousandths of its limit.
    pub permille_full: u32,
}

/// Converts q = P(win) - P(loss) to centipawns by 90 tan(1.5637541897 q), a formula of Leela Chess
/// Zero. The result is clamped to -12,800..=12,800. It is for display and does not measure
/// material. NaN gives 0.
pub fn centipawns(q: f32) -> i32 {
    (90.0 * (SLOPE * q.clamp(-1.0, 1.0)).tan()).round().clamp(-12_800.0, 12_800.0) as i32
}

/// Returns the q that [`centipawns`] converts to this number, up to rounding.
pub fn from_centipawns(score: i32) -> f32 {
    (score as f32 / 90.0).atan() / SLOPE
}

const SLOPE: f32 = 1.563_754_2;

#[cfg(test)]
mod tests {
    use super::{centipawns, from_centipawns};

    /// Expected centipawns were computed by hand.
    #[test]
    fn values_in_centipawns() {
        assert_eq!([0.0, 0.5, -0.5, 1.0, -1.0, f32::NAN].map(centipawns), [0, 89, -89, 12_780, -12_780, 0]);
        for score in [-9_000, -500, -1, 0, 1, 37, 150, 2_000] {
            assert!((centipawns(from_centipawns(score)) - score).abs() <= score.abs() / 100, "{score}");
        }
    }
}
