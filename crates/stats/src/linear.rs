//! Small symmetric systems of linear equations.

/// Linear equations of a regression: a symmetric matrix, stored in full and by rows, and the
/// right-hand side.
#[derive(Clone, Debug)]
pub(super) struct Equations {
    pub right: Vec<f64>,
    matrix: Vec<f64>,
}

impl Equations {
    pub(super) fn zero(columns: usize) -> Equations {
        Equations { right: vec![0.0; columns], matrix: vec![0.0; columns * columns] }
    }

    /// Adds `right` times x to the right-hand side, and `weight` times the outer product of x with
    /// itself to the matrix. `right` includes the weight.
    pub(super) fn add_row(&mut self, x: &[f64], right: f64, weight: f64) {
        for (sum, a) in self.right.iter_mut().zip(x) {
            *sum += right * a;
        }
        for (row, a) in self.matrix.chunks_exact_mut(x.len()).zip(x) {
            for (entry, b) in row.iter_mut().zip(x) {
                *entry += weight * a * b;
            }
        }
    }

    pub(super) fn add(&mut self, other: &Equations) {
        for (sums, others) in [(&mut self.right, &other.right), (&mut self.matrix, &other.matrix)] {
            for (a, b) in sums.iter_mut().zip(others) {
                *a += b;
            }
        }
    }

    /// Returns the matrix's Cholesky factor. `None` if the matrix is not positive definite to about
    /// ten digits.
    pub(super) fn factor(&self) -> Option<Cholesky> {
        Cholesky::new(self.right.len(), self.matrix.clone(), 1e-10)
    }
}

/// Cholesky factor of a matrix: a lower triangular matrix, by rows. Entries above the diagonal are
/// not used.
#[derive(Clone, Debug)]
pub struct Cholesky {
    size: usize,
    lower: Vec<f64>,
}

impl Cholesky {
    /// Factors a `size` x `size` matrix, given by rows. Only the lower triangle is read. Returns
    /// `None` if a pivot is at most `tolerance` times its entry of the diagonal. With a tolerance
    /// of 0, every positive pivot is accepted.
    pub fn new(size: usize, mut matrix: Vec<f64>, tolerance: f64) -> Option<Cholesky> {
        for row in 0..size {
            for column in 0..=row {
                let dot: f64 = (0..column).map(|k| matrix[row * size + k] * matrix[column * size + k]).sum();
                let rest = matrix[row * size + column] - dot;
                matrix[row * size + column] = if row > column {
                    rest / matrix[column * size + column]
                } else if rest > (tolerance * matrix[row * size + row]).max(0.0) {
                    rest.sqrt()
                } else {
                    return None;
                };
            }
        }
        Some(Cholesky { size, lower: matrix })
    }

    /// Returns the solution x of A x = `right`, where A is the factored matrix.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let at = |row: usize, column: usize| self.lower[row * self.size + column];
        let mut x = right.to_vec();
        for row in 0..self.size {
            let known: f64 = (0..row).map(|k| at(row, k) * x[k]).sum();
            x[row] = (x[row] - known) / at(row, row);
        }
        for row in (0..self.size).rev() {
            let known: f64 = (row + 1..self.size).map(|k| at(k, row) * x[k]).sum();
            x[row] = (x[row] - known) / at(row, row);
        }
        x
    }

    /// Returns the inverse of the factored matrix, by rows.
    pub fn inverse(&self) -> Vec<Vec<f64>> {
        let unit = |i| {
            let mut unit = vec![0.0; self.size];
            unit[i] = 1.0;
            self.solve(&unit)
        };
        (0..self.size).map(unit).collect()
    }
}

/// Returns the dot product of x and y.
pub(super) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_solved_and_indefinite_ones_refused() {
        // Times (1, -2, 3): 4 - 4 + 3 = 3, 2 - 10 + 3 = -5, 1 - 2 + 9 = 8.
        let matrix = vec![4.0, 2.0, 1.0, 2.0, 5.0, 1.0, 1.0, 1.0, 3.0];
        let factor = Cholesky::new(3, matrix.clone(), 0.0).unwrap();
        for (found, expected) in factor.solve(&[3.0, -5.0, 8.0]).iter().zip([1.0, -2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-12, "{found}");
        }
        // The matrix times a column of its inverse is a unit vector.
        for (at, column) in factor.inverse().iter().enumerate() {
            for (row, values) in matrix.chunks(3).enumerate() {
                let product: f64 = values.iter().zip(column).map(|(a, b)| a * b).sum();
                assert!((product - f64::from(u8::from(row == at))).abs() < 1e-12);
            }
        }
        assert!(Cholesky::new(2, vec![1.0, 2.0, 2.0, 1.0], 0.0).is_none());
        // The second pivot is 4e-12.
        let nearly = vec![1.0, 1.0, 1.0, 1.0 + 4e-12];
        assert!(Cholesky::new(2, nearly.clone(), 0.0).is_some());
        assert!(Cholesky::new(2, nearly, 1e-10).is_none());
    }
}
