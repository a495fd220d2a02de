//! The numbers of a node's children, side by side.

use crate::node::{Node, sign};
use crate::tree::{ROOT, Tree};
use crate::utility::Utility;

/// Room for one number per child, reused from node to node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub q: Vec<f32>,
    pub prior: Vec<f32>,
    pub visits: Vec<f32>,
    /// Sums in the making, then scores.
    pub numbers: Vec<f32>,
}

impl Scratch {
    /// Fills the three lists from the children of a node: Q for its mover with the moves-left bonus, prior, visits
    /// (those under way too). Returns the visits and the prior-weighted Q (without bonus) of the visited.
    #[inline]
    pub(crate) fn load(&mut self, tree: &Tree, node: &Node, utility: &Utility) -> Visited {
        let children = tree.children(node);
        let priors = &tree.edge_priors(node)[..children.len()];
        let side = sign(node.mover);
        self.q.clear();
        self.visits.clear();
        self.q.extend(children.iter().map(|child| child.q.0 * side));
        if utility.draw_score != 0.0 {
            // What the root's mover gains by a draw, the other side loses.
            let score = utility.draw_score * side * sign(tree.nodes[ROOT as usize].mover);
            self.q.iter_mut().zip(children).for_each(|(q, child)| *q += score * child.draw);
        }
        self.visits.extend(children.iter().map(|child| (child.visits + child.in_flight as u32) as f32));
        self.prior.clear();
        self.prior.extend(priors.iter().map(|prior| prior.get()));
        // One plain loop: with a network few children have been visited, and vectors don't pay.
        let mut visited = Visited::default();
        for ((&q, &visits), &prior) in self.q.iter().zip(&self.visits).zip(&self.prior) {
            visited.sum += visits;
            visited.max = visited.max.max(visits);
            let prior = if visits > 0.0 { prior } else { 0.0 };
            visited.prior += prior;
            visited.prior_q += prior * q;
        }
        if let Some(moves_left) = utility.moves_left(node.q.of(node.mover), node.moves_left) {
            for (q, child) in self.q.iter_mut().zip(children) {
                *q += moves_left.bonus(*q, child.moves_left);
            }
        }
        visited
    }
}

/// Sums over the visited children of a node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Visited {
    pub sum: f32,
    pub max: f32,
    pub prior: f32,
    pub prior_q: f32,
}

impl Visited {
    /// The value that completes the unvisited: the evaluator's own, mixed with the prior-weighted mean of the visited
    /// (Danihelka et al. 2022, appendix D).
    #[inline]
    pub(crate) fn mixed(&self, raw_q: f32) -> f32 {
        if self.prior > 0.0 {
            (raw_q + self.sum * self.prior_q / self.prior) / (1.0 + self.sum)
        } else {
            raw_q
        }
    }
}
