//! Weighted sums of metrics: differences between arms, and means over search levels.

use super::difference::{Difference, welch};
use super::estimate::{Estimate, NetworkValue, SeedEffect, WithoutSeed};
use super::evidence::jackknife_of;
use super::student::student_quantile;
use std::collections::{BTreeMap, BTreeSet};

/// One metric with its weight in a weighted sum.
#[derive(Clone, Copy, Debug)]
pub struct Term<'a> {
    /// Weight of the metric in the sum.
    pub weight: f64,
    /// Estimate of the metric.
    pub estimate: Estimate,
    /// The metric's value for each network.
    pub networks: &'a [NetworkValue],
    /// Number that identifies the games from which the metric was computed. Errors of terms with
    /// the same number may be correlated.
    pub games: usize,
}

/// Returns the weighted sum of all terms plus a constant. Each element of `sides` is a group of
/// terms, such as the terms of the arm or of the control.
///
/// All terms of a group must come from the same networks, so that their common variation cancels
/// out. The variance of a group is the jackknife's, over the networks that occur in all terms of
/// the group. Different groups must have different networks, so their variances add (Welch and
/// Satterthwaite).
///
/// The interval *for these networks* combines the intervals of the terms by variance recovery (Zou
/// and Donner 2008). For two shares, this is Newcombe's interval. Errors of terms from the same
/// games are added linearly, which covers any correlation.
///
/// The interval *for other seeds* is described at [`Difference::new`].
pub fn combination(sides: &[&[Term]], constant: f64) -> Difference {
    let terms = || sides.iter().copied().flatten();
    let value = constant + terms().map(|term| term.weight * term.estimate.value).sum::<f64>();
    let off = |upward: bool| {
        let mut by_games: BTreeMap<usize, f64> = BTreeMap::new();
        for term in terms() {
            let Estimate { value, agents: [low, high], .. } = term.estimate;
            let distance = if upward == (term.weight > 0.0) { high - value } else { value - low };
            *by_games.entry(term.games).or_default() += term.weight.abs() * distance;
        }
        by_games.values().map(|distance| distance * distance).sum::<f64>().sqrt()
    };
    let spreads: Option<Vec<(f64, f64)>> = sides.iter().map(|side| jackknife_of(&without(side)?)).collect();
    let spread = spreads.and_then(|spreads| spreads.into_iter().reduce(|a, b| welch((a, b))));
    Difference::new(value, [value - off(false), value + off(true)], spread)
}

/// Returns the weighted sum plus `constant` within each network that occurs in all terms, by
/// increasing seed. Standard errors combine as in [`combination`].
pub fn inside(terms: &[Term], constant: f64) -> Vec<SeedEffect> {
    let of_seed = |seed: u64| {
        let (mut value, mut by_games) = (constant, BTreeMap::<usize, f64>::new());
        for term in terms {
            let network = network(term, seed)?;
            value += term.weight * network.value;
            *by_games.entry(term.games).or_default() += term.weight.abs() * network.error;
        }
        let error = by_games.values().map(|error| error * error).sum::<f64>().sqrt();
        Some(SeedEffect { seed, value, error })
    };
    seeds(terms).into_iter().filter_map(of_seed).collect()
}

/// Returns the weighted sum plus `constant` with one network left out, for each network that occurs
/// in all terms, by increasing seed. The interval is Student's over the remaining networks.
pub fn leave_one_out(terms: &[Term], constant: f64) -> Vec<WithoutSeed> {
    let of_seed = |seed: u64| Some((seed, constant + without_seed(terms, seed)?));
    let without: Vec<(u64, f64)> = seeds(terms).into_iter().filter_map(of_seed).collect();
    let left_out = |&(seed, value): &(u64, f64)| {
        let others = without.iter().filter(|(other, _)| *other != seed);
        let others: Vec<f64> = others.map(|(_, without)| *without).collect();
        let rule = jackknife_of(&others).map(|(error, df)| {
            // These values include one more network than the jackknife assumes, so each network
            // moves them less.
            let half = student_quantile(0.975, df) * error * (df + 1.0) / df;
            [value - half, value + half]
        });
        WithoutSeed { seed, value, rule }
    };
    without.iter().map(left_out).collect()
}

/// Returns the weighted sum with one network left out, for each network that occurs in all terms.
/// `None` if there are no terms.
fn without(terms: &[Term]) -> Option<Vec<f64>> {
    let of_seed = |seed: u64| without_seed(terms, seed);
    (!terms.is_empty()).then(|| seeds(terms).into_iter().filter_map(of_seed).collect())
}

fn without_seed(terms: &[Term], seed: u64) -> Option<f64> {
    terms.iter().map(|term| Some(term.weight * network(term, seed)?.without?)).sum()
}

fn seeds(terms: &[Term]) -> BTreeSet<u64> {
    terms.iter().flat_map(|term| term.networks.iter().map(|network| network.seed)).collect()
}

