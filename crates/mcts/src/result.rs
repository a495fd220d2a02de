//! What a search answers.

use crate::Value;
use catapult_rules::Move;
use rand::Rng;

/// How a game ends with best play, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outlook {
    /// The side to move wins.
    Win,
    /// Neither side wins.
    Draw,
    /// The side to move loses.
    Loss,
}

/// A result that needs no estimate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proven {
    /// For the side to move.
    pub outlook: Outlook,
    /// Plies to the end: at most so many in a win, at least so many in a loss (as far as searched).
    pub plies: u16,
}

/// What a search found out about one move at its root. Q values are P(win) - P(loss) of the side to move there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveStats {
    /// The move.
    pub mv: Move,
    /// The evaluator's probability, without noise.
    pub prior: f32,
    /// Simulations that went through it.
    pub visits: u32,
    /// Mean Q of these, or the exact Q if the result is known; none if it was never looked at.
    pub q: Option<f32>,
    /// Mean P(draw) of the same, where `q` is known.
    pub draw: f32,
    /// Mean plies left after the move, where `q` is known.
    pub moves_left: f32,
    /// What is proven about it.
    pub proven: Option<Proven>,
}

/// The answer of a search. All views are those of the side to move at the root.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult {
    /// The move to play; none only if there is no legal move.
    pub best: Option<Move>,
    /// Every legal move that no [`Mask`](crate::Mask) forbids with its target probability, in legal-move order. Gumbel: the
    /// improved policy pi'; PUCT: shares of the visits; proven root: the moves that keep the result, for a win the shortest.
    pub policy: Vec<(Move, f32)>,
    /// The same moves in detail, in the same order.
    pub moves: Vec<MoveStats>,
    /// The root's value: Gumbel: expected over pi', unvisited moves completed by the mix; PUCT: mean of all visits;
    /// exact if proven.
    pub value: Value,
    /// The evaluator's own answer about the root.
    pub raw_value: Value,
    /// The mean of all visits of the root, its own evaluation among them; exact if proven.
    pub mean_value: Value,
    /// What is proven about the root.
    pub proven: Option<Proven>,
    /// Simulations made.
    pub simulations: u32,
    /// Nodes made.
    pub nodes: usize,
    /// Bytes held for nodes and edges.
    pub bytes: usize,
}

impl SearchResult {
    /// Kullback-Leibler divergence of the policy from the evaluator's priors, nats: what the search has found out.
    pub fn surprise(&self) -> f32 {
        let moves = self.policy.iter().zip(&self.moves).filter(|((_, p), _)| *p > 0.0);
        let sum: f32 = moves.map(|((_, p), mv)| p * (p / mv.prior.max(f32::MIN_POSITIVE)).ln()).sum();
        sum.max(0.0)
    }

    /// Draws a move from the policy raised to 1 / temperature; temperature 0 gives the best move.
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
        // Rounding, or a temperature at which everything underflows.
        self.best
    }
}
