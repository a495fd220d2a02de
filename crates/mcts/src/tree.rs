//! Arenas for the nodes and edges of a tree, with a limit in bytes.

use crate::math::Prior;
use crate::node::{Node, Status, WhiteValue};
use catapult_rules::{Color, MAX_MOVES, Move};

mod reuse;

/// Index of the root in the node arena.
pub(crate) const ROOT: u32 = 0;

/// Number of block sizes. The children of a node are stored in a block of 2^class nodes, with class
/// from 0 to 12.
const CLASSES: usize = 13;
const _: () = assert!(1 << (CLASSES - 1) >= MAX_MOVES);

/// Nodes and edges of one search. The next search reuses the allocations.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub nodes: Vec<Node>,
    /// Moves of the edges. `priors` contains the edges' priors at the same indices.
    pub moves: Vec<Move>,
    pub priors: Vec<Prior>,
    /// Indices of the first nodes of freed blocks, by class. A block of a class has 2^class nodes.
    free: [Vec<u32>; CLASSES],
    /// Buffer for the node indices of the path during a backup.
    path: Vec<u32>,
    limit: usize,
    /// True if an allocation has failed.
    is_full: bool,
    /// Largest number of nodes, and of edges. Their indices have 32 bits.
    pub most: usize,
}

const NODE_BYTES: usize = size_of::<Node>();
const EDGE_BYTES: usize = size_of::<Move>() + size_of::<Prior>();

impl Tree {
    pub(crate) fn new(limit: usize) -> Tree {
        Tree {
            nodes: Vec::new(),
            moves: Vec::new(),
            priors: Vec::new(),
            free: Default::default(),
            path: Vec::new(),
            limit,
            is_full: false,
            most: u32::MAX as usize,
        }
    }