fn network<'a>(term: &Term<'a>, seed: u64) -> Option<&'a NetworkValue> {
    term.networks.iter().find(|network| network.seed == seed)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{close, counted};
    use super::super::{Evidence, share};
    use super::*;

    fn scored(networks: &[u64]) -> Evidence {
        let networks: Vec<(u64, u64)> = networks.iter().map(|&scored| (scored, 1000)).collect();
        share(&counted(&networks), |&game| (game, 1.0)).unwrap()
    }

    fn term(weight: f64, evidence: &Evidence, games: usize) -> Term<'_> {
        Term { weight, estimate: evidence.estimate, networks: &evidence.networks, games }
    }

    #[test]
    fn a_mean_over_levels_is_students_t_of_the_networks_own_means() {
        // d = [(.30-.22 + .34-.30) / 2, (.40-.25 + .38-.27) / 2, (.35-.31 + .36-.33) / 2] = [.06, .13, .035]
        // scipy.stats.ttest_1samp(d, 0)
        let [a, b] = [scored(&[300, 400, 350]), scored(&[340, 380, 360])];
        let [c, d] = [scored(&[220, 250, 310]), scored(&[300, 270, 330])];
        let terms = [term(0.5, &a, 0), term(-0.5, &c, 1), term(0.5, &b, 2), term(-0.5, &d, 3)];
        let found = combination(&[&terms], 0.0);
        close(found.estimate.value, 0.075, 1e-12);
        close(found.rule_p.unwrap(), RULE_P, 1e-8);
        let inside = inside(&terms, 0.0);
        let own: Vec<f64> = inside.iter().map(|effect| effect.value).collect();
        for (found, expected) in own.into_iter().zip([0.06, 0.13, 0.035]) {
            close(found, expected, 1e-12);
        }
        // Four independent shares of a thousand games, each with weight one half.
        let variance = |p: f64| p * (1.0 - p) / 1000.0;
        let by_hand = 0.5 * (variance(0.30) + variance(0.22) + variance(0.34) + variance(0.30)).sqrt();
        close(inside[0].error, by_hand, 2e-4);
    }

    const RULE_P: f64 = 0.118_663_009_582;

    #[test]
    fn without_a_network_the_others_tell_it_as_if_it_had_not_been() {
        let [a, b] = [scored(&[300, 400, 350, 340]), scored(&[220, 250, 310, 290])];
        let terms = [term(1.0, &a, 0), term(-1.0, &b, 1)];
        let found = leave_one_out(&terms, 0.01);
        assert_eq!(found.iter().map(|left| left.seed).collect::<Vec<_>>(), [1, 2, 3, 4]);
        // The same games, except those of the second network.
        let [a, b] = [scored(&[300, 350, 340]), scored(&[220, 310, 290])];
        let never = combination(&[&[term(1.0, &a, 0), term(-1.0, &b, 1)]], 0.01);
        close(found[1].value, never.estimate.value, 1e-12);
        // d = [.09, .05, .06]; scipy.stats.t.interval(.95, 2, loc=np.mean(d), scale=scipy.stats.sem(d))
        let [low, high] = found[1].rule.unwrap();
        close(low, 0.014_955_216_5, 1e-9);
        close(high, 0.118_378_116_8, 1e-9);
        // Two other networks do not determine a variance.
        let three = leave_one_out(&[term(1.0, &a, 0)], 0.0);
        assert!(three.len() == 3 && three.iter().all(|left| left.rule.is_none()));
    }

    #[test]
    fn measures_of_the_same_games_may_err_together() {
        let [a, b] = [scored(&[300, 400, 350]), scored(&[220, 250, 310])];
        let half = |games: [usize; 2]| {
            let found = combination(&[&[term(1.0, &a, games[0]), term(-1.0, &b, games[1])]], 0.0);
            (found.estimate.agents[1] - found.estimate.agents[0]) / 2.0
        };
        let width = |evidence: &Evidence| (evidence.estimate.agents[1] - evidence.estimate.agents[0]) / 2.0;
        close(half([0, 0]), width(&a) + width(&b), 1e-12);
        close(half([0, 1]), f64::hypot(width(&a), width(&b)), 1e-5);
        // A term minus itself is zero, whatever its error.
        let none = combination(&[&[term(1.0, &a, 0), term(-1.0, &a, 0)]], 0.0);
        assert_eq!((none.estimate.value, none.rule_p), (0.0, Some(1.0)));
    }

    #[test]
    fn a_network_that_one_term_lacks_is_left_out() {
        let [a, mut b] = [scored(&[300, 400, 350, 360]), scored(&[220, 250, 310, 290])];
        b.networks.remove(1);
        let terms = [term(1.0, &a, 0), term(-1.0, &b, 1)];
        let seeds: Vec<u64> = inside(&terms, 0.0).iter().map(|effect| effect.seed).collect();
        assert_eq!(seeds, [1, 3, 4]);
        assert_eq!(combination(&[&terms], 0.0).spread.unwrap().1, 2.0);
        b.networks.remove(0);
        let terms = [term(1.0, &a, 0), term(-1.0, &b, 1)];
        assert_eq!(combination(&[&terms], 0.0).spread, None);
    }
}
