//! What a search has found so far.

use catapult_mcts::{Outlook, Proven, Value};
use catapult_rules::Move;

/// A move of the root and what is expected after it.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The move, and the expected ones after it.
    pub moves: Vec<Move>,
    /// Simulations that went through the move.
    pub visits: u32,
    /// The network's probability of the move, without noise.
    pub prior: f32,
    /// The search's.
    pub share: f32,
    /// P(win) - P(loss) of the side to move; none if the move was never looked at.
    pub q: Option<f32>,
    /// Probabilities of win, draw and loss, where `q` is known.
    pub wdl: Option<[f32; 3]>,
    /// What is proven of it.
    pub proven: Option<Proven>,
}

impl Line {
    /// The moves to the mate that is proven, below 0 where the side to move is mated.
    pub fn mate(&self) -> Option<i32> {
        let proven = self.proven.filter(|proven| proven.outlook != Outlook::Draw)?;
        // The move itself is a ply more than what is proven after it.
        let moves = (u32::from(proven.plies) + 1).div_ceil(2) as i32;
        Some(if proven.outlook == Outlook::Win { moves } else { -moves })
    }
}

/// What a search has found so far, seen from the side to move.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Snapshot {
    /// The moves of the root, best first.
    pub lines: Vec<Line>,
    /// The value of the position.
    pub value: Value,
    /// Simulations made for this position, those kept from earlier ones not counted.
    pub simulations: u32,
    /// Shares of the memory that the tree may hold, in thousandths.
    pub permille_full: u32,
}

/// A value q = P(win) - P(loss) as engines tell it: 90 tan(1.5637541897 q), which Leela Chess Zero used for years. What a pawn is worth
/// is another thing in each game; this is a scale for people, not a measure of material.
pub fn centipawns(q: f32) -> i32 {
    (90.0 * (1.563_754_2 * q.clamp(-1.0, 1.0)).tan()).round().clamp(-12_800.0, 12_800.0) as i32
}

#[cfg(test)]
mod tests {
    use super::centipawns;

    /// Worked by hand.
    #[test]
    fn values_in_centipawns() {
        assert_eq!([0.0, 0.5, -0.5, 1.0, -1.0, f32::NAN].map(centipawns), [0, 89, -89, 12_780, -12_780, 0]);
    }
}
