//! Sets of squares as words of bits.

use super::Square;
use std::fmt;

/// A set of squares: bit `i` is the square of index `i`. `WORDS` words of 64 bits hold it; 80 squares need two, 144 three.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Set<const FILES: usize, const RANKS: usize, const WORDS: usize>([u64; WORDS]);

impl<const FILES: usize, const RANKS: usize, const WORDS: usize> Set<FILES, RANKS, WORDS> {
    /// No square.
    pub const EMPTY: Self = Set([0; WORDS]);

    /// All squares of the board.
    pub const FULL: Self = {
        assert!(FILES * RANKS <= 64 * WORDS && FILES * RANKS + 64 > 64 * WORDS);
        let mut words = [!0; WORDS];
        words[WORDS - 1] >>= 64 * WORDS - FILES * RANKS;
        Set(words)
    };

    /// The set of one square.
    #[inline(always)]
    pub const fn of(square: Square<FILES, RANKS>) -> Self {
        // Word by word: an array with a computed index would live on the stack.
        let (mut words, mut i) = ([0; WORDS], 0);
        while i < WORDS {
            words[i] = ((square.index() / 64 == i) as u64) << (square.index() % 64);
            i += 1;
        }
        Set(words)
    }

    /// The squares of a rank, from 0.
    pub const fn rank(rank: usize) -> Self {
        let mut set = Self::EMPTY;
        let mut file = 0;
        while file < FILES {
            if let Some(square) = Square::at(file, rank) {
                set = set.or(Self::of(square));
            }
            file += 1;
        }
        set
    }

    /// The squares of a file, a = 0.
    pub const fn file(file: usize) -> Self {
        let mut set = Self::EMPTY;
        let mut rank = 0;
        while rank < RANKS {
            if let Some(square) = Square::at(file, rank) {
                set = set.or(Self::of(square));
            }
            rank += 1;
        }
        set
    }

    /// Whether the square is in the set.
    #[inline(always)]
    pub const fn has(self, square: Square<FILES, RANKS>) -> bool {
        !self.and(Self::of(square)).is_empty()
    }

    /// The number of squares.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        let (mut count, mut i) = (0, 0);
        while i < WORDS {
            count += self.0[i].count_ones();
            i += 1;
        }
        count
    }

    /// Whether there is none.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        let (mut any, mut i) = (0, 0);
        while i < WORDS {
            any |= self.0[i];
            i += 1;
        }
        any == 0
    }

    /// Whether a square is in both sets.
    #[inline(always)]
    pub const fn meets(self, other: Self) -> bool {
        !self.and(other).is_empty()
    }

    /// Whether there are two squares or more.
    #[inline(always)]
    pub const fn is_many(self) -> bool {
        self.count() > 1
    }

    /// The lowest square.
    #[inline(always)]
    pub const fn first(self) -> Option<Square<FILES, RANKS>> {
        let mut i = 0;
        while i < WORDS {
            if self.0[i] != 0 {
                return Square::new(i * 64 + self.0[i].trailing_zeros() as usize);
            }
            i += 1;
        }
        None
    }

    /// What both sets have.
    #[inline(always)]
    pub const fn and(self, other: Self) -> Self {
        let (mut words, mut i) = (self.0, 0);
        while i < WORDS {
            words[i] &= other.0[i];
            i += 1;
        }
        Set(words)
    }

    /// What either set has.
    #[inline(always)]
    pub const fn or(self, other: Self) -> Self {
        let (mut words, mut i) = (self.0, 0);
        while i < WORDS {
            words[i] |= other.0[i];
            i += 1;
        }
        Set(words)
    }

    /// What one of the sets has, but not both.
    #[inline(always)]
    pub const fn xor(self, other: Self) -> Self {
        let (mut words, mut i) = (self.0, 0);
        while i < WORDS {
            words[i] ^= other.0[i];
            i += 1;
        }
        Set(words)
    }

    /// What this set has and the other has not.
    #[inline(always)]
    pub const fn without(self, other: Self) -> Self {
        let (mut words, mut i) = (self.0, 0);
        while i < WORDS {
            words[i] &= !other.0[i];
            i += 1;
        }
        Set(words)
    }

    /// The set with one square more.
    #[inline(always)]
    pub const fn with(self, square: Square<FILES, RANKS>) -> Self {
        self.or(Self::of(square))
    }

    /// The whole set moved; squares that would leave the board are dropped. The masks are worked out by the compiler.
    #[inline(always)]
    pub const fn step<const BY_FILES: i32, const BY_RANKS: i32>(self) -> Self {
        self.and(const { Self::staying(BY_FILES, BY_RANKS) }).moved_by(BY_RANKS * FILES as i32 + BY_FILES)
    }

    /// [`Set::step`] with numbers that are not known to the compiler.
    pub const fn shifted(self, files: i32, ranks: i32) -> Self {
        self.and(Self::staying(files, ranks)).moved_by(ranks * FILES as i32 + files)
    }

    /// Squares from which a step does not leave the board.
    const fn staying(files: i32, ranks: i32) -> Self {
        let mut set = Self::EMPTY;
        let mut index = 0;
        while let Some(square) = Square::<FILES, RANKS>::new(index) {
            if square.offset(files, ranks).is_some() {
                set = set.with(square);
            }
            index += 1;
        }
        set
    }

    /// The bits moved, towards higher squares if positive.
    #[inline(always)]
    const fn moved_by(self, by: i32) -> Self {
        let distance = by.unsigned_abs() as usize;
        let (far, near) = (distance / 64, distance % 64);
        let mut words = [0; WORDS];
        let mut i = 0;
        while i + far < WORDS {
            let (from, to) = if by > 0 { (i, i + far) } else { (i + far, i) };
            // The second word a source word spills into; for a distance of whole words nothing spills.
            if by > 0 {
                words[to] |= self.0[from] << near;
                if near > 0 && to + 1 < WORDS {
                    words[to + 1] |= self.0[from] >> (64 - near);
                }
            } else {
                words[to] |= self.0[from] >> near;
                if near > 0 && to > 0 {
                    words[to - 1] |= self.0[from] << (64 - near);
                }
            }
            i += 1;
        }
        Set(words)
    }

    /// All bits up to the lowest square of the set, itself included; all bits if it is empty.
    #[inline(always)]
    pub(super) const fn through_first(self) -> Self {
        let (mut words, mut i) = (self.0, 0);
        let mut borrow = 1;
        while i < WORDS {
            let (less, under) = self.0[i].overflowing_sub(borrow);
            words[i] ^= less;
            borrow = under as u64;
            i += 1;
        }
        Set(words)
    }

    /// All bits from the highest square of the set on, itself included; all bits if it is empty.
    #[inline(always)]
    pub(super) const fn since_last(self) -> Self {
        let mut words = [0; WORDS];
        let (mut above, mut i) = (0, WORDS);
        while i > 0 {
            i -= 1;
            if above == 0 {
                words[i] = !0 << (63 - (self.0[i] | 1).leading_zeros());
            }
            above |= self.0[i];
        }
        Set(words)
    }
}

