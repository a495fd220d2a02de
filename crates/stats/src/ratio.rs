//! Ratios of sums over games. Most metrics have this form.

use super::bootstrap::{FEWEST_UNITS, Resampling, evidence};
use super::clustered::{Clustered, Network};
use super::estimate::NetworkValue;
use super::evidence::{Evidence, error_of};
use super::pentanomial::wilson;
use super::student::chi_squared_quantile;

/// Returns the estimate with intervals ([`evidence`]) of a ratio: the sum of numerators over the
/// sum of denominators. `parts` returns the numerator and the denominator of a game.
///
/// The bootstrap resamples sums per opening. Denominators must not be negative. `None` if fewer than
/// five sums have a denominator above 0.
pub fn ratio<T>(
    games: &Clustered<T>,
    parts: impl Fn(&T) -> (f64, f64),
    resampling: &Resampling,
) -> Option<Evidence> {
    let sums = sums(games, parts);
    if sums.iter().filter(|&&(_, below)| below > 0.0).count() < FEWEST_UNITS {
        return None;
    }
    evidence(&sums, |sums| quotient(sums), resampling)
}

/// Largest effective numbers of events, in all and per opening, for which [`rate`] widens the
/// bootstrap's interval.
const FEW_EVENTS: f64 = 20.0;
const RARE_EVENTS: f64 = 0.25;

/// Returns the [`ratio`] of events, such as captures, to trials, such as games. Resamples of few
/// events vary too little, and without an event not at all. So if events are few and rare, the
/// interval includes the gamma interval of Fay and Feuer (1997, *Confidence intervals for directly
/// standardized rates: a method based on the gamma distribution*). If no opening has more than one
/// event, this is Poisson's interval (Garwood 1936, *Fiducial Limits for the Poisson
/// Distribution*).
///
/// With x events in an opening, the effective number of events is (sum of x)^2 / (sum of x^2) over
/// the openings, so clumped events count less. Few are at most 20, and rare is at most one in four
/// openings.
pub fn rate<T>(
    games: &Clustered<T>,
    parts: impl Fn(&T) -> (f64, f64),
    resampling: &Resampling,
) -> Option<Evidence> {
    let found = ratio(games, &parts, resampling)?;
    let sums = sums(games, &parts);
    let (mut events, mut trials, mut squares, mut most) = (0.0, 0.0, 0.0, 0.0f64);
    for &(own, tried) in sums.iter() {
        (events, trials, squares, most) = (events + own, trials + tried, squares + own * own, most.max(own));
    }
    if events * events > squares * FEW_EVENTS.min(RARE_EVENTS * sums.len() as f64) {
        return Some(found);
    }
    let quantile = |p: f64, mean: f64, variance: f64| {
        variance / (2.0 * mean) * chi_squared_quantile(p, 2.0 * mean * mean / variance)
    };
    let low = if events > 0.0 { quantile(0.025, events, squares) } else { 0.0 };
    // Without an event, one more would be a single one.
    let more = if events > 0.0 { most } else { 1.0 };
    let high = quantile(0.975, events + more, squares + more * more);
    let [below, above] = found.estimate.agents;
    let agents = [below.min(low / trials), above.max(high / trials)];
    Some(Evidence::new(found.estimate.value, agents, found.networks))
}

/// Returns the estimate with intervals ([`evidence`]) of the mean of `value` over games.
pub fn mean<T>(games: &Clustered<T>, value: impl Fn(&T) -> f64, resampling: &Resampling) -> Option<Evidence> {
    ratio(games, |game| (value(game), 1.0), resampling)
}

