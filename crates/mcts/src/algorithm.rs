//! The choice between the algorithms, each of which has its settings, its root, its way down and its answer in its own file.

use crate::gumbel::{Gumbel, Halving};
use crate::node::Node;
use crate::puct::Puct;
use crate::range::ConfigError;
use crate::root::{Answer, Root, RootMoves};
use crate::scratch::Scratch;
use crate::tree::Tree;
use crate::utility::Utility;
use rand::Rng;

/// How a search spends its simulations.
#[derive(Clone, PartialEq, Debug)]
pub enum Algorithm {
    /// Gumbel AlphaZero: sequential halving at the root, deterministic below (Danihelka et al. 2022).
    Gumbel(Gumbel),
    /// AlphaZero's PUCT (Silver et al. 2018) with first-play urgency.
    Puct(Puct),
}

impl Default for Algorithm {
    fn default() -> Self {
        Algorithm::Gumbel(Gumbel::default())
    }
}

impl Algorithm {
    pub(crate) fn validate(&self) -> Result<(), ConfigError> {
        match self {
            Algorithm::Gumbel(gumbel) => gumbel.validate(),
            Algorithm::Puct(puct) => puct.validate(),
        }
    }

    /// Whether simulations under way meet below the root, so that each must see the others.
    pub(crate) fn counts_in_flight(&self) -> bool {
        matches!(self, Algorithm::Puct(_))
    }

    /// Draws the noise of a root whose children have been made.
    pub(crate) fn draw_noise(&self, tree: &mut Tree, moves: &mut RootMoves, rng: &mut impl Rng) {
        match self {
            Algorithm::Gumbel(gumbel) => gumbel.draw_noise(moves, rng),
            Algorithm::Puct(puct) => puct.draw_noise(tree, moves, rng),
        }
    }

    /// The child that a simulation passing through an evaluated node enters: its number, which is the number of children
    /// if a new one is to be made. The first edge without a child is the most likely one of them ([`Tree::bring_next`]).
    pub(crate) fn select(&self, tree: &Tree, node: &Node, utility: &Utility, scratch: &mut Scratch) -> u16 {
        if node.child_count == 0 {
            return 0;
        }
        match self {
            Algorithm::Gumbel(gumbel) => gumbel.select(tree, node, utility, scratch),
            Algorithm::Puct(puct) => puct.select(tree, node, utility, scratch),
        }
    }

    /// What has been found out. `halving` is the one under way, if the algorithm has one.
    pub(crate) fn answer(&self, root: Root<'_>, halving: &Halving) -> Answer {
        match self {
            Algorithm::Gumbel(gumbel) => gumbel.answer(root, halving),
            Algorithm::Puct(puct) => puct.answer(root),
        }
    }
}
