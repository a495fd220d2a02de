//! Steps and ranks from a side's point of view.

use super::Squares;
use crate::Color;

impl<const FILES: usize, const RANKS: usize, const WORDS: usize> Squares<FILES, RANKS, WORDS> {
    /// Squares of each rank, first rank first.
    const BY_RANK: [Self; RANKS] = {
        let mut ranks = [Self::EMPTY; RANKS];
        let mut i = 0;
        while i < RANKS {
            ranks[i] = Self::rank(i);
            i += 1;
        }
        ranks
    };

    /// Returns the squares of a rank, counted from the side's own first rank: 0 is its first rank.
    ///
    /// # Panics
    /// If `n` is not below the number of ranks.
    #[inline(always)]
    pub const fn rank_of(side: Color, n: usize) -> Self {
        match side {
            Color::White => Self::BY_RANK[n],
            Color::Black => Self::BY_RANK[RANKS - 1 - n],
        }
    }

    /// Returns the set shifted one rank forward: up for White, down for Black.
    #[inline(always)]
    pub const fn forward(self, side: Color) -> Self {
        match side {
            Color::White => self.step::<0, 1>(),
            Color::Black => self.step::<0, -1>(),
        }
    }

    /// Returns the squares that the side's pawns on this set attack towards the a-file.
    #[inline(always)]
    pub const fn pawn_west(self, side: Color) -> Self {
        match side {
            Color::White => self.step::<-1, 1>(),
            Color::Black => self.step::<-1, -1>(),
        }
    }

    /// Returns the squares that the side's pawns on this set attack away from the a-file.
    #[inline(always)]
    pub const fn pawn_east(self, side: Color) -> Self {
        match side {
            Color::White => self.step::<1, 1>(),
            Color::Black => self.step::<1, -1>(),
        }
    }

    /// Returns the squares that the side's pawns on this set attack.
    #[inline(always)]
    pub const fn pawn_attacks(self, side: Color) -> Self {
        self.pawn_west(side).or(self.pawn_east(side))
    }
}
