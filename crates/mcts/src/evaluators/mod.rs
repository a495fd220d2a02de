//! Evaluators without a network, for tests, benchmarks and the first generation of self-play.

mod hash_random;
mod material;
mod uniform;

pub use hash_random::HashRandom;
pub use material::Material;
pub use uniform::Uniform;

/// Expected plies left in every evaluation. [`HashRandom`] scales it by a factor from 0.5 to 1.5.
const MOVES_LEFT: f32 = 50.0;
