//! Which child a simulation enters below the root.

use crate::config::{Algorithm, SearchConfig};
use crate::math::{argmax, exp, max, sum};
use crate::node::Node;
use crate::puct;
use crate::scratch::Scratch;
use crate::tree::Tree;

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
