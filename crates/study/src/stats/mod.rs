//! Statistics of a study's games: estimates with intervals, differences, tests.
//!
//! Games are clustered: those of one network, and among them those of one opening, are alike. So every estimate has
//! two intervals. *For these agents* the networks are fixed and openings are resampled, with their games. *For the
//! rule* another training seed might have come out otherwise, and networks are what is sampled; see [`evidence`](fn@evidence).

mod clustered;
mod contrast;
mod evidence;
mod ratio;
mod student;

pub use clustered::Clustered;
pub use contrast::{Difference, Pairing, against, contrast};
pub use evidence::{Evidence, Resampling, estimate, evidence};
pub use ratio::{mean, ratio, share};
