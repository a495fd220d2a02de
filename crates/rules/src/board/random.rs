//! Random numbers for Zobrist keys, computed at compile time.

/// Returns number `n`, from 0, of the SplitMix64 stream with a fixed seed.
pub(super) const fn random(n: u64) -> u64 {
    let mut z = (n.wrapping_add(1)).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x5eed_ca7a_9017);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns `N` consecutive numbers of the stream, starting with number `base`.
pub(super) const fn fill<const N: usize>(base: u64) -> [u64; N] {
    let mut row = [0; N];
    let mut i = 0;
    while i < N {
        row[i] = random(base + i as u64);
        i += 1;
    }
    row
}

/// Returns the Zobrist keys of all sets of rights, indexed by the bits of the set. A set's key is
/// the exclusive or of its members' keys. Member `i` has number `base + i` of the stream as its
/// key.
pub(super) const fn of_sets<const N: usize>(base: u64) -> [u64; N] {
    let mut row = [0; N];
    let mut set = 0;
    while set < N {
        let mut rest = set;
        while rest != 0 {
            row[set] ^= random(base + rest.trailing_zeros() as u64);
            rest &= rest - 1;
        }
        set += 1;
    }
    row
}
