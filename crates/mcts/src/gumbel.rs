//! Gumbel AlphaZero (Danihelka et al. 2022, "Policy improvement by planning with Gumbel").
//!
//! Sequential halving chooses the root move. Below the root, visits follow the improved policy pi',
//! which is computed from completed Q values: unvisited moves get an estimated Q.

use crate::Value;
use crate::math::{argmax, exp, max, softmax, sum};
use crate::node::{Node, Status, WhiteValue};
use crate::root::{Decision, Root, RootMoves};
use crate::scratch::{Scratch, Visited};
use crate::setting::ConfigError;
use crate::settings::SearchConfig;
use crate::tree::Tree;
use rand::Rng;

/// The function sigma, which converts Q to an offset of the logits.
fn sigma(slope: f32, q: f32) -> f32 {
    slope * (q + 1.0)
}

impl SearchConfig {
    /// Returns the number of root moves that enter sequential halving, before the limit by the
    /// number of legal moves.
    ///
    /// It is [`considered`](Self::considered) if set. Otherwise it is half the simulations, at
    /// least 1 and at most 8. From 64 simulations on the maximum is 16. With one move per
    /// simulation, each move would get one visit and no move would be eliminated.
    pub fn considered_among(&self, simulations: u32) -> u32 {
        let most = if simulations < 64 { 8 } else { 16 };
        self.considered.unwrap_or((simulations / 2).min(most).max(1))
    }

    /// Checks that [`considered`](Self::considered), if set, is at most half the simulations.
    /// Searches of 0 or 1 simulations always pass.
    ///
    /// # Errors
    /// `considered` is more than half the simulations.
    pub fn check_considered(&self, simulations: u32) -> Result<(), ConfigError> {
        let most = simulations / 2;
        match self.considered {
            Some(found) if most > 0 && found > most => {
                let allowed = "at most half the simulations".to_owned();
                Err(ConfigError { key: "considered", found: found.to_string(), allowed })
            }
            _ => Ok(()),
        }
    }

    /// Returns the slope of [`sigma`] at a node whose most visited child has `max_visits` visits.
    /// See [`SearchConfig::c_visit`].
    fn sigma_slope(&self, max_visits: f32) -> f32 {
        (self.c_visit + max_visits) * self.c_scale * 0.5
    }
}

// Root.

/// Samples Gumbel noise for all root moves and stores it in `moves.noise`.
pub(crate) fn draw_noise(config: &SearchConfig, moves: &mut RootMoves, rng: &mut impl Rng) {
    let scale = config.gumbel_scale;
    moves.noise.clear();
    moves.noise.extend((0..moves.logits.len()).map(|_| {
        if scale == 0.0 {
            return 0.0;
        }
        // 53 random bits, shifted off 0 and 1 so that both logarithms are finite.
        let u = (rng.random::<u64>() >> 11) as f64 + 0.5;
        let u = u / (1u64 << 53) as f64;
        scale * -libm::log(-libm::log(u)) as f32
    }));
}

/// Sorts moves by noise + logit + sigma(Q), best first, and writes these scores into `candidates`.
/// Proven losses come last. Ties are in legal-move order. A candidate is a pair (score, child
/// number).
///
/// `noise` is a factor on the noise. Each visited move without a known result also gets `doubt`
/// virtual visits with the estimated Q of unvisited moves.
pub(crate) fn rank(candidates: &mut [(f32, u16)], root: Root<'_>, noise: f32, doubt: f32) {
    let children = root.children();
    let visited = visited(root);
    let slope = root.config.sigma_slope(visited.max);
    let mixed = visited.mixed(root.node().raw_q.of(root.node().mover));
    let own_q = own_q(root);
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
        *score = noise * root.moves.noise[i] + root.moves.logits[i] + sigma(slope, q);
        if root.is_lost(&children[i]) {
            *score -= 1e9;
        }
    }
    candidates.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
}

