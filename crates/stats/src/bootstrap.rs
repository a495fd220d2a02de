//! Bootstrap estimates with intervals for any statistic of games.

use super::clustered::{Clustered, Network};
use super::estimate::NetworkValue;
use super::evidence::Evidence;
use super::student::{normal_cdf, student_quantile};
use catapult_seeds::Stream;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;

/// Minimum number of units that determine an interval. A percentile of fewer is about the smallest or
/// largest of their values.
pub(super) const FEWEST_UNITS: usize = 5;

/// Settings of the bootstrap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resampling {
    /// Number of resamples.
    pub replicates: usize,
    /// Seed of the random draws of all resamples.
    pub seed: u64,
}

/// Returns a statistic of games with its two 95 % intervals and each network's own value.
///
/// The result is `None` in these cases:
///
/// * The statistic of all games is not finite.
/// * There are fewer units to draw than networks plus four: five for one network. A unit is an
///   opening, or a game if the network has only one opening.
/// * The statistic is not finite on more than half of the resamples.
///
/// In all other cases, resamples whose value is not finite are ignored.
///
/// The interval *for these networks* is a percentile bootstrap over openings within each network. A
/// drawn opening comes with all its games. Drawing games again within drawn openings would count
/// their variance twice (Davison and Hinkley 1997, *Bootstrap Methods and their Application*, 3.8).
/// If a network has only one opening, its games are drawn instead. The percentiles are expanded for
/// small samples (Hesterberg 2015, *What Teachers Should Know About the Bootstrap*). The interval
/// is shifted so that the mean of the resamples equals the statistic of all games.
///
/// The interval *for other seeds* is described at [`Evidence::new`].
pub fn evidence<T: Sync>(
    games: &Clustered<T>,
    statistic: impl Fn(&mut dyn Iterator<Item = &T>) -> f64 + Sync,
    resampling: &Resampling,
) -> Option<Evidence> {
    let statistic = |games: &mut dyn Iterator<Item = &T>| vec![statistic(games)];
    evidences(games, statistic, statistic, resampling).pop()?
}

/// Computes [`evidence`] for several statistics at once, and returns one element per statistic.
/// `exact` computes the statistics of all games and of each network. `quick` computes the
/// statistics of a resample and may approximate `exact`. Both must return the same number of
/// values.
pub(super) fn evidences<T: Sync>(
    games: &Clustered<T>,
    exact: impl Fn(&mut dyn Iterator<Item = &T>) -> Vec<f64>,
    quick: impl Fn(&mut dyn Iterator<Item = &T>) -> Vec<f64> + Sync,
    resampling: &Resampling,
) -> Vec<Option<Evidence>> {
    let values = exact(&mut games.iter());
    let units: Vec<Vec<&[T]>> = games.networks.iter().map(Network::units).collect();
    let n: usize = units.iter().map(Vec::len).sum();
    let freedom = n.saturating_sub(units.len());
    if freedom < FEWEST_UNITS - 1 {
        return vec![None; values.len()];
    }
    let (n, df) = (n as f64, freedom as f64);
    let tail = normal_cdf(-(n / df).sqrt() * student_quantile(0.975, df));
    let replicates = replicates(&units, quick, resampling);
    let several = units.len() > 1;
    let parts = games.networks.iter().map(|network| {
        let without = several.then(|| exact(&mut games.without(network.seed)));
        (exact(&mut network.games()), without)
    });
    let parts: Vec<_> = parts.collect();
    let column = |column: usize| {
        let all = finite(&replicates, 0, column);
        if !values[column].is_finite() || all.is_empty() || all.len() * 2 < resampling.replicates {
            return None;
        }
        // This shift makes the resamples' mean equal the value. Many statistics are systematically
        // lower on resamples, because repeated games add nothing new (the entropy of lines).
        let shift = values[column] - all.iter().sum::<f64>() / all.len() as f64;
        let ends = [quantile(&all, tail) + shift, quantile(&all, 1.0 - tail) + shift];
        let agents = [ends[0].min(values[column]), ends[1].max(values[column])];
        // The jackknife needs all networks whose games count: without some of them it would miss
        // their scatter. The value without a network of which no game counts is that of all.
        let complete = parts.iter().all(|(own, others)| {
            let others = others.as_ref().map_or(f64::NAN, |others| others[column]);
            others == values[column] || (own[column].is_finite() && others.is_finite())
        });
        let networks =
            games.networks.iter().zip(&parts).enumerate().map(|(i, (network, (own, others)))| NetworkValue {
                seed: network.seed,
                value: own[column],
                error: deviation(&finite(&replicates, i + 1, column)),
                without: others.as_ref().filter(|_| complete).map(|others| others[column]),
            });
        let networks = networks.filter(|network| network.value.is_finite()).collect();
        Some(Evidence::new(values[column], agents, networks))
    };
    (0..values.len()).map(column).collect()
}

