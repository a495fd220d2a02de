//! Evaluators that need no network, for tests, benches and first generations.

mod hash_random;
mod material;
mod uniform;

pub use hash_random::HashRandom;
pub use material::Material;
pub use uniform::Uniform;

/// What all of them say about the length of a game, in plies.
const MOVES_LEFT: f32 = 50.0;
