//! Seeds derived from seeds.

use rand_pcg::Pcg64Mcg;

/// One seed out of several numbers: every change of any of them, or of their order, gives an unrelated seed
/// (the finaliser of SplitMix64, Steele et al. 2014, chained).
pub(crate) fn mix(parts: &[u64]) -> u64 {
    parts.iter().fold(0, |state: u64, &part| {
        let mut z = (state ^ part).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

/// The random streams of a match, each with a seed of its own.
#[derive(Clone, Copy)]
pub(crate) enum Stream {
    /// Of a match: its openings.
    Openings,
    /// Of a match: the game with this number.
    Game(usize),
    /// Of a game: the turn at this ply.
    Turn(usize),
    /// Of a turn: whether a weakened player plays anything at all. Those that pick among moves use the turn's seed itself.
    Blunder,
}

impl Stream {
    /// Its seed within a match's, a game's or a turn's.
    pub(crate) fn seed(self, of: u64) -> u64 {
        match self {
            Stream::Openings => mix(&[of, 0]),
            Stream::Game(number) => mix(&[of, 1, number as u64]),
            Stream::Turn(ply) => mix(&[of, ply as u64]),
            Stream::Blunder => mix(&[of, 2]),
        }
    }
}

/// A random stream of its own for these numbers.
pub(crate) fn stream(parts: &[u64]) -> Pcg64Mcg {
    Pcg64Mcg::new((mix(parts) as u128) << 64 | mix(&[mix(parts), 1]) as u128)
}
