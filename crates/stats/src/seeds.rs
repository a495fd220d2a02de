//! Variance between networks of different training seeds.

use super::evidence::FEWEST_NETWORKS;
use super::student::chi_squared_p;

/// Variance between the values of networks with different training seeds. It is compared with the
/// variance that a finite number of games alone would cause.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SeedVariance {
    /// Sample variance of the networks' values.
    pub between: f64,
    /// Mean squared standard error of the networks' values: the variance that a finite number of
    /// games alone would cause.
    pub within: f64,
    /// Probability of at least the variance `between` if all networks were equal (chi-squared
    /// test).
    pub p: f64,
}

/// Returns the variance between networks. `values` contains one pair per network: its value and the
/// standard error of the value.
///
/// `None` with fewer than three networks, or if all standard errors are 0.
pub fn seed_variance(values: &[(f64, f64)]) -> Option<SeedVariance> {
    if values.len() < FEWEST_NETWORKS {
        return None;
    }
    let n = values.len() as f64;
    let mean = values.iter().map(|(value, _)| value).sum::<f64>() / n;
    let squares = values.iter().map(|(value, _)| (value - mean).powi(2)).sum::<f64>();
    let within = values.iter().map(|(_, error)| error * error).sum::<f64>() / n;
    let p = (within > 0.0).then(|| chi_squared_p(squares / within, n - 1.0))?;
    Some(SeedVariance { between: squares / (n - 1.0), within, p })
}

#[cfg(test)]
mod tests {
    use super::super::testing::close;
    use super::*;

    #[test]
    fn variance_is_compared_with_the_mean_squared_error() {
        // scipy.stats.chi2.sf(8, 2)
        let found = seed_variance(&[(1.0, 0.5), (2.0, 0.5), (3.0, 0.5)]).unwrap();
        assert_eq!((found.between, found.within), (1.0, 0.25));
        close(found.p, 0.018_315_639, 1e-8);
        assert_eq!(seed_variance(&[(1.0, 0.5), (2.0, 0.5)]), None);
        assert_eq!(seed_variance(&[(1.0, 0.0); 3]), None);
    }
}