/// Returns the statistics of each resample, indexed by resample, part and statistic. Part 0 is all
/// networks together, and part i + 1 is network i.
///
/// `units` are the units of each network. A resample draws as many units as the network has, with
/// replacement. Each resample has its own random stream, so the number of threads does not change
/// the result.
fn replicates<T: Sync>(
    units: &[Vec<&[T]>],
    statistic: impl Fn(&mut dyn Iterator<Item = &T>) -> Vec<f64> + Sync,
    resampling: &Resampling,
) -> Vec<Vec<Vec<f64>>> {
    let resample = |replicate: usize| {
        let mut random = Pcg64Mcg::seed_from_u64(Stream::Resample(replicate).seed(resampling.seed));
        let mut drawn = Vec::new();
        let mut ends = vec![0];
        for units in units {
            drawn.extend(units.iter().map(|_| units[random.random_range(0..units.len())]));
            ends.push(drawn.len());
        }
        let of = |part: &[&[T]]| statistic(&mut part.iter().copied().flatten());
        let each = ends.windows(2).map(|ends| of(&drawn[ends[0]..ends[1]]));
        std::iter::once(of(&drawn)).chain(each).collect()
    };
    (0..resampling.replicates).into_par_iter().map(resample).collect()
}

/// Returns the finite values of one statistic over all resamples, in increasing order. `networks`
/// is 0 for all networks together, or the index of a network plus 1. `column` is the index of the
/// statistic.
fn finite(replicates: &[Vec<Vec<f64>>], networks: usize, column: usize) -> Vec<f64> {
    let mut values: Vec<f64> =
        replicates.iter().map(|row| row[networks][column]).filter(|x| x.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Returns the p-quantile of `sorted`, whose values are in increasing order. It is interpolated
/// linearly (type 7 of Hyndman and Fan).
///
/// # Panics
/// `sorted` is empty.
pub(super) fn quantile(sorted: &[f64], p: f64) -> f64 {
    let at = p * (sorted.len() - 1) as f64;
    let (low, high) = (at.floor() as usize, at.ceil() as usize);
    sorted[low] + (sorted[high] - sorted[low]) * (at - at.floor())
}

/// Returns the sample standard deviation, or 0 for fewer than two values.
fn deviation(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::mean;
    use super::super::testing::{frequency, holds};
    use super::*;

    #[test]
    fn the_bootstrap_holds_the_truth_of_skewed_numbers() {
        // Exponential lengths with mean 1. Ten openings of one to five games share half of their
        // length.
        let mut random = Pcg64Mcg::seed_from_u64(3);
        let mut exponential = move || -(1.0 - random.random::<f64>()).ln();
        for openings in [10, 60] {
            let resampling = Resampling { replicates: 300, seed: 1 };
            let held = frequency(400, || {
                let games: Vec<_> = (0..openings)
                    .flat_map(|opening| {
                        let shared = exponential();
                        (0..3).map(|_| (1, opening, (shared + exponential()) / 2.0)).collect::<Vec<_>>()
                    })
                    .collect();
                let games = Clustered::new(games);
                holds(mean(&games, |&length| length, &resampling).unwrap().estimate.agents, 1.0)
            });
            assert!((0.9..0.99).contains(&held), "{openings}: {held}");
        }
    }

    #[test]
    fn an_interval_lies_about_its_value_even_if_resamples_are_biased() {
        // The statistic is the number of different values, which is lower in a resample. Each of
        // 100 samples has 150 draws from 1000 values.
        let mut random = Pcg64Mcg::seed_from_u64(5);
        let different = |games: &mut dyn Iterator<Item = &u32>| {
            games.collect::<std::collections::BTreeSet<_>>().len() as f64
        };
        let expected = 1000.0 * (1.0 - (1.0f64 - 0.001).powi(150));
        let held = frequency(100, || {
            let games = Clustered::new((0..150).map(|i| (1, i, random.random_range(0..1000))));
            let found =
                evidence(&games, different, &Resampling { replicates: 200, seed: 1 }).unwrap().estimate;
            assert!(holds(found.agents, found.value));
            holds(found.agents, expected)
        });
        assert!(held > 0.9, "{held}");
    }

    #[test]
    fn a_network_without_a_value_of_its_own_leaves_other_seeds_open() {
        // The share of wins is known only from five games on. `fewer` has the games of network 3.
        let wins = |games: &mut dyn Iterator<Item = &Option<bool>>| {
            let known: Vec<bool> = games.copied().flatten().collect();
            let won = known.iter().filter(|&&won| won).count() as f64;
            if known.len() < 5 { f64::NAN } else { won / known.len() as f64 }
        };
        let found = |fewer: &[Option<bool>]| {
            let games = (0..60).map(|i: u64| (i % 3, i, Some(i.is_multiple_of(2))));
            let games = games.chain(fewer.iter().enumerate().map(|(i, game)| (3, i as u64, *game)));
            let found = evidence(&Clustered::new(games), wins, &Resampling { replicates: 100, seed: 1 });
            let found = found.unwrap();
            (found.networks.len(), found.estimate.rule.is_some())
        };
        assert_eq!(found(&[Some(true); 3]), (3, false));
        assert_eq!(found(&[Some(true); 6]), (4, true));
        // No game of network 3 counts.
        assert_eq!(found(&[None; 6]), (3, true));
    }

    #[test]
    fn resamples_do_not_depend_on_threads() {
        let mut random = Pcg64Mcg::seed_from_u64(4);
        let games = Clustered::new((0..200).map(|i| (i % 2, i, random.random::<f64>())));
        let run = || mean(&games, |&x| x, &Resampling { replicates: 100, seed: 9 });
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(run);
        let many = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap().install(run);
        assert_eq!(alone, many);
        assert_ne!(alone, mean(&games, |&x| x, &Resampling { replicates: 100, seed: 10 }));
    }

    #[test]
    fn what_cannot_be_said_is_not_said() {
        let nothing: Clustered<f64> = Clustered::new(Vec::<(u64, u64, f64)>::new());
        let any = Resampling { replicates: 1000, seed: 0 };
        assert_eq!(mean(&nothing, |&x| x, &any), None);
        let few = |games: u64| Clustered::new((0..games).map(|i| (1, i, i as f64)));
        assert_eq!(mean(&few(4), |&x| x, &any), None, "four games have no interval");
        assert!(mean(&few(5), |&x| x, &any).is_some());
        let games = Clustered::new((0..10).map(|i| (1, i, i as f64)));
        assert_eq!(evidence(&games, |_| f64::NAN, &any), None);
        // One game of a thousand has a value. A third of the resamples miss it and are ignored.
        let rare = Clustered::new((0..1000).map(|i| (1, i, if i == 0 { 1.0 } else { f64::NAN })));
        let mean_of_finite = |games: &mut dyn Iterator<Item = &f64>| {
            let finite: Vec<f64> = games.copied().filter(|x| x.is_finite()).collect();
            finite.iter().sum::<f64>() / finite.len() as f64
        };
        assert_eq!(evidence(&rare, mean_of_finite, &any).unwrap().estimate.agents, [1.0, 1.0]);
    }
}
