//! Power of studies, and the numbers of networks that studies need.

use super::estimate::SeedsNeeded;
use super::evidence::FEWEST_NETWORKS;
use super::student::{chi_squared_quantile, normal_cdf, normal_quantile, student_quantile};
use serde::{Deserialize, Serialize};
use statrs::function::gamma::ln_gamma;

/// Returns the power of a two-sided t-test at significance level `alpha`, by the noncentral t
/// distribution.
///
/// `effect` is the true effect, `error` the standard error of its estimate, and `df` the degrees of
/// freedom. If `error` is 0, the power is 1.
pub fn power(effect: f64, error: f64, df: f64, alpha: f64) -> f64 {
    if error == 0.0 {
        return 1.0;
    }
    let threshold = student_quantile(1.0 - alpha / 2.0, df);
    let shift = effect.abs() / error;
    exceeds(threshold, df, shift) + exceeds(threshold, df, -shift)
}

/// Uncertainty of a difference, from which power is computed.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Scatter {
    /// Standard error of the difference over networks, and its degrees of freedom.
    pub spread: (f64, f64),
    /// Standard error of the difference for exactly these networks, from games alone. The standard
    /// error over networks counts as at least this large.
    pub least: f64,
    /// Number of networks of the arm and of the control. If they differ, [`harmonic_mean`] of both.
    pub networks: usize,
    /// 2 if the arm and the control have separate networks. 1 if the same networks play both, or if
    /// the arm is compared with a fixed value.
    pub sides: usize,
}

/// Returns the harmonic mean of these counts, rounded. A difference between two groups is as certain
/// as one between two groups of this size each, if members differ equally in both. At least one
/// count is needed, and none may be 0.
pub fn harmonic_mean(counts: &[usize]) -> usize {
    let inverses: f64 = counts.iter().map(|&n| 1.0 / n as f64).sum();
    (counts.len() as f64 / inverses).round() as usize
}

/// Criterion that the estimate of a difference must meet.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Criterion {
    /// The difference is significant at this significance level, in a two-sided Student's t-test
    /// over networks.
    Significance(f64),
    /// The estimate has the sign of the true effect.
    Sign,
}

/// Power that [`seeds_needed`] requires.
const WANTED: f64 = 0.8;
/// Largest number of networks that [`seeds_needed`] considers, for the arm and for the control.
const MOST_NETWORKS: usize = 10_000;

impl Scatter {
    fn error(&self) -> f64 {
        self.spread.0.max(self.least)
    }

    /// Returns the probability that a study with this uncertainty meets the criterion, if the true
    /// effect is `effect`.
    pub fn power(&self, effect: f64, criterion: Criterion) -> f64 {
        match criterion {
            Criterion::Significance(alpha) => power(effect, self.error(), self.spread.1, alpha),
            Criterion::Sign if self.error() == 0.0 => 1.0,
            Criterion::Sign => normal_cdf(effect.abs() / self.error()),
        }
    }

    /// Returns two copies with the standard error over networks at the lower and at the upper end
    /// of its 95 % interval (chi squared).
    fn ends(&self) -> [Scatter; 2] {
        let (error, df) = self.spread;
        [0.975, 0.025].map(|p| {
            let factor = (df / chi_squared_quantile(p, df)).sqrt();
            Scatter { spread: (error * factor, df), ..*self }
        })
    }

    /// Returns the smallest number of networks with which a study meets the criterion with
    /// probability [`WANTED`]. `None` if ten thousand are too few. If the arm and the control have
    /// separate networks, the number is per arm and control.
    fn networks_needed(&self, effect: f64, criterion: Criterion) -> Option<usize> {
        match criterion {
            Criterion::Significance(alpha) => {
                let enough = |n: usize| {
                    let df = (self.sides * (n - 1)) as f64;
                    let error = self.error() * (self.networks as f64 / n as f64).sqrt();
                    power(effect, error, df, alpha) >= WANTED
                };
                let (mut low, mut high) = (FEWEST_NETWORKS, MOST_NETWORKS);
                if !enough(high) {
                    return None;
                }
                // Power increases with networks, so bisection finds the number.
                while low < high {
                    let middle = (low + high) / 2;
                    if enough(middle) { high = middle } else { low = middle + 1 }
                }
                Some(high)
            }
            Criterion::Sign => {
                let ratio = normal_quantile(WANTED) * self.error() / effect.abs();
                let needed = (self.networks as f64 * ratio * ratio).ceil().max(FEWEST_NETWORKS as f64);
                (needed <= MOST_NETWORKS as f64).then_some(needed as usize)
            }
        }
    }
}

/// Returns the number of networks with which a study meets the criterion with probability 0.8, if
/// the true effect is `effect`. If the arm and the control have separate networks, each needs this
/// number.
///
/// `None` if ten thousand networks are too few.
pub fn seeds_needed(effect: f64, scatter: &Scatter, criterion: Criterion) -> Option<SeedsNeeded> {
    let estimate = scatter.networks_needed(effect, criterion)?;
    let [low, high] = scatter.ends().map(|scatter| scatter.networks_needed(effect, criterion));
    Some(SeedsNeeded { estimate, low: low.unwrap_or(estimate), high })
}

