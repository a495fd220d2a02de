//! Sets of squares as bitboards.

use super::Square;
use std::fmt;

/// Implements methods that combine the words of two sets with an assignment operator.
macro_rules! wordwise {
    ($($(#[$about:meta])* $name:ident($($op:tt)+);)*) => { $(
        $(#[$about])*
        #[inline(always)]
        pub const fn $name(self, other: Self) -> Self {
            let (mut words, mut i) = (self.0, 0);
            while i < WORDS {
                words[i] $($op)+ other.0[i];
                i += 1;
            }
            Squares(words)
        }
    )* };
}

/// A set of squares as a bitboard: bit `i` is the square with index `i`.
///
/// `WORDS` is the number of `u64`s of the bitboard: two for 80 squares, three for 144.
/// [`catapult_rules::Squares`](crate::Squares) is the set for the 8x8 board.
///
/// ```
/// use catapult_rules::{Square, Squares};
/// let corners: Squares = ["a1", "h8"].into_iter().map(|name| name.parse::<Square>().unwrap()).collect();
/// assert_eq!(corners.count(), 2);
/// assert_eq!(corners & Squares::rank(0), Squares::of(Square::of(0)));
/// assert!((!corners).meets(Squares::file(7)));
/// // A step east: the square on the h-file leaves the board.
/// let moved: Vec<String> = corners.step::<1, 0>().into_iter().map(|square| square.to_string()).collect();
/// assert_eq!(moved, ["b1"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Squares<const FILES: usize, const RANKS: usize, const WORDS: usize>(pub(super) [u64; WORDS]);

impl<const FILES: usize, const RANKS: usize, const WORDS: usize> Squares<FILES, RANKS, WORDS> {
    /// The empty set.
    pub const EMPTY: Self = Squares([0; WORDS]);

    /// All squares of the board.
    pub const FULL: Self = {
        assert!(FILES * RANKS <= 64 * WORDS && FILES * RANKS + 64 > 64 * WORDS);
        let mut words = [!0; WORDS];
        words[WORDS - 1] >>= 64 * WORDS - FILES * RANKS;
        Squares(words)
    };

    /// Dark squares: the squares with the colour of a1.
    pub const DARK: Self = {
        let (mut set, mut index) = (Self::EMPTY, 0);
        while let Some(square) = Square::<FILES, RANKS>::new(index) {
            if (square.file() + square.rank()) % 2 == 0 {
                set = set.with(square);
            }
            index += 1;
        }
        set
    };

    /// Returns the set of one square.
    #[inline(always)]
    pub const fn of(square: Square<FILES, RANKS>) -> Self {
        // This builds word by word, because an array with a computed index would live on the stack.
        let (mut words, mut i) = ([0; WORDS], 0);
        while i < WORDS {
            words[i] = ((square.index() / 64 == i) as u64) << (square.index() % 64);
            i += 1;
        }
        Squares(words)
    }

    /// Returns the squares of a rank, from 0 for the first rank. The set is empty if the board
    /// lacks the rank.
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

    /// Returns the squares of a file, from 0 for the a-file. The set is empty if the board lacks
    /// the file.
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

    /// Returns the squares with a lower index than `square`.
    #[inline(always)]
    pub const fn before(square: Square<FILES, RANKS>) -> Self {
        let here = Self::of(square);
        here.through_first().without(here)
    }

    /// Returns the squares with a higher index than `square`.
    #[inline(always)]
    pub const fn after(square: Square<FILES, RANKS>) -> Self {
        Self::FULL.without(Self::of(square).through_first())
    }

    /// Returns true if the square is in the set.
    #[inline(always)]
    pub const fn has(self, square: Square<FILES, RANKS>) -> bool {
        if WORDS == 1 {
            return self.0[0] >> square.index() & 1 != 0;
        }
        !self.and(Self::of(square)).is_empty()
    }

    /// Returns the number of squares in the set.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        let (mut count, mut i) = (0, 0);
        while i < WORDS {
            count += self.0[i].count_ones();
            i += 1;
        }
        count
    }

    /// Returns true if the set is empty.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        let (mut any, mut i) = (0, 0);
        while i < WORDS {
            any |= self.0[i];
            i += 1;
        }
        any == 0
    }

    /// Returns true if both sets have a square in common.
    #[inline(always)]
    pub const fn meets(self, other: Self) -> bool {
        !self.and(other).is_empty()
    }

    /// Returns true if the set has two or more squares.
    #[inline(always)]
    pub const fn is_many(self) -> bool {
        if WORDS == 1 {
            return self.0[0] & self.0[0].wrapping_sub(1) != 0;
        }
        self.count() > 1
    }

    /// Returns the square with the lowest index, or `None` if the set is empty.
    #[inline(always)]
    pub const fn first(self) -> Option<Square<FILES, RANKS>> {
        let mut i = 0;
        while i < WORDS {
            if self.0[i] != 0 {
                return Some(Square::of_bit(i * 64 + self.0[i].trailing_zeros() as usize));
            }
            i += 1;
        }
        None
    }

    /// Returns the square of a set with one element, such as a side's king. The result is
    /// unspecified for an empty set.
    #[inline(always)]
    pub const fn only(self) -> Square<FILES, RANKS> {
        if WORDS == 1 {
            return Square::of(self.0[0].trailing_zeros() as u8);
        }
        match self.first() {
            Some(square) => square,
            None => Square::of(0),
        }
    }

    /// Returns the square with the highest index, or `None` if the set is empty.
    #[inline(always)]
    pub const fn last(self) -> Option<Square<FILES, RANKS>> {
        let mut i = WORDS;
        while i > 0 {
            i -= 1;
            if self.0[i] != 0 {
                return Some(Square::of_bit(i * 64 + 63 - self.0[i].leading_zeros() as usize));
            }
        }
        None
    }

    wordwise! {
        /// Returns the intersection of both sets.
        and(&=);
        /// Returns the union of both sets.
        or(|=);
        /// Returns the symmetric difference of both sets.
        xor(^=);
        /// Returns the squares of this set that are not in `other`.
        without(&= !);
    }

    /// Returns the set with `square` added.
    #[inline(always)]
    pub const fn with(self, square: Square<FILES, RANKS>) -> Self {
        self.or(Self::of(square))
    }

    /// Returns the set with each square's rank mirrored: a1 becomes a8 on a board with eight ranks.
    #[inline]
    pub fn flip_ranks(self) -> Self {
        if Self::IS_8X8 {
            return Self::of_word(self.0[0].swap_bytes());
        }
        self.into_iter().map(Square::flip_ranks).collect()
    }

    /// Returns the set with each square's file mirrored: a1 becomes h1 on a board with eight files.
    #[inline]
    pub fn flip_files(self) -> Self {
        if Self::IS_8X8 {
            return Self::of_word(self.0[0].reverse_bits().swap_bytes());
        }
        self.into_iter().map(Square::flip_files).collect()
    }

    /// True for the 8x8 board, which has faster code.
    pub(super) const IS_8X8: bool = FILES == 8 && RANKS == 8 && WORDS == 1;

    /// Creates the set whose first 64 bits are `word`. All higher bits are 0.
    #[inline(always)]
    pub(super) const fn of_word(word: u64) -> Self {
        let mut words = [0; WORDS];
        words[0] = word;
        Squares(words)
    }

    /// Returns the set shifted by `BY_FILES` files and `BY_RANKS` ranks. Squares that would leave
    /// the board are dropped. The masks for the edges of the board are computed at compile time.
    #[inline(always)]
    pub const fn step<const BY_FILES: i32, const BY_RANKS: i32>(self) -> Self {
        self.and(const { Self::staying(BY_FILES, BY_RANKS) }).moved_by(BY_RANKS * FILES as i32 + BY_FILES)
    }

    /// Returns the set shifted by `files` files and `ranks` ranks, like [`Squares::step`] with
    /// distances known only at run time.
    pub const fn shifted(self, files: i32, ranks: i32) -> Self {
        self.and(Self::staying(files, ranks)).moved_by(ranks * FILES as i32 + files)
    }

    /// Returns the squares from which a step of `files` files and `ranks` ranks stays on the board.
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

    /// Shifts the bits of the set by `by` places: towards higher indices if `by` is positive, else
    /// towards lower indices.
    #[inline(always)]
    const fn moved_by(self, by: i32) -> Self {
        let distance = by.unsigned_abs() as usize;
        let (far, near) = (distance / 64, distance % 64);
        let mut words = [0; WORDS];
        let mut i = 0;
        while i + far < WORDS {
            let (from, to) = if by > 0 { (i, i + far) } else { (i + far, i) };
            // A word may spill into a second one, except if the distance is a whole number of
            // words.
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
        Squares(words)
    }

    /// Returns all bits up to and including the lowest bit of the set, or all bits if the set is
    /// empty.
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
        Squares(words)
    }

    /// Returns the highest bit of the set and all bits above, or all bits if the set is empty.
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
        Squares(words)
    }
}

