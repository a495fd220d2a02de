//! Sums of numerators over sums of denominators: most metrics are one.

use super::clustered::{Clustered, Network};
use super::evidence::{Evidence, Resampling, error_of, evidence};
use crate::results::NetworkValue;
use catapult_arena::stats::wilson;

/// Sum of numerators over sum of denominators of games: [`evidence`] of it, without going through every game for each
/// resample. Denominators are not negative.
pub fn ratio<T>(
    games: &Clustered<T>,
    parts: impl Fn(&T) -> (f64, f64),
    resampling: &Resampling,
) -> Option<Evidence> {
    evidence(&sums(games, parts), |sums| quotient(sums), resampling)
}

/// The mean of a number a game.
pub fn mean<T>(games: &Clustered<T>, value: impl Fn(&T) -> f64, resampling: &Resampling) -> Option<Evidence> {
    ratio(games, |game| (value(game), 1.0), resampling)
}

/// The same for numerators from 0 to their denominators: draws among games, White's points among games.
///
/// *For these agents* each network's share has Wilson's interval, with as many trials as would vary as much as its
/// openings do (at 0 and 1, where nothing varies, one a game or opening), and the networks' intervals are put together by
/// recovering variances (Zou and Donner 2008, *Construction of confidence limits about effect measures: a general approach*).
/// So nothing is drawn, and the interval is not a point where nothing was seen. None without any trial.
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

/// The sums of each opening, or of each game where a network has one opening.
fn sums<T>(games: &Clustered<T>, parts: impl Fn(&T) -> (f64, f64)) -> Clustered<(f64, f64)> {
    let add = |games: &Vec<T>| {
        let parts = games.iter().map(&parts);
        vec![parts.fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1))]
    };
    let networks = games.networks.iter().map(|network| Network {
        seed: network.seed,
        openings: match network.openings.as_slice() {
            [games] => games.iter().map(|game| vec![parts(game)]).collect(),
            openings => openings.iter().map(add).collect(),
        },
    });
    Clustered { networks: networks.collect() }
}

/// Sum of the first over sum of the second; not finite where the second is 0.
fn quotient(parts: &mut dyn Iterator<Item = &(f64, f64)>) -> f64 {
    let (above, below) = parts.fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    if below > 0.0 { above / below } else { f64::NAN }
}

/// How much more the share of a network varies than that of as many independent yes-or-no trials of the same mean: the
/// linearised variance of a ratio over its units (openings or games), against x (1 - x) / trials. Half a unit of
/// trials all 0 and half a unit all 1 are added, as for pairs of a match (`Pentanomial::score`).
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
