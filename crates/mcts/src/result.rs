//! The result of a search.

use crate::Value;
use catapult_rules::Move;
use rand::Rng;

catapult_rules::named! {
    /// Result of a game with best play, for one side. In [`Proven`] and [`MoveStats`], this is the
    /// side to move at the root.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Outlook {
        /// The side in question wins.
        Win = "win",
        /// Neither side wins.
        Draw = "draw",
        /// The side in question loses.
        Loss = "loss",
    }
}

/// A result that the search has proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proven {
    /// Result for the side to move at the root.
    pub outlook: Outlook,
    /// Plies from the position to the end of the game. In a win or a loss it is an upper bound:
    /// best play may end the game sooner, because the search stops at the first proof. In a draw it
    /// is the longest drawing line found.
    pub plies: u16,
}

/// Statistics of one root move. All values are for the side to move at the root. Q is P(win) -
/// P(loss).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveStats {
    /// The root move.
    pub mv: Move,
    /// The evaluator's probability of the move, without noise and at the root temperature.
    pub prior: f32,
    /// Number of simulations that passed through the move. In a reused tree it includes simulations
    /// of earlier searches.
    pub visits: u32,
    /// Mean Q of the simulations through the move, or the exact Q if the result after the move is
    /// known. `None` if the move has no visits and no known result.
    pub q: Option<f32>,
    /// Mean probability of a draw over the simulations through the move, or the exact one of a
    /// known result. Meaningful only if `q` is set.
    pub draw: f32,
    /// Mean of the expected plies until the game ends, counted after the move. Meaningful only if
    /// `q` is set.
    pub moves_left: f32,
    /// Proven result after the move. Its plies are counted after the move. `None` if unproven.
    pub proven: Option<Proven>,
}

/// Result of a search. All values are for the side to move at the root.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult {
    /// The move to play. `None` if there is no legal move or no search was started.
    pub best: Option<Move>,
    /// Target policy: the probability of every searched root move, in legal-move order. The
    /// searched moves are the legal ones that neither a [`Mask`](crate::Mask) nor
    /// [`Search::set_root_moves`](crate::Search::set_root_moves) excludes.
    ///
    /// - Gumbel: the improved policy pi' (Danihelka et al. 2022, equation 11), with the logits at
    ///   the root temperature.
    /// - PUCT: each move's share of the visits.
    /// - Proven root: only moves that preserve the result. In a win only the shortest, in a loss
    ///   only the longest.
    pub policy: Vec<(Move, f32)>,
    /// Statistics of the moves of `policy`, in the same order.
    pub moves: Vec<MoveStats>,
    /// Value of the root. It is exact if the root is proven, otherwise:
    ///
    /// - Gumbel: expected value under pi', with an estimate for unvisited moves.
    /// - PUCT: mean value of all visits.
    pub value: Value,
    /// The evaluator's value of the root position. All zeros before its evaluation.
    pub raw_value: Value,
    /// Mean value of all visits of the root, including its evaluation. It is exact if the root is
    /// proven.
    pub mean_value: Value,
    /// Proven result of the root. `None` if unproven.
    pub proven: Option<Proven>,
    /// Number of simulations run in this search.
    pub simulations: u32,
    /// Number of bytes that nodes and edges use. The memory limit if memory is full.
    pub bytes: usize,
}

impl SearchResult {
    /// Returns the Kullback-Leibler divergence of the target policy from the evaluator's priors, in
    /// nats. It measures how much the search changed the policy.
    pub fn surprise(&self) -> f32 {
        let moves = self.policy.iter().zip(&self.moves).filter(|((_, p), _)| *p > 0.0);
        let sum: f32 = moves.map(|((_, p), mv)| p * libm::logf(p / mv.prior.max(f32::MIN_POSITIVE))).sum();
        sum.max(0.0)
    }

    /// Samples a move with probability proportional to its target probability to the power of 1 /
    /// `temperature`. Temperature 0 returns [`best`](Self::best).
    pub fn sample_move(&self, temperature: f32, rng: &mut impl Rng) -> Option<Move> {
        if temperature <= 0.0 {
            return self.best;
        }
        let weight = |p: f32| libm::powf(p.max(0.0), 1.0 / temperature);
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
