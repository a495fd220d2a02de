//! Re-rooting a tree at one of its descendants.

use super::{ROOT, Tree};
use crate::node::{Node, Status};
use catapult_rules::{Color, Move};

impl Tree {
    /// Returns the index of the node that `moves` reach from the root. Returns `None` if the node
    /// does not exist, has no visits, or lacks edges for some legal moves.
    pub(crate) fn after(&self, moves: &[Move]) -> Option<u32> {
        let mut index = ROOT;
        for mv in moves {
            let node = self.nodes.get(index as usize)?;
            let choice = self.edge_moves(node).iter().position(|edge| edge == mv)?;
            if choice >= node.child_count as usize {
                return None;
            }
            index = node.first_child + choice as u32;
        }
        let node = self.nodes.get(index as usize)?;
        (node.visits > 0 && node.edge_count > 0 && !node.narrowed).then_some(index)
    }

    /// Makes a node the root and discards everything outside its subtree. The subtree is copied, so
    /// both trees are briefly in memory. `limit` is the new limit in bytes.
    pub(crate) fn reroot(&mut self, root: u32, limit: usize) {
        let mut new = Tree::new(limit);
        new.nodes.reserve_exact(self.nodes.len());
        new.moves.reserve_exact(self.moves.len());
        new.priors.reserve_exact(self.priors.len());
        new.nodes.push(self.nodes[root as usize].clone());
        let mut waiting = vec![ROOT];
        while let Some(index) = waiting.pop() {
            let old = new.nodes[index as usize].clone();
            if old.narrowed && old.visits == 0 {
                // Memory was full before the position after this node's turn was evaluated. With its
                // edge, the node would make every descent wait for that evaluation.
                new.nodes[index as usize] = Node::new(old.mover, old.status);
                continue;
            }
            let edges = old.first_edge as usize..old.first_edge as usize + old.edge_count as usize;
            let first_edge = new.moves.len() as u32;
            new.moves.extend_from_slice(&self.moves[edges.clone()]);
            new.priors.extend_from_slice(&self.priors[edges]);
            let count = old.child_count as usize;
            let first_child = new.nodes.len() as u32;
            if count > 0 {
                let children = &self.nodes[old.first_child as usize..][..count];
                new.nodes.extend_from_slice(children);
                // Blocks have the size of a power of two.
                let size = first_child as usize + count.next_power_of_two();
                new.nodes.resize(size, Node::new(Color::White, Status::Open));
                waiting.extend(first_child..first_child + count as u32);
            }
            let node = &mut new.nodes[index as usize];
            (node.first_edge, node.first_child) = (first_edge, first_child);
        }
        // Room that is left over would not count towards the limit.
        new.nodes.shrink_to_fit();
        new.moves.shrink_to_fit();
        new.priors.shrink_to_fit();
        *self = new;
    }

    /// Gives the root one edge and one child per entry of `children`: (move, side to move after it,
    /// status). Existing children keep their statistics. Returns false if memory is full.
    pub(crate) fn set_root_moves(&mut self, children: &[(Move, Color, Status)]) -> bool {
        let old = self.nodes[ROOT as usize].clone();
        let class = children.len().next_power_of_two().trailing_zeros() as usize;
        let Some(block) = self.allocate_block(class) else { return false };
        for (number, &(mv, mover, status)) in children.iter().enumerate() {
            let found = self.edge_moves(&old).iter().position(|&edge| edge == mv);
            let found = found.filter(|&found| found < old.child_count as usize);
            let node = match found {
                Some(found) => self.nodes[old.first_child as usize + found].clone(),
                None => Node::new(mover, status),
            };
            self.nodes[block as usize + number] = node;
        }
        let moves: Vec<Move> = children.iter().map(|child| child.0).collect();
        if !self.add_edges(ROOT, &moves) {
            return false;
        }
        let root = &mut self.nodes[ROOT as usize];
        (root.first_child, root.child_count) = (block, children.len() as u16);
        true
    }
}
