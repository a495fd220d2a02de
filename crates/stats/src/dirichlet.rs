//! Posterior distributions of the probabilities of win, draw and loss.

use rand::SeedableRng;
use rand_distr::{Distribution, Gamma};
use rand_pcg::Pcg64Mcg;

/// Prior distribution of the probabilities of win, draw and loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Prior {
    /// Jeffreys' prior, equal to half a game per result. It does not depend on the parametrisation.
    /// Reports use it.
    #[default]
    Jeffreys,
    /// Uniform prior, equal to one game per result. All triples of probabilities are equally
    /// likely.
    Uniform,
}

/// Posterior of the probabilities of (win, draw, loss) after independent games of one kind. It is a
/// Dirichlet distribution.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Posterior {
    alpha: [f64; 3],
}

/// Number of samples for a posterior probability or interval. The result is usually within 0.005 of
/// the exact one and nearly always within 0.01.
const DRAWS: usize = 20_000;

impl Posterior {
    /// Creates the posterior from the numbers of games won, drawn and lost. In self-play, these are
    /// White's results.
    pub fn new(results: [u64; 3], prior: Prior) -> Posterior {
        let each = match prior {
            Prior::Jeffreys => 0.5,
            Prior::Uniform => 1.0,
        };
        Posterior { alpha: results.map(|n| n as f64 + each) }
    }

    /// Returns the posterior means of the probabilities of win, draw and loss.
    pub fn mean(&self) -> [f64; 3] {
        let sum: f64 = self.alpha.iter().sum();
        self.alpha.map(|a| a / sum)
    }

    /// Returns the 95 % posterior interval of `value`, a function of the probabilities. It draws
    /// 20,000 samples.
    pub fn interval(&self, value: impl Fn([f64; 3]) -> f64, seed: u64) -> [f64; 2] {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let sampler = self.sampler();
        let mut values: Vec<f64> = (0..DRAWS).map(|_| value(sampler.draw(&mut random))).collect();
        values.sort_by(f64::total_cmp);
        [0.025, 0.975].map(|p| super::bootstrap::quantile(&values, p))
    }

    /// Returns the posterior probability that `value` is higher here than in `other`. `value` is a
    /// function of the probabilities. The function draws 20,000 samples of each posterior.
    pub fn probability_above(&self, other: &Posterior, value: impl Fn([f64; 3]) -> f64, seed: u64) -> f64 {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let (ours, theirs) = (self.sampler(), other.sampler());
        let above = (0..DRAWS).filter(|_| value(ours.draw(&mut random)) > value(theirs.draw(&mut random)));
        above.count() as f64 / DRAWS as f64
    }

    #[allow(clippy::expect_used)]
    fn sampler(&self) -> Sampler {
        Sampler(self.alpha.map(|a| Gamma::new(a, 1.0).expect("at least half a game")))
    }
}

/// Sampler of a Dirichlet distribution: independent gamma variables divided by their sum.
struct Sampler([Gamma<f64>; 3]);

impl Sampler {
    fn draw(&self, random: &mut Pcg64Mcg) -> [f64; 3] {
        let gammas = self.0.map(|gamma| gamma.sample(random));
        let sum: f64 = gammas.iter().sum();
        gammas.map(|g| g / sum)
    }
}

/// Returns the probability that a game is decisive: win plus loss.
pub fn decisiveness([win, _, loss]: [f64; 3]) -> f64 {
    win + loss
}

/// Returns White's expected score, if the probabilities are White's.
pub fn white_score([win, draw, _]: [f64; 3]) -> f64 {
    win + draw / 2.0
}

#[cfg(test)]
mod tests {
    use super::super::testing::close;
    use super::*;

    #[test]
    fn posterior_probabilities_agree_with_quadrature() {
        // A marginal of a Dirichlet distribution is a beta distribution:
        // scipy.integrate.quad(lambda x: A.pdf(x) * B.cdf(x), 0, 1) with A, B = beta(171, 30.5),
        // beta(151, 50.5) and beta(12, 9), beta(11, 10).
        for (ours, theirs, prior, expected) in [
            ([100, 30, 70], [80, 50, 70], Prior::Jeffreys, 0.993_934),
            ([5, 8, 5], [5, 9, 4], Prior::Uniform, 0.624_407),
        ] {
            let (ours, theirs) = (Posterior::new(ours, prior), Posterior::new(theirs, prior));
            close(ours.probability_above(&theirs, decisiveness, 1), expected, 0.012);
            close(theirs.probability_above(&ours, decisiveness, 2), 1.0 - expected, 0.012);
        }
    }

    #[test]
    fn posterior_intervals_agree_with_the_beta_distribution() {
        // scipy.stats.beta(171, 30.5).ppf([.025, .975])
        let posterior = Posterior::new([100, 30, 70], Prior::Jeffreys);
        let [low, high] = posterior.interval(decisiveness, 3);
        close(low, 0.796_130, 0.002);
        close(high, 0.894_593, 0.002);
        let [win, draw, loss] = posterior.mean();
        close(win, 100.5 / 201.5, 1e-12);
        close(decisiveness([win, draw, loss]), 171.0 / 201.5, 1e-12);
        close(white_score([win, draw, loss]), (100.5 + 15.25) / 201.5, 1e-12);
    }

    #[test]
    fn white_is_favoured_where_it_scores() {
        let chess = Posterior::new([1110, 8441, 449], Prior::Jeffreys);
        let even = Posterior::new([500, 9000, 500], Prior::Jeffreys);
        assert!(chess.probability_above(&even, white_score, 1) > 0.999);
        let same = chess.probability_above(&chess, white_score, 1);
        close(same, 0.5, 0.02);
    }
}
