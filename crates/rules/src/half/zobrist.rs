//! Random numbers that make up the keys, drawn at compile time.

use crate::keys::{fill, of_sets, random};

/// The numbers of everything that makes positions the same.
pub(super) struct Keys {
    /// `[cell][square]`; the empty cell's are zero, so that a capture needs no branch.
    pub pieces: [[u64; 144]; 32],
    /// `[set of rights]`.
    pub castling: [u64; 16],
    /// `[set of knights]` that have never moved.
    pub unmoved: [u64; 16],
    /// `[square]` of the pawn that can be captured in passing.
    pub passed: [u64; 144],
    /// Black to move.
    pub side: u64,
}

const fn keys() -> Keys {
    let mut pieces = [[0; 144]; 32];
    let mut cell = 0;
    while cell < 32 {
        if 1 <= cell & 15 && cell & 15 <= 10 {
            pieces[cell] = fill(0x1_0000 + cell as u64 * 144);
        }
        cell += 1;
    }
    Keys {
        pieces,
        castling: of_sets(0x1_3000),
        unmoved: of_sets(0x1_4000),
        passed: fill(0x1_5000),
        side: random(0x1_6000),
    }
}

pub(super) static KEYS: Keys = keys();
