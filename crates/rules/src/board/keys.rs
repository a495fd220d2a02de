//! Zobrist keys of everything that distinguishes positions, computed at compile time.

use super::random::{fill, of_sets, random};
use super::{Cell, PerSquare, Square};

/// Places of a game's keys in the stream of [random numbers](random). Stored files depend on the
/// keys, so these values must not change.
pub(crate) struct KeyLayout {
    /// Index of the game's first key in the stream.
    pub first: u64,
    /// Distance that each bit of a [`Cell`] adds to the index of the cell's keys. The unit is the
    /// number of squares of the board.
    pub cell: [u64; 5],
    /// Index of the first en-passant key, relative to `first`. The indices below are relative to
    /// `first` too.
    pub en_passant: u64,
    pub side: u64,
    pub rights: Rights,
    /// Indices of the first keys of the sets of squares that only this game has.
    pub marks: [u64; 3],
}

/// Keys of the game-specific rights.
#[derive(Clone, Copy)]
pub(crate) enum Rights {
    /// The rights are a set of bits. Each bit has a key. The value is the index of the first key.
    Bits(u64),
    /// The rights are one value. Each value has a key, starting at index `first`. The key of the
    /// value `nothing` is 0.
    Values { first: u64, nothing: u8 },
}

pub(super) struct Keys<const F: usize, const R: usize> {
    /// Keys by contents of a square. The empty square's keys are zero, so a capture needs no
    /// branch.
    pieces: [PerSquare<u64, F, R>; 32],
    /// Keys by set of castling rights.
    pub castling: [u64; 16],
    pub rights: [u64; 256],
    /// Keys by index of the en-passant square. The key of "no square" is zero.
    pub en_passant: [u64; 256],
    /// Key of the side to move if it is Black.
    pub side: u64,
    pub marks: [PerSquare<u64, F, R>; 3],
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
        let [a, b, c] = layout.marks;
        Keys {
            pieces,
            castling: of_sets(layout.first + 0x3000),
            rights,
            en_passant,
            side: random(layout.first + layout.side),
            marks: [per_square(layout.first + a), per_square(layout.first + b), per_square(layout.first + c)],
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
