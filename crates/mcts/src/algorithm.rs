//! Dispatch to the selected search algorithm.

use crate::gumbel::{self, Halving};
use crate::node::Node;
use crate::puct;
use crate::root::{Decision, Root, RootMoves};
use crate::scratch::Scratch;
use crate::settings::{Algorithm, SearchConfig};
use crate::tree::Tree;
use rand::Rng;

impl Algorithm {
    /// Returns true if nodes must count the simulations that wait for an evaluation. This is so for
    /// PUCT, because its concurrent simulations can enter the same child of the root.
    pub(crate) fn counts_in_flight(self) -> bool {
        self == Algorithm::Puct
    }
}

/// Samples the exploration noise for the root's moves. The root must be evaluated and have its
/// edges.
pub(crate) fn draw_noise(config: &SearchConfig, tree: &mut Tree, moves: &mut RootMoves, rng: &mut impl Rng) {
    match config.algorithm {
        Algorithm::Gumbel => gumbel::draw_noise(config, moves, rng),
        Algorithm::Puct => puct::draw_noise(config, tree, moves, rng),
    }
}

/// Returns the number of the child that a simulation enters at an evaluated node. The number equals
/// `child_count` if a new child must be created. Among the edges without a child, the first must
/// have the highest prior: see [`Tree::bring_next`].
pub(crate) fn select(config: &SearchConfig, tree: &Tree, node: &Node, scratch: &mut Scratch) -> u16 {
    if node.child_count == 0 {
        return 0;
    }
    match config.algorithm {
        Algorithm::Gumbel => gumbel::select(config, tree, node, scratch),
        Algorithm::Puct => puct::select(config, tree, node, scratch),
    }
}

/// Returns the algorithm's decision after the simulations so far. `halving` is the current
/// sequential halving. PUCT ignores it.
pub(crate) fn decide(root: Root<'_>, halving: &Halving) -> Decision {
    match root.config.algorithm {
        Algorithm::Gumbel => gumbel::decide(root, halving),
        Algorithm::Puct => puct::decide(root),
    }
}
