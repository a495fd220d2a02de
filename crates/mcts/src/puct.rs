//! PUCT: the choice of AlphaZero, and the noise at its root.

use crate::config::SearchConfig;
use crate::node::Node;
use crate::scratch::Scratch;
use crate::tree::Tree;
use rand::Rng;

/// argmax of Q(a) + c P(a) sqrt(sum N) / (1 + N(a)). A child without a value counts as its parent's Q less the
/// first-play reduction times the root of the visited prior mass. Visits under way count as visits.
pub(crate) fn select(tree: &Tree, node: &Node, config: &SearchConfig, scratch: &mut Scratch) -> u16 {
    let visited = scratch.load(tree, node, config);
    let first_play = node.q.of(node.mover) - config.fpu_reduction * visited.prior.sqrt();
    let explore = config.c_puct * visited.sum.max(1.0).sqrt();
    let children = tree.children(node);

    let mut best = f32::NEG_INFINITY;
    let mut choice = 0;
    for (i, child) in children.iter().enumerate() {
        let known = child.visits > 0 || child.status != crate::node::Status::Open;
        let q = if known { scratch.q[i] } else { first_play };
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

/// Fills `noise` with a sample of the symmetric Dirichlet distribution.
pub(crate) fn dirichlet(alpha: f32, noise: &mut [f32], rng: &mut impl Rng) {
    let mut sum = 0.0;
    for value in &mut *noise {
        *value = gamma(alpha as f64, rng) as f32;
        sum += *value;
    }
    if sum > 0.0 {
        noise.iter_mut().for_each(|value| *value /= sum);
    } else {
        // All samples of a tiny alpha can underflow.
        noise.fill(1.0 / noise.len() as f32);
    }
}

/// A sample of the gamma distribution with scale 1 (Marsaglia and Tsang 2000, boosted below shape 1).
fn gamma(shape: f64, rng: &mut impl Rng) -> f64 {
    if shape < 1.0 {
        let u: f64 = 1.0 - rng.random::<f64>();
        return gamma(shape + 1.0, rng) * u.powf(1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let u1: f64 = 1.0 - rng.random::<f64>();
        let u2: f64 = rng.random();
        let normal = (-2.0 * u1.ln()).sqrt() * (std::f64::consts::TAU * u2).cos();
        let v = (1.0 + c * normal).powi(3);
        let u: f64 = 1.0 - rng.random::<f64>();
        if v > 0.0 && u.ln() < 0.5 * normal * normal + d - d * v + d * v.ln() {
            return d * v;
        }
    }
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
            // Both equal the shape; five standard errors of each.
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
