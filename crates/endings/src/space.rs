//! Numbering of a table's positions, reduced by symmetry.
//!
//! A table has one bitboard (a `u64`) per placement of the catapults, White's king and White's
//! piece. The 64 bits are the squares of Black's king. The bitboards are numbered by the placement
//! of the catapults, then by White's king, then by the piece. The code calls the number of a
//! bitboard `word` and the number of a placement of the catapults `set`.
//!
//! Without a pawn, one of eight symmetries puts White's king into the triangle a1-d1-d4. With a
//! pawn, flipping the files puts White's king on the files a to d. Without a pawn and with White's
//! king on the long diagonal, a position and its mirror image are both stored.

use crate::geometry::{BOARD, NOWHERE, bit, squares};
use crate::key::TableKey;

/// Squares of White's king, White's piece and the catapults. Black's king is not included.
#[derive(Clone, Copy)]
pub(crate) struct Men {
    pub king: u8,
    /// Square of White's piece, or [`NOWHERE`] without one.
    pub piece: u8,
    pub catapults: u64,
}

/// A position's table and its place in the table. Colors are swapped if necessary, so that White
/// has the piece or, with bare kings, the catapults. `side` is 0 with White to move and 1 with
/// Black to move. `black` is the square of Black's king.
#[derive(Clone, Copy)]
pub(crate) struct Located {
    pub key: TableKey,
    pub side: usize,
    pub men: Men,
    pub black: u8,
}

/// Numbering of a table's positions.
pub(crate) struct Space {
    pub has_piece: bool,
    pub pawn: bool,
    /// Placements of the catapults, as bitboards. The index is the number of the placement. A fresh
    /// catapult is the only one, and is numbered like one that has moved.
    pub sets: Vec<u64>,
    /// Stored squares of White's king. The index is the number of the square.
    pub kings: Vec<u8>,
    /// For each square of White's king: the symmetry that maps the square to a stored square, and
    /// the number of the stored square.
    homes: [(u8, u8); 64],
    /// Number of the image of a placement of the catapults, by number of the placement and
    /// symmetry.
    moved_sets: Vec<[u16; 8]>,
    /// Number of possible squares of White's piece: 1 without a piece, 48 for a pawn, else 64.
    pub places: usize,
}

impl Space {
    pub(crate) fn of(key: &TableKey) -> Space {
        let pawn = key.has_pawn();
        let kings: Vec<u8> = (0..64u8)
            .filter(|square| {
                let (file, rank) = (square & 7, square >> 3);
                file < 4 && (pawn || rank <= file)
            })
            .collect();
        let homes = std::array::from_fn(|square| {
            (0..8u8)
                .filter(|symmetry| !pawn || *symmetry < 2)
                .find_map(|symmetry| {
                    let home = BOARD.symmetries[symmetry as usize][square];
                    let number = kings.iter().position(|king| *king == home)?;
                    Some((symmetry, number as u8))
                })
                .unwrap_or((0, 0))
        });
        let sets = sets_of(key.catapults());
        let moved_sets = sets
            .iter()
            .map(|&set| {
                std::array::from_fn(|symmetry| rank_of(crate::geometry::apply(symmetry as u8, set)) as u16)
            })
            .collect();
        let has_piece = key.piece.is_some();
        let places = match (has_piece, pawn) {
            (false, _) => 1,
            (true, true) => 48,
            (true, false) => 64,
        };
        Space { has_piece, pawn, sets, kings, homes, moved_sets, places }
    }

    /// Returns the number of bitboards of the table, which is the same for both sides to move.
    pub(crate) fn words(&self) -> usize {
        self.sets.len() * self.slice()
    }

    /// Returns the number of bitboards with the same placement of the catapults.
    pub(crate) fn slice(&self) -> usize {
        self.kings.len() * self.places
    }

    /// Returns the number of a square of White's piece, from 0 to `places` - 1.
    #[inline(always)]
    pub(crate) fn place(&self, piece: u8) -> usize {
        let first = if self.pawn { 8 } else { 0 };
        if self.has_piece { piece as usize - first } else { 0 }
    }

    /// Returns the square of White's piece with this number, or [`NOWHERE`] without a piece.
    #[inline(always)]
    pub(crate) fn piece(&self, place: usize) -> u8 {
        let first = if self.pawn { 8 } else { 0 };
        if self.has_piece { place as u8 + first } else { NOWHERE }
    }

