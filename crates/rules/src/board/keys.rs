//! Random numbers of everything that makes positions the same, drawn at compile time.

use super::random::{fill, of_sets, random};
use super::{Cell, PerSquare, Square};

/// Where in the stream of random numbers those of a game begin. They are part of what is written down of games: they stay.
pub(crate) struct Draws {
    /// Those of what stands on the squares.
    pub first: u64,
    /// By how many boards' squares each bit of a [`Cell`] moves on from there.
    pub cell: [u64; 5],
    /// From `first` on, as the following.
    pub en_passant: u64,
    pub side: u64,
    pub rights: Rights,
    /// Sets of squares that only this game has.
    pub marks: [u64; 3],
}

/// What a game's own rights are to its key.
#[derive(Clone, Copy)]
pub(crate) enum Rights {
    /// Bits, a number each.
    Bits(u64),
    /// Values, a number each but for the one that stands for nothing.
    Values { first: u64, nothing: u8 },
}

pub(super) struct Keys<const F: usize, const R: usize> {
    /// By cell; the empty cell's are zero, so that a capture needs no branch.
    pieces: [PerSquare<u64, F, R>; 32],
    /// By set of rights.
    pub castling: [u64; 16],
    pub rights: [u64; 256],
    /// By square, zero for whatever is none.
    pub en_passant: [u64; 256],
    /// Black to move.
    pub side: u64,
    pub marks: [PerSquare<u64, F, R>; 3],
}

impl<const F: usize, const R: usize> Keys<F, R> {
    pub(super) const fn drawn(draws: &Draws) -> Self {
        let mut pieces = [PerSquare([[0; F]; R]); 32];
        let mut cell = 1;
        while cell < 32 {
            let (mut boards, mut bit) = (0, 0);
            while bit < 5 {
                boards += draws.cell[bit] * (cell as u64 >> bit & 1);
                bit += 1;
            }
            pieces[cell] = per_square(draws.first + boards * (F * R) as u64);
            cell += 1;
        }
        let mut en_passant = [0; 256];
        let mut index = 0;
        while index < Square::<F, R>::COUNT {
            en_passant[index] = random(draws.first + draws.en_passant + index as u64);
            index += 1;
        }
        let rights = match draws.rights {
            Rights::Bits(first) => of_sets(draws.first + first),
            Rights::Values { first, nothing } => {
                let mut rights: [u64; 256] = fill(draws.first + first);
                rights[nothing as usize] = 0;
                rights
            }
        };
        let [a, b, c] = draws.marks;
        Keys {
            pieces,
            castling: of_sets(draws.first + 0x3000),
            rights,
            en_passant,
            side: random(draws.first + draws.side),
            marks: [per_square(draws.first + a), per_square(draws.first + b), per_square(draws.first + c)],
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
