//! Statistics of a match, over *pairs* of games: score and Elo with intervals, and sequential
//! tests.
//!
//! The two games of a pair start from the same opening with colours swapped, so they are not
//! independent. For example, an opening that is won for White gives each player one win. All
//! variances are therefore variances of pair scores, as in fishtest. A pair yields 0, 1/2, 1, 3/2
//! or 2 points. The name pentanomial refers to these five results.

use serde::{Deserialize, Serialize};

/// 97.5 % quantile of the normal distribution. It gives two-sided 95 % intervals.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Numbers of game pairs by the player's points in the pair. The five entries are for 0, 1/2, 1,
/// 3/2 and 2 points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

/// An estimate with a confidence interval, 95 % unless the documentation of the function differs.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Interval {
    /// The estimated value.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Pentanomial {
    /// Adds a pair of games. `half_points` is the sum of the player's half points in the two games,
    /// 0 to 4.
    ///
    /// # Panics
    /// `half_points` is above 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// Returns the number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the player's mean score per game, from 0 to 1. It is 1/2 if there are no pairs.
    pub fn mean(&self) -> f64 {
        if self.pairs() == 0 { 0.5 } else { moments(&self.0.map(|n| n as f64)).1 }
    }

    /// Returns the player's mean score per game with its 95 % interval, all from 0 to 1.
    ///
    /// The interval is Wilson's with an effective sample size. Let x be the mean of the n pair
    /// scores (each from 0 to 1) and v their variance. One yes-or-no trial with mean x has variance
    /// x (1 - x). The ratio rho = v / (x (1 - x)) compares a pair with such a trial. It is 1/2 for
    /// two independent decisive games, less with draws or lopsided openings, and at most 1.
    /// Wilson's formula with n / rho trials solves |x - p| <= z sqrt(rho p (1 - p) / n) for p.
    ///
    /// To compute rho, half a pair with score 0 and half a pair with score 1 are added. If all
    /// games were won or all lost, this gives rho = 1, the conservative end. For example, 100 pairs
    /// all won have the lower end 96.3 %. If every opening gives the same result, the interval does
    /// not shrink to a point. A test simulates the coverage.
    pub fn score(&self) -> Interval {
        let n = self.pairs() as f64;
        if n == 0.0 {
            return Interval { value: 0.5, low: 0.0, high: 1.0 };
        }
        let (_, mean, variance) = self.padded_moments();
        let trials = n * mean * (1.0 - mean) / variance;
        wilson(self.mean(), trials)
    }

    /// Returns the number of pairs, and the mean and the variance of the pair scores (each from 0 to
    /// 1), after adding half a pair with score 0 and half a pair with score 1.
    pub fn padded_moments(&self) -> (f64, f64, f64) {
        let mut padded = self.0.map(|n| n as f64);
        padded[0] += 0.5;
        padded[4] += 0.5;
        moments(&padded)
    }

    /// Returns the player's Elo difference from the opponent with its 95 % interval. The logistic
    /// curve converts [`score`](Self::score) to Elo.
    ///
    /// All values are finite. If one side won every one of n games, or without games, scores are
    /// clamped to the range from 0.5 / (n + 1) to (n + 0.5) / (n + 1).
    pub fn elo(&self) -> Interval {
        let is_open = self.pairs() == 0 || self.is_saturated();
        let edge = if is_open { 0.5 / (2.0 * self.pairs() as f64 + 1.0) } else { 0.0 };
        let convert = |score: f64| elo_of_score(score.clamp(edge, 1.0 - edge));
        let score = self.score();
        Interval { value: convert(score.value), low: convert(score.low), high: convert(score.high) }
    }

    /// Returns true if the player won every game or lost every game. Only one end of the Elo
    /// interval is then meaningful.
    pub fn is_saturated(&self) -> bool {
        let pairs = self.pairs();
        pairs > 0 && (self.0[0] == pairs || self.0[4] == pairs)
    }

    /// Returns the result of the match from the opponent's side.
    pub fn reversed(&self) -> Pentanomial {
        let [a, b, c, d, e] = self.0;
        Pentanomial([e, d, c, b, a])
    }
}

/// Returns sum of weights, mean and variance of the pair scores 0, 1/4, 1/2, 3/4 and 1 with these
/// weights. The sum of the weights must not be 0.
fn moments(weights: &[f64; 5]) -> (f64, f64, f64) {
    let sum: f64 = weights.iter().sum();
    let mean = weights.iter().enumerate().map(|(i, w)| w * value(i)).sum::<f64>() / sum;
    let variance = weights.iter().enumerate().map(|(i, w)| w * (value(i) - mean).powi(2)).sum::<f64>() / sum;
    (sum, mean, variance)
}

