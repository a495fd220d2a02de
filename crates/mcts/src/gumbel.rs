//! Gumbel AlphaZero (Danihelka et al. 2022): sequential halving at the root, completed Q below and in the answer, the improved policy.

use crate::Value;
use crate::math::{argmax, exp, max, softmax, sum};
use crate::node::{Node, Status, WhiteValue};
use crate::range::{ConfigError, check};
use crate::root::{Answer, Root, RootMoves};
use crate::scratch::{Scratch, Visited};
use crate::tree::Tree;
use crate::utility::Utility;
use rand::Rng;

/// The settings of Gumbel AlphaZero.
#[derive(Clone, PartialEq, Debug)]
pub struct Gumbel {
    /// Root moves that enter sequential halving (never more than simulations or legal moves); by the number of
    /// simulations where none is named: [`Gumbel::considered_among`].
    pub considered: Option<u32>,
    /// c_visit of sigma(q) = (c_visit + max N) * c_scale * (q + 1) / 2.
    pub c_visit: f32,
    /// c_scale of the same formula.
    pub c_scale: f32,
    /// Scale of the noise at the root: 1 in self-play, 0 in matches and analysis.
    pub gumbel_scale: f32,
    /// The share of that noise which the choice of the move to play keeps. At 0 the moves that are looked at are drawn as
    /// ever, and the best of them is played.
    pub choice_noise: f32,
}

impl Default for Gumbel {
    fn default() -> Self {
        Gumbel { considered: None, c_visit: 50.0, c_scale: 1.0, gumbel_scale: 0.0, choice_noise: 1.0 }
    }
}

/// sigma(q) = (c_visit + max N) * c_scale * (q + 1) / 2 at a node: how much a logit gains by a value.
#[derive(Clone, Copy)]
struct Sigma {
    slope: f32,
}

impl Sigma {
    fn of(self, q: f32) -> f32 {
        self.slope * (q + 1.0)
    }

    /// By how much it is more at one value than at another.
    fn between(self, q: f32, other: f32) -> f32 {
        self.slope * (q - other)
    }
}

impl Gumbel {
    /// The root moves that enter sequential halving: as named, else half the simulations, at most 8, and at most 16 from 64
    /// simulations on, at least 1. As many as there are simulations would leave one look a move and nothing to halve.
    pub fn considered_among(&self, simulations: u32) -> u32 {
        let most = if simulations < 64 { 8 } else { 16 };
        self.considered.unwrap_or((simulations / 2).min(most).max(1))
    }

    /// Refuses, in a search of at least two simulations, a named number of root moves above half of them.
    pub fn check_considered(&self, simulations: u32) -> Result<(), ConfigError> {
        let most = simulations / 2;
        match self.considered {
            Some(found) if most > 0 && found > most => {
                let allowed = "at most half the simulations, so that there is something to halve";
                Err(ConfigError { key: "considered", found: found.to_string(), allowed })
            }
            _ => Ok(()),
        }
    }

    /// Checks every setting against its range.
    pub(crate) fn validate(&self) -> Result<(), ConfigError> {
        check("considered", self.considered.unwrap_or(1), [1, u32::MAX], "at least 1")?;
        check("c_visit", self.c_visit, [0.0, 1e6], "0 to 1e6")?;
        check("c_scale", self.c_scale, [0.0, 1e3], "0 to 1000")?;
        check("gumbel_scale", self.gumbel_scale, [0.0, 100.0], "0 to 100")?;
        check("choice_noise", self.choice_noise, [0.0, 1.0], "0 to 1")
    }

    /// sigma at a node whose most visited child has so many visits.
    fn sigma(&self, max_visits: f32) -> Sigma {
        Sigma { slope: (self.c_visit + max_visits) * self.c_scale * 0.5 }
    }
}

// The root.

impl Gumbel {
    /// Draws Gumbel noise for the root's moves.
    pub(crate) fn draw_noise(&self, moves: &mut RootMoves, rng: &mut impl Rng) {
        let scale = self.gumbel_scale;
        moves.noise.clear();
        moves.noise.extend((0..moves.logits.len()).map(|_| {
            if scale == 0.0 {
                return 0.0;
            }
            // 53 random bits, moved off 0 and 1.
            let u = (rng.random::<u64>() >> 11) as f64 + 0.5;
            let u = u / (1u64 << 53) as f64;
            scale * -(-u.ln()).ln() as f32
        }));
    }

