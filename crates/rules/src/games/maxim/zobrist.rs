//! Random numbers that make up the keys, drawn at compile time.

use crate::board::random::{fill, random};

/// The phase in which a piece is moved; lower numbers are the square of a pair's first portal.
pub(super) const TO_MOVE: u8 = 64;
/// The phase in which the first portal of a pair is chosen, or none.
pub(super) const TO_DECLARE: u8 = 65;

/// The numbers of everything that makes positions the same.
pub(super) struct Keys {
    /// `[layer][side and kind][square]`: the earlier or only occupant, then the later one. Nothing has the number 0.
    pub pieces: [[[u64; 64]; 16]; 2],
    /// `[side][square]`.
    pub portals: [[u64; 64]; 2],
    /// `[square]`, the last entry (zero) for none.
    pub en_passant: [u64; 65],
    /// `[phase]`: the square of a pair's first portal, then a move (zero), then a pair's first portal being chosen.
    pub phases: [u64; 66],
    /// Black to move.
    pub side: u64,
}

const fn keys() -> Keys {
    let mut pieces = [[[0; 64]; 16]; 2];
    let mut layer = 0;
    while layer < 2 {
        let mut cell = 0;
        while cell < 16 {
            if cell & 7 != 0 && cell & 7 != 7 {
                pieces[layer][cell] = fill(0x0001_0000 + layer as u64 * 0x400 + cell as u64 * 64);
            }
            cell += 1;
        }
        layer += 1;
    }
    let mut en_passant: [u64; 65] = fill(0x0001_2000);
    en_passant[64] = 0;
    let mut phases: [u64; 66] = fill(0x0001_3000);
    phases[TO_MOVE as usize] = 0;
    Keys {
        pieces,
        portals: [fill(0x0001_4000), fill(0x0001_4100)],
        en_passant,
        phases,
        side: random(0x0001_5000),
    }
}

pub(super) static KEYS: Keys = keys();
