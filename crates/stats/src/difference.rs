//! Differences between samples, with intervals and tests.

use super::estimate::Estimate;
use super::pentanomial::Z95;
use super::student::{normal_cdf, normal_p, normal_quantile, student_p, student_quantile};

/// A difference of estimates, such as arm minus control, with its intervals, p-values and standard
/// error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// The difference with its 95 % intervals.
    pub estimate: Estimate,
    /// Two-sided p-value, for networks of other training seeds, of the hypothesis that the
    /// difference is 0. `None` with fewer than three networks of the arm or of the control.
    pub rule_p: Option<f64>,
    /// Two-sided p-value, for exactly these networks, of the hypothesis that the difference is 0.
    pub agents_p: f64,
    /// Posterior probability, with a flat prior, that the difference for exactly these networks is
    /// above 0.
    pub probability_above: f64,
    /// Standard error of the difference over networks, and its degrees of freedom (Welch and
    /// Satterthwaite). `None` with fewer than three networks of the arm or of the control.
    pub spread: Option<(f64, f64)>,
}

impl Difference {
    /// Creates a difference with the estimate `value`. `agents` is its interval for these networks.
    /// `spread` is its standard error over networks with the degrees of freedom.
    ///
    /// For these networks, the p-value is normal. The distance from `value` to the end of `agents`
    /// towards 0 counts as 1.96 standard errors. For other seeds, the p-value is Student's, but
    /// never below the p-value for these networks. The interval for other seeds is Student's,
    /// extended to include the interval for these networks.
    pub fn new(value: f64, agents: [f64; 2], spread: Option<(f64, f64)>) -> Difference {
        let towards_zero = if value > 0.0 { value - agents[0] } else { agents[1] - value };
        let z = if value == 0.0 { 0.0 } else { value / (towards_zero / Z95) };
        let agents_p = normal_p(z);
        let rule_p = spread.map(|(error, df)| {
            let p = if value == 0.0 { 1.0 } else { student_p(value / error, df) };
            p.max(agents_p)
        });
        let estimate = Estimate::new(value, agents, spread);
        Difference { estimate, rule_p, agents_p, probability_above: normal_cdf(z), spread }
    }
}

/// Returns the interval of a difference for other training seeds at level 1 - `alpha`. It is
/// computed like the 95 % interval. `None` with fewer than three networks of the arm or of the
/// control.
pub fn interval_for_the_rule(difference: &Difference, alpha: f64) -> Option<[f64; 2]> {
    let Estimate { value, agents: [low, high], rule } = difference.estimate;
    let (error, df) = difference.spread?;
    if alpha == 0.05 {
        return rule;
    }
    let half = student_quantile(1.0 - alpha / 2.0, df) * error;
    let wider = widening(alpha);
    Some([value - half.max((value - low) * wider), value + half.max((high - value) * wider)])
}

/// Returns the interval of a difference for exactly these networks at level 1 - `alpha`.
pub fn interval_for_these_networks(difference: &Difference, alpha: f64) -> [f64; 2] {
    let Estimate { value, agents: [low, high], .. } = difference.estimate;
    let wider = widening(alpha);
    [value - (value - low) * wider, value + (high - value) * wider]
}

/// Returns the factor from the half width of a normal 95 % interval to that at level 1 - `alpha`.
fn widening(alpha: f64) -> f64 {
    if alpha == 0.05 { 1.0 } else { normal_quantile(1.0 - alpha / 2.0) / Z95 }
}

/// Returns the standard error of a difference and its degrees of freedom (Welch and Satterthwaite).
/// Each argument is the standard error and the degrees of freedom of one of the two compared
/// values.
pub fn welch(((a, df_a), (b, df_b)): ((f64, f64), (f64, f64))) -> (f64, f64) {
    let (a, b) = (a * a, b * b);
    let variance = a + b;
    if variance == 0.0 {
        return (0.0, df_a + df_b);
    }
    (variance.sqrt(), variance * variance / (a * a / df_a + b * b / df_b))
}
