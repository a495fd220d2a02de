//! Which child a simulation enters below the root.

use crate::config::{Algorithm, SearchConfig};
use crate::math::{argmax, exp, max, sum};
use crate::node::{Node, sign};
use crate::puct;
use crate::tree::{ROOT, Tree};

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
    pub fn load(&mut self, tree: &Tree, node: &Node, config: &SearchConfig) -> Visited {
        let children = tree.children(node);
        let priors = &tree.edge_priors(node)[..children.len()];
        let side = sign(node.mover);
        self.q.clear();
        self.visits.clear();
        self.q.extend(children.iter().map(|child| child.q.0 * side));
        if config.draw_score != 0.0 {
            // What the root's mover gains by a draw, the other side loses.
            let score = config.draw_score * side * sign(tree.nodes[ROOT as usize].mover);
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
        if let Some(moves_left) = config.moves_left(node.q.of(node.mover), node.moves_left) {
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
    pub fn mixed(&self, raw_q: f32) -> f32 {
        if self.prior > 0.0 {
            (raw_q + self.sum * self.prior_q / self.prior) / (1.0 + self.sum)
        } else {
            raw_q
        }
    }
}

/// The child that a simulation passing through an evaluated node enters: its number, which is the number of children
/// if a new one is to be made. The first edge without a child is the most likely one of them ([`Tree::bring_next`]).
pub(crate) fn select(tree: &Tree, node: &Node, config: &SearchConfig, scratch: &mut Scratch) -> u16 {
    if node.child_count == 0 {
        return 0;
    }
    match config.algorithm {
        Algorithm::Gumbel => improved(tree, node, config, scratch),
        Algorithm::Puct => puct::select(tree, node, config, scratch),
    }
}

/// argmax of pi'(a) - N(a) / (1 + sum N), where pi' is the softmax of logits + sigma(completed Q): visits follow the
/// improved policy (same paper, equation 14).
fn improved(tree: &Tree, node: &Node, config: &SearchConfig, scratch: &mut Scratch) -> u16 {
    let visited = scratch.load(tree, node, config);
    let count = node.child_count as usize;
    let scale = (config.c_visit + visited.max) * config.c_scale * 0.5;
    let unvisited = &tree.edge_priors(node)[count..];
    let mixed = visited.mixed(node.raw_q.of(node.mover));
    let mut top = max(&scratch.q);
    let mut rest = 0.0;
    if !unvisited.is_empty() {
        top = top.max(mixed);
        scratch.numbers.clear();
        scratch.numbers.extend(unvisited.iter().map(|prior| prior.get()));
        rest = sum(&scratch.numbers) * exp(scale * (mixed - top));
    }
    for (weight, &q) in scratch.prior.iter_mut().zip(&scratch.q) {
        *weight *= exp(scale * (q - top));
    }
    let normalise = 1.0 / (sum(&scratch.prior) + rest);
    let share = 1.0 / (1.0 + visited.sum);

    scratch.numbers.clear();
    let scores = scratch.prior.iter().zip(&scratch.visits);
    scratch.numbers.extend(scores.map(|(weight, visits)| weight * normalise - visits * share));
    let (choice, best) = argmax(&scratch.numbers);
    match unvisited.first() {
        Some(first) if first.get() * exp(scale * (mixed - top)) * normalise > best => count as u16,
        _ => choice as u16,
    }
}