/// Returns the estimate with intervals of a share, such as draws per game. `parts` returns the
/// numerator and the denominator of a game, with 0 <= numerator <= denominator. `None` if all
/// denominators are 0.
///
/// The interval *for these networks* combines one Wilson interval per network. Wilson's number of
/// trials is the number that reproduces the variance between the network's openings. If a network's
/// share is 0 or 1, it has no variance. Each opening then is one trial, or each game if the network
/// has one opening. The intervals are combined by variance recovery (Zou and Donner 2008,
/// *Construction of confidence limits about effect measures: a general approach*). Nothing is
/// resampled, and the interval never shrinks to a point.
pub fn share<T>(games: &Clustered<T>, parts: impl Fn(&T) -> (f64, f64)) -> Option<Evidence> {
    let sums = sums(games, parts);
    let total: f64 = sums.iter().map(|&(_, trials)| trials).sum();
    let value = quotient(&mut sums.iter());
    if !value.is_finite() {
        return None;
    }
    let (mut below, mut above) = (0.0, 0.0);
    let mut networks = Vec::new();
    for network in &sums.networks {
        let trials: f64 = network.games().map(|&(_, trials)| trials).sum();
        if trials == 0.0 {
            continue;
        }
        let own = wilson(quotient(&mut network.games()), trials / inflation(network));
        let weight = trials / total;
        below += (weight * (own.value - own.low)).powi(2);
        above += (weight * (own.high - own.value)).powi(2);
        let without = quotient(&mut sums.without(network.seed));
        networks.push(NetworkValue {
            seed: network.seed,
            value: own.value,
            error: error_of([own.low, own.high]),
            without: without.is_finite().then_some(without),
        });
    }
    Some(Evidence::new(value, [value - below.sqrt(), value + above.sqrt()], networks).within([0.0, 1.0]))
}

/// Returns the sums of numerators and denominators (`parts`) per unit: an opening, or a game if the
/// network has only one opening.
fn sums<T>(games: &Clustered<T>, parts: impl Fn(&T) -> (f64, f64)) -> Clustered<(f64, f64)> {
    let add = |unit: &[T]| {
        let parts = unit.iter().map(&parts);
        vec![parts.fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1))]
    };
    let networks = games.networks.iter().map(|network| Network {
        seed: network.seed,
        openings: network.units().into_iter().map(add).collect(),
    });
    Clustered { networks: networks.collect() }
}

/// Returns the sum of the first elements divided by the sum of the second elements. NaN if the
/// divisor is not above 0.
fn quotient(parts: &mut dyn Iterator<Item = &(f64, f64)>) -> f64 {
    let (above, below) = parts.fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    if below > 0.0 { above / below } else { f64::NAN }
}

/// Returns the variance of a network's share, divided by the variance of the mean of independent
/// yes-or-no trials. The number of trials is the network's sum of denominators, and their mean is
/// the share.
///
/// The variance of the share is the linearised variance of a ratio over units. A unit is an
/// opening, or a game if the network has only one opening. Half a unit of zeros and half a unit of
/// ones are added, as in `Pentanomial::score`.
fn inflation(network: &Network<(f64, f64)>) -> f64 {
    let units: Vec<(f64, f64)> = network.games().copied().filter(|unit| unit.1 > 0.0).collect();
    let n = units.len() as f64;
    let trials: f64 = units.iter().map(|unit| unit.1).sum();
    let unit = trials / n;
    let mean = (units.iter().map(|unit| unit.0).sum::<f64>() + unit / 2.0) / (trials + unit);
    let squares: f64 = units.iter().map(|unit| (unit.0 - mean * unit.1).powi(2)).sum();
    let squares = squares + ((mean * unit).powi(2) + ((1.0 - mean) * unit).powi(2)) / 2.0;
    squares / ((trials + unit) * mean * (1.0 - mean))
}

#[cfg(test)]
mod tests {
    use super::super::Estimate;
    use super::super::testing::{close, counted, frequency, holds, synthetic};
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    fn scored(games: &Clustered<f64>) -> Evidence {
        share(games, |&game| (game, 1.0)).unwrap()
    }

    #[test]
    fn a_share_of_one_network_has_wilsons_interval() {
        // scipy.stats.binomtest(30, 200).proportion_ci(method="wilson"), and (0, 200)
        let some = scored(&counted(&[(30, 200)])).estimate;
        close(some.value, 0.15, 1e-12);
        close(some.agents[0], 0.107_135_935_622, 3e-4);
        close(some.agents[1], 0.206_055_792_842, 3e-4);
        let none = scored(&counted(&[(0, 200)])).estimate;
        assert_eq!((none.value, none.agents[0]), (0.0, 0.0));
        close(none.agents[1], 0.018_845_326_377, 3e-4);
        assert_eq!(some.rule, None);
    }