    /// Number of bytes allocated for nodes and edges.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * NODE_BYTES + self.moves.capacity() * EDGE_BYTES
    }

    /// Number of bytes that nodes and edges use, or the limit if memory is full. Part of the
    /// allocated memory may then be unused.
    pub(crate) fn used(&self) -> usize {
        if self.is_full { self.limit } else { self.nodes.len() * NODE_BYTES + self.moves.len() * EDGE_BYTES }
    }

    /// Replaces the tree with a new root without edges, and sets the limit in bytes.
    pub(crate) fn reset(&mut self, mover: Color, limit: usize) {
        self.limit = limit;
        self.is_full = false;
        self.nodes.clear();
        self.moves.clear();
        self.priors.clear();
        self.free.iter_mut().for_each(Vec::clear);
        if self.bytes() > limit {
            // The allocation dates from a search with a higher limit.
            self.nodes = Vec::new();
            self.moves = Vec::new();
            self.priors = Vec::new();
        }
        self.nodes.push(Node::new(mover, Status::Open));
    }

    /// Returns the number of elements to reserve in an arena that needs room for `need` more: 0 if
    /// it has that room. The arena has `len` elements of `bytes` bytes each, and room for
    /// `capacity`. It doubles while there is memory. After that it grows by a quarter of the
    /// remaining memory. Returns `None` if `need` elements would exceed a limit.
    fn growth(&self, len: usize, capacity: usize, need: usize, bytes: usize) -> Option<usize> {
        if len + need > self.most {
            return None;
        }
        let spare = capacity - len;
        if need <= spare {
            return Some(0);
        }
        let (need, left) = (need - spare, self.limit.saturating_sub(self.bytes()) / bytes);
        (need <= left).then(|| spare + need.max(capacity.max(64).min(left / 4)))
    }

    /// Allocates a block of 2^class nodes and returns the index of its first node. Returns `None`
    /// without any change if memory is full.
    fn allocate_block(&mut self, class: usize) -> Option<u32> {
        if let Some(block) = self.free[class].pop() {
            return Some(block);
        }
        let size = 1 << class;
        let Some(growth) = self.growth(self.nodes.len(), self.nodes.capacity(), size, NODE_BYTES) else {
            self.is_full = true;
            return None;
        };
        self.nodes.reserve_exact(growth);
        let block = self.nodes.len() as u32;
        self.nodes.resize(self.nodes.len() + size, Node::new(Color::White, Status::Open));
        Some(block)
    }

    /// Adds one edge per move to a node, with default priors. Returns false without any change if
    /// memory is full.
    pub(crate) fn add_edges(&mut self, node: u32, moves: &[Move]) -> bool {
        let first = self.moves.len();
        let Some(growth) = self.growth(first, self.moves.capacity(), moves.len(), EDGE_BYTES) else {
            self.is_full = true;
            return false;
        };
        if growth > 0 {
            self.moves.reserve_exact(growth);
            self.priors.reserve_exact(self.moves.capacity() - first);
        }
        self.moves.extend_from_slice(moves);
        self.priors.resize(first + moves.len(), Prior::default());
        let node = &mut self.nodes[node as usize];
        node.first_edge = first as u32;
        node.edge_count = moves.len() as u16;
        true
    }

    /// Creates a child for the first edge of `parent` that has no child, and returns the child's
    /// index. `mover` is the side to move at the child. Returns `None` if memory is full.
    pub(crate) fn add_child(&mut self, parent: u32, mover: Color, status: Status) -> Option<u32> {
        let Node { first_child, child_count, .. } = self.nodes[parent as usize];
        let count = child_count as usize;
        let mut block = first_child;
        // The block is full exactly if the count is 0 or a power of two, the block's size.
        if count & count.wrapping_sub(1) == 0 {
            let class = if count == 0 { 0 } else { count.trailing_zeros() as usize + 1 };
            block = self.allocate_block(class)?;
            for i in 0..count {
                self.nodes.swap(block as usize + i, first_child as usize + i);
            }
            if count > 0 {
                self.free[class - 1].push(first_child);
            }
        }
        let child = block + child_count as u32;
        self.nodes[child as usize] = Node::new(mover, status);
        let parent = &mut self.nodes[parent as usize];
        parent.first_child = block;
        parent.child_count += 1;
        Some(child)
    }

    /// Reorders the edges of a node that have no child yet: the edge with the highest prior becomes
    /// their first. The remaining edges keep their order.
    pub(crate) fn bring_next(&mut self, node: u32) {
        let node = &self.nodes[node as usize];
        let first = node.first_edge as usize + node.child_count as usize;
        let end = node.first_edge as usize + node.edge_count as usize;
        let rest = &self.priors[first..end];
        let Some(best) = rest.iter().copied().max() else { return };
        // `position` finds it, because `best` is one of the values.
        let at = first + rest.iter().position(|&prior| prior == best).unwrap_or(0);
        self.priors[first..=at].rotate_right(1);
        self.moves[first..=at].rotate_right(1);
    }

    pub(crate) fn children(&self, node: &Node) -> &[Node] {
        let first = node.first_child as usize;
        &self.nodes[first..first + node.child_count as usize]
    }

    pub(crate) fn edge_moves(&self, node: &Node) -> &[Move] {
        let first = node.first_edge as usize;
        &self.moves[first..first + node.edge_count as usize]
    }

    pub(crate) fn edge_priors(&self, node: &Node) -> &[Prior] {
        let first = node.first_edge as usize;
        &self.priors[first..first + node.edge_count as usize]
    }

    /// Returns the index of the node at the end of a path. A path is a list of child numbers from
    /// the root.
    pub(crate) fn at(&self, path: &[u16]) -> u32 {
        path.iter().fold(ROOT, |node, &child| self.nodes[node as usize].first_child + child as u32)
    }

    /// Adds a visit with `value` to every node on `path`, from the leaf up. Proofs propagate
    /// upwards. Above a node with a known result, its exact value replaces `value`.
    pub(crate) fn back_up(&mut self, path: &[u16], value: WhiteValue) {
        let mut indices = std::mem::take(&mut self.path);
        indices.clear();
        indices.push(ROOT);
        let mut node = ROOT;
        for &child in path {
            node = self.nodes[node as usize].first_child + child as u32;
            indices.push(node);
        }
        let mut value = value;
        let mut proven_below = false;
        for (height, &index) in indices.iter().rev().enumerate() {
            if proven_below && self.nodes[index as usize].status == Status::Open {
                self.prove(index);
            }
            let node = &mut self.nodes[index as usize];
            proven_below = node.status.is_proven();
            if let Some(exact) = node.status.value(node.plies) {
                value = exact;
            } else if height > 0 {
                value.moves_left += 1.0;
            }
            node.record(&value);
        }
        self.path = indices;
    }

    /// Sets the proven result of a node if its children prove it: one child wins for the side to
    /// move, or all children are proven.
    pub(crate) fn prove(&mut self, index: u32) {
        let node = &self.nodes[index as usize];
        let win = Status::win_of(node.mover);
        let children = self.children(node);
        let mut shortest_win = None;
        let mut draw = None;
        let mut longest = 0;
        let mut all = node.child_count == node.edge_count && !node.narrowed;
        for child in children {
            if child.status == win {
                shortest_win = Some(shortest_win.map_or(child.plies, |best: u16| best.min(child.plies)));
            } else if child.status == Status::ProvenDraw {
                draw = Some(draw.map_or(child.plies, |best: u16| best.max(child.plies)));
            } else if child.status.is_proven() {
                longest = longest.max(child.plies);
            } else {
                all = false;
            }
        }
        let proof = match (shortest_win, all, draw) {
            (Some(plies), _, _) => (win, plies),
            (None, true, Some(plies)) => (Status::ProvenDraw, plies),
            (None, true, None) => (Status::win_of(!node.mover), longest),
            (None, false, _) => return,
        };
        self.nodes[index as usize].settle(proof.0, proof.1.saturating_add(1));
    }
}