impl<const FILES: usize, const RANKS: usize, const WORDS: usize> Default for Squares<FILES, RANKS, WORDS> {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// Iterator over the squares of a set, lowest index first.
#[derive(Clone, Debug)]
pub struct Iter<const FILES: usize, const RANKS: usize, const WORDS: usize> {
    rest: Squares<FILES, RANKS, WORDS>,
    /// Index of the first `u64` of `rest` that may have squares left.
    word: usize,
}

impl<const FILES: usize, const RANKS: usize, const WORDS: usize> Iterator for Iter<FILES, RANKS, WORDS> {
    type Item = Square<FILES, RANKS>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if WORDS == 1 {
            let first = self.rest.first()?;
            self.rest.0[0] &= self.rest.0[0] - 1;
            return Some(first);
        }
        while self.word < WORDS {
            let word = &mut self.rest.0[self.word];
            if *word != 0 {
                let square = Square::of_bit(self.word * 64 + word.trailing_zeros() as usize);
                *word &= *word - 1;
                return Some(square);
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

impl<const FILES: usize, const RANKS: usize, const WORDS: usize> IntoIterator
    for Squares<FILES, RANKS, WORDS>
{
    type Item = Square<FILES, RANKS>;
    type IntoIter = Iter<FILES, RANKS, WORDS>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        Iter { rest: self, word: 0 }
    }
}

impl<const FILES: usize, const RANKS: usize, const WORDS: usize> FromIterator<Square<FILES, RANKS>>
    for Squares<FILES, RANKS, WORDS>
{
    fn from_iter<I: IntoIterator<Item = Square<FILES, RANKS>>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident $named:ident;)*) => { $(
        impl<const F: usize, const R: usize, const W: usize> std::ops::$trait for Squares<F, R, W> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.$named(other)
            }
        }
        impl<const F: usize, const R: usize, const W: usize> std::ops::$assign for Squares<F, R, W> {
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

impl<const FILES: usize, const RANKS: usize, const WORDS: usize> std::ops::Not
    for Squares<FILES, RANKS, WORDS>
{
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self::FULL.without(self)
    }
}

impl<const FILES: usize, const RANKS: usize, const WORDS: usize> fmt::Debug for Squares<FILES, RANKS, WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// Draws the set as a board, with the last rank on top. `X` is a square of the set, and `.` is any
/// other square.
///
/// ```
/// use catapult_rules::{Square, Squares};
/// let corners = Squares::of(Square::of(0)) | Squares::of(Square::of(63));
/// assert_eq!(corners.to_string().lines().next(), Some(". . . . . . . X"));
/// ```
impl<const FILES: usize, const RANKS: usize, const WORDS: usize> fmt::Display
    for Squares<FILES, RANKS, WORDS>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..RANKS).rev() {
            for file in 0..FILES {
                let marked = Square::at(file, rank).is_some_and(|square| self.has(square));
                let mark = if marked { "X" } else { "." };
                write!(f, "{mark}{}", if file + 1 == FILES { "\n" } else { " " })?;
            }
        }
        Ok(())
    }
}