    #[test]
    fn whites_score_of_published_games_comes_out() {
        // Tomašev et al. 2020, no castling: of 10,000 games White won 1110, drew 8441 and lost 449:
        // 53.3 %. The ends are mean ± 1.96 standard errors: x = (1110 + 8441 / 2) / n, s^2 = (1110
        // + 8441 / 4) / n - x^2.
        let games = [(1110, 1.0), (8441, 0.5), (449, 0.0)];
        let games =
            games.into_iter().flat_map(|(n, points)| (0..n).map(move |game| ((game, points as f32), points)));
        let games =
            Clustered::new(games.map(|((game, points), score)| (1, (game, (points * 2.0) as u8), score)));
        let score = scored(&games).estimate;
        close(score.value, 0.53305, 1e-9);
        close(score.agents[0], 0.529_235_228, 1e-5);
        close(score.agents[1], 0.536_864_772, 1e-5);
    }

    #[test]
    fn a_ratio_is_what_the_bootstrap_of_its_games_says() {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let games = Clustered::new((0..300).map(|i| {
            let plies: f64 = random.random_range(20.0..200.0);
            (i % 3, i / 7, (random.random_range(0.0..plies), plies))
        }));
        let resampling = Resampling { replicates: 400, seed: 5 };
        let quick = ratio(&games, |&parts| parts, &resampling).unwrap();
        let sums = |games: &mut dyn Iterator<Item = &(f64, f64)>| {
            let (above, below): (Vec<f64>, Vec<f64>) = games.copied().unzip();
            above.iter().sum::<f64>() / below.iter().sum::<f64>()
        };
        let slow = evidence(&games, sums, &resampling).unwrap();
        for (a, b) in quick.estimate.agents.into_iter().zip(slow.estimate.agents) {
            close(a, b, 1e-12);
        }
        close(quick.estimate.rule.unwrap()[0], slow.estimate.rule.unwrap()[0], 1e-12);
        // For a share, both methods give nearly the same interval for these networks.
        let wilson = share(&games, |&parts| parts).unwrap();
        close(wilson.estimate.agents[0], quick.estimate.agents[0], 0.01);
        close(wilson.estimate.agents[1], quick.estimate.agents[1], 0.01);
        for (a, b) in wilson.networks.iter().zip(&quick.networks) {
            close(a.value, b.value, 1e-12);
            close(a.error, b.error, 0.2 * b.error);
        }
    }

    /// Returns the rate of captures in 90 games of three networks. `captures` games have one.
    fn captured(captures: u64) -> Estimate {
        let resampling = Resampling { replicates: 400, seed: 1 };
        let games = Clustered::new((0..90).map(|i| (i % 3, i, f64::from(i < captures))));
        rate(&games, |&captures| (captures, 1.0), &resampling).unwrap().estimate
    }

    #[test]
    fn few_events_have_poissons_interval() {
        // scipy.stats.chi2.ppf(.025, 2 * n) / 2, scipy.stats.chi2.ppf(.975, 2 * n + 2) / 2
        for (events, low, high) in [
            (0, 0.0, 3.688_879),
            (1, 0.025_318, 5.571_643),
            (3, 0.618_672, 8.767_273),
            (5, 1.623_486, 11.668_332),
            (20, 12.216_52, 30.888_378),
        ] {
            let found = captured(events);
            let [below, above] = found.agents.map(|end| 90.0 * end);
            close(90.0 * found.value, events as f64, 1e-12);
            assert!(below < low + 1e-5 && above > high - 1e-5, "{events}: {below} to {above}");
            // The interval for other seeds is not shorter.
            let rule = found.rule.unwrap();
            assert!(rule[0] <= found.agents[0] && rule[1] >= found.agents[1], "{events}: {rule:?}");
        }
        close(90.0 * captured(0).agents[1], 3.688_879, 1e-5);
        // One more event never lowers the upper end.
        let ends: Vec<f64> = (0..=20).map(|events| captured(events).agents[1]).collect();
        assert!(ends.is_sorted(), "{ends:?}");
        // The bootstrap of 40 events in 90 games is shorter than Poisson's interval, 28.6 to 54.5.
        assert!(90.0 * captured(40).agents[1] < 52.0);
    }

