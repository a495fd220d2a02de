//! The root of a search: logits, priors and noise of its moves, and the decision of an algorithm.

use crate::Value;
use crate::math::softmax;
use crate::node::{Node, Status};
use crate::settings::SearchConfig;
use crate::tree::{ROOT, Tree};

/// Logits, priors and exploration noise of the root moves, in legal-move order. The logits are
/// divided by the root temperature. The priors are their softmax. All are empty before the root's
/// evaluation.
#[derive(Clone, Debug, Default)]
pub(crate) struct RootMoves {
    pub logits: Vec<f32>,
    pub priors: Vec<f32>,
    pub noise: Vec<f32>,
}

impl RootMoves {
    pub(crate) fn clear(&mut self) {
        self.logits.clear();
        self.priors.clear();
        self.noise.clear();
    }

    /// Stores `logits`, which the caller has divided by the root temperature, and their softmax. A
    /// logit that is not finite becomes -1e6, which gives a probability of almost 0.
    pub(crate) fn set_logits(&mut self, logits: &[f32]) {
        self.logits.clear();
        self.logits.extend(logits.iter().map(|&x| if x.is_finite() { x.clamp(-1e6, 1e6) } else { -1e6 }));
        self.priors.clear();
        self.priors.extend_from_slice(&self.logits);
        softmax(&mut self.priors);
    }
}

/// View of an evaluated root, from which the algorithms compute their decisions.
#[derive(Clone, Copy)]
pub(crate) struct Root<'a> {
    pub tree: &'a Tree,
    pub moves: &'a RootMoves,
    /// The evaluator's value of the root position, for the side to move.
    pub raw_value: Value,
    pub config: &'a SearchConfig,
}

impl<'a> Root<'a> {
    pub(crate) fn node(&self) -> &'a Node {
        &self.tree.nodes[ROOT as usize]
    }

    pub(crate) fn children(&self) -> &'a [Node] {
        self.tree.children(self.node())
    }

    /// Q of a child for the side to move at the root, including the draw score.
    pub(crate) fn q(&self, child: &Node) -> f32 {
        child.q.of(self.node().mover) + self.config.draw_score * child.draw
    }

    /// Returns true if the move to this child is proven to lose for the side to move at the root.
    pub(crate) fn is_lost(&self, child: &Node) -> bool {
        child.status == Status::win_of(!self.node().mover)
    }

    /// Sets the probability of moves that are proven losses to 0 and rescales the others to a sum
    /// of 1. Changes nothing if all moves are proven losses.
    pub(crate) fn without_losses(&self, policy: &mut [f32]) {
        let children = self.children();
        let kept: f32 =
            children.iter().zip(&*policy).filter(|(child, _)| !self.is_lost(child)).map(|(_, &p)| p).sum();
        if kept > 0.0 {
            for (child, p) in children.iter().zip(policy) {
                *p = if self.is_lost(child) { 0.0 } else { *p / kept };
            }
        }
    }
}

/// Decision of an algorithm at a root without a proven result.
pub(crate) struct Decision {
    /// Target probability of each root move, in legal-move order.
    pub policy: Vec<f32>,
    /// Value of the root for the side to move.
    pub value: Value,
    /// Child number of the move to play. `None` selects the child with the highest target
    /// probability.
    pub best: Option<u16>,
}
