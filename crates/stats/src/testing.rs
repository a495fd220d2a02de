//! Helpers for tests of statistics.

use super::Clustered;
pub use super::student::student_quantile as t_quantile;
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;

pub fn close(a: f64, b: f64, within: f64) {
    assert!((a - b).abs() <= within, "{a} is not {b}");
}

/// Creates one network per pair (number of won games, number of games). A won game scores 1, other
/// games score 0, and every game has its own opening.
pub fn counted(networks: &[(u64, u64)]) -> Clustered<f64> {
    let games = networks.iter().enumerate().flat_map(|(seed, &(scored, games))| {
        (0..games).map(move |game| (seed as u64 + 1, game, f64::from(game < scored)))
    });
    Clustered::new(games)
}

/// Creates `networks` networks with `games` games each. Each network has its own probability of
/// winning a game. These probabilities are normally distributed around `rate` with standard
/// deviation `scatter`.
pub fn synthetic(
    networks: u64,
    games: u64,
    rate: f64,
    scatter: f64,
    random: &mut Pcg64Mcg,
) -> Clustered<f64> {
    let counts: Vec<_> = (0..networks)
        .map(|_| {
            let z: f64 = StandardNormal.sample(random);
            let own = (rate + scatter * z).clamp(0.0, 1.0);
            ((0..games).filter(|_| random.random::<f64>() < own).count() as u64, games)
        })
        .collect();
    counted(&counts)
}

/// Returns the share of `runs` calls in which `happens` returns true.
pub fn frequency(runs: usize, mut happens: impl FnMut() -> bool) -> f64 {
    (0..runs).filter(|_| happens()).count() as f64 / runs as f64
}

/// Returns true if the interval `ends` includes `truth`.
pub fn holds(ends: [f64; 2], truth: f64) -> bool {
    ends[0] <= truth && truth <= ends[1]
}
