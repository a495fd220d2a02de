//! Student's and the normal distribution.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// P(Z <= x) of a standard normal Z.
pub fn normal_cdf(x: f64) -> f64 {
    Normal::standard().cdf(x)
}

/// Two-sided p-value of a standard normal statistic.
pub fn normal_p(z: f64) -> f64 {
    2.0 * normal_cdf(-z.abs())
}

/// Student's distribution with `df` degrees of freedom.
fn student(df: f64) -> StudentsT {
    StudentsT::new(0.0, 1.0, df).expect("degrees of freedom are above 0")
}

/// P(T <= x) of Student's T. `df` is above 0 and need not be whole.
pub fn student_cdf(x: f64, df: f64) -> f64 {
    student(df).cdf(x)
}

/// The p-quantile of Student's T.
pub fn student_quantile(p: f64, df: f64) -> f64 {
    student(df).inverse_cdf(p)
}

/// Two-sided p-value of Student's statistic.
pub fn student_p(t: f64, df: f64) -> f64 {
    2.0 * student_cdf(-t.abs(), df)
}
