//! Estimates with intervals for these networks and for other seeds.

use super::estimate::{Estimate, NetworkValue};
use super::pentanomial::Z95;

/// Estimate of a statistic from a sample's games, with the value of each network. The networks of a
/// sample differ only in their training seed.
#[derive(Clone, PartialEq, Debug)]
pub struct Evidence {
    /// Value for the games of all networks, with its intervals.
    pub estimate: Estimate,
    /// Value of each network, by increasing seed.
    pub networks: Vec<NetworkValue>,
}

/// Smallest number of networks for which an interval for other seeds is computed.
pub(super) const FEWEST_NETWORKS: usize = 3;

impl Evidence {
    /// Creates evidence from the value for all games, its interval `agents` for these networks, and
    /// the values of single networks.
    ///
    /// The interval for other seeds is `value` ± t s. Here s is the jackknife's standard error over
    /// networks, and t is Student's quantile with one degree of freedom fewer than networks. The
    /// interval is extended to include the interval for these networks. If all networks have
    /// equally many games, the interval of a mean is the t-interval of the networks' means.
    ///
    /// With many networks, a percentile bootstrap over networks approaches the same interval. With
    /// three networks, that bootstrap has only ten different resamples. It then covers the truth in
    /// about 75 % of cases instead of 95 %. A test measures both coverages. MacKinnon, Nielsen and
    /// Webb 2023, *Cluster-robust inference: a guide to empirical practice*, recommend the
    /// jackknife with t for few clusters.
    pub fn new(value: f64, agents: [f64; 2], networks: Vec<NetworkValue>) -> Evidence {
        let without: Vec<f64> = networks.iter().filter_map(|network| network.without).collect();
        Evidence { estimate: Estimate::new(value, agents, jackknife_of(&without)), networks }
    }

    /// Clips both intervals to the range of the statistic, such as [0, 1] for a share. A value
    /// outside of it, which an estimate may have, remains inside its intervals.
    pub fn within(mut self, [low, high]: [f64; 2]) -> Evidence {
        let [low, high] = [low.min(self.estimate.value), high.max(self.estimate.value)];
        for [a, b] in std::iter::once(&mut self.estimate.agents).chain(&mut self.estimate.rule) {
            (*a, *b) = (a.max(low), b.min(high));
        }
        self
    }

    /// Multiplies the statistic, its intervals and the networks' values by `factor`, which may be
    /// negative.
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

/// Returns the jackknife's standard error over networks and its degrees of freedom. `without`
/// contains the statistic with one network left out, for each network in turn.
///
/// `None` with fewer than three networks.
pub fn jackknife_of(without: &[f64]) -> Option<(f64, f64)> {
    if without.len() < FEWEST_NETWORKS {
        return None;
    }
    let n = without.len() as f64;
    let mean = without.iter().sum::<f64>() / n;
    let squares: f64 = without.iter().map(|value| (value - mean).powi(2)).sum();
    Some((((n - 1.0) / n * squares).sqrt(), n - 1.0))
}

/// Returns the standard error of a normal variable from its 95 % interval.
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
        let resampling = Resampling { replicates: 1000, seed: 0 };
        for found in [share(&games, |&game| (game, 1.0)), mean(&games, |&game| game, &resampling)] {
            let [low, high] = found.unwrap().estimate.rule.unwrap();
            close(low, 0.225_793_114_412, 1e-9);
            close(high, 0.474_206_885_588, 1e-9);
        }
    }

    #[test]
    fn a_value_outside_the_range_is_in_its_intervals() {
        let found = super::Evidence::new(1.01, [0.95, 1.2], Vec::new()).within([0.0, 1.0]);
        assert_eq!(found.estimate.agents, [0.95, 1.01]);
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
        // Three networks that agree by chance give no more certainty than their games do.
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
