//! Statistics of matches ([`Pentanomial`]) and of a study's games: estimates with intervals,
//! differences, tests and fits.
//!
//! Games are not independent. Games of one network resemble each other, and so do its games from
//! one opening. Every estimate therefore has two 95 % intervals:
//!
//! * *For these networks*: the networks are fixed. Only their openings and games are random.
//! * *For other seeds*: the networks are a random sample of all training seeds. The interval
//!   describes other networks trained in the same way. See [`Evidence::new`].
//!
//! Contents:
//!
//! * [`share`], [`ratio`], [`rate`], [`mean`], [`evidence`](fn@evidence): metrics of a sample's
//!   games ([`Clustered`])
//! * [`contrast`](fn@contrast), [`combination`](fn@combination): differences
//! * [`benjamini_hochberg`], [`power`](fn@power), [`seeds_needed`]: tests and
//!   power
//! * [`least_squares`], [`tanh_evidence`]: fits
//!
//! ```
//! use catapult_stats::{Pentanomial, benjamini_hochberg};
//!
//! // Pairs of games, by the player's half points out of four.
//! let mut pairs = Pentanomial::default();
//! for half_points in [4, 4, 3, 2, 2, 4, 3, 1] {
//!     pairs.add(half_points);
//! }
//! assert_eq!(pairs.pairs(), 8);
//! let score = pairs.score();
//! assert!(score.low < score.value && score.value < score.high && score.value == 23.0 / 32.0);
//! // The smallest of three p-values is multiplied by three.
//! let adjusted = benjamini_hochberg(&[Some(0.01), Some(0.5), Some(0.9)]);
//! assert!((adjusted[0].unwrap() - 0.03).abs() < 1e-12);
//! ```

mod bootstrap;
mod clustered;
mod combination;
mod contrast;
mod difference;
mod estimate;
mod evidence;
mod linear;
mod multiple;
mod pentanomial;
mod power;
mod ratio;
mod regression;
mod seeds;
mod student;
mod tanh;

pub use bootstrap::{Resampling, evidence};
pub use clustered::Clustered;
pub use combination::{Term, combination, inside, leave_one_out};
pub use contrast::contrast;
pub use difference::{Difference, interval_for_the_rule, interval_for_these_networks, welch};
pub use estimate::{Estimate, NetworkValue, SeedEffect, SeedsNeeded, WithoutSeed};
pub use evidence::{Evidence, error_of, jackknife_of};
pub use linear::Cholesky;
pub use multiple::benjamini_hochberg;
pub use pentanomial::{
    Decision, EloScale, Interval, Pentanomial, Sprt, Z95, elo_of_score, score_of_elo, wilson,
};
pub use power::{Criterion, Scatter, harmonic_mean, power, seeds_needed};
pub use ratio::{mean, rate, ratio, share};
pub use regression::{Fit, Row, least_squares};
pub use seeds::{SeedVariance, seed_variance};
pub use tanh::{tanh_evidence, tanh_regression};

#[doc(hidden)]
pub mod testing;