/// Returns the score, from 0 to 1, of a pair in class `i` (0 to 4) of the [`Pentanomial`].
fn value(i: usize) -> f64 {
    i as f64 / 4.0
}

/// Returns Wilson's 95 % interval for `share`, the mean of `trials` yes-or-no trials. `trials` may
/// be a fraction.
pub fn wilson(share: f64, trials: f64) -> Interval {
    let z2 = Z95 * Z95 / trials;
    let centre = (share + z2 / 2.0) / (1.0 + z2);
    let half = (share * (1.0 - share) * z2 + z2 * z2 / 4.0).sqrt() / (1.0 + z2);
    // The exact ends for 0 and 1 are 0 and 1, and rounding must not move them.
    let low = if share == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if share == 1.0 { 1.0 } else { (centre + half).min(1.0) };
    Interval { value: share, low, high }
}

/// Returns the logistic Elo difference that gives the expected score `score`. It is infinite for
/// the scores 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Returns the expected score, from 0 to 1, at the logistic Elo difference `elo`.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Unit of Elo differences in a sequential test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloScale {
    /// Logistic Elo: a difference corresponds to an expected score by the logistic curve.
    #[default]
    Logistic,
    /// Normalized Elo: the score's distance from one half, divided by the standard deviation of a
    /// game's score and multiplied by 800 / ln 10. This ratio alone determines how many games
    /// detect a difference (Van den Bergh, *Normalized Elo*).
    Normalized,
}

/// Settings of a sequential probability ratio test. The null hypothesis is that the player is at
/// most `elo0` better than the opponent. The alternative is that the player is at least `elo1`
/// better.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// Unit of `elo0` and `elo1`.
    #[serde(default)]
    pub scale: EloScale,
    /// Elo difference of the null hypothesis.
    pub elo0: f64,
    /// Elo difference of the alternative, above `elo0`.
    pub elo1: f64,
    /// Probability of accepting the alternative if the null hypothesis is true.
    pub alpha: f64,
    /// Probability of accepting the null hypothesis if the alternative is true.
    pub beta: f64,
}

/// State of a sequential test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// The alternative is accepted.
    Accepted,
    /// The null hypothesis is accepted.
    Rejected,
    /// Neither hypothesis is accepted yet, so more games are needed.
    Open,
}

impl Sprt {
    /// Returns Wald's bounds of the log-likelihood ratio: ln(beta / (1 - alpha)) and ln((1 - beta)
    /// / alpha).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the generalised log-likelihood ratio of the pairs, computed as in fishtest. It is
    /// positive if the alternative is more likely than the null hypothesis.
    ///
    /// Each hypothesis uses the distribution of pair scores that has the hypothesis's Elo and gives
    /// the pairs the highest likelihood. Empty classes count as 1/1000 of a pair. Source: Van den
    /// Bergh, *Comments on normalized Elo / The MLE for a multinomial distribution with given
    /// expectation*.
    pub fn log_likelihood_ratio(&self, pairs: &Pentanomial) -> f64 {
        let weights = pairs.0.map(|n| (n as f64).max(1e-3));
        let sum: f64 = weights.iter().sum();
        let observed = weights.map(|w| w / sum);
        let hypothesis = |elo: f64| match self.scale {
            EloScale::Logistic => {
                let mean = score_of_elo(elo);
                likeliest_centred(&observed, |i| value(i) - mean)
            }
            // A pair has two games, so one deviation of a game is sqrt(2) deviations of a pair.
            EloScale::Normalized => {
                likeliest_t(&observed, elo * std::f64::consts::LN_10 / 800.0 * std::f64::consts::SQRT_2)
            }
        };
        let [null, alternative] = [self.elo0, self.elo1].map(hypothesis);
        (0..5).map(|i| weights[i] * (alternative[i] / null[i]).ln()).sum()
    }

    /// Returns the decision of the test after these pairs. It is [`Decision::Open`] while the
    /// log-likelihood ratio is between the bounds.
    pub fn decision(&self, pairs: &Pentanomial) -> Decision {
        let ratio = self.log_likelihood_ratio(pairs);
        let (low, high) = self.bounds();
        if ratio >= high {
            Decision::Accepted
        } else if ratio <= low {
            Decision::Rejected
        } else {
            Decision::Open
        }
    }
}

