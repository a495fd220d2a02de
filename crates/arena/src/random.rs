//! Random numbers with a frozen sequence. Openings and anchors depend on this sequence.

use catapult_seeds::Stream;
use rand_pcg::Pcg64Mcg;

/// Returns the random number generator of a seed.
pub(crate) fn numbers(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::new(u128::from(seed) << 64 | u128::from(Stream::LowerHalf.seed(seed)))
}
