//! Results explained by differences of material: E(result) = tanh(w . x).

use super::clustered::Clustered;
use super::evidence::{Evidence, Resampling, evidences};
use super::linear::{Symmetric, dot};
use super::regression::Row;

/// Coefficients w that explain results `y` in [-1, 1] (won 1, drawn 0, lost -1) as tanh(w . x).
///
/// The model of Tomasev et al. 2020 (section on piece values), who minimise squared errors; here the log-likelihood of
/// (1 + y) / 2 as a share is maximised, which has the same answer for endless games, but one maximum only, which Newton's
/// method finds from anywhere. None if columns depend on each other or tell results without fail (a piece's owner
/// always won), where no finite maximum is.
pub fn tanh_regression(rows: &[Row]) -> Option<Vec<f64>> {
    fit(rows.first()?.x.len(), || rows.iter())
}

fn fit<'a, I: Iterator<Item = &'a Row>>(columns: usize, rows: impl Fn() -> I) -> Option<Vec<f64>> {
    let likelihood =
        |w: &[f64]| -> f64 { rows().map(|row| row.weight * log_likelihood(dot(w, &row.x), row.y)).sum() };
    let mut w = vec![0.0; columns];
    let mut best = likelihood(&w);
    for _ in 0..MOST_STEPS {
        let mut slope = Slope::zero(columns);
        rows().for_each(|row| slope.add_row(&w, row));
        let step = slope.newton()?;
        // Halved until it does not lead down: far out a full step may.
        let taken = (0..30).find_map(|halvings| {
            let factor = 0.5f64.powi(halvings);
            let next: Vec<f64> = w.iter().zip(&step).map(|(w, s)| w + factor * s).collect();
            let reached = likelihood(&next);
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

/// Newton converges in about eight; results that are told without fail never do.
const MOST_STEPS: usize = 40;

/// Logarithm of the likelihood of the share (1 + y) / 2 where (1 + tanh u) / 2 is expected.
fn log_likelihood(u: f64, y: f64) -> f64 {
    // -ln(1 + e^(-2u)), without overflow.
    let log_share = |u: f64| -((-2.0 * u.abs()).exp().ln_1p() + (-2.0 * u).max(0.0));
    (1.0 + y) / 2.0 * log_share(u) + (1.0 - y) / 2.0 * log_share(-u)
}

/// Gradient of the log-likelihood and its negated second derivatives.
#[derive(Clone)]
struct Slope {
    gradient: Vec<f64>,
    curvature: Symmetric,
}

impl Slope {
    fn zero(columns: usize) -> Slope {
        Slope { gradient: vec![0.0; columns], curvature: Symmetric::zero(columns) }
    }

    fn add_row(&mut self, w: &[f64], row: &Row) {
        let expected = dot(w, &row.x).tanh();
        for (sum, x) in self.gradient.iter_mut().zip(&row.x) {
            *sum += row.weight * (row.y - expected) * x;
        }
        self.curvature.add_square(&row.x, row.weight * (1.0 - expected * expected));
    }

    fn add(&mut self, other: &Slope) {
        for (sum, x) in self.gradient.iter_mut().zip(&other.gradient) {
            *sum += x;
        }
        self.curvature.add(&other.curvature);
    }

    fn newton(&self) -> Option<Vec<f64>> {
        self.curvature.solve(&self.gradient)
    }
}

/// [`tanh_regression`] over games, each with its positions as rows, and any function of the coefficients (piece values in
/// pawns: each over the pawn's) with both intervals. None where there is no fit; None for a value without evidence.
///
/// A resample takes one step of Newton's method from the fit of all games instead of a fit of its own, which differs by
/// less than the resampling itself (Davison and Hinkley 1997, 2.7.2 and 7.2); what networks contribute is fitted in full.
pub fn tanh_evidence<F: Fn(&[f64]) -> Vec<f64> + Sync>(
    games: &Clustered<Vec<Row>>,
    values: F,
    resampling: &Resampling,
) -> Option<Vec<Option<Evidence>>> {
    let columns = games.iter().flatten().next()?.x.len();
    let all = fit(columns, || games.iter().flatten())?;
    let length = values(&all).len();
    let slopes = games.map(|rows| {
        let mut slope = Slope::zero(columns);
        rows.iter().for_each(|row| slope.add_row(&all, row));
        (slope, rows)
    });
    let missing = || vec![f64::NAN; length];
    let exact = |games: &mut dyn Iterator<Item = &(Slope, &Vec<Row>)>| {
        let rows: Vec<&Row> = games.flat_map(|(_, rows)| rows.iter()).collect();
        fit(columns, || rows.iter().copied()).map_or_else(missing, |w| values(&w))
    };
    let quick = |games: &mut dyn Iterator<Item = &(Slope, &Vec<Row>)>| {
        let mut sum = Slope::zero(columns);
        games.for_each(|(slope, _)| sum.add(slope));
        let step = sum.newton();
        step.map_or_else(missing, |step| {
            values(&all.iter().zip(step).map(|(w, s)| w + s).collect::<Vec<_>>())
        })
    };
    Some(evidences(&slopes, exact, quick, resampling))
}
