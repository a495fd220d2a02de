//! The root of a search: what is known of its moves, and what an algorithm answers about them.

use crate::Value;
use crate::math::softmax;
use crate::node::{Node, Status};
use crate::tree::{ROOT, Tree};
use crate::utility::Utility;

/// What a search knows of its root's moves, in legal-move order: evaluator's logits, their softmax, the noise.
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

    /// Takes the evaluator's logits; what is not finite counts as impossible.
    pub(crate) fn set_logits(&mut self, logits: &[f32]) {
        self.logits.clear();
        self.logits.extend(logits.iter().map(|&x| if x.is_finite() { x.clamp(-1e6, 1e6) } else { -1e6 }));
        self.priors.clear();
        self.priors.extend_from_slice(&self.logits);
        softmax(&mut self.priors);
    }
}

/// A root whose children have been made, as algorithms see it.
#[derive(Clone, Copy)]
pub(crate) struct Root<'a> {
    pub tree: &'a Tree,
    pub moves: &'a RootMoves,
    /// The evaluator's own answer, for the side to move.
    pub raw_value: Value,
    pub utility: &'a Utility,
}

impl<'a> Root<'a> {
    pub(crate) fn node(&self) -> &'a Node {
        &self.tree.nodes[ROOT as usize]
    }

    pub(crate) fn children(&self) -> &'a [Node] {
        self.tree.children(self.node())
    }

    /// A child's Q for the side to move, with what draws are worth to it.
    pub(crate) fn q(&self, child: &Node) -> f32 {
        child.q.of(self.node().mover) + self.utility.draw_score * child.draw
    }

    /// Whether a child is proven to lose for the side to move.
    pub(crate) fn is_lost(&self, child: &Node) -> bool {
        child.status == Status::win_of(!self.node().mover)
    }

    /// Takes the share of moves proven to lose, unless all are.
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

/// What an algorithm has found out, as far as nothing is proven.
pub(crate) struct Answer {
    /// The target probability of each move.
    pub policy: Vec<f32>,
    /// The root's value for the side to move.
    pub value: Value,
    /// The child to enter; without one the likeliest.
    pub best: Option<u16>,
}
