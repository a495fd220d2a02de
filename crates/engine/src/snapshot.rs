//! State of a search.

use catapult_mcts::{Outlook, Proven, Value};
use catapult_rules::Move;

/// A root move and its expected continuation.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The root move and the expected moves after it.
    pub moves: Vec<Move>,
    /// Simulations that passed through the root move.
    pub visits: u32,
    /// The network's probability, without noise.
    pub prior: f32,
    /// The search's probability.
    pub share: f32,
    /// P(win) - P(loss) for the side to move. `None` without a visit.
    pub q: Option<f32>,
    /// Probabilities of win, draw and loss, if `q` is set.
    pub wdl: Option<[f32; 3]>,
    /// The proven result, if any.
    pub proven: Option<Proven>,
}

impl Line {
    /// Number of moves to a proven mate, negative if the side to move is mated.
    pub fn mate(&self) -> Option<i32> {
        let proven = self.proven.filter(|proven| proven.outlook != Outlook::Draw)?;
        // `plies` counts from the position after the root move.
        let moves = (u32::from(proven.plies) + 1).div_ceil(2) as i32;
        Some(if proven.outlook == Outlook::Win { moves } else { -moves })
    }
}

/// State of a search, from the view of the side to move.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Snapshot {
    /// Root moves, best first.
    pub lines: Vec<Line>,
    /// Value of the position.
    pub value: Value,
    /// Number of simulations for this position, without those of a reused tree.
    pub simulations: u32,
    /// Use of the tree's memory, in thousandths of the limit.
    pub permille_full: u32,
}

/// Converts q = P(win) - P(loss) to centipawns by 90 tan(1.5637541897 q), a formula of Leela Chess
/// Zero. The scale is for display: it does not measure material, whose value depends on the game.
pub fn centipawns(q: f32) -> i32 {
    (90.0 * (1.563_754_2 * q.clamp(-1.0, 1.0)).tan()).round().clamp(-12_800.0, 12_800.0) as i32
}

#[cfg(test)]
mod tests {
    use super::centipawns;

    /// Worked out by hand.
    #[test]
    fn values_in_centipawns() {
        assert_eq!([0.0, 0.5, -0.5, 1.0, -1.0, f32::NAN].map(centipawns), [0, 89, -89, 12_780, -12_780, 0]);
    }
}
