//! AlphaZero's PUCT (Silver et al. 2018, "A general reinforcement learning algorithm that masters
//! chess, shogi and Go through self-play").
//!
//! The selection rule is the same at the root and below. Dirichlet noise is mixed into the root's
//! priors. The policy after the search is each move's share of the visits.

use crate::gumbel;
use crate::math::Prior;
use crate::node::Node;
use crate::root::{Decision, Root, RootMoves};
use crate::scratch::Scratch;
use crate::settings::SearchConfig;
use crate::tree::{ROOT, Tree};
use rand::Rng;

// Root.

/// Mixes Dirichlet noise into the priors of the root's edges. The priors in `moves` stay
/// without noise.
pub(crate) fn draw_noise(config: &SearchConfig, tree: &mut Tree, moves: &mut RootMoves, rng: &mut impl Rng) {
    // PUCT has no noise on logits.
    moves.noise.clear();
    moves.noise.resize(moves.priors.len(), 0.0);
    let fraction = config.dirichlet_fraction;
    if fraction > 0.0 {
        let mut noise = vec![0.0; moves.priors.len()];
        dirichlet(config.dirichlet_alpha, &mut noise, rng);
        let first_edge = tree.nodes[ROOT as usize].first_edge as usize;
        let mixed = moves.priors.iter().zip(&noise);
        for (edge, (&prior, &noise)) in tree.priors[first_edge..].iter_mut().zip(mixed) {
            *edge = Prior::new(prior + fraction * (noise - prior));
        }
    }
}

/// Overwrites `noise` with a sample of the symmetric Dirichlet distribution with concentration
/// `alpha`. The sample sums to 1.
pub(crate) fn dirichlet(alpha: f32, noise: &mut [f32], rng: &mut impl Rng) {
    let mut sum = 0.0;
    for value in &mut *noise {
        *value = gamma(alpha as f64, rng) as f32;
        sum += *value;
    }
    if sum > 0.0 {
        noise.iter_mut().for_each(|value| *value /= sum);
    } else {
        // All samples can underflow if alpha is tiny.
        noise.fill(1.0 / noise.len() as f32);
    }
}

/// Returns a sample of the gamma distribution with scale 1, by the method of Marsaglia and Tsang
/// (2000) with their boost for shapes below 1.
fn gamma(shape: f64, rng: &mut impl Rng) -> f64 {
    if shape < 1.0 {
        let u: f64 = 1.0 - rng.random::<f64>();
        return gamma(shape + 1.0, rng) * libm::pow(u, 1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let u1: f64 = 1.0 - rng.random::<f64>();
        let u2: f64 = rng.random();
        let normal = (-2.0 * libm::log(u1)).sqrt() * libm::cos(std::f64::consts::TAU * u2);
        let v = (1.0 + c * normal).powi(3);
        let u: f64 = 1.0 - rng.random::<f64>();
        if v > 0.0 && libm::log(u) < 0.5 * normal * normal + d - d * v + d * libm::log(v) {
            return d * v;
        }
    }
}

// Below the root.

/// Returns the child number of the move a with the largest Q(a) + c P(a) sqrt(sum N) / (1 + N(a)).
/// For a child without a value, Q is the first-play urgency ([`SearchConfig::fpu_reduction`]).
/// Simulations that wait for an evaluation count as visits.
pub(crate) fn select(config: &SearchConfig, tree: &Tree, node: &Node, scratch: &mut Scratch) -> u16 {
    let visited = scratch.load(tree, node, config);
    let first_play = node.q.of(node.mover) + visited.draws - config.fpu_reduction * visited.prior.sqrt();
    let explore = config.c_puct * visited.sum.max(1.0).sqrt();
    let children = tree.children(node);

    let mut best = f32::NEG_INFINITY;
    let mut choice = 0;
    for (i, child) in children.iter().enumerate() {
        let q = if child.has_value() { scratch.q[i] } else { first_play };
        let score = q + explore * scratch.prior[i] / (1.0 + scratch.visits[i]);
        if score > best {
            best = score;
            choice = i;
        }
    }
    if let Some(prior) = tree.edge_priors(node).get(children.len())
        && first_play + explore * prior.get() > best
    {
        choice = children.len();
    }
    choice as u16
}

// Decision.

/// Returns each move's share of the visits, and the mean value of the visits. Without visits it
/// returns Gumbel's improved policy, which combines the evaluator's logits with known results.
pub(crate) fn decide(root: Root<'_>) -> Decision {
    let children = root.children();
    let total: u32 = children.iter().map(|child| child.visits).sum();
    if total == 0 {
        // These constants belong to the other algorithm, so they have their defaults.
        let SearchConfig { c_visit, c_scale, .. } = SearchConfig::default();
        let config = SearchConfig { c_visit, c_scale, ..*root.config };
        return gumbel::improved(Root { config: &config, ..root });
    }
    let mut policy: Vec<f32> = children.iter().map(|child| child.visits as f32 / total as f32).collect();
    root.without_losses(&mut policy);
    Decision { policy, value: root.node().value().of(root.node().mover), best: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn gamma_has_its_mean_and_variance() {
        let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(5);
        for shape in [0.1, 0.3, 1.0, 4.5] {
            let n = 200_000;
            let samples: Vec<f64> = (0..n).map(|_| gamma(shape, &mut rng)).collect();
            let mean = samples.iter().sum::<f64>() / n as f64;
            let variance = samples.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n as f64;
            // Both equal the shape. The tolerance is five standard errors of each.
            assert!((mean - shape).abs() < 5.0 * (shape / n as f64).sqrt(), "{shape}: mean {mean}");
            let error = ((2.0 * shape * shape + 6.0 * shape) / n as f64).sqrt();
            assert!((variance - shape).abs() < 5.0 * error, "{shape}: variance {variance}");
        }
    }

    #[test]
    fn dirichlet_sums_to_one() {
        let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(6);
        for alpha in [1e-3, 0.3, 10.0] {
            let mut noise = [0.0; 40];
            dirichlet(alpha, &mut noise, &mut rng);
            assert!((noise.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
    }
}
