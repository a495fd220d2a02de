//! Intervals of ratings by the bootstrap: fits to pairs of games that are drawn with replacement.

use super::bounds::{Standing, standings};
use super::contest::Contest;
use super::fit::{Fit, fit};
use super::model::Model;
use crate::random::numbers;
use catapult_seeds::Stream;
use catapult_stats::{Interval, Z95};
use rand::Rng;

/// 95 % intervals of every player's rating, of White's advantage and of Davidson's nu.
pub(crate) struct Intervals {
    /// Low and high end of each player's interval, in Elo, by the player's index. An end is
    /// infinite if more than 2.5 % of the resamples do not bound the player on that side.
    pub players: Vec<(f64, f64)>,
    /// White's advantage in Elo.
    pub white: Interval,
    /// Davidson's nu: the number of draws between equal players, divided by the number of one
    /// player's wins.
    pub draws: Interval,
}

/// Returns 95 % intervals from `resamples` resamples of the games. In each, every contest draws as
/// many pairs of games as it has, with replacement. Ratings are fitted to draws that include half a
/// lost and half a won pair, because equal pairs would give an interval of width 0 ([`resample`]).
/// White's advantage and nu are fitted to a second set of draws, from the played pairs alone.
///
/// If the drawn games do not bound a player from above, the player's rating counts as plus
/// infinity. If they do not bound it from below, it counts as minus infinity. If they bound it on
/// neither side, it does not count.
///
/// Each interval is shifted by the value of all games minus the mean of the resamples, because that
/// mean is biased. An interval with infinite resamples is not shifted. The intervals of White's
/// advantage and of nu contain those from the curvature of the fit, because resamples of equal
/// pairs, or of games without draws, hardly differ in them.
pub(crate) fn intervals(
    contests: &[Contest],
    zero: usize,
    prior: &[(f64, f64)],
    whole: &Fit,
    resamples: usize,
    seed: u64,
) -> Intervals {
    let players = whole.model.ratings.len();
    let mut found: Vec<Vec<f64>> = vec![Vec::with_capacity(resamples); players + 2];
    for number in 0..resamples {
        let mut random = numbers(Stream::PairsResample(number).seed(seed));
        let mut draw = |is_padded| -> (Vec<Contest>, Model) {
            let drawn: Vec<_> =
                contests.iter().map(|contest| resample(contest, is_padded, &mut random)).collect();
            let model = fit(&drawn, zero, prior, Some(whole)).model;
            (drawn, model)
        };
        let (drawn, model) = draw(true);
        for (player, standing) in standings(&drawn, players, zero).into_iter().enumerate() {
            match standing {
                Standing::Held => found[player].push(model.ratings[player]),
                Standing::Above => found[player].push(f64::INFINITY),
                Standing::Below => found[player].push(f64::NEG_INFINITY),
                Standing::Apart => {}
            }
        }
        let (_, model) = draw(false);
        found[players].push(model.white);
        found[players + 1].push(model.draws.ln());
    }
    let model = &whole.model;
    let values = model.ratings.iter().copied().chain([model.white, model.draws.ln()]);
    let mut ends: Vec<(f64, f64)> =
        found.into_iter().zip(values).map(|(found, value)| ends(found, value)).collect();
    // The last two entries are for White's advantage and the logarithm of nu.
    let [white, draws] = whole.deviations();
    let mut last = |value: f64, deviation: f64| {
        let (low, high) = ends.pop().unwrap_or_default();
        (low.min(value - Z95 * deviation), high.max(value + Z95 * deviation))
    };
    let estimate = |value, (low, high)| Interval { value, low, high };
    let (low, high) = last(model.draws.ln(), draws);
    let draws = estimate(model.draws, (low.exp(), high.exp()));
    let white = estimate(model.white, last(model.white, white));
    Intervals { players: ends, white, draws }
}

/// Returns the 2.5 % and 97.5 % quantiles of the resamples, shifted by `value` minus their mean if
/// that is finite. With 999 resamples, the quantiles are the 25th and the 975th smallest.
fn ends(mut resamples: Vec<f64>, value: f64) -> (f64, f64) {
    resamples.sort_by(f64::total_cmp);
    let shift = value - resamples.iter().sum::<f64>() / resamples.len() as f64;
    let shift = if shift.is_finite() { shift } else { 0.0 };
    let at = |share: f64| {
        let place = (share * (resamples.len() + 1) as f64).round() as usize;
        resamples.get(place.clamp(1, resamples.len().max(1)) - 1).map(|resample| resample + shift)
    };
    (at(0.025).unwrap_or(f64::NEG_INFINITY), at(0.975).unwrap_or(f64::INFINITY))
}

/// Returns a contest with as many pairs of games as `contest`, drawn from its pairs with
/// replacement. If `is_padded`, half a lost and half a won pair are among them, unless one player
/// won every game.
fn resample(contest: &Contest, is_padded: bool, random: &mut impl Rng) -> Contest {
    let (pairs, points) = (contest.pairs(), contest.half_points());
    let is_one_sided = points == 0 || points == 4 * pairs;
    let halves = 2 * pairs + if is_padded && !is_one_sided { 2 } else { 0 };
    let mut drawn = Contest { counts: [[0; 3]; 3], ..*contest };
    for _ in 0..pairs {
        let half = random.random_range(0..halves);
        let mut left = half / 2;
        if left == pairs {
            let points = 2 * (half % 2) as usize;
            drawn.counts[points][points] += 1;
            continue;
        }
        // `left` is below the sum of the counts, so the search ends within them.
        'found: for (white, row) in contest.counts.iter().enumerate() {
            for (black, &count) in row.iter().enumerate() {
                if left < count {
                    drawn.counts[white][black] += 1;
                    break 'found;
                }
                left -= count;
            }
        }
    }
    drawn
}
