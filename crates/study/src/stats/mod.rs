//! Statistics of a study's games: estimates with intervals, differences, tests, fits.
//!
//! Games are clustered: those of one network, and among them those of one opening, are alike. So every estimate has
//! two intervals. *For these agents* the networks are fixed and openings are resampled, with their games. *For the
//! rule* another training seed might have come out otherwise, and networks are what is sampled; see
//! [`Evidence::new`].
//!
//! * [`share`], [`ratio`], [`mean`], [`evidence`](fn@evidence): a metric of a sample's games ([`Clustered`])
//! * [`contrast`], [`against`], [`benjamini_hochberg`], [`power`](fn@power), [`equivalence`](fn@equivalence): differences
//! * [`Posterior`]: win, draw and loss
//! * [`least_squares`], [`tanh_evidence`], [`Isotonic`]: fits; [`Clustered::on_others`] fits on other games
//! * [`martingale`]: what chance does by itself

mod bootstrap;
mod calibration;
mod clustered;
mod contrast;
mod dirichlet;
mod equivalence;
mod evidence;
mod linear;
pub mod martingale;
mod multiple;
mod power;
mod ratio;
mod regression;
mod student;
mod tanh;

pub use bootstrap::{Resampling, evidence};
pub use calibration::Isotonic;
pub use clustered::Clustered;
pub(crate) use contrast::welch;
pub use contrast::{Difference, Pairing, against, contrast};
pub use dirichlet::{Posterior, Prior, decisiveness, white_score};
pub use equivalence::equivalence;
pub use evidence::Evidence;
pub(crate) use evidence::{error_of, jackknife_of};
pub use multiple::benjamini_hochberg;
pub use power::{networks_needed, power};
pub use ratio::{mean, ratio, share};
pub use regression::{Fit, Row, least_squares};
pub use tanh::{Loss, tanh_evidence, tanh_regression};

#[cfg(test)]
pub(crate) mod testing;
