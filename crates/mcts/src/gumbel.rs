//! Gumbel AlphaZero (Danihelka et al. 2022): sequential halving at the root, completed Q, the improved policy, and the choice below.

use crate::config::SearchConfig;
use crate::math::{argmax, exp, max, softmax, sum};
use crate::node::{Node, Status};
use crate::scratch::{Scratch, Visited};
use crate::tree::{ROOT, Tree};
use rand::Rng;

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

    /// Draws Gumbel noise for so many moves.
    pub(crate) fn draw_noise(&mut self, count: usize, scale: f32, rng: &mut impl Rng) {
        self.noise.clear();
        self.noise.extend((0..count).map(|_| {
            if scale == 0.0 {
                return 0.0;
            }
            // 53 random bits, moved off 0 and 1.
            let u = (rng.random::<u64>() >> 11) as f64 + 0.5;
            let u = u / (1u64 << 53) as f64;
            scale * -(-u.ln()).ln() as f32
        }));
    }
}

/// Visits so far of the root's children, for sigma and the mix.
pub(crate) fn visited(tree: &Tree, moves: &RootMoves, config: &SearchConfig) -> Visited {
    let root = &tree.nodes[ROOT as usize];
    let mut visited = Visited::default();
    for (child, &prior) in tree.children(root).iter().zip(&moves.priors) {
        if child.visits > 0 {
            visited.sum += child.visits as f32;
            visited.max = visited.max.max(child.visits as f32);
            visited.prior += prior;
            visited.prior_q += prior * q_for_root(root, child, config);
        }
    }
    visited
}

/// A child's Q for the side to move at the root, with what draws are worth to it.
fn q_for_root(root: &Node, child: &Node, config: &SearchConfig) -> f32 {
    child.q.of(root.mover) + config.draw_score * child.draw
}

/// Whether a child's own value may be used: it has been visited, or its result is known.
pub(crate) fn has_value(child: &Node) -> bool {
    child.visits > 0 || child.status != Status::Open
}

/// Gives each child's own Q for the side to move at the root, with the moves-left bonus; none if it has no value.
fn own_q<'a>(root: &'a Node, config: &'a SearchConfig) -> impl Fn(&Node) -> Option<f32> + 'a {
    let mover = root.mover;
    let moves_left = config.moves_left(root.q.of(mover), root.moves_left);
    move |child| {
        let q = q_for_root(root, child, config);
        let bonus = moves_left.map_or(0.0, |parent| parent.bonus(q, child.moves_left));
        has_value(child).then_some(q + bonus)
    }
}

/// sigma(q) = (c_visit + max N) * c_scale * (q + 1) / 2.
fn sigma(config: &SearchConfig, max_visits: f32, q: f32) -> f32 {
    sigma_scale(config, max_visits) * (q + 1.0)
}

/// By how much sigma differs where Q differs by 1.
fn sigma_scale(config: &SearchConfig, max_visits: f32) -> f32 {
    (config.c_visit + max_visits) * config.c_scale * 0.5
}

/// The status of a child that has lost for the side to move at the root.
fn lost(root: &Node) -> Status {
    Status::win_of(!root.mover)
}

/// Whether another visit of this child of the root could tell nothing: it is proven to lose, or its result is known
/// and has been counted.
fn spent(root: &Node, child: &Node) -> bool {
    child.status == lost(root) || child.status != Status::Open && child.visits > 0
}

/// Writes pi' = softmax(logits + sigma(completed Q)) over the root's moves; 0 for moves proven to lose while others
/// are not.
pub(crate) fn improved_policy(tree: &Tree, moves: &RootMoves, config: &SearchConfig, policy: &mut Vec<f32>) {
    let root = &tree.nodes[ROOT as usize];
    let visited = visited(tree, moves, config);
    let mixed = visited.mixed(root.raw_q.of(root.mover));
    let own_q = own_q(root, config);
    policy.clear();
    policy.extend(tree.children(root).iter().zip(&moves.logits).map(|(child, logit)| {
        let q = own_q(child).unwrap_or(mixed);
        logit + sigma(config, visited.max, q)
    }));
    softmax(policy);
    without_losses(tree, policy);
}