/// Returns the distribution of pair scores under which `observed` is most likely and the mean is
/// `t` standard deviations above one half.
///
/// This condition is not linear in the probabilities. The function linearises it at the last
/// solution and repeats until the solution converges (fishtest's `MLE_t_value`). Far from the
/// solution the linear condition may have no solution, so large values of `t` are approached in
/// steps.
fn likeliest_t(observed: &[f64; 5], t: f64) -> [f64; 5] {
    let mut found = [0.2; 5];
    let steps = (t.abs() / 0.5).ceil().max(1.0);
    for step in 1..=steps as u32 {
        let t = t * f64::from(step) / steps;
        for _ in 0..50 {
            let before = found;
            let (_, mean, variance) = moments(&found);
            let deviation = variance.sqrt();
            found = likeliest_centred(observed, |i| {
                let z = (mean - value(i)) / deviation;
                value(i) - 0.5 - t * deviation * (1.0 + z * z) / 2.0
            });
            if found.iter().zip(&before).all(|(now, before)| (now - before).abs() < 1e-12) {
                break;
            }
        }
    }
    found
}

/// Returns the distribution p of pair scores under which `observed` is most likely and `offset` has
/// mean 0. The solution is `p[i] = observed[i] / (1 + x offset(i))` for a suitable x.
///
/// The mean of `offset` decreases strictly in x between its two poles. Bisection therefore finds
/// the x at which it is 0.
fn likeliest_centred(observed: &[f64; 5], offset: impl Fn(usize) -> f64) -> [f64; 5] {
    let offsets: [f64; 5] = std::array::from_fn(offset);
    let offset = |i: usize| offsets[i];
    let (most, least) =
        offsets.iter().fold((f64::MIN, f64::MAX), |(most, least), &x| (most.max(x), least.min(x)));
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let x = (low + high) / 2.0;
        let sum: f64 = (0..5).map(|i| observed[i] * offset(i) / (1.0 + x * offset(i))).sum();
        if sum > 0.0 { low = x } else { high = x }
    }
    let x = (low + high) / 2.0;
    std::array::from_fn(|i| observed[i] / (1.0 + x * offset(i)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    fn close(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within, "{a} is not {b}");
    }

    #[test]
    fn all_or_nothing_pairs_have_wilsons_interval() {
        // scipy.stats.binomtest(8, 10).proportion_ci(method="wilson")
        let score = Pentanomial([2, 0, 0, 0, 8]).score();
        close(score.value, 0.8, 1e-12);
        close(score.low, 0.490_162_471_536_641_8, 1e-9);
        close(score.high, 0.943_317_848_545_624_8, 1e-9);
        // binomtest(100, 100)
        let score = Pentanomial([0, 0, 0, 0, 100]).score();
        close(score.low, 0.963_006_501_793_014_3, 1e-9);
        assert_eq!((score.value, score.high), (1.0, 1.0));
    }

    #[test]
    fn many_pairs_agree_with_fishtest() {
        // Score and 1.96 standard errors as fishtest's get_elo computes them (scipy), for results it published.
        for (pairs, low, high) in [
            ([10789, 19328, 33806, 19402, 10543], 0.497_048_166_7, 0.500_725_302_4),
            ([39, 2226, 31451, 2412, 40], 0.500_346_039_4, 0.502_252_943_1),
            ([1187, 7410, 13475, 7378, 1164], 0.496_873_593_9, 0.501_852_479_2),
        ] {
            let score = Pentanomial(pairs).score();
            close(score.low, low, 3e-5);
            close(score.high, high, 3e-5);
        }
    }

    #[test]
    fn log_likelihood_ratios_agree_with_fishtest() {
        // fishtest's LLR_logistic, computed with scipy's brentq.
        for (elo0, elo1, pairs, expected) in [
            (-3.0, 1.0, [10789, 19328, 33806, 19402, 10543], 2.131_067_811_794),
            (0.2, 0.9, [39, 2226, 31451, 2412, 40], 2.162_542_580_050),
            (-3.0, 1.0, [1187, 7410, 13475, 7378, 1164], 2.861_527_180_592),
            (0.0, 10.0, [0, 2, 10, 14, 4], 0.850_875_000_072),
            (0.0, 50.0, [0, 0, 0, 0, 20], 2.672_083_397_225),
        ] {
            let sprt = Sprt { scale: EloScale::Logistic, elo0, elo1, alpha: 0.05, beta: 0.05 };
            close(sprt.log_likelihood_ratio(&Pentanomial(pairs)), expected, 1e-7);
        }
    }

    /// Compares log-likelihood ratios with those of a general optimiser, SLSQP of scipy 1.17. It
    /// found the most likely distributions under the exact condition, from 40 starts.
    #[test]
    fn normalized_ratios_agree_with_a_general_optimiser() {
        for (elo0, elo1, pairs, expected) in [
            (0.0, 5.0, [10789, 19328, 33806, 19402, 10543], -26.838_448_6),
            (0.5, 2.5, [39, 2226, 31451, 2412, 40], 2.337_900_0),
            (0.0, 10.0, [0, 2, 10, 14, 4], 0.683_081_1),
            (-10.0, 20.0, [5, 20, 50, 30, 8], 1.768_569_5),
            (0.0, 300.0, [5, 10, 20, 10, 5], -29.972_508_2),
            (200.0, 400.0, [2, 6, 10, 20, 30], -4.892_258_5),
        ] {
            let sprt = Sprt { scale: EloScale::Normalized, elo0, elo1, alpha: 0.05, beta: 0.05 };
            close(sprt.log_likelihood_ratio(&Pentanomial(pairs)), expected, 1e-5);
        }
    }

    #[test]
    fn sprt_ends_at_walds_bounds() {
        let sprt = Sprt { scale: EloScale::Logistic, elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };
        let (low, high) = sprt.bounds();
        close(low, -2.944_438_979_166_44, 1e-12);
        close(high, 2.944_438_979_166_44, 1e-12);
        assert_eq!(sprt.decision(&Pentanomial([0, 0, 0, 0, 20])), Decision::Open);
        assert_eq!(sprt.decision(&Pentanomial([0, 0, 0, 0, 23])), Decision::Accepted);
        assert_eq!(sprt.decision(&Pentanomial([40, 10, 10, 0, 0])), Decision::Rejected);
    }

    #[test]
    fn elo_is_finite_and_by_the_book() {
        close(elo_of_score(0.75), 190.848_501_9, 1e-6);
        close(score_of_elo(200.0), 0.759_746_926_6, 1e-9);
        close(elo_of_score(score_of_elo(-123.4)), -123.4, 1e-9);
        for pairs in [[0, 0, 0, 0, 100], [100, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0; 5], [1, 0, 0, 0, 0]] {
            let elo = Pentanomial(pairs).elo();
            assert!(elo.low.is_finite() && elo.high.is_finite() && elo.value.is_finite());
            assert!(elo.low <= elo.value && elo.value <= elo.high, "{elo:?}");
        }
        let all_won = Pentanomial([0, 0, 0, 0, 100]);
        assert!(all_won.is_saturated() && all_won.reversed().is_saturated());
        assert!(!Pentanomial([0, 0, 0, 1, 99]).is_saturated() && !Pentanomial([0; 5]).is_saturated());
        close(all_won.elo().low, elo_of_score(0.963_006_501_793_014_3), 1e-6);
        // Half a point less than perfect in 201 games: 200.5 / 201.
        close(all_won.elo().value, elo_of_score(200.5 / 201.0), 1e-9);
        // 99 wins and a draw: Wilson's interval, by numpy, is far beyond that of a perfect score.
        let elo = Pentanomial([0, 0, 0, 1, 49]).elo();
        for (end, expected) in [(elo.low, 468.048_224), (elo.value, 919.541_231), (elo.high, 1_371.034_237)] {
            close(end, expected, 1e-5);
        }
    }

    #[test]
    fn swapping_the_players_mirrors_everything() {
        let pairs = Pentanomial([3, 5, 20, 11, 2]);
        let (ours, theirs) = (pairs.score(), pairs.reversed().score());
        close(ours.low, 1.0 - theirs.high, 1e-12);
        close(ours.high, 1.0 - theirs.low, 1e-12);
        close(pairs.elo().value, -pairs.reversed().elo().value, 1e-9);
    }

    /// Simulates matches of 100 pairs. Returns the share of matches whose interval includes the
    /// true score.
    fn coverage(probabilities: [f64; 5], seed: u64) -> f64 {
        let truth: f64 = (0..5).map(|i| probabilities[i] * value(i)).sum();
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let matches = 4000;
        let mut held = 0;
        for _ in 0..matches {
            let mut pairs = Pentanomial::default();
            for _ in 0..100 {
                let mut u: f64 = random.random();
                let kind = (0..4).find(|&i| {
                    u -= probabilities[i];
                    u < 0.0
                });
                pairs.add(kind.unwrap_or(4));
            }
            let score = pairs.score();
            held += (score.low <= truth && truth <= score.high) as u32;
        }
        held as f64 / matches as f64
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        for (i, probabilities) in [
            [0.2, 0.2, 0.2, 0.2, 0.2],
            [0.01, 0.04, 0.9, 0.04, 0.01],
            [0.25, 0.0, 0.5, 0.0, 0.25],
            [0.0025, 0.0, 0.095, 0.0, 0.9025],
            [0.0, 0.0, 0.01, 0.03, 0.96],
            [0.0, 0.0, 0.002, 0.0, 0.998],
            [0.0, 0.01, 0.98, 0.01, 0.0],
        ]
        .into_iter()
        .enumerate()
        {
            let coverage = coverage(probabilities, i as u64);
            assert!(coverage > 0.93, "{probabilities:?}: {coverage}");
        }
        // The intervals must not be needlessly wide if the classes are well filled.
        assert!(coverage([0.2, 0.2, 0.2, 0.2, 0.2], 9) < 0.97);
    }
}
