//! Student's t, normal and chi-squared distributions.

use statrs::distribution::{ChiSquared, ContinuousCDF, Normal, StudentsT};

/// Returns P(Z <= x) of a standard normal Z.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    Normal::standard().cdf(x)
}

/// Returns the two-sided p-value of `z`, a statistic with a standard normal distribution.
pub(crate) fn normal_p(z: f64) -> f64 {
    2.0 * normal_cdf(-z.abs())
}

/// Returns the p-quantile of the standard normal distribution.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p)
}

/// Returns the p-quantile of the chi-squared distribution with `df` degrees of freedom. `df` must
/// be above 0 and may be a fraction.
#[allow(clippy::expect_used)]
pub(crate) fn chi_squared_quantile(p: f64, df: f64) -> f64 {
    ChiSquared::new(df).expect("degrees of freedom are above 0").inverse_cdf(p)
}

/// Returns P(X >= x) for a chi-squared variable X with `df` degrees of freedom. `df` must be above
/// 0.
#[allow(clippy::expect_used)]
pub(crate) fn chi_squared_p(x: f64, df: f64) -> f64 {
    ChiSquared::new(df).expect("degrees of freedom are above 0").sf(x)
}

/// Returns Student's t distribution with `df` degrees of freedom. `df` must be above 0 and may be a
/// fraction.
#[allow(clippy::expect_used)]
fn student(df: f64) -> StudentsT {
    StudentsT::new(0.0, 1.0, df).expect("degrees of freedom are above 0")
}

/// Returns the p-quantile of Student's t distribution with `df` degrees of freedom. `df` must be
/// above 0.
pub fn student_quantile(p: f64, df: f64) -> f64 {
    student(df).inverse_cdf(p)
}

/// Returns the two-sided p-value of Student's statistic `t` with `df` degrees of freedom.
pub(crate) fn student_p(t: f64, df: f64) -> f64 {
    2.0 * student(df).cdf(-t.abs())
}

#[cfg(test)]
mod tests {
    use super::super::testing::close;
    use super::*;

    #[test]
    fn quantiles_are_those_of_scipy() {
        // scipy.stats.chi2.ppf(p, df), scipy.stats.norm.ppf(.8)
        for (p, df, expected) in [
            (0.025, 2.0, 0.050_635_616),
            (0.975, 2.0, 7.377_758_908),
            (0.025, 3.7, 0.394_576_88),
            (0.975, 3.7, 10.618_055_25),
            (0.025, 11.0, 3.815_748_252),
            (0.975, 11.0, 21.920_049_261),
        ] {
            close(chi_squared_quantile(p, df), expected, 1e-7);
        }
        close(normal_quantile(0.8), 0.841_621_234, 1e-8);
    }
}