/// Statistics of the visited root children. They determine sigma and the value of unvisited moves
/// ([`Visited::mixed`]).
fn visited(root: Root<'_>) -> Visited {
    let draws = root.config.draw_score * root.raw_value.wdl[1];
    let mut visited = Visited { draws, ..Visited::default() };
    for (child, &prior) in root.children().iter().zip(&root.moves.priors) {
        if child.visits > 0 {
            visited.sum += child.visits as f32;
            visited.max = visited.max.max(child.visits as f32);
            visited.prior += prior;
            visited.prior_q += prior * root.q(child);
        }
    }
    visited
}

/// Returns a function that maps a child to its Q for the side to move at the root, with the
/// moves-left bonus. The function returns `None` for a child without a value.
fn own_q(root: Root<'_>) -> impl Fn(&Node) -> Option<f32> {
    let node = root.node();
    let moves_left = root.config.moves_left(node.q.of(node.mover), node.moves_left);
    move |child| {
        let q = root.q(child);
        let bonus = moves_left.map_or(0.0, |parent| parent.bonus(q, child.moves_left));
        child.has_value().then_some(q + bonus)
    }
}

/// Returns true if another visit of this root child would add no information. The child is a proven
/// loss, or it has a known result and at least one visit.
fn spent(root: Root<'_>, child: &Node) -> bool {
    root.is_lost(child) || child.status != Status::Open && child.visits > 0
}

/// Number of virtual visits in [`rank`] at the start of a search in a reused tree. Without them,
/// moves with one or two lucky visits would displace moves that the evaluator prefers.
const DOUBT: f32 = 8.0;

/// Sequential halving. A round has one simulation per surviving candidate; a phase has several
/// rounds.
///
/// With n simulations and m candidates there are log2(m) phases of about n / log2(m) simulations.
/// After each phase the better half survives, at least two. If a survivor needs no more visits
/// ([`spent`]), the next move in the ranking takes its place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Halving {
    /// All root moves as (score, child number). The surviving candidates come first, in the ranking
    /// of the last round.
    candidates: Vec<(f32, u16)>,
    survivors: usize,
    rounds_left: u32,
    phases: u32,
    /// Visits of the root's children before this halving, from earlier halvings or from a reused
    /// tree.
    before: Vec<u32>,
    /// Children that the current round visits. The simulations of the first `issued` children have
    /// been started.
    round: Vec<u16>,
    issued: usize,
    /// Child number of the best move of the previous halving, if this halving continues a search.
    last_best: Option<u16>,
}

impl Halving {
    /// Prepares a new halving. `last_best` is the child number of the best move so far, if the
    /// halving continues a search.
    pub(crate) fn reset(&mut self, last_best: Option<u16>) {
        self.candidates.clear();
        self.before.clear();
        self.round.clear();
        self.issued = 0;
        self.last_best = last_best;
    }

    /// Returns true if the simulations of all children of the round have been started.
    pub(crate) fn round_is_done(&self) -> bool {
        self.issued == self.round.len()
    }

    /// Returns the next child of the round to visit, or `None` at the end of the round.
    pub(crate) fn next_of_round(&mut self) -> Option<u16> {
        let child = self.round.get(self.issued).copied()?;
        self.issued += 1;
        Some(child)
    }

