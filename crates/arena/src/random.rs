//! Random numbers whose order is frozen: with them the openings and anchors of all matches.

use catapult_seeds::Stream;
use rand_pcg::Pcg64Mcg;

/// The random numbers of a seed.
pub(crate) fn numbers(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::new(u128::from(seed) << 64 | u128::from(Stream::LowerHalf.seed(seed)))
}
