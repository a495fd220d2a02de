//! The result of a search.

use crate::Value;
use catapult_rules::Move;
use rand::Rng;

/// Result of a game with best play, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outlook {
    /// The side to move wins.
    Win,
    /// Neither side wins.
    Draw,
    /// The side to move loses.
    Loss,
}

/// A proven result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proven {
    /// The result for the side to move.
    pub outlook: Outlook,
    /// Plies to the end as far as searched: an upper bound in a win, a lower bound in a loss.
    pub plies: u16,
}

/// Statistics of one root move. Q values are P(win) - P(loss) for the side to move at the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveStats {
    /// The move.
    pub mv: Move,
    /// The evaluator's probability, without noise and at the root's temperature.
    pub prior: f32,
    /// Simulations that passed through the move.
    pub visits: u32,
    /// Mean Q of these simulations, or the exact Q of a known result. `None` without either.
    pub q: Option<f32>,
    /// Mean P(draw) of the same simulations. Meaningful only if `q` is set.
    pub draw: f32,
    /// Mean plies left after the move. Meaningful only if `q` is set.
    pub moves_left: f32,
    /// The proven result, if any.
    pub proven: Option<Proven>,
}

/// Result of a search. All values are for the side to move at the root.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult {
    /// The move to play. `None` only without legal moves.
    pub best: Option<Move>,
    /// Target probability of every legal move that no [`Mask`](crate::Mask) forbids, in legal-move
    /// order.
    ///
    /// - Gumbel: the improved policy pi' (Danihelka et al. 2022, equation 11).
    /// - PUCT: shares of the visits.
    /// - Proven root: only moves that preserve the result, for a win the shortest.
    pub policy: Vec<(Move, f32)>,
    /// Statistics of the same moves in the same order.
    pub moves: Vec<MoveStats>,
    /// Value of the root, exact if proven.
    ///
    /// - Gumbel: expected value under pi', with mixed values for unvisited moves.
    /// - PUCT: mean of all visits.
    pub value: Value,
    /// The evaluator's own value of the root.
    pub raw_value: Value,
    /// Mean of all visits of the root, including its own evaluation. Exact if proven.
    pub mean_value: Value,
    /// The proven result of the root, if any.
    pub proven: Option<Proven>,
    /// Number of simulations run.
    pub simulations: u32,
    /// Number of nodes created.
    pub nodes: usize,
    /// Bytes allocated for nodes and edges.
    pub bytes: usize,
}

impl SearchResult {
    /// Kullback-Leibler divergence of the target policy from the evaluator's priors, in nats. It
    /// measures the information gained by the search.
    pub fn surprise(&self) -> f32 {
        let moves = self.policy.iter().zip(&self.moves).filter(|((_, p), _)| *p > 0.0);
        let sum: f32 = moves.map(|((_, p), mv)| p * (p / mv.prior.max(f32::MIN_POSITIVE)).ln()).sum();
        sum.max(0.0)
    }

    /// Samples a move from the policy raised to 1 / `temperature`. Temperature 0 returns the best
    /// move.
    pub fn sample_move(&self, temperature: f32, rng: &mut impl Rng) -> Option<Move> {
        if temperature <= 0.0 {
            return self.best;
        }
        let weight = |p: f32| p.max(0.0).powf(1.0 / temperature);
        let total: f32 = self.policy.iter().map(|&(_, p)| weight(p)).sum();
        let mut left = rng.random::<f32>() * total;
        for &(mv, p) in &self.policy {
            left -= weight(p);
            if left < 0.0 {
                return Some(mv);
            }
        }
        // Reached by rounding, or if all weights underflow at a low temperature.
        self.best
    }
}
