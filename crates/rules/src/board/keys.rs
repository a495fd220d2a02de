//! Random numbers of everything that makes positions the same.

use super::{Cell, PerSquare};
use crate::board::random::{fill, of_sets, random};

pub(super) struct Keys<const F: usize, const R: usize> {
    /// By cell; the empty cell's are zero, so that a capture needs no branch.
    pieces: [PerSquare<u64, F, R>; 32],
    /// By set of rights.
    pub castling: [u64; 16],
    pub rights: [u64; 16],
    pub en_passant: PerSquare<u64, F, R>,
    /// Black to move.
    pub side: u64,
}

impl<const F: usize, const R: usize> Keys<F, R> {
    /// Drawn from the stream's number `first` on.
    pub(super) const fn drawn(first: u64) -> Self {
        let mut pieces = [PerSquare([[0; F]; R]); 32];
        let mut cell = 1;
        while cell < 32 {
            pieces[cell] = per_square(first + (cell * F * R) as u64);
            cell += 1;
        }
        Keys {
            pieces,
            castling: of_sets(first + 0x3000),
            rights: of_sets(first + 0x4000),
            en_passant: per_square(first + 0x5000),
            side: random(first + 0x6000),
        }
    }

    #[inline(always)]
    pub(super) fn pieces(&self, cell: Cell) -> &PerSquare<u64, F, R> {
        &self.pieces[cell.0 as usize]
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
