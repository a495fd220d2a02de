//! Regression of game results on differences in material: E(result) = tanh(w . x).

use super::bootstrap::{Resampling, evidences};
use super::clustered::Clustered;
use super::evidence::Evidence;
use super::linear::{Equations, dot};
use super::regression::Row;

/// Returns the coefficients w of the model E(y) = tanh(w . x). The result `y` of a row is from -1
/// (loss) to 1 (win).
///
/// The model is from Tomašev et al. 2020 (section on piece values). The coefficients maximise the
/// likelihood of the results, with (1 + y) / 2 as the share of wins. The likelihood has one
/// maximum, which Newton's method finds from any start. `None` if there is no finite maximum. That
/// happens if columns are linearly dependent or predict the results perfectly (a piece's owner
/// always won).
pub fn tanh_regression(rows: &[Row]) -> Option<Vec<f64>> {
    fit(rows.first()?.x.len(), || rows.iter())
}

/// Runs Newton's method to the coefficients with the highest likelihood. `None` if it does not
/// converge or columns are linearly dependent.
fn fit<'a, I: Iterator<Item = &'a Row>>(columns: usize, rows: impl Fn() -> I) -> Option<Vec<f64>> {
    let gain =
        |w: &[f64]| -> f64 { rows().map(|row| row.weight * log_likelihood(dot(w, &row.x), row.y)).sum() };
    let mut w = vec![0.0; columns];
    let mut best = gain(&w);
    for _ in 0..MOST_STEPS {
        let mut equations = Equations::zero(columns);
        rows().for_each(|row| add_to(&mut equations, &w, row));
        let step = newton_step(&equations)?;
        // The step is halved until it does not decrease the likelihood, because a full step far from
        // the optimum may.
        let taken = (0..30).find_map(|halvings| {
            let factor = 0.5f64.powi(halvings);
            let next: Vec<f64> = w.iter().zip(&step).map(|(w, s)| w + factor * s).collect();
            let reached = gain(&next);
            (reached >= best).then_some((next, reached))
        });
        let Some((next, reached)) = taken else { return Some(w) };
        let moved = w.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        (w, best) = (next, reached);
        if moved < 1e-9 {
            return Some(w);
        }
    }
    None
}

/// Largest number of Newton steps. About eight suffice unless columns predict the results
/// perfectly.
const MOST_STEPS: usize = 40;

/// Returns the log-likelihood of the observed share (1 + y) / 2 if the expected share is (1 + tanh
/// u) / 2.
fn log_likelihood(u: f64, y: f64) -> f64 {
    // This is -ln(1 + e^(-2u)), without overflow.
    let log_share = |u: f64| -((-2.0 * u.abs()).exp().ln_1p() + (-2.0 * u).max(0.0));
    (1.0 + y) / 2.0 * log_share(u) + (1.0 - y) / 2.0 * log_share(-u)
}

/// Adds a row to the equations of Newton's step from the coefficients w. The right-hand side is the
/// gradient of the log-likelihood by the coefficients, and the matrix has its negated second
/// derivatives.
fn add_to(equations: &mut Equations, w: &[f64], row: &Row) {
    let expected = dot(w, &row.x).tanh();
    equations.add_row(&row.x, row.weight * (row.y - expected), row.weight * (1.0 - expected * expected));
}

/// Returns Newton's step, one change per coefficient. `None` if columns are linearly dependent.
fn newton_step(equations: &Equations) -> Option<Vec<f64>> {
    Some(equations.factor()?.solve(&equations.right))
}

/// Returns estimates with intervals for functions of the coefficients of [`tanh_regression`], such
/// as piece values in pawns.
///
/// A game is a list of rows, one per position. `values` computes the functions from the
/// coefficients. The result has one element per function. It is `None` if the regression on all
/// games has no solution. An element is `None` if [`evidence`](fn@super::evidence) would return
/// `None` for its function.
///
/// Each resample takes one Newton step from the fit to all games instead of a new fit. The
/// difference is smaller than the resampling error (Davison and Hinkley 1997, 2.7.2 and 7.2). The
/// values of single networks are full fits.
pub fn tanh_evidence<F: Fn(&[f64]) -> Vec<f64> + Sync>(
    games: &Clustered<Vec<Row>>,
    values: F,
    resampling: &Resampling,
) -> Option<Vec<Option<Evidence>>> {
    let columns = games.iter().flatten().next()?.x.len();
    let all = fit(columns, || games.iter().flatten())?;
    let length = values(&all).len();
    let with_equations = games.map(|rows| {
        let mut equations = Equations::zero(columns);
        rows.iter().for_each(|row| add_to(&mut equations, &all, row));
        (equations, rows)
    });
    let missing = || vec![f64::NAN; length];
    let exact = |games: &mut dyn Iterator<Item = &(Equations, &Vec<Row>)>| {
        let rows: Vec<&Row> = games.flat_map(|(_, rows)| rows.iter()).collect();
        fit(columns, || rows.iter().copied()).map_or_else(missing, |w| values(&w))
    };
    let quick = |games: &mut dyn Iterator<Item = &(Equations, &Vec<Row>)>| {
        let mut sum = Equations::zero(columns);
        games.for_each(|(equations, _)| sum.add(equations));
        newton_step(&sum).map_or_else(missing, |step| {
            values(&all.iter().zip(step).map(|(w, s)| w + s).collect::<Vec<_>>())
        })
    };
    Some(evidences(&with_equations, exact, quick, resampling))
}

