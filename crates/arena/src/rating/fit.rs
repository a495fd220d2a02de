//! Fit of a model of game results by Newton's method. It finds the most likely ratings.

use super::contest::Contest;
use super::model::{Model, NATURAL, chances, moments};
use catapult_stats::Cholesky;

/// Standard deviation of each player's rating in the weak prior, which published ratings use. Its
/// mean is 0. The unit is 400 log10(wins / losses), which equals Elo if no games are drawn.
pub(crate) const WEAK_SD: f64 = 2000.0;
/// Standard deviation of the prior of White's advantage, in the same unit. The mean is 0.
const WHITE_SD: f64 = 400.0;
/// Mean and standard deviation of the prior of ln nu. Davidson's nu is the number of draws between
/// equal players, divided by the number of one player's wins.
pub(crate) const LN_DRAWS: (f64, f64) = (-1.0, 3.0);

/// Most likely model, with the curvature of the log posterior at its maximum.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Most likely model of the games and the prior.
    pub model: Model,
    zero: usize,
    /// Parameters of the fit: ratings of all players except the zero, then White's advantage, then
    /// ln nu. Ratings and White's advantage are in natural units: ln(wins / losses).
    parameters: Vec<f64>,
    curvature: Cholesky,
}

/// Maximum change of a parameter in the last step of the fit, in natural units. It is 2e-8 in Elo.
const CLOSE: f64 = 1e-10;
const MOST_STEPS: usize = 100;

/// Finds the most likely model for the games of `contests`. `zero` is the index of the player with
/// rating 0. `from` is a fit to similar games, from which the search starts. Without it, the search
/// starts at the means of the prior.
///
/// `prior` has the mean and the standard deviation of each player's rating, by the player's index.
/// The ratings are independent and normally distributed, in the unit 400 log10(wins / losses).
/// Means are relative to the zero. The entry of the zero is ignored.
///
/// The likelihood of the games has the form of a multinomial logistic regression. The log posterior
/// is therefore concave and has a single maximum.
pub fn fit(contests: &[Contest], zero: usize, prior: &[(f64, f64)], from: Option<&Fit>) -> Fit {
    let problem = Problem { contests, zero, prior };
    let means = || problem.priors().map(|(mean, _)| mean).collect();
    let mut parameters = from.map_or_else(means, |fit| fit.parameters.clone());
    let mut height = problem.height(&parameters);
    for _ in 0..MOST_STEPS {
        let (slope, curvature) = problem.derivatives(&parameters);
        let step = curvature.solve(&slope);
        // Far from the maximum a whole step may overshoot. Its direction always leads up.
        let mut share = 1.0;
        let (next, next_height) = loop {
            let next: Vec<f64> = parameters.iter().zip(&step).map(|(p, s)| p + share * s).collect();
            let height_there = problem.height(&next);
            if height_there >= height || share < 1e-6 {
                break (next, height_there);
            }
            share /= 2.0;
        };
        let moved = step.iter().fold(0.0, |most: f64, s| most.max((share * s).abs()));
        if next_height < height {
            break; // At the maximum, up to rounding.
        }
        (parameters, height) = (next, next_height);
        if moved < CLOSE {
            break;
        }
    }
    let (_, curvature) = problem.derivatives(&parameters);
    Fit { model: problem.model(&parameters), zero, parameters, curvature }
}

impl Fit {
    /// Returns the covariances between the ratings of players, in squared Elo. They are from the
    /// normal approximation at the maximum. The row and the column of the zero are 0.
    pub fn covariances(&self) -> Vec<Vec<f64>> {
        let players = self.model.ratings.len();
        let inverse = self.curvature.inverse();
        let unit = NATURAL * Model::stretch(self.model.draws);
        let at = |a: usize, b: usize| match (place(a, self.zero), place(b, self.zero)) {
            (Some(a), Some(b)) => inverse[a][b] / (unit * unit),
            _ => 0.0,
        };
        (0..players).map(|a| (0..players).map(|b| at(a, b)).collect()).collect()
    }

    /// Returns the standard deviations of White's advantage, in Elo, and of ln nu. They are from
    /// the normal approximation at the maximum.
    pub(crate) fn deviations(&self) -> [f64; 2] {
        let (inverse, last) = (self.curvature.inverse(), self.parameters.len() - 1);
        let unit = NATURAL * Model::stretch(self.model.draws);
        [inverse[last - 1][last - 1].sqrt() / unit, inverse[last][last].sqrt()]
    }
}

/// Returns the index of a player's rating among the parameters of the fit. Returns `None` for the
/// zero, whose rating is fixed.
fn place(player: usize, zero: usize) -> Option<usize> {
    (player != zero).then(|| player - usize::from(player > zero))
}