    /// Begins a round. The round visits each survivor once, but at most `left` children.
    /// `simulations` is the budget of the whole halving. Returns false if no move needs more
    /// visits.
    pub(crate) fn begin_round(&mut self, root: Root<'_>, simulations: u32, left: u32) -> bool {
        let children = root.children();
        if self.candidates.is_empty() {
            let count = root.moves.logits.len();
            self.before.extend(children.iter().map(|child| child.visits));
            self.candidates.extend((0..count as u16).map(|child| (0.0, child)));
            let is_kept = self.last_best.is_none() && self.before.iter().any(|&visits| visits > 0);
            let doubt = if is_kept { DOUBT } else { 0.0 };
            rank(&mut self.candidates, root, 1.0, doubt);
            let considered = root.config.considered_among(simulations).max(1);
            self.survivors = (considered as usize).min(simulations as usize).min(count);
            // ceil(log2 m)
            self.phases = self.survivors.max(1).next_power_of_two().trailing_zeros();
            self.rounds_left = self.rounds(simulations);
        } else {
            rank(&mut self.candidates[..self.survivors], root, 1.0, 0.0);
            if self.rounds_left == 0 {
                // `max(2)` would add a survivor to a single candidate, so `min` limits it again.
                self.survivors = (self.survivors / 2).max(2).min(self.survivors);
                self.rounds_left = self.rounds(simulations);
            }
        }
        let spent = |&(_, child): &(f32, u16)| spent(root, &children[child as usize]);
        if self.candidates[..self.survivors].iter().any(spent) {
            self.candidates[..self.survivors].sort_by_key(spent);
            let open = self.candidates[..self.survivors].partition_point(|candidate| !spent(candidate));
            rank(&mut self.candidates[open..], root, 1.0, 0.0);
            self.candidates[open..].sort_by_key(spent);
        }
        self.rounds_left -= 1;
        let round = self.candidates[..self.survivors].iter().take(left as usize);
        self.round.clear();
        self.round.extend(round.take_while(|candidate| !spent(candidate)).map(|&(_, child)| child));
        self.issued = 0;
        !self.round.is_empty()
    }

    /// Number of rounds in the phase that begins now. `simulations` is the budget of the whole
    /// halving.
    fn rounds(&self, simulations: u32) -> u32 {
        if self.phases == 0 {
            simulations.max(1)
        } else {
            (simulations / (self.phases * self.survivors as u32)).max(1)
        }
    }

    /// Returns the most visited move among the survivors of sequential halving. Ties go to the
    /// highest logit + sigma(Q) + [`SearchConfig::choice_noise`] * noise. A move with a known
    /// result counts as visited as often as the most visited move. A proven loss is returned only
    /// if all moves lose.
    ///
    /// Once at most two moves survive, visits from before this halving do not count. Otherwise a
    /// favourite of earlier searches would beat any new finding. While more moves survive, a
    /// halving that continues a search returns `last_best`, unless it is a proven loss.
    pub(crate) fn best(&self, root: Root<'_>) -> Option<u16> {
        let children = root.children();
        let is_lost = |&(_, child): &(f32, u16)| root.is_lost(&children[child as usize]);
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
        rank(&mut candidates, root, root.config.choice_noise, 0.0);
        let max_visits = candidates.iter().map(|&(_, child)| made(child)).max();
        let visits = |candidate: &(f32, u16)| {
            let own = made(candidate.1);
            (!is_lost(candidate), if is_settled(candidate) { max_visits.unwrap_or(own) } else { own })
        };
        let most = candidates.iter().map(visits).max()?;
        candidates.iter().find(|candidate| visits(candidate) == most).map(|&(_, child)| child)
    }
}

// Below the root.

/// Returns the child number of the move a with the largest pi'(a) - N(a) / (1 + sum N). pi' is the
/// softmax of logits + sigma(completed Q). So the visits follow pi' (Danihelka et al. 2022,
/// equation 14).
pub(crate) fn select(config: &SearchConfig, tree: &Tree, node: &Node, scratch: &mut Scratch) -> u16 {
    let visited = scratch.load(tree, node, config);
    let count = node.child_count as usize;
    let slope = config.sigma_slope(visited.max);
    let unvisited = &tree.edge_priors(node)[count..];
    let mixed = visited.mixed(node.raw_q.of(node.mover));
    let mut top = max(&scratch.q);
    let mut rest = 0.0;
    if !unvisited.is_empty() {
        top = top.max(mixed);
        scratch.numbers.clear();
        scratch.numbers.extend(unvisited.iter().map(|prior| prior.get()));
        // Weights are relative to the best Q: exp(sigma(q) - sigma(top)).
        rest = sum(&scratch.numbers) * exp(slope * (mixed - top));
    }
    for (weight, &q) in scratch.prior.iter_mut().zip(&scratch.q) {
        *weight *= exp(slope * (q - top));
    }
    let normalise = 1.0 / (sum(&scratch.prior) + rest);
    let share = 1.0 / (1.0 + visited.sum);

    scratch.numbers.clear();
    let scores = scratch.prior.iter().zip(&scratch.visits);
    scratch.numbers.extend(scores.map(|(weight, visits)| weight * normalise - visits * share));
    let (choice, best) = argmax(&scratch.numbers);
    match unvisited.first() {
        Some(first) if first.get() * exp(slope * (mixed - top)) * normalise > best => count as u16,
        _ => choice as u16,
    }
}