    #[test]
    fn clumped_events_have_the_interval_of_their_clumps() {
        // Four events in each of three games: four times Poisson's interval of three.
        let games = Clustered::new((0..90u64).map(|i| (i % 3, i, if i < 3 { 4.0 } else { 0.0 })));
        let resampling = Resampling { replicates: 400, seed: 1 };
        let found = rate(&games, |&captures| (captures, 1.0), &resampling).unwrap().estimate;
        close(90.0 * found.agents[1] / 4.0, 8.767_273, 1e-5);
    }

    #[test]
    fn few_events_hold_the_truth() {
        // About 3.5 events in 120 games. The bootstrap of one event does not reach them.
        let (mut random, truth) = (Pcg64Mcg::seed_from_u64(4), 3.5 / 120.0);
        let resampling = Resampling { replicates: 100, seed: 1 };
        let held = frequency(300, || {
            let games = synthetic(1, 120, truth, 0.0, &mut random);
            let found = rate(&games, |&event| (event, 1.0), &resampling).unwrap().estimate;
            holds(found.agents, truth)
        });
        assert!(held > 0.94, "{held}");
    }

    #[test]
    fn games_that_do_not_count_determine_no_interval() {
        let resampling = Resampling { replicates: 100, seed: 1 };
        let found = |decisive: u64| {
            let games = (0..100u64).map(|i| (1, i, if i < decisive { (i as f64, 1.0) } else { (0.0, 0.0) }));
            ratio(&Clustered::new(games), |&parts| parts, &resampling)
        };
        assert!(found(4).is_none() && found(5).is_some());
    }

    #[test]
    fn shares_of_games_that_come_in_openings_hold_the_truth() {
        // Games of an opening are either all equal or independent, and the interval reflects that.
        let mut random = Pcg64Mcg::seed_from_u64(2);
        for (rate, alike) in [(0.5, true), (0.1, true), (0.5, false), (0.1, false), (0.01, false)] {
            let mut width = 0.0;
            let held = frequency(1000, || {
                let mut result = 0.0;
                let games = (0..200).map(|game| {
                    if !alike || game % 4 == 0 {
                        result = f64::from(random.random::<f64>() < rate);
                    }
                    (1, game / 4, result)
                });
                let found = scored(&Clustered::new(games)).estimate.agents;
                width += (found[1] - found[0]) / 1000.0;
                found[0] <= rate && rate <= found[1]
            });
            assert!(held > 0.92, "{rate} {alike}: {held}");
            assert!(
                rate != 0.5 || alike || width < 0.145,
                "200 independent games tell more than +- 7 %: {width}"
            );
        }
    }

    #[test]
    fn a_synthetic_agent_is_recovered() {
        let mut random = Pcg64Mcg::seed_from_u64(3);
        let held = frequency(500, || {
            let found = scored(&synthetic(1, 300, 0.37, 0.0, &mut random)).estimate;
            assert!((found.value - 0.37).abs() < 0.15);
            found.agents[0] <= 0.37 && 0.37 <= found.agents[1]
        });
        assert!((0.925..0.98).contains(&held), "{held}");
    }

    #[test]
    fn networks_without_a_trial_do_not_count() {
        let games =
            Clustered::new((0..90).map(|i| (i % 3, i, if i % 3 == 0 { (0.0, 0.0) } else { (1.0, 2.0) })));
        let found = share(&games, |&parts| parts).unwrap();
        assert_eq!(found.networks.len(), 2);
        assert_eq!(found.estimate.rule, None);
        assert_eq!(share(&games.filter_map(|game| (game.1 == 0.0).then_some(*game)), |&parts| parts), None);
    }
}