/// Returns P((Z + shift) / U > threshold) for a standard normal Z. U squared is a chi-squared
/// variable with `df` degrees of freedom, divided by `df`.
///
/// The function integrates P(Z > threshold U - shift) over U by Simpson's rule.
fn exceeds(threshold: f64, df: f64, shift: f64) -> f64 {
    const STEPS: usize = 1000;
    let half = df / 2.0;
    let scale = std::f64::consts::LN_2 + half * half.ln() - ln_gamma(half);
    let integrand = |u: f64| {
        if u == 0.0 {
            return 0.0;
        }
        (scale + (df - 1.0) * u.ln() - half * u * u).exp() * normal_cdf(shift - threshold * u)
    };
    let spread = 9.0 / df.sqrt();
    let (start, end) = ((1.0 - spread).max(0.0), 1.0 + spread);
    let step = (end - start) / STEPS as f64;
    let weight = |i: usize| if i == 0 || i == STEPS { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
    let sum: f64 = (0..=STEPS).map(|i| weight(i) * integrand(start + i as f64 * step)).sum();
    sum * step / 3.0
}

#[cfg(test)]
mod tests {
    use super::super::testing::close;
    use super::*;

    #[test]
    fn power_is_that_of_the_noncentral_t() {
        // t = scipy.stats.t.ppf(1 - a / 2, df); scipy.stats.nct.sf(t, df, d) + scipy.stats.nct.cdf(-t, df, d)
        for (effect, df, alpha, expected) in [
            (2.0, 4.0, 0.05, 0.335_965_103_911),
            (3.0, 2.0, 0.05, 0.387_400_128_526),
            (2.5, 30.0, 0.01, 0.415_503_527_795),
            (5.0, 3.7, 0.05, 0.943_816_425_629),
            (0.0, 4.0, 0.05, 0.05),
        ] {
            close(power(effect, 1.0, df, alpha), expected, 1e-6);
            close(power(-0.1 * effect, 0.1, df, alpha), expected, 1e-6);
        }
        assert_eq!(power(0.1, 0.0, 4.0, 0.05), 1.0);
    }

    #[test]
    fn networks_needed_agree_with_statsmodels() {
        // TTestIndPower().solve_power(effect_size=1.0, alpha=.05, power=.8) = 16.71
        let scatter = Scatter { spread: ((2.0f64 / 4.0).sqrt(), 6.0), least: 0.0, networks: 4, sides: 2 };
        let needed = |effect| scatter.networks_needed(effect, Criterion::Significance(0.05));
        assert_eq!([1.0, 100.0, 0.001].map(needed), [Some(17), Some(3), None]);
    }

    #[test]
    fn groups_of_unequal_size_need_as_many_networks_as_equal_ones() {
        // TTestIndPower().solve_power(effect_size=.7, alpha=.05, power=.8) = 33.02, for any number of
        // networks by which the scatter was found. The harmonic mean of 12 and 3 is 4.8.
        let needed = |arm: usize, control: usize| {
            let error = (1.0 / arm as f64 + 1.0 / control as f64).sqrt();
            let networks = harmonic_mean(&[arm, control]);
            let scatter = Scatter { spread: (error, 9.0), least: 0.0, networks, sides: 2 };
            scatter.networks_needed(0.7, Criterion::Significance(0.05)).unwrap()
        };
        assert_eq!([needed(12, 12), needed(40, 40)], [34; 2]);
        assert!([(12, 3), (40, 3)].iter().all(|&(a, b)| (33..=36).contains(&needed(a, b))));
    }

    #[test]
    fn what_is_needed_has_an_interval_as_wide_as_the_scatter_is_unknown() {
        // Power by scipy.stats.nct at s.e. 0.02 sqrt(4 / n), and at that times sqrt(3 / chi2.ppf([.975, .025], 3)).
        let scatter = Scatter { spread: (0.02, 3.0), least: 0.0, networks: 4, sides: 1 };
        let criterion = Criterion::Significance(0.05);
        let needed = |estimate, low, high| Some(SeedsNeeded { estimate, low, high });
        assert_eq!(seeds_needed(0.03, &scatter, criterion), needed(16, 7, Some(196)));
        assert_eq!(seeds_needed(0.03, &scatter, Criterion::Sign), needed(3, 3, Some(18)));
        let known = Scatter { spread: (0.02, 11.0), networks: 12, ..scatter };
        assert_eq!(seeds_needed(0.03, &known, Criterion::Significance(0.0125)), needed(63, 34, Some(175)));
        let wide = Scatter { spread: (0.05, 11.0), ..known };
        assert_eq!(seeds_needed(0.03, &wide, Criterion::Sign), needed(24, 12, Some(69)));
        close(scatter.power(0.03, Criterion::Sign), 0.933_192_799, 1e-8);
        // First the interval has no upper end, then ten thousand networks are too few.
        assert_eq!(seeds_needed(0.003, &scatter, criterion).unwrap().high, None);
        assert_eq!(seeds_needed(0.0001, &scatter, criterion), None);
    }

    #[test]
    fn networks_that_happen_to_agree_are_no_surer_than_their_games() {
        let agreeing = Scatter { spread: (0.0, 2.0), least: 0.02, networks: 3, sides: 1 };
        assert!(agreeing.power(0.03, Criterion::Significance(0.05)) < 0.3);
        let games_only = Scatter { spread: (0.02, 2.0), least: 0.0, ..agreeing };
        let needed = |scatter| seeds_needed(0.03, &scatter, Criterion::Significance(0.05)).unwrap().estimate;
        assert_eq!(needed(agreeing), needed(games_only));
        let sure = Scatter { least: 0.0, ..agreeing };
        assert_eq!((sure.power(0.03, Criterion::Sign), needed(sure)), (1.0, 3));
    }
}
