//! Random numbers that make up the keys, drawn at compile time.

use crate::board::random::{fill, of_sets, random};

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
    let mut to_place: [u64; 256] = fill(0x4000);
    to_place[0] = 0;
    Keys {
        pieces,
        catapults: [fill(0x1000), fill(0x1100)],
        fresh: fill(0x1200),
        castling: of_sets(0x3000),
        en_passant,
        side: random(0x5000),
        to_place,
    }
}

pub(super) static KEYS: Keys = keys();
