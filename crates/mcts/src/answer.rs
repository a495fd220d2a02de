//! Results of a search, computed from its tree.

use crate::Search;
use crate::algorithm;
use crate::node::{Node, Status, WhiteValue};
use crate::result::{MoveStats, Outlook, Proven, SearchResult};
use crate::root::Decision;
use crate::tree::ROOT;
use catapult_rules::{Color, Move, Position};

impl<P: Position> Search<P> {
    /// Returns the result of the simulations so far. It is final once [`is_done`](Self::is_done)
    /// returns true. Before the evaluation of the root, all moves have equal probability.
    pub fn result(&self) -> SearchResult {
        let Some(root) = self.tree.nodes.first() else { return self.empty_result() };
        if root.child_count != root.edge_count || root.edge_count == 0 {
            return self.empty_result();
        }
        let mover = root.mover;
        let children = self.tree.children(root);
        let edges = self.tree.edge_moves(root);
        if self.root_moves.priors.len() < children.len() {
            return self.reused_result(root);
        }
        let priors = self.root_moves.priors.iter();
        let moves: Vec<MoveStats> = children
            .iter()
            .zip(edges)
            .zip(priors)
            .map(|((child, &mv), &prior)| stats(child, mv, prior, mover))
            .collect();

        let Decision { mut policy, mut value, mut best } = algorithm::decide(self.root(), &self.halving);
        if let Some(exact) = root.status.value(root.plies) {
            self.proven_policy(&mut policy);
            value = exact.of(mover);
            best = None;
        }
        // The move of highest probability; ties go to the first in legal-move order.
        let likeliest = || {
            let max = policy.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            policy.iter().position(|&p| p == max)
        };
        let best = best.map(usize::from).or_else(likeliest).map(|i| edges[i]);
        SearchResult {
            best,
            policy: edges.iter().copied().zip(policy).collect(),
            moves,
            value,
            raw_value: self.raw_value,
            mean_value: root.value().of(mover),
            proven: proven(root.status, root.plies, mover),
            simulations: self.simulations,
            bytes: self.tree.used(),
        }
    }

    /// Overwrites the policy of a proven root. Only moves that preserve the result get a
    /// probability, proportional to their priors. In a win these are the shortest wins, and in a
    /// loss the longest defences.
    fn proven_policy(&self, policy: &mut [f32]) {
        let root = &self.tree.nodes[ROOT as usize];
        let children = self.tree.children(root);
        let same = |i: usize| children[i].status == root.status;
        let plies = children.iter().filter(|child| child.status == root.status).map(|child| child.plies);
        let wanted = match root.status {
            status if status == Status::win_of(root.mover) => plies.min(),
            Status::ProvenDraw => None,
            _ => plies.max(),
        };
        let kept = |i: usize| same(i) && wanted.is_none_or(|plies| children[i].plies == plies);
        let total: f32 = (0..children.len()).filter(|&i| kept(i)).map(|i| self.root_moves.priors[i]).sum();
        let count = (0..children.len()).filter(|&i| kept(i)).count() as f32;
        for (i, p) in policy.iter_mut().enumerate() {
            let share = if total > 0.0 { self.root_moves.priors[i] / total } else { 1.0 / count };
            *p = if kept(i) { share } else { 0.0 };
        }
    }

    /// Returns the result of a reused tree before its root is evaluated again. The most visited
    /// move is the best move.
    fn reused_result(&self, root: &Node) -> SearchResult {
        let mut result = self.empty_result();
        for (found, child) in result.moves.iter_mut().zip(self.tree.children(root)) {
            *found = stats(child, found.mv, found.prior, root.mover);
        }
        // Ties go to the first in legal-move order.
        result.best = result.moves.iter().rev().max_by_key(|found| found.visits).map(|found| found.mv);
        result
    }

    /// Returns the result before the root's evaluation. All moves have equal probability, and the
    /// first one is the best move.
    fn empty_result(&self) -> SearchResult {
        let moves = self.position.map(|position| self.moves_at_root(&position)).unwrap_or_default();
        let share = 1.0 / moves.len().max(1) as f32;
        let unvisited = Node::new(Color::White, Status::Open);
        let root = self.tree.nodes.first();
        SearchResult {
            best: moves.first().copied(),
            policy: moves.iter().map(|&mv| (mv, share)).collect(),
            moves: moves.iter().map(|&mv| stats(&unvisited, mv, share, Color::White)).collect(),
            value: root.map_or(WhiteValue::DRAW.of(Color::White), |root| {
                root.status.value(root.plies).unwrap_or(WhiteValue::DRAW).of(root.mover)
            }),
            raw_value: self.raw_value,
            mean_value: self.raw_value,
            proven: root.and_then(|root| proven(root.status, root.plies, root.mover)),
            simulations: 0,
            bytes: self.tree.used(),
        }
    }

    /// Number of simulations that the current search has run.
    pub fn simulations_made(&self) -> u32 {
        self.simulations
    }

    /// Returns `first` and the expected moves after it, as far as the tree reaches. Each step takes a
    /// child that preserves a proven result, or else the most visited child. Returns an empty line if
    /// the root has no edge with the move `first`.
    pub fn variation(&self, first: Move) -> Vec<Move> {
        let mut line = Vec::new();
        let Some(mut node) = self.tree.nodes.first() else { return line };
        let mut choice = self.tree.edge_moves(node).iter().position(|&mv| mv == first);
        while let Some(i) = choice {
            line.push(self.tree.edge_moves(node)[i]);
            if i >= node.child_count as usize {
                break;
            }
            node = &self.tree.nodes[node.first_child as usize + i];
            let children = self.tree.children(node);
            let rank = |child: &Node| {
                let keeps = node.status.is_proven() && child.status == node.status;
                let won = node.status == Status::win_of(node.mover);
                let plies = if won { -(child.plies as i32) } else { child.plies as i32 };
                (keeps, if keeps { plies } else { 0 }, child.visits)
            };
            let known = (0..children.len()).filter(|&i| children[i].has_value());
            // Ties go to the first child; `max_by_key` alone would take the last.
            choice = known.rev().max_by_key(|&i| rank(&children[i]));
        }
        line
    }
}

/// Statistics of a child of the root. `mover` is the side to move at the root.
fn stats(child: &Node, mv: Move, prior: f32, mover: Color) -> MoveStats {
    MoveStats {
        mv,
        prior,
        visits: child.visits,
        q: child.has_value().then(|| child.q.of(mover)),
        draw: child.draw,
        moves_left: child.moves_left,
        proven: proven(child.status, child.plies, mover),
    }
}

/// Converts a status into a proven result from the view of `side`. Returns `None` if the status is
/// not proven.
fn proven(status: Status, plies: u16, side: Color) -> Option<Proven> {
    let outlook = match status {
        Status::Open | Status::Drawn => return None,
        Status::ProvenDraw => Outlook::Draw,
        status if status == Status::win_of(side) => Outlook::Win,
        _ => Outlook::Loss,
    };
    Some(Proven { outlook, plies })
}
