//! What a study of some size can find.

use super::student::{normal_cdf, student_quantile};
use statrs::function::gamma::ln_gamma;

/// Probability that a two-sided t-test at level `alpha` finds an effect of this size, given its standard error and
/// degrees of freedom (noncentral t). 1 where there is no error at all.
pub fn power(effect: f64, error: f64, df: f64, alpha: f64) -> f64 {
    if error == 0.0 {
        return 1.0;
    }
    let threshold = student_quantile(1.0 - alpha / 2.0, df);
    let shift = effect.abs() / error;
    exceeds(threshold, df, shift) + exceeds(threshold, df, -shift)
}

/// The fewest networks a side for which the power reaches `wanted`, if a side with `networks` has its difference known
/// with standard error `error`; `sides` is 2 against a control with its own networks, and 1 otherwise. None if ten
/// thousand are too few.
pub fn networks_needed(
    effect: f64,
    (error, networks): (f64, usize),
    sides: usize,
    alpha: f64,
    wanted: f64,
) -> Option<usize> {
    let enough = |n: &usize| {
        let df = (sides * (n - 1)) as f64;
        power(effect, error * (networks as f64 / *n as f64).sqrt(), df, alpha) >= wanted
    };
    // Power rises with networks: double, then halve the gap.
    let above = std::iter::successors(Some(3), |n| Some(2 * n)).take_while(|&n| n <= 20_000).find(enough)?;
    let (mut low, mut high) = (if above == 3 { 3 } else { above / 2 }, above);
    while low < high {
        let middle = (low + high) / 2;
        if enough(&middle) { high = middle } else { low = middle + 1 }
    }
    (high <= 10_000).then_some(high)
}

/// P((Z + shift) / U > threshold) with U the root of chi squared over `df`: the mean of P(Z > threshold U - shift) over
/// U, by Simpson's rule.
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
        let error = (2.0f64 / 4.0).sqrt();
        assert_eq!(networks_needed(1.0, (error, 4), 2, 0.05, 0.8), Some(17));
        assert_eq!(networks_needed(100.0, (error, 4), 2, 0.05, 0.8), Some(3));
        assert_eq!(networks_needed(0.001, (error, 4), 2, 0.05, 0.8), None);
    }
}