/// Takes the share of moves proven to lose, unless all are.
pub(crate) fn without_losses(tree: &Tree, policy: &mut [f32]) {
    let root = &tree.nodes[ROOT as usize];
    let children = tree.children(root);
    let kept: f32 =
        children.iter().zip(&*policy).filter(|(child, _)| child.status != lost(root)).map(|(_, &p)| p).sum();
    if kept > 0.0 {
        for (child, p) in children.iter().zip(policy) {
            *p = if child.status == lost(root) { 0.0 } else { *p / kept };
        }
    }
}

/// argmax of pi'(a) - N(a) / (1 + sum N), where pi' is the softmax of logits + sigma(completed Q): visits follow the
/// improved policy (equation 14).
pub(crate) fn select(tree: &Tree, node: &Node, config: &SearchConfig, scratch: &mut Scratch) -> u16 {
    let visited = scratch.load(tree, node, config);
    let count = node.child_count as usize;
    let scale = sigma_scale(config, visited.max);
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

/// Sequential halving: rows of simulations, one for each surviving candidate. With n simulations and m candidates
/// there are log2(m) phases of about n / log2(m) simulations; after each the better half survives, at least two.
/// Moves whose result is known give up their place to the next in the ranking.
#[derive(Clone, Debug, Default)]
pub(crate) struct Halving {
    /// All moves, by score and number; the survivors in front, best first as of the last row.
    candidates: Vec<(f32, u16)>,
    survivors: usize,
    rows_left: u32,
    phases: u32,
    /// Visits that the root's children had when it began: of earlier halvings, or of the time when the root was no root.
    before: Vec<u32>,
    /// What the last halving came to, if this one prolongs its search.
    last_best: Option<u16>,
}

impl Halving {
    /// Begins anew, in a search that has come to `last_best` before if it is prolonged.
    pub(crate) fn reset(&mut self, last_best: Option<u16>) {
        self.candidates.clear();
        self.before.clear();
        self.last_best = last_best;
    }

    /// The children to visit next, once each, in this order; at most `left` of the budget of `simulations`. None if
    /// there is nothing left to find out.
    pub(crate) fn next_row<'a>(
        &'a mut self,
        tree: &'a Tree,
        moves: &RootMoves,
        config: &SearchConfig,
        simulations: u32,
        left: u32,
    ) -> impl Iterator<Item = u16> + 'a {
        if self.candidates.is_empty() {
            let count = moves.logits.len();
            self.before.extend(tree.children(&tree.nodes[ROOT as usize]).iter().map(|child| child.visits));
            self.candidates.extend((0..count as u16).map(|child| (0.0, child)));
            let is_kept = self.last_best.is_none() && self.before.iter().any(|&visits| visits > 0);
            let doubt = if is_kept { DOUBT } else { 0.0 };
            rank_by(&mut self.candidates, tree, moves, config, 1.0, doubt);
            self.survivors =
                (config.considered_among(simulations).max(1) as usize).min(simulations as usize).min(count);
            // ceil(log2 m)
            self.phases = self.survivors.max(1).next_power_of_two().trailing_zeros();
            self.rows_left = self.rows(simulations);
        } else {
            rank(&mut self.candidates[..self.survivors], tree, moves, config);
            if self.rows_left == 0 {
                // A single candidate keeps all the simulations.
                self.survivors = (self.survivors / 2).max(2).min(self.survivors);
                self.rows_left = self.rows(simulations);
            }
        }
        let root = &tree.nodes[ROOT as usize];
        let children = tree.children(root);
        let spent = |&(_, child): &(f32, u16)| spent(root, &children[child as usize]);
        if self.candidates[..self.survivors].iter().any(spent) {
            self.candidates[..self.survivors].sort_by_key(spent);
            let open = self.candidates[..self.survivors].partition_point(|candidate| !spent(candidate));
            rank(&mut self.candidates[open..], tree, moves, config);
            self.candidates[open..].sort_by_key(spent);
        }
        self.rows_left -= 1;
        let row = self.candidates[..self.survivors].iter().take(left as usize);
        row.take_while(move |candidate| !spent(candidate)).map(|&(_, child)| child)
    }

    /// Rows of the phase that begins.
    fn rows(&self, simulations: u32) -> u32 {
        if self.phases == 0 {
            simulations.max(1)
        } else {
            (simulations / (self.phases * self.survivors as u32)).max(1)
        }
    }

    /// The most visited survivor, among equals the one of the highest noise + logit + sigma(Q). Moves known to draw
    /// are held to be as much visited as any; those proven to lose come after all others.
    ///
    /// Where children had visits before, those of this halving count, or a favourite of earlier searches would win against
    /// whatever is found now; until it has come to its last two, what was best before remains so.
    pub(crate) fn best(&self, tree: &Tree, moves: &RootMoves, config: &SearchConfig) -> Option<u16> {
        let root = &tree.nodes[ROOT as usize];
        let children = tree.children(root);
        let is_lost = |&(_, child): &(f32, u16)| children[child as usize].status == lost(root);
        let is_settled = |&(_, child): &(f32, u16)| children[child as usize].status != Status::Open;
        let is_under_way = self.survivors > 2 && self.before.iter().any(|&visits| visits > 0);
        if let Some(best) = self.last_best.filter(|&best| !is_lost(&(0.0, best)))
            && (is_under_way || self.candidates.is_empty())
        {
            return Some(best);
        }
        let made = |child: u16| {
            let before = if is_under_way { 0 } else { self.before.get(child as usize).copied().unwrap_or(0) };
            children[child as usize].visits - before
        };
        let (survivors, others) = self.candidates.split_at(self.survivors.min(self.candidates.len()));
        let settled = others.iter().filter(|candidate| is_settled(candidate));
        let mut candidates: Vec<(f32, u16)> = survivors.iter().chain(settled).copied().collect();
        if candidates.iter().all(is_lost) {
            candidates = (0..children.len() as u16).map(|child| (0.0, child)).collect();
        }
        rank_by(&mut candidates, tree, moves, config, config.choice_noise, 0.0);
        let max_visits = candidates.iter().map(|&(_, child)| made(child)).max();
        let visits = |candidate: &(f32, u16)| {
            let own = made(candidate.1);
            (!is_lost(candidate), if is_settled(candidate) { max_visits.unwrap_or(own) } else { own })
        };
        let most = candidates.iter().map(visits).max()?;
        candidates.iter().find(|candidate| visits(candidate) == most).map(|&(_, child)| child)
    }
}

