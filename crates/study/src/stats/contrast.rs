//! Differences between two samples, and between a sample and a fixed value.

use super::evidence::{Evidence, jackknife, jackknife_of};
use super::student::{normal_cdf, normal_p, student_p, student_quantile};
use crate::results::Estimate;
use catapult_arena::stats::Z95;

/// Whether two samples come from the same networks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pairing {
    /// Each has its own.
    Apart,
    /// The same networks played both: what they have in common drops out of the difference.
    SameNetworks,
}

/// A difference, with what tests and power need.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// The difference.
    pub estimate: Estimate,
    /// Two-sided p-value that networks of other seeds show no difference; none with fewer than three seeds a side.
    pub rule_p: Option<f64>,
    /// Two-sided p-value that these networks show no difference.
    pub agents_p: f64,
    /// Posterior probability, for these networks and a flat prior, that the difference is above 0.
    pub probability_above: f64,
    /// Standard error over networks and its degrees of freedom (Welch and Satterthwaite); none as for `rule_p`.
    pub spread: Option<(f64, f64)>,
}

impl Difference {
    /// From the difference, its interval for these agents, and its standard error over networks with degrees of freedom.
    /// For these agents the interval's half towards 0 is taken for 1.96 standard errors; for the rule the p-value is that
    /// of Student's t, but never below that for these agents.
    pub fn new(value: f64, agents: [f64; 2], spread: Option<(f64, f64)>) -> Difference {
        let towards_zero = if value > 0.0 { value - agents[0] } else { agents[1] - value };
        let z = if value == 0.0 { 0.0 } else { value / (towards_zero / Z95) };
        let agents_p = normal_p(z);
        let rule = spread.map(|(error, df)| {
            let half = student_quantile(0.975, df) * error;
            [agents[0].min(value - half), agents[1].max(value + half)]
        });
        let rule_p = spread.map(|(error, df)| {
            let p = if value == 0.0 { 1.0 } else { student_p(value / error, df) };
            p.max(agents_p)
        });
        let estimate = Estimate { value, agents, rule };
        Difference { estimate, rule_p, agents_p, probability_above: normal_cdf(z), spread }
    }
}

/// Arm less control.
///
/// *For these agents* the interval comes from the two intervals by recovering variances (Zou and Donner 2008; for shares
/// this is Newcombe's interval). *For the rule* it is Welch's t over networks, or the paired t where the same networks
/// played both.
pub fn contrast(arm: &Evidence, control: &Evidence, pairing: Pairing) -> Difference {
    let (a, b) = (&arm.estimate, &control.estimate);
    let value = a.value - b.value;
    let down = f64::hypot(a.value - a.agents[0], b.agents[1] - b.value);
    let up = f64::hypot(a.agents[1] - a.value, b.value - b.agents[0]);
    let spread = match pairing {
        Pairing::Apart => jackknife(&arm.networks).zip(jackknife(&control.networks)).map(welch),
        Pairing::SameNetworks => paired(arm, control),
    };
    Difference::new(value, [value - down, value + up], spread)
}

/// A sample less a value that is known.
pub fn against(arm: &Evidence, known: f64) -> Difference {
    let Estimate { value, agents, .. } = arm.estimate;
    Difference::new(value - known, agents.map(|end| end - known), jackknife(&arm.networks))
}

/// Standard error of a difference and Satterthwaite's degrees of freedom.
pub(crate) fn welch(((a, df_a), (b, df_b)): ((f64, f64), (f64, f64))) -> (f64, f64) {
    let (a, b) = (a * a, b * b);
    let variance = a + b;
    if variance == 0.0 {
        return (0.0, df_a + df_b);
    }
    (variance.sqrt(), variance * variance / (a * a / df_a + b * b / df_b))
}

/// Standard error of the difference over networks that both have; none unless they are the same ones.
fn paired(arm: &Evidence, control: &Evidence) -> Option<(f64, f64)> {
    if arm.networks.len() != control.networks.len() {
        return None;
    }
    let pairs = arm.networks.iter().zip(&control.networks);
    let without: Option<Vec<f64>> =
        pairs.map(|(a, b)| if a.seed == b.seed { Some(a.without? - b.without?) } else { None }).collect();
    jackknife_of(&without?)
}