// Decision.

/// Returns the improved policy, its value, and the move chosen by sequential halving.
pub(crate) fn decide(root: Root<'_>, halving: &Halving) -> Decision {
    Decision { best: halving.best(root), ..improved(root) }
}

/// Returns the improved policy pi' = softmax(logits + sigma(completed Q)) over the root's moves,
/// and its value. Proven losses get probability 0, unless all moves lose.
pub(crate) fn improved(root: Root<'_>) -> Decision {
    let visited = visited(root);
    let mixed = visited.mixed(root.node().raw_q.of(root.node().mover));
    let (slope, own_q) = (root.config.sigma_slope(visited.max), own_q(root));
    let moves = root.children().iter().zip(&root.moves.logits);
    let mut policy: Vec<f32> =
        moves.map(|(child, logit)| logit + sigma(slope, own_q(child).unwrap_or(mixed))).collect();
    softmax(&mut policy);
    root.without_losses(&mut policy);
    let value = value_of(root, &policy, visited);
    Decision { policy, value, best: None }
}

/// Expected value of the root under a policy. For a move without a value, it uses the estimate for
/// unvisited moves ([`Visited::mixed`]).
fn value_of(root: Root<'_>, policy: &[f32], visited: Visited) -> Value {
    let (node, children) = (root.node(), root.children());
    let after = |child: &Node| WhiteValue { moves_left: child.moves_left + 1.0, ..child.value() };
    let raw = WhiteValue::new(&root.raw_value, node.mover);
    let mut mixed = raw;
    if visited.prior > 0.0 {
        let mean = |field: fn(&WhiteValue) -> f32| {
            let each = children.iter().zip(&root.moves.priors).filter(|(child, _)| child.visits > 0);
            let sum: f32 = each.map(|(child, &prior)| prior * field(&after(child))).sum();
            (field(&raw) + visited.sum * sum / visited.prior) / (1.0 + visited.sum)
        };
        mixed.q.0 = mean(|value| value.q.0);
        mixed.draw = mean(|value| value.draw);
        mixed.moves_left = mean(|value| value.moves_left);
    }
    let mut sum = WhiteValue::default();
    for (child, &p) in children.iter().zip(policy) {
        let value = if child.has_value() { after(child) } else { mixed };
        sum.q.0 += p * value.q.0;
        sum.draw += p * value.draw;
        sum.moves_left += p * value.moves_left;
    }
    sum.of(node.mover)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn considered_moves_follow_the_simulations_unless_they_are_named() {
        let of = |considered| SearchConfig { considered, ..SearchConfig::default() };
        for (simulations, expected) in
            [(0, 1), (1, 1), (2, 1), (4, 2), (8, 4), (15, 7), (16, 8), (32, 8), (63, 8), (64, 16), (800, 16)]
        {
            assert_eq!(of(None).considered_among(simulations), expected, "{simulations}");
            assert_eq!(of(None).check_considered(simulations), Ok(()));
            assert_eq!(of(Some(3)).considered_among(simulations), 3);
        }
        for (simulations, considered) in [(0, 16), (1, 16), (2, 1), (9, 4), (32, 16)] {
            assert_eq!(of(Some(considered)).check_considered(simulations), Ok(()));
        }
        for (simulations, considered) in [(2, 2), (8, 5), (9, 5), (31, 16)] {
            let error = of(Some(considered)).check_considered(simulations).unwrap_err();
            assert_eq!((error.key, error.found), ("considered", considered.to_string()));
        }
    }
}