/// Orders moves by noise + logit + sigma(Q), those proven to lose last, equal ones in legal-move order.
pub(crate) fn rank(candidates: &mut [(f32, u16)], tree: &Tree, moves: &RootMoves, config: &SearchConfig) {
    rank_by(candidates, tree, moves, config, 1.0, 0.0);
}

/// The doubt (see [`rank_by`]) in what was seen below an earlier root. The luckiest of the moves that were seen once or twice would else
/// come first, and crowd out what the evaluator thinks likely.
const DOUBT: f32 = 8.0;

/// [`rank`] with a share of the noise, and with `doubt`: what is not settled counts as if it had been seen so many times more, with
/// the value of the unvisited.
fn rank_by(
    candidates: &mut [(f32, u16)],
    tree: &Tree,
    moves: &RootMoves,
    config: &SearchConfig,
    noise: f32,
    doubt: f32,
) {
    let root = &tree.nodes[ROOT as usize];
    let children = tree.children(root);
    let max_visits = children.iter().map(|child| child.visits).max().unwrap_or(0) as f32;
    let mixed = visited(tree, moves, config).mixed(root.raw_q.of(root.mover));
    let own_q = own_q(root, config);
    for (score, child) in &mut *candidates {
        let i = *child as usize;
        let visits = children[i].visits as f32;
        let q = match own_q(&children[i]) {
            None => mixed,
            Some(q) if doubt > 0.0 && children[i].status == Status::Open => {
                (visits * q + doubt * mixed) / (visits + doubt)
            }
            Some(q) => q,
        };
        *score = noise * moves.noise[i] + moves.logits[i] + sigma(config, max_visits, q);
        if children[i].status == lost(root) {
            *score -= 1e9;
        }
    }
    candidates.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
}
