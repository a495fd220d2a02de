//! Seeds of random streams.

/// The random streams of a run: each has a seed of its own in every generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// The games of the shard with this number.
    Shard(u32),
    /// What the learner draws: the order of its rows, and which of them are mirrored.
    Learner,
}

impl Stream {
    /// Its seed, a function of the run's seed and the generation.
    pub fn seed(self, run: u64, generation: u32) -> u64 {
        let number = match self {
            Stream::Shard(number) => number,
            // No shard has it.
            Stream::Learner => u32::MAX,
        };
        mix(mix(run, u64::from(generation)), u64::from(number))
    }
}

/// Mixes a number into a seed (the finaliser of splitmix64, Steele et al. 2014).
pub fn mix(seed: u64, number: u64) -> u64 {
    let mut z = seed.rotate_left(23) ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