    /// Orders moves by noise + logit + sigma(Q), those proven to lose last, equal ones in legal-move order.
    pub(crate) fn rank(&self, candidates: &mut [(f32, u16)], root: Root<'_>) {
        self.rank_by(candidates, root, 1.0, 0.0);
    }

    /// [`Gumbel::rank`] with a share of the noise, and with `doubt`: what is not settled counts as if it had been seen so many times
    /// more, with the value of the unvisited.
    fn rank_by(&self, candidates: &mut [(f32, u16)], root: Root<'_>, noise: f32, doubt: f32) {
        let children = root.children();
        let visited = visited(root);
        let sigma = self.sigma(visited.max);
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
            *score = noise * root.moves.noise[i] + root.moves.logits[i] + sigma.of(q);
            if root.is_lost(&children[i]) {
                *score -= 1e9;
            }
        }
        candidates.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    }
}

/// Visits so far of the root's children, for sigma and the mix.
fn visited(root: Root<'_>) -> Visited {
    let mut visited = Visited::default();
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

/// Gives each child's own Q for the side to move at the root, with the moves-left bonus; none if it has no value.
fn own_q(root: Root<'_>) -> impl Fn(&Node) -> Option<f32> {
    let node = root.node();
    let moves_left = root.utility.moves_left(node.q.of(node.mover), node.moves_left);
    move |child| {
        let q = root.q(child);
        let bonus = moves_left.map_or(0.0, |parent| parent.bonus(q, child.moves_left));
        child.has_value().then_some(q + bonus)
    }
}

/// Whether another visit of this child of the root could tell nothing: it is proven to lose, or its result is known
/// and has been counted.
fn spent(root: Root<'_>, child: &Node) -> bool {
    root.is_lost(child) || child.status != Status::Open && child.visits > 0
}

/// The doubt (see [`Gumbel::rank_by`]) in what was seen below an earlier root. The luckiest of the moves that were seen once or twice
/// would else come first, and crowd out what the evaluator thinks likely.
const DOUBT: f32 = 8.0;

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
    /// The children that the row under way visits, and how many of them have been given out.
    row: Vec<u16>,
    given: usize,
    /// What the last halving came to, if this one prolongs its search.
    last_best: Option<u16>,
}

impl Halving {
    /// Begins anew, in a search that has come to `last_best` before if it is prolonged.
    pub(crate) fn reset(&mut self, last_best: Option<u16>) {
        self.candidates.clear();
        self.before.clear();
        self.row.clear();
        self.given = 0;
        self.last_best = last_best;
    }

    /// Whether all children of the row have been given out.
    pub(crate) fn has_finished_row(&self) -> bool {
        self.given == self.row.len()
    }

    /// The next child of the row.
    pub(crate) fn next_of_row(&mut self) -> Option<u16> {
        let child = self.row.get(self.given).copied()?;
        self.given += 1;
        Some(child)
    }

