//! Seeds of shards and games.

/// The seed of one shard, a function of the run's seed, the generation and the shard's number.
pub fn shard_seed(seed: u64, generation: u32, shard: u32) -> u64 {
    mix(mix(seed, u64::from(generation)), u64::from(shard))
}

/// Mixes a number into a seed (the finaliser of splitmix64, Steele et al. 2014).
pub(crate) fn mix(seed: u64, number: u64) -> u64 {
    let mut z = seed.rotate_left(23) ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
