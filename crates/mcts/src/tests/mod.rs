//! Tests of whole searches: results computed by hand, searches recorded by mctx, proofs and
//! invariants.

mod by_hand;
mod chesspp;
mod golden;
mod invariants;
mod mask;
mod mates;
mod maxim;
mod proofs;
mod reuse;
mod toy;

use crate::node::Status;
use crate::tree::ROOT;
use crate::{Search, SearchConfig};
use catapult_rules::Position;
use std::collections::BTreeMap;

/// Settings of the Gumbel AlphaZero paper: 16 considered moves and no moves-left bonus.
fn paper() -> SearchConfig {
    SearchConfig {
        considered: Some(16),
        c_visit: 50.0,
        c_scale: 1.0,
        moves_left_cap: 0.0,
        ..SearchConfig::default()
    }
}

/// Comparable state of a node: visits, Q for White, means of draw and moves left, status, plies.
type Seen = (u32, f32, f32, f32, Status, u16);

/// All nodes of a search's tree. A key is the list of moves from the root to the node.
fn nodes<P: Position>(search: &Search<P>) -> BTreeMap<Vec<u32>, Seen> {
    let tree = &search.tree;
    let mut seen = BTreeMap::new();
    let mut stack = vec![(ROOT, Vec::new())];
    while let Some((index, path)) = stack.pop() {
        let node = &tree.nodes[index as usize];
        for (i, mv) in tree.edge_moves(node).iter().enumerate().take(node.child_count as usize) {
            let mut path = path.clone();
            path.push(mv.bits());
            stack.push((node.first_child + i as u32, path));
        }
        seen.insert(path, (node.visits, node.q.0, node.draw, node.moves_left, node.status, node.plies));
    }
    seen
}