struct Problem<'a> {
    contests: &'a [Contest],
    zero: usize,
    prior: &'a [(f64, f64)],
}

impl Problem<'_> {
    fn players(&self) -> usize {
        self.prior.len()
    }

    /// Returns the mean and standard deviation of each parameter's prior, in natural units: ln(wins
    /// / losses).
    fn priors(&self) -> impl Iterator<Item = (f64, f64)> {
        let ratings = self.prior.iter().enumerate().filter(|(player, _)| *player != self.zero);
        let ratings = ratings.map(|(_, (mean, sd))| (mean * NATURAL, sd * NATURAL));
        ratings.chain([(0.0, WHITE_SD * NATURAL), LN_DRAWS])
    }

    fn model(&self, parameters: &[f64]) -> Model {
        let colour = self.players() - 1;
        let draws = parameters[colour + 1].exp();
        let unit = NATURAL * Model::stretch(draws);
        let rating = |player| place(player, self.zero).map_or(0.0, |at| parameters[at] / unit);
        Model { ratings: (0..self.players()).map(rating).collect(), white: parameters[colour] / unit, draws }
    }

    /// Returns two entries per contest, one for each player as White. An entry has White's index,
    /// Black's index, and the numbers of White's losses, draws and wins.
    fn sides(&self) -> impl Iterator<Item = (usize, usize, [f64; 3])> {
        self.contests.iter().flat_map(|contest| {
            let [lost, drawn, won] = contest.as_black();
            [
                (contest.first, contest.second, contest.as_white()),
                (contest.second, contest.first, [won, drawn, lost]),
            ]
        })
    }

    /// Returns White's rating minus Black's, plus White's advantage, in natural units: ln(wins /
    /// losses).
    fn difference(&self, parameters: &[f64], white: usize, black: usize) -> f64 {
        let of = |player| place(player, self.zero).map_or(0.0, |at| parameters[at]);
        of(white) - of(black) + parameters[self.players() - 1]
    }

    /// Returns the log posterior: the logarithm of likelihood times prior, except for a constant.
    fn height(&self, parameters: &[f64]) -> f64 {
        let eta = parameters[self.players()];
        let mut sum = 0.0;
        for (white, black, games) in self.sides() {
            let chances = chances(self.difference(parameters, white, black), eta);
            // A probability rounds to 0 only if no such game was played or the step overshot far.
            let terms = games.iter().zip(chances).filter(|(games, _)| **games > 0.0);
            sum += terms.map(|(games, chance)| games * chance.max(f64::MIN_POSITIVE).ln()).sum::<f64>();
        }
        for (value, (mean, sd)) in parameters.iter().zip(self.priors()) {
            sum -= ((value - mean) / sd).powi(2) / 2.0;
        }
        sum
    }

    /// Returns the gradient of [`height`](Self::height), and the Cholesky factor of the matrix of
    /// its negated second derivatives.
    #[allow(clippy::expect_used)]
    fn derivatives(&self, parameters: &[f64]) -> (Vec<f64>, Cholesky) {
        let size = parameters.len();
        let (colour, draws) = (self.players() - 1, self.players());
        let mut slope = vec![0.0; size];
        let mut curvature = vec![0.0; size * size];
        for (white, black, games) in self.sides() {
            let chances = chances(self.difference(parameters, white, black), parameters[draws]);
            let (mean, variance) = moments(chances);
            let played: f64 = games.iter().sum();
            let score = games[2] + games[1] / 2.0 - played * mean;
            let level = games[1] - played * chances[1];
            let mixed = played * chances[1] * (0.5 - mean);
            // Derivatives of the difference.
            let signs =
                [(place(white, self.zero), 1.0), (place(black, self.zero), -1.0), (Some(colour), 1.0)];
            let signs = signs.into_iter().filter_map(|(at, sign)| Some((at?, sign)));
            for (at, sign) in signs.clone() {
                slope[at] += sign * score;
                curvature[at * size + draws] += sign * mixed;
                curvature[draws * size + at] += sign * mixed;
                for (other, other_sign) in signs.clone() {
                    curvature[at * size + other] += sign * other_sign * played * variance;
                }
            }
            slope[draws] += level;
            curvature[draws * size + draws] += played * chances[1] * (1.0 - chances[1]);
        }
        for (at, (mean, sd)) in self.priors().enumerate() {
            slope[at] -= (parameters[at] - mean) / (sd * sd);
            curvature[at * size + at] += 1.0 / (sd * sd);
        }
        // The prior alone makes it positive definite.
        let curvature =
            Cholesky::new(size, curvature, 0.0).expect("a sum of a semidefinite and a definite matrix");
        (slope, curvature)
    }
}
