//! Zobrist keys of everything that distinguishes positions, computed at compile time.

use super::random::{fill, of_sets, random};
use super::{Cell, PerSquare, Square};

/// Indices of a game's Zobrist keys in the stream of [random numbers](random). Stored files depend
/// on the keys, so these values must not change.
pub(crate) struct KeyLayout {
    /// Index of the game's first Zobrist key in the stream of random numbers.
    pub first: u64,
    /// Offsets of the keys of pieces, one per bit of a [`Cell`], in units of the board's number of
    /// squares. The first key of a cell is at `first` plus the offsets of its set bits.
    pub cell: [u64; 5],
    /// Index of the first en-passant key, relative to `first`. The indices below are relative to
    /// `first` too.
    pub en_passant: u64,
    pub side: u64,
    pub rights: Rights,
    /// Indices of the first keys of the game-specific sets of squares, one index per set.
    pub marks: [u64; 4],
}

/// Layout of the Zobrist keys of the game-specific rights.
#[derive(Clone, Copy)]
pub(crate) enum Rights {
    /// The rights are a set of bits, and each bit has a key. The number is the index of the first
    /// key.
    Bits(u64),
    /// The rights are one number from 0 to 255, and each number has a key. Index `first` is the key
    /// of 0. The number `nothing` has the key 0 instead.
    Values { first: u64, nothing: u8 },
}

pub(super) struct Keys<const F: usize, const R: usize> {
    /// Keys of squares by their contents, indexed by [`Cell`]. The keys of empty squares are zero,
    /// so a capture needs no branch.
    pieces: [PerSquare<u64, F, R>; 32],
    /// Keys of castling rights, indexed by the set of rights as bits.
    pub castling: [u64; 16],
    pub rights: [u64; 256],
    /// Keys of the en-passant square, by its index. The key is zero if there is no such square.
    pub en_passant: [u64; 256],
    /// Key that is part of a position's key if Black is to move.
    pub side: u64,
    pub marks: [PerSquare<u64, F, R>; 4],
}

impl<const F: usize, const R: usize> Keys<F, R> {
    pub(super) const fn new(layout: &KeyLayout) -> Self {
        let mut pieces = [PerSquare([[0; F]; R]); 32];
        let mut cell = 1;
        while cell < 32 {
            let (mut boards, mut bit) = (0, 0);
            while bit < 5 {
                boards += layout.cell[bit] * (cell as u64 >> bit & 1);
                bit += 1;
            }
            pieces[cell] = per_square(layout.first + boards * (F * R) as u64);
            cell += 1;
        }
        let mut en_passant = [0; 256];
        let mut index = 0;
        while index < Square::<F, R>::COUNT {
            en_passant[index] = random(layout.first + layout.en_passant + index as u64);
            index += 1;
        }
        let rights = match layout.rights {
            Rights::Bits(first) => of_sets(layout.first + first),
            Rights::Values { first, nothing } => {
                let mut rights: [u64; 256] = fill(layout.first + first);
                rights[nothing as usize] = 0;
                rights
            }
        };
        let [a, b, c, d] = layout.marks;
        Keys {
            pieces,
            castling: of_sets(layout.first + 0x3000),
            rights,
            en_passant,
            side: random(layout.first + layout.side),
            marks: [
                per_square(layout.first + a),
                per_square(layout.first + b),
                per_square(layout.first + c),
                per_square(layout.first + d),
            ],
        }
    }

    #[inline(always)]
    pub(super) fn pieces(&self, cell: Cell) -> &PerSquare<u64, F, R> {
        &self.pieces[cell.0 as usize & 31]
    }
}

const fn per_square<const F: usize, const R: usize>(first: u64) -> PerSquare<u64, F, R> {
    let mut rows = [[0; F]; R];
    let mut rank = 0;
    while rank < R {
        rows[rank] = fill(first + (rank * F) as u64);
        rank += 1;
    }
    PerSquare(rows)
}