impl<const FILES: usize, const RANKS: usize, const WORDS: usize> Default for Set<FILES, RANKS, WORDS> {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// Runs over the squares, lowest first.
#[derive(Clone, Debug)]
pub struct Iter<const FILES: usize, const RANKS: usize, const WORDS: usize> {
    rest: Set<FILES, RANKS, WORDS>,
    /// Words before this one are done.
    word: usize,
}

impl<const FILES: usize, const RANKS: usize, const WORDS: usize> Iterator for Iter<FILES, RANKS, WORDS> {
    type Item = Square<FILES, RANKS>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        while self.word < WORDS {
            let word = &mut self.rest.0[self.word];
            if *word != 0 {
                let square = Square::new(self.word * 64 + word.trailing_zeros() as usize);
                *word &= *word - 1;
                return square;
            }
            self.word += 1;
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.rest.count() as usize;
        (count, Some(count))
    }
}

impl<const FILES: usize, const RANKS: usize, const WORDS: usize> ExactSizeIterator
    for Iter<FILES, RANKS, WORDS>
{
}

impl<const FILES: usize, const RANKS: usize, const WORDS: usize> IntoIterator for Set<FILES, RANKS, WORDS> {
    type Item = Square<FILES, RANKS>;
    type IntoIter = Iter<FILES, RANKS, WORDS>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        Iter { rest: self, word: 0 }
    }
}

impl<const FILES: usize, const RANKS: usize, const WORDS: usize> FromIterator<Square<FILES, RANKS>>
    for Set<FILES, RANKS, WORDS>
{
    fn from_iter<I: IntoIterator<Item = Square<FILES, RANKS>>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident $named:ident;)*) => { $(
        impl<const F: usize, const R: usize, const W: usize> std::ops::$trait for Set<F, R, W> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.$named(other)
            }
        }
        impl<const F: usize, const R: usize, const W: usize> std::ops::$assign for Set<F, R, W> {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = self.$named(other);
            }
        }
    )* };
}

operators! {
    BitAnd bitand BitAndAssign bitand_assign and;
    BitOr bitor BitOrAssign bitor_assign or;
    BitXor bitxor BitXorAssign bitxor_assign xor;
}

impl<const FILES: usize, const RANKS: usize, const WORDS: usize> std::ops::Not for Set<FILES, RANKS, WORDS> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self::FULL.without(self)
    }
}

impl<const FILES: usize, const RANKS: usize, const WORDS: usize> fmt::Debug for Set<FILES, RANKS, WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
