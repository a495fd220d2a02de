//! The positions of a table as numbers, reduced by symmetry.
//!
//! A *word* is where everything but Black's king stands: catapults, White's king, White's piece; its 64 bits are the squares
//! of Black's king. Words are ordered by catapults, then White's king, then the piece. Without a pawn White's king is kept in the
//! triangle a1-d1-d4 (eight symmetries), with one on the files a to d (one mirror). Where that leaves a choice, White's king on
//! the long diagonal, both of the mirrored positions are there.

use crate::geometry::{BOARD, NOWHERE, bit, squares};
use crate::key::TableKey;

/// The dimensions of a table.
pub(crate) struct Space {
    pub has_piece: bool,
    pub pawn: bool,
    /// The sets of catapults by number; a fresh one is alone and counted like a used one.
    pub sets: Vec<u64>,
    /// Where White's king may stand.
    pub kings: Vec<u8>,
    /// By square of White's king: the symmetry that brings it home, and its number then.
    homes: [(u8, u8); 64],
    /// By symmetry and number of a set: the number it becomes.
    moved_sets: Vec<[u16; 8]>,
    /// How many places the piece has.
    pub places: usize,
}

/// Where a position is found: its word, and the symmetry that takes it there.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub word: usize,
    pub symmetry: u8,
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
        let places = if !has_piece {
            1
        } else if pawn {
            48
        } else {
            64
        };
        Space { has_piece, pawn, sets, kings, homes, moved_sets, places }
    }

    /// The number of words of each side to move.
    pub(crate) fn words(&self) -> usize {
        self.sets.len() * self.slice()
    }

    /// The number of words that share their catapults.
    pub(crate) fn slice(&self) -> usize {
        self.kings.len() * self.places
    }

    /// The number of the piece's square.
    #[inline(always)]
    pub(crate) fn place(&self, piece: u8) -> usize {
        if !self.has_piece {
            0
        } else if self.pawn {
            piece as usize - 8
        } else {
            piece as usize
        }
    }

    /// The square of the piece's place.
    #[inline(always)]
    pub(crate) fn piece(&self, place: usize) -> u8 {
        if !self.has_piece {
            NOWHERE
        } else if self.pawn {
            place as u8 + 8
        } else {
            place as u8
        }
    }

    /// The first word with this number of White's king (in the order of [`Space::kings`]) and this set of catapults.
    #[inline(always)]
    pub(crate) fn base(&self, set: usize, king: usize) -> usize {
        (set * self.kings.len() + king) * self.places
    }

    /// For a set of catapults and any square of White's king: the symmetry that takes them home, and the first word there.
    #[inline(always)]
    pub(crate) fn home(&self, set: usize, king: u8) -> (u8, usize) {
        let (symmetry, number) = self.homes[king as usize & 63];
        let set = self.moved_sets[set][symmetry as usize] as usize;
        (symmetry, self.base(set, number as usize))
    }

    /// Where the position is, Black's king being wherever.
    pub(crate) fn locate(&self, king: u8, piece: u8, catapults: u64) -> Place {
        let (symmetry, base) = self.home(rank_of(catapults), king);
        let there = BOARD.symmetries[symmetry as usize][piece as usize];
        Place { word: base + self.place(there), symmetry }
    }

    /// How many positions of the whole board a position with this number of White's king stands for.
    pub(crate) fn weight(&self, king: usize) -> u64 {
        let square = self.kings[king];
        match (self.pawn, square & 7 == square >> 3) {
            (true, _) => 2,
            (false, true) => 4,
            (false, false) => 8,
        }
    }

    /// Takes a word apart: number of the set, number of White's king, place of the piece.
    pub(crate) fn parts(&self, word: usize) -> (usize, usize, usize) {
        (word / self.slice(), word / self.places % self.kings.len(), word % self.places)
    }

    /// The sets whose words a move from a word with this set may reach or come from: moved by a symmetry, or by a catapult's
    /// move (that of a fresh one leaves the table).
    pub(crate) fn neighbours(&self, set: usize) -> impl Iterator<Item = usize> {
        let all = self.sets[set];
        let stepped = squares(all).flat_map(move |from| {
            squares(BOARD.king[from as usize] & !all).map(move |to| rank_of(all & !bit(from) | bit(to)))
        });
        self.moved_sets[set].iter().map(|moved| *moved as usize).chain(stepped)
    }
}

/// All sets of so many squares, by number.
fn sets_of(squares: u8) -> Vec<u64> {
    let mut sets = vec![0u64];
    for _ in 0..squares {
        let mut larger = Vec::new();
        for highest in 0..64 {
            // Sets come in the order of their highest square, so a smaller one's place is not touched by larger squares.
            larger.extend(sets.iter().filter(|set| **set < 1 << highest).map(|set| set | 1 << highest));
        }
        sets = larger;
    }
    sets
}

/// The number of a set among those of its size: of its squares a < b < c it is C(a, 1) + C(b, 2) + C(c, 3).
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
