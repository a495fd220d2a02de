//! What games say of a statistic: an interval for these networks and one for other seeds.

use super::estimate::{Estimate, NetworkValue};
use super::pentanomial::Z95;
use super::student::student_quantile;

/// What a sample's games say of a statistic.
#[derive(Clone, PartialEq, Debug)]
pub struct Evidence {
    /// The value of all games, with its intervals.
    pub estimate: Estimate,
    /// What each network contributes, by rising seed.
    pub networks: Vec<NetworkValue>,
}

/// Fewer networks say nothing about another one.
pub(super) const FEWEST_NETWORKS: usize = 3;

impl Evidence {
    /// From the value of all games, its interval for these networks, and the networks.
    ///
    /// The interval for other seeds is `value` +- t s, with s the jackknife's standard error over networks and Student's t
    /// with one degree of freedom less than networks; it is never inside the interval for these networks. For a mean of
    /// equally many games a network that is the t-interval of the networks' means. A percentile bootstrap of networks
    /// is the same in the limit, but of three it can draw ten different resamples and holds the truth about three
    /// times in four instead of 95 % (tests show both; MacKinnon, Nielsen and Webb 2023, *Cluster-robust inference: a
    /// guide to empirical practice*, recommend the jackknife with t for few clusters).
    pub fn new(value: f64, agents: [f64; 2], networks: Vec<NetworkValue>) -> Evidence {
        let rule = jackknife(&networks).map(|(error, df)| {
            let half = student_quantile(0.975, df) * error;
            [agents[0].min(value - half), agents[1].max(value + half)]
        });
        Evidence { estimate: Estimate { value, agents, rule }, networks }
    }

    /// Cuts the intervals at the bounds of what the statistic can be, e.g. [0, 1] for a share.
    pub fn within(mut self, [low, high]: [f64; 2]) -> Evidence {
        for [a, b] in std::iter::once(&mut self.estimate.agents).chain(&mut self.estimate.rule) {
            (*a, *b) = (a.max(low), b.min(high));
        }
        self
    }

    /// A multiple of the statistic.
    pub fn times(mut self, factor: f64) -> Evidence {
        let turn =
            |[a, b]: [f64; 2]| if factor < 0.0 { [b * factor, a * factor] } else { [a * factor, b * factor] };
        self.estimate.value *= factor;
        self.estimate.agents = turn(self.estimate.agents);
        self.estimate.rule = self.estimate.rule.map(turn);
        for network in &mut self.networks {
            network.value *= factor;
            network.error *= factor.abs();
            network.without = network.without.map(|value| value * factor);
        }
        self
    }
}

/// Standard error over networks by leaving one out at a time, and its degrees of freedom; none with fewer than three.
fn jackknife(networks: &[NetworkValue]) -> Option<(f64, f64)> {
    let without: Vec<f64> = networks.iter().filter_map(|network| network.without).collect();
    jackknife_of(&without)
}

/// The same from the values without each of the networks.
pub fn jackknife_of(without: &[f64]) -> Option<(f64, f64)> {
    if without.len() < FEWEST_NETWORKS {
        return None;
    }
    let n = without.len() as f64;
    let mean = without.iter().sum::<f64>() / n;
    let squares: f64 = without.iter().map(|value| (value - mean).powi(2)).sum();
    Some((((n - 1.0) / n * squares).sqrt(), n - 1.0))
}

/// Half the width of a 95 % interval in standard errors of a normal variable.
pub fn error_of([low, high]: [f64; 2]) -> f64 {
    (high - low) / (2.0 * Z95)
}

#[cfg(test)]
mod tests {
    use super::super::bootstrap::quantile;
    use super::super::testing::{close, counted, frequency, holds, synthetic};
    use super::super::{Resampling, mean, share};
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    #[test]
    fn the_interval_for_the_rule_is_that_of_the_networks_means() {
        // scipy.stats.t.interval(.95, 2, loc=np.mean([.3, .4, .35]), scale=scipy.stats.sem([.3, .4, .35]))
        let games = counted(&[(300, 1000), (400, 1000), (350, 1000)]);
        for found in [share(&games, |&game| (game, 1.0)), mean(&games, |&game| game, &Resampling::default())]
        {
            let [low, high] = found.unwrap().estimate.rule.unwrap();
            close(low, 0.225_793_114_412, 1e-9);
            close(high, 0.474_206_885_588, 1e-9);
        }
    }

    #[test]
    fn three_networks_hold_the_truth_about_the_rule_and_a_percentile_bootstrap_of_them_does_not() {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let (mut percentile, mut agents) = (0, 0);
        let runs = 2000;
        let held = frequency(runs, || {
            let games = synthetic(3, 100, 0.4, 0.1, &mut random);
            let found = share(&games, |&game| (game, 1.0)).unwrap();
            agents += usize::from(holds(found.estimate.agents, 0.4));
            let own: Vec<f64> = found.networks.iter().map(|network| network.value).collect();
            let draws = (0..27).map(|i| (own[i % 3] + own[i / 3 % 3] + own[i / 9]) / 3.0);
            let mut draws: Vec<f64> = draws.collect();
            draws.sort_by(f64::total_cmp);
            percentile += usize::from(holds([quantile(&draws, 0.025), quantile(&draws, 0.975)], 0.4));
            holds(found.estimate.rule.unwrap(), 0.4)
        });
        assert!((0.94..0.97).contains(&held), "{held}");
        assert!((percentile as f64) < 0.85 * runs as f64, "{percentile}");
        assert!((agents as f64) < 0.75 * runs as f64, "{agents}");
    }

    #[test]
    fn the_rule_is_never_better_known_than_these_agents() {
        // Three networks that happen to agree to the last game say nothing more than their games do.
        let found = share(&counted(&[(30, 100); 3]), |&game| (game, 1.0)).unwrap().estimate;
        assert_eq!(found.rule, Some(found.agents));
        let mut random = Pcg64Mcg::seed_from_u64(2);
        let held = frequency(1000, || {
            let found = share(&synthetic(3, 100, 0.05, 0.0, &mut random), |&game| (game, 1.0)).unwrap();
            holds(found.estimate.rule.unwrap(), 0.05)
        });
        assert!(held > 0.95, "{held}");
    }

    #[test]
    fn fewer_than_three_networks_leave_the_rule_open() {
        for networks in [1, 2] {
            let found = share(&counted(&vec![(30, 100); networks]), |&game| (game, 1.0)).unwrap();
            assert_eq!(found.estimate.rule, None);
            assert_eq!(found.networks.len(), networks);
        }
    }

    #[test]
    fn a_multiple_and_bounds_treat_everything_alike() {
        let games = counted(&[(3, 100), (1, 100), (9, 100)]);
        let found = share(&games, |&game| (game, 1.0)).unwrap();
        assert_eq!(found.estimate.rule.unwrap()[0], 0.0, "a share is not below 0");
        let turned = found.clone().times(-2.0);
        close(turned.estimate.value, -2.0 * found.estimate.value, 1e-12);
        assert_eq!(
            turned.estimate.agents.map(|end| end / -2.0),
            [found.estimate.agents[1], found.estimate.agents[0]]
        );
        assert_eq!(turned.networks[2].error, 2.0 * found.networks[2].error);
    }
}
