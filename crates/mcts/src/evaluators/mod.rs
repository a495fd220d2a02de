//! Evaluators without a network, for tests, benchmarks and first generations.

mod hash_random;
mod material;
mod uniform;

pub use hash_random::HashRandom;
pub use material::Material;
pub use uniform::Uniform;

/// Expected plies left in every evaluation; `HashRandom` varies around it.
const MOVES_LEFT: f32 = 50.0;