    /// Begins a row: the children to visit next, once each; at most `left` of the budget of `simulations`. False if there is nothing
    /// left to find out.
    pub(crate) fn begin_row(&mut self, gumbel: &Gumbel, root: Root<'_>, simulations: u32, left: u32) -> bool {
        let children = root.children();
        if self.candidates.is_empty() {
            let count = root.moves.logits.len();
            self.before.extend(children.iter().map(|child| child.visits));
            self.candidates.extend((0..count as u16).map(|child| (0.0, child)));
            let is_kept = self.last_best.is_none() && self.before.iter().any(|&visits| visits > 0);
            let doubt = if is_kept { DOUBT } else { 0.0 };
            gumbel.rank_by(&mut self.candidates, root, 1.0, doubt);
            let considered = gumbel.considered_among(simulations).max(1);
            self.survivors = (considered as usize).min(simulations as usize).min(count);
            // ceil(log2 m)
            self.phases = self.survivors.max(1).next_power_of_two().trailing_zeros();
            self.rows_left = self.rows(simulations);
        } else {
            gumbel.rank(&mut self.candidates[..self.survivors], root);
            if self.rows_left == 0 {
                // A single candidate keeps all the simulations.
                self.survivors = (self.survivors / 2).max(2).min(self.survivors);
                self.rows_left = self.rows(simulations);
            }
        }
        let spent = |&(_, child): &(f32, u16)| spent(root, &children[child as usize]);
        if self.candidates[..self.survivors].iter().any(spent) {
            self.candidates[..self.survivors].sort_by_key(spent);
            let open = self.candidates[..self.survivors].partition_point(|candidate| !spent(candidate));
            gumbel.rank(&mut self.candidates[open..], root);
            self.candidates[open..].sort_by_key(spent);
        }
        self.rows_left -= 1;
        let row = self.candidates[..self.survivors].iter().take(left as usize);
        self.row.clear();
        self.row.extend(row.take_while(|candidate| !spent(candidate)).map(|&(_, child)| child));
        self.given = 0;
        !self.row.is_empty()
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
    pub(crate) fn best(&self, gumbel: &Gumbel, root: Root<'_>) -> Option<u16> {
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
        gumbel.rank_by(&mut candidates, root, gumbel.choice_noise, 0.0);
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

impl Gumbel {
    /// argmax of pi'(a) - N(a) / (1 + sum N), where pi' is the softmax of logits + sigma(completed Q): visits follow the
    /// improved policy (equation 14).
    pub(crate) fn select(&self, tree: &Tree, node: &Node, utility: &Utility, scratch: &mut Scratch) -> u16 {
        let visited = scratch.load(tree, node, utility);
        let count = node.child_count as usize;
        let sigma = self.sigma(visited.max);
        let unvisited = &tree.edge_priors(node)[count..];
        let mixed = visited.mixed(node.raw_q.of(node.mover));
        let mut top = max(&scratch.q);
        let mut rest = 0.0;
        if !unvisited.is_empty() {
            top = top.max(mixed);
            scratch.numbers.clear();
            scratch.numbers.extend(unvisited.iter().map(|prior| prior.get()));
            rest = sum(&scratch.numbers) * exp(sigma.between(mixed, top));
        }
        for (weight, &q) in scratch.prior.iter_mut().zip(&scratch.q) {
            *weight *= exp(sigma.between(q, top));
        }
        let normalise = 1.0 / (sum(&scratch.prior) + rest);
        let share = 1.0 / (1.0 + visited.sum);

        scratch.numbers.clear();
        let scores = scratch.prior.iter().zip(&scratch.visits);
        scratch.numbers.extend(scores.map(|(weight, visits)| weight * normalise - visits * share));
        let (choice, best) = argmax(&scratch.numbers);
        match unvisited.first() {
            Some(first) if first.get() * exp(sigma.between(mixed, top)) * normalise > best => count as u16,
            _ => choice as u16,
        }
    }
}

// The answer.

impl Gumbel {
    /// The improved policy, the value of playing by it, and what sequential halving has come to.
    pub(crate) fn answer(&self, root: Root<'_>, halving: &Halving) -> Answer {
        Answer { best: halving.best(self, root), ..self.improved(root) }
    }

    /// The improved policy pi' = softmax(logits + sigma(completed Q)) over the root's moves, 0 for moves proven to lose while others
    /// are not, and the value of playing by it.
    pub(crate) fn improved(&self, root: Root<'_>) -> Answer {
        let visited = visited(root);
        let mixed = visited.mixed(root.node().raw_q.of(root.node().mover));
        let (sigma, own_q) = (self.sigma(visited.max), own_q(root));
        let moves = root.children().iter().zip(&root.moves.logits);
        let mut policy: Vec<f32> =
            moves.map(|(child, logit)| logit + sigma.of(own_q(child).unwrap_or(mixed))).collect();
        softmax(&mut policy);
        root.without_losses(&mut policy);
        let value = value_of(root, &policy, visited);
        Answer { policy, value, best: None }
    }
}

/// Expected value of playing by a policy, moves without a value of their own completed by the mix.
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
        let of = |considered| Gumbel { considered, ..Gumbel::default() };
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
