//! Which child a simulation enters below the root.

use crate::config::{Algorithm, SearchConfig};
use crate::node::Node;
use crate::scratch::Scratch;
use crate::tree::Tree;
use crate::{gumbel, puct};

/// The child that a simulation passing through an evaluated node enters: its number, which is the number of children
/// if a new one is to be made. The first edge without a child is the most likely one of them ([`Tree::bring_next`]).
pub(crate) fn select(tree: &Tree, node: &Node, config: &SearchConfig, scratch: &mut Scratch) -> u16 {
    if node.child_count == 0 {
        return 0;
    }
    match config.algorithm {
        Algorithm::Gumbel => gumbel::select(tree, node, config, scratch),
        Algorithm::Puct => puct::select(tree, node, config, scratch),
    }
}