#[cfg(test)]
mod tests {
    use super::super::evidence;
    use super::super::testing::close;
    use super::*;
    use crate::Estimate;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    fn row(x: &[f64], y: f64) -> Row {
        Row { x: x.to_vec(), y, weight: 1.0 }
    }

    fn rows() -> Vec<Row> {
        let x = [[0, 1], [2, -1], [-1, 0], [3, 0], [-2, 1], [0, -1], [1, 1], [-3, -1], [1, 0], [0, 0]];
        let y = [1, 1, -1, 1, 0, 0, 1, -1, -1, 0];
        x.iter().zip(y).map(|(&[a, b], y)| row(&[1.0, f64::from(a), f64::from(b)], f64::from(y))).collect()
    }

    #[test]
    fn coefficients_agree_with_statsmodels() {
        // sm.GLM((Y + 1) / 2, 2 * X, family=sm.families.Binomial()).fit(tol=1e-14)
        let found = tanh_regression(&rows()).unwrap();
        let expected = [0.042_973_731_131, 0.502_923_381_402, 0.574_853_758_788];
        found.iter().zip(expected).for_each(|(&found, expected)| close(found, expected, 1e-7));
    }

    #[test]
    fn a_row_that_counts_twice_is_a_row_that_stands_there_twice() {
        let (mut twice, mut weighted) = (rows(), rows());
        twice.push(twice[3].clone());
        weighted[3].weight = 2.0;
        let [a, b] = [&twice, &weighted].map(|rows| tanh_regression(rows).unwrap());
        a.iter().zip(b).for_each(|(&a, b)| close(a, b, 1e-8));
    }

    #[test]
    fn results_told_without_fail_have_no_fit() {
        let sure: Vec<Row> = (1..20).map(|i| row(&[f64::from(i)], 1.0)).collect();
        assert_eq!(tanh_regression(&sure), None);
        assert_eq!(tanh_regression(&[row(&[0.0], 1.0), row(&[0.0], -1.0)]), None);
        assert_eq!(tanh_regression(&[]), None);
    }

    /// Simulates decisive games whose results depend on material. In the argument of tanh, a pawn
    /// weighs 0.15, a knight 0.45, and a constant adds 0.05.
    fn planted(games: u64, random: &mut Pcg64Mcg) -> Clustered<Vec<Row>> {
        Clustered::new((0..games).map(|game| {
            let (pawns, knights) = (random.random_range(-2..=2), random.random_range(-1..=1));
            let x = [1.0, f64::from(pawns), f64::from(knights)];
            let expected = (0.05 + 0.15 * x[1] + 0.45 * x[2]).tanh();
            let y = if random.random::<f64>() < (1.0 + expected) / 2.0 { 1.0 } else { -1.0 };
            // Several positions of one game add no information.
            (game % 3, game, vec![Row { x: x.to_vec(), y, weight: 0.5 }; 2])
        }))
    }

    fn in_pawns(w: &[f64]) -> Vec<f64> {
        vec![w[2] / w[1], w[0]]
    }

    #[test]
    fn planted_piece_values_come_out() {
        let games = planted(6000, &mut Pcg64Mcg::seed_from_u64(1));
        let resampling = Resampling { replicates: 300, seed: 1 };
        let found = tanh_evidence(&games, in_pawns, &resampling).unwrap();
        let knight = found[0].as_ref().unwrap();
        let Estimate { value, agents: [low, high], rule } = knight.estimate;
        assert!(low < 3.0 && 3.0 < high && high - low < 1.5, "{low} {value} {high}");
        assert!(rule.is_some() && knight.networks.len() == 3);
        let side = found[1].as_ref().unwrap().estimate;
        assert!(side.agents[0] < 0.05 && 0.05 < side.agents[1]);
        // The value equals that of a fit to all rows.
        let rows: Vec<Row> = games.iter().flatten().cloned().collect();
        close(value, in_pawns(&tanh_regression(&rows).unwrap())[0], 1e-9);
    }

    #[test]
    fn one_step_is_as_good_as_a_fit_for_each_resample() {
        let games = planted(900, &mut Pcg64Mcg::seed_from_u64(2));
        let resampling = Resampling { replicates: 200, seed: 1 };
        let quick = tanh_evidence(&games, in_pawns, &resampling).unwrap()[1].clone().unwrap();
        let side = |games: &mut dyn Iterator<Item = &Vec<Row>>| {
            let rows: Vec<Row> = games.flatten().cloned().collect();
            tanh_regression(&rows).map_or(f64::NAN, |w| w[0])
        };
        let full = evidence(&games, side, &resampling).unwrap();
        let width = full.estimate.agents[1] - full.estimate.agents[0];
        close(quick.estimate.agents[0], full.estimate.agents[0], 0.03 * width);
        close(quick.estimate.agents[1], full.estimate.agents[1], 0.03 * width);
        assert_eq!(quick.networks[1].value, full.networks[1].value);
    }
}
