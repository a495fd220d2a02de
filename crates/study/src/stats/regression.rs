//! Least squares.

use super::linear::{Symmetric, dot};
use super::student::student_quantile;

/// One row of a regression.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// What explains, a number a column; a constant is a column of ones.
    pub x: Vec<f64>,
    /// What is explained.
    pub y: f64,
    /// How much the row counts: for a value known with variance v, 1 / v; 1 for ordinary least squares.
    pub weight: f64,
}

/// A fitted regression.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// A coefficient a column.
    pub coefficients: Vec<f64>,
    /// Their standard errors; weights count relative to each other only.
    pub errors: Vec<f64>,
    /// Rows less columns.
    pub df: f64,
}

impl Fit {
    /// The value at x.
    pub fn at(&self, x: &[f64]) -> f64 {
        dot(&self.coefficients, x)
    }

    /// The 95 % interval of a coefficient (Student's t).
    pub fn interval(&self, column: usize) -> [f64; 2] {
        let half = student_quantile(0.975, self.df) * self.errors[column];
        [self.coefficients[column] - half, self.coefficients[column] + half]
    }
}

/// Coefficients that make the weighted sum of squares least; none if columns depend on each other.
pub fn coefficients(rows: &[Row]) -> Option<Vec<f64>> {
    let columns = rows.first()?.x.len();
    let (matrix, right) = normal_equations(rows, columns);
    matrix.solve(&right)
}

/// The same with standard errors: none also if there are not more rows than columns.
pub fn least_squares(rows: &[Row]) -> Option<Fit> {
    let columns = rows.first()?.x.len();
    let df = rows.len().checked_sub(columns).filter(|&df| df > 0)? as f64;
    let (matrix, right) = normal_equations(rows, columns);
    let coefficients = matrix.solve(&right)?;
    let residuals: f64 =
        rows.iter().map(|row| row.weight * (row.y - dot(&coefficients, &row.x)).powi(2)).sum();
    let errors = matrix.inverse_diagonal()?.iter().map(|d| (d * residuals / df).sqrt()).collect();
    Some(Fit { coefficients, errors, df })
}

/// X'WX and X'Wy.
fn normal_equations(rows: &[Row], columns: usize) -> (Symmetric, Vec<f64>) {
    let mut matrix = Symmetric::zero(columns);
    let mut right = vec![0.0; columns];
    for row in rows {
        matrix.add_square(&row.x, row.weight);
        for (sum, x) in right.iter_mut().zip(&row.x) {
            *sum += row.weight * x * row.y;
        }
    }
    (matrix, right)
}