    /// Returns the number of the first bitboard with placement number `set` of the catapults and
    /// White's king on `kings[king]`.
    #[inline(always)]
    pub(crate) fn base(&self, set: usize, king: usize) -> usize {
        (set * self.kings.len() + king) * self.places
    }

    /// Returns the symmetry that maps White's king on square `king` to a stored square, and the
    /// number of the first bitboard after this mapping. `set` is the number of the catapults'
    /// placement before it.
    #[inline(always)]
    pub(crate) fn home(&self, set: usize, king: u8) -> (u8, usize) {
        let (symmetry, number) = self.homes[king as usize & 63];
        let set = self.moved_sets[set][symmetry as usize] as usize;
        (symmetry, self.base(set, number as usize))
    }

    /// Returns the number of the stored position to which a symmetry maps a position: 64 times the
    /// number of its bitboard plus the square of Black's king.
    pub(crate) fn locate(&self, men: Men, black: u8) -> usize {
        let (symmetry, base) = self.home(rank_of(men.catapults), men.king);
        let there = &BOARD.symmetries[symmetry as usize];
        (base + self.place(there[men.piece as usize])) * 64 + usize::from(there[black as usize])
    }

    /// Returns the number of positions of the whole board that one stored position represents, if
    /// White's king is on `kings[king]`.
    pub(crate) fn weight(&self, king: usize) -> u64 {
        let square = self.kings[king];
        match (self.pawn, square & 7 == square >> 3) {
            (true, _) => 2,
            (false, true) => 4,
            (false, false) => 8,
        }
    }

    /// Splits the number of a bitboard into the numbers of the catapults' placement, of White's
    /// king and of the square of White's piece.
    pub(crate) fn parts(&self, word: usize) -> (usize, usize, usize) {
        (word / self.slice(), word / self.places % self.kings.len(), word % self.places)
    }

    /// Returns the numbers of the catapult placements that a move may lead to: images of placement
    /// number `set` under symmetries, and placements after a catapult's move.
    ///
    /// The first move of a fresh catapult leads to another table and is not included.
    pub(crate) fn neighbours(&self, set: usize) -> impl Iterator<Item = usize> {
        let all = self.sets[set];
        let stepped = squares(all).flat_map(move |from| {
            squares(BOARD.king[from as usize] & !all).map(move |to| rank_of(all & !bit(from) | bit(to)))
        });
        self.moved_sets[set].iter().map(|moved| *moved as usize).chain(stepped)
    }
}

/// Returns all sets of `squares` squares as bitboards, in the order of [`rank_of`].
fn sets_of(squares: u8) -> Vec<u64> {
    let mut sets = vec![0u64];
    for _ in 0..squares {
        let mut larger = Vec::new();
        for highest in 0..64 {
            // Sets are ordered by their highest square, so larger squares do not change the number
            // of a smaller set.
            larger.extend(sets.iter().filter(|set| **set < 1 << highest).map(|set| set | 1 << highest));
        }
        sets = larger;
    }
    sets
}

/// Returns the number of a set of up to three squares among all sets of its size. For squares a < b
/// < c it is C(a, 1) + C(b, 2) + C(c, 3), with binomial coefficients C.
#[inline(always)]
pub(crate) fn rank_of(set: u64) -> usize {
    let mut rank = 0;
    for (i, square) in squares(set).enumerate() {
        let n = square as usize;
        rank += match i {
            0 => n,
            1 => n * n.wrapping_sub(1) / 2,
            _ => n * (n - 1) * (n - 2) / 6,
        };
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_rules::{Color, Variant};

    #[test]
    fn sets_have_their_numbers() {
        for (size, count) in [(0, 1), (1, 64), (2, 2016), (3, 41_664)] {
            let sets = sets_of(size);
            assert_eq!(sets.len(), count);
            assert!(
                sets.iter()
                    .enumerate()
                    .all(|(i, set)| rank_of(*set) == i && set.count_ones() == u32::from(size))
            );
        }
    }

    #[test]
    fn weights_cover_the_board() {
        for (ending, kings) in [("KRvK", 10), ("KPvK", 32)] {
            let key = TableKey::of(Variant::Chess, ending.parse().unwrap(), None).unwrap();
            let space = Space::of(&key);
            assert_eq!(space.kings.len(), kings);
            assert_eq!((0..kings).map(|king| space.weight(king)).sum::<u64>(), 64);
            assert_eq!(key.owner, Color::White);
        }
    }
}
