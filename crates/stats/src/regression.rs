//! Linear regression by weighted least squares.

use super::linear::{Equations, dot};
use super::student::student_quantile;

/// One observation of a regression.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Explanatory variables, one per column. Use a column of ones for a constant.
    pub x: Vec<f64>,
    /// Dependent variable: the value that the regression explains.
    pub y: f64,
    /// Weight of the observation. It is 1 / v for a value `y` with known variance v, or 1 for
    /// ordinary least squares.
    pub weight: f64,
}

/// A fitted linear regression.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// Coefficients, one per column.
    pub coefficients: Vec<f64>,
    /// Standard errors of the coefficients, one per column. Multiplying all weights by a factor
    /// does not change them.
    pub errors: Vec<f64>,
    /// Degrees of freedom: number of rows minus number of columns.
    pub df: f64,
}

impl Fit {
    /// Returns the 95 % interval of the coefficient of a column (Student's t).
    pub fn interval(&self, column: usize) -> [f64; 2] {
        let half = student_quantile(0.975, self.df) * self.errors[column];
        [self.coefficients[column] - half, self.coefficients[column] + half]
    }
}

/// Returns the linear regression with the smallest weighted sum of squared errors.
///
/// `None` if columns are linearly dependent, or if there are not more rows than columns.
pub fn least_squares(rows: &[Row]) -> Option<Fit> {
    let columns = rows.first()?.x.len();
    let df = rows.len().checked_sub(columns).filter(|&df| df > 0)? as f64;
    let mut equations = Equations::zero(columns);
    rows.iter().for_each(|row| equations.add_row(&row.x, row.weight * row.y, row.weight));
    let factor = equations.factor()?;
    let coefficients = factor.solve(&equations.right);
    let residuals: f64 =
        rows.iter().map(|row| row.weight * (row.y - dot(&coefficients, &row.x)).powi(2)).sum();
    let inverse = factor.inverse();
    let errors = (0..columns).map(|at| (inverse[at][at] * residuals / df).sqrt()).collect();
    Some(Fit { coefficients, errors, df })
}

#[cfg(test)]
mod tests {
    use super::super::testing::close;
    use super::*;

    fn rows(weights: [f64; 6]) -> Vec<Row> {
        let x = [-100.0, 0.0, 50.0, 120.0, 200.0, 310.0];
        let y = [0.2, 0.25, 0.22, 0.31, 0.36, 0.33];
        (0..6).map(|i| Row { x: vec![1.0, x[i]], y: y[i], weight: weights[i] }).collect()
    }

    #[test]
    fn fits_agree_with_statsmodels() {
        // sm.WLS(y, sm.add_constant(x), weights=w).fit(): params, bse, conf_int
        let fit = least_squares(&rows([1.0, 2.0, 2.0, 4.0, 1.0, 3.0])).unwrap();
        close(fit.coefficients[0], 0.245_281_722_400, 1e-10);
        close(fit.coefficients[1], 0.000_336_234_540, 1e-12);
        close(fit.errors[0], 0.019_060_528_774, 1e-10);
        close(fit.errors[1], 0.000_108_539_694, 1e-12);
        close(fit.interval(1)[0], 0.000_034_880_038, 1e-10);
        close(fit.interval(1)[1], 0.000_637_589_046, 1e-10);
        // sm.OLS
        let fit = least_squares(&rows([1.0; 6])).unwrap();
        close(fit.coefficients[1], 0.000_384_039_900, 1e-12);
        close(fit.errors[1], 0.000_107_163_483, 1e-12);
    }

    #[test]
    fn columns_that_depend_on_each_other_have_no_fit() {
        let mut rows = rows([1.0; 6]);
        rows.iter_mut().for_each(|row| row.x.push(3.0 - 2.0 * row.x[1]));
        assert_eq!(least_squares(&rows), None);
        assert_eq!(least_squares(&rows[..3]), None);
        assert_eq!(least_squares(&[]), None);
    }
}
