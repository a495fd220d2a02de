//! Statistics of a node's children in separate arrays, so that loops over them vectorise.

use crate::node::{Node, sign};
use crate::settings::SearchConfig;
use crate::tree::{ROOT, Tree};

/// Buffers with one number per child of a node. The search reuses them for all nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub q: Vec<f32>,
    pub prior: Vec<f32>,
    pub visits: Vec<f32>,
    /// Intermediate results, then the score of each child.
    pub numbers: Vec<f32>,
}

impl Scratch {
    /// Overwrites `q`, `prior` and `visits` with the statistics of a node's children. Q is for the
    /// node's side to move and includes draw score and moves-left bonus. `visits` include
    /// simulations that wait for an evaluation. Returns statistics of the visited children. Their
    /// sum `prior_q` excludes the moves-left bonus.
    #[inline]
    pub(crate) fn load(&mut self, tree: &Tree, node: &Node, config: &SearchConfig) -> Visited {
        let children = tree.children(node);
        let priors = &tree.edge_priors(node)[..children.len()];
        let side = sign(node.mover);
        let mut visited = Visited::default();
        self.q.clear();
        self.visits.clear();
        self.q.extend(children.iter().map(|child| child.q.0 * side));
        if config.draw_score != 0.0 {
            // The opponent of the root's mover loses the score that the root's mover gains by a
            // draw.
            let score = config.draw_score * side * sign(tree.nodes[ROOT as usize].mover);
            self.q.iter_mut().zip(children).for_each(|(q, child)| *q += score * child.draw);
            visited.draws = score * node.draw;
        }
        self.visits.extend(children.iter().map(|child| (child.visits + child.in_flight as u32) as f32));
        self.prior.clear();
        self.prior.extend(priors.iter().map(|prior| prior.get()));
        // A scalar loop: with a network few children are visited, and vector code is slower.
        for ((&q, &visits), &prior) in self.q.iter().zip(&self.visits).zip(&self.prior) {
            visited.sum += visits;
            visited.max = visited.max.max(visits);
            let prior = if visits > 0.0 { prior } else { 0.0 };
            visited.prior += prior;
            visited.prior_q += prior * q;
        }
        if let Some(moves_left) = config.moves_left(node.q.of(node.mover), node.moves_left) {
            for (q, child) in self.q.iter_mut().zip(children) {
                *q += moves_left.bonus(*q, child.moves_left);
            }
        }
        visited
    }
}

/// Statistics of the visited children of a node: their total and maximum visits, the sum of their
/// priors, and the sum of prior times Q. `draws` is the draw score times the node's probability of
/// a draw: at the root the evaluator's, below it the mean of the subtree.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Visited {
    pub sum: f32,
    pub max: f32,
    pub prior: f32,
    pub prior_q: f32,
    pub draws: f32,
}

impl Visited {
    /// Returns the estimated Q of unvisited children. It is a mean of two values: `raw_q`, the
    /// evaluator's Q of the node, and the visited children's Q weighted by their priors. The
    /// weights are 1 and the number of visits (Danihelka et al. 2022, appendix D).
    #[inline]
    pub(crate) fn mixed(&self, raw_q: f32) -> f32 {
        let raw_q = raw_q + self.draws;
        if self.prior > 0.0 {
            (raw_q + self.sum * self.prior_q / self.prior) / (1.0 + self.sum)
        } else {
            raw_q
        }
    }
}
