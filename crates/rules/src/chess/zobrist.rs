//! Random numbers that make up the keys, drawn at compile time.

/// The numbers of everything that makes positions the same.
pub(super) struct Keys {
    /// `[cell][square]`; the empty cell's are zero, so that a capture needs no branch.
    pub pieces: [[u64; 64]; 16],
    /// `[color][square]` of catapults.
    pub catapults: [[u64; 64]; 2],
    /// `[square]` of catapults that have not moved yet.
    pub fresh: [u64; 64],
    /// `[set of rights]`.
    pub castling: [u64; 16],
    /// `[square]`, the last entry (zero) for none.
    pub en_passant: [u64; 65],
    /// Black to move.
    pub side: u64,
    /// `[packed counts]` of catapults still to be placed; zero for none.
    pub to_place: [u64; 256],
}

/// SplitMix64: the n-th number of the stream.
const fn random(n: u64) -> u64 {
    let mut z = (n.wrapping_add(1)).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x5eed_ca7a_9017);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn fill<const N: usize>(base: u64) -> [u64; N] {
    let mut row = [0; N];
    let mut i = 0;
    while i < N {
        row[i] = random(base + i as u64);
        i += 1;
    }
    row
}

const fn keys() -> Keys {
    let mut pieces = [[0; 64]; 16];
    let mut cell = 0;
    while cell < 16 {
        if cell & 7 != 0 && cell & 7 != 7 {
            pieces[cell] = fill(cell as u64 * 64);
        }
        cell += 1;
    }
    let mut en_passant: [u64; 65] = fill(0x2000);
    en_passant[64] = 0;
    let mut castling: [u64; 16] = [0; 16];
    let mut set = 0;
    while set < 16 {
        let mut right = 0;
        while right < 4 {
            if set >> right & 1 != 0 {
                castling[set] ^= random(0x3000 + right);
            }
            right += 1;
        }
        set += 1;
    }
    let mut to_place: [u64; 256] = fill(0x4000);
    to_place[0] = 0;
    Keys {
        pieces,
        catapults: [fill(0x1000), fill(0x1100)],
        fresh: fill(0x1200),
        castling,
        en_passant,
        side: random(0x5000),
        to_place,
    }
}

pub(super) static KEYS: Keys = keys();
