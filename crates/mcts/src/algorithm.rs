//! The search algorithms, and the dispatch to the selected one.

use crate::gumbel::Halving;
use crate::node::Node;
use crate::root::{Decision, Root, RootMoves};
use crate::scratch::Scratch;
use crate::settings::{Algorithm, Utility};
use crate::tree::Tree;
use rand::Rng;

impl Algorithm {
    /// Returns true if nodes must count the simulations that wait for an evaluation. This is so for
    /// PUCT, because its concurrent simulations can enter the same child of the root.
    pub(crate) fn counts_in_flight(&self) -> bool {
        matches!(self, Algorithm::Puct(_))
    }

    /// Samples the exploration noise for the root's moves. The root must be evaluated and have its
    /// edges.
    pub(crate) fn draw_noise(&self, tree: &mut Tree, moves: &mut RootMoves, rng: &mut impl Rng) {
        match self {
            Algorithm::Gumbel(gumbel) => gumbel.draw_noise(moves, rng),
            Algorithm::Puct(puct) => puct.draw_noise(tree, moves, rng),
        }
    }

    /// Returns the number of the child that a simulation enters at an evaluated node. The number
    /// equals `child_count` if a new child must be created. Among the edges without a child, the
    /// first must have the highest prior: see [`Tree::bring_next`].
    pub(crate) fn select(&self, tree: &Tree, node: &Node, utility: &Utility, scratch: &mut Scratch) -> u16 {
        if node.child_count == 0 {
            return 0;
        }
        match self {
            Algorithm::Gumbel(gumbel) => gumbel.select(tree, node, utility, scratch),
            Algorithm::Puct(puct) => puct.select(tree, node, utility, scratch),
        }
    }

    /// Returns the algorithm's decision after the simulations so far. `halving` is the current
    /// sequential halving. PUCT ignores it.
    pub(crate) fn decide(&self, root: Root<'_>, halving: &Halving) -> Decision {
        match self {
            Algorithm::Gumbel(gumbel) => gumbel.decide(root, halving),
            Algorithm::Puct(puct) => puct.decide(root),
        }
    }
}
