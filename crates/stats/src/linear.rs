//! Small symmetric systems of linear equations.

/// A symmetric matrix, stored in full and in row-major order. Only positive definite matrices can
/// be solved.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Symmetric {
    size: usize,
    entries: Vec<f64>,
}

impl Symmetric {
    pub(crate) fn zero(size: usize) -> Symmetric {
        Symmetric { size, entries: vec![0.0; size * size] }
    }

    /// Adds `weight` times the outer product of x with itself.
    pub(crate) fn add_square(&mut self, x: &[f64], weight: f64) {
        for (row, a) in self.entries.chunks_exact_mut(self.size).zip(x) {
            for (entry, b) in row.iter_mut().zip(x) {
                *entry += weight * a * b;
            }
        }
    }

    pub(crate) fn add(&mut self, other: &Symmetric) {
        for (a, b) in self.entries.iter_mut().zip(&other.entries) {
            *a += b;
        }
    }

    /// Returns the lower triangular matrix L, in row-major order, for which L times its transpose
    /// is this matrix. `None` if this matrix is not positive definite to about ten digits.
    fn cholesky(&self) -> Option<Vec<f64>> {
        let n = self.size;
        let mut lower = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let dot: f64 = (0..j).map(|k| lower[i * n + k] * lower[j * n + k]).sum();
                let rest = self.entries[i * n + j] - dot;
                lower[i * n + j] = if i != j {
                    rest / lower[j * n + j]
                } else if rest > 1e-10 * self.entries[i * n + i] {
                    rest.sqrt()
                } else {
                    return None;
                };
            }
        }
        Some(lower)
    }

    /// Returns the solution x of A x = b, for this matrix A. `None` if A is not positive definite.
    pub(crate) fn solve(&self, b: &[f64]) -> Option<Vec<f64>> {
        let (n, lower) = (self.size, self.cholesky()?);
        let mut x = b.to_vec();
        for i in 0..n {
            let known: f64 = (0..i).map(|k| lower[i * n + k] * x[k]).sum();
            x[i] = (x[i] - known) / lower[i * n + i];
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| lower[k * n + i] * x[k]).sum();
            x[i] = (x[i] - known) / lower[i * n + i];
        }
        Some(x)
    }

    /// Returns the diagonal of the inverse matrix. `None` if this matrix is not positive definite.
    pub(crate) fn inverse_diagonal(&self) -> Option<Vec<f64>> {
        (0..self.size)
            .map(|i| {
                let unit: Vec<f64> = (0..self.size).map(|j| f64::from(i == j)).collect();
                Some(self.solve(&unit)?[i])
            })
            .collect()
    }
}

/// Returns the dot product of x and y.
pub(super) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}
