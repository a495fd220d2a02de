//! Squares of boards with any number of files and ranks.

use std::fmt;
use std::str::FromStr;

/// A square of a board with `FILES` files and `RANKS` ranks. Indices start at a1 = 0 and run along
/// each rank, rank by rank. Boards have at most 26 files and 256 squares.
///
/// ```
/// use catapult_rules::Square;
/// let square: Square = "c2".parse().unwrap();
/// assert_eq!((square.file(), square.rank(), square.index()), (2, 1, 10));
/// assert_eq!(square.flip_ranks().to_string(), "c7");
/// assert_eq!(square.offset(1, 2), Square::at(3, 3));
/// assert_eq!(square.offset(0, -2), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square<const FILES: usize, const RANKS: usize>(u8);

impl<const FILES: usize, const RANKS: usize> Square<FILES, RANKS> {
    /// Number of squares of the board.
    pub const COUNT: usize = {
        assert!(FILES <= 26 && FILES * RANKS <= 256);
        FILES * RANKS
    };

    /// Returns the square with this index, or `None` if the index is not below [`Square::COUNT`].
    #[inline(always)]
    pub const fn new(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Square(index as u8)) } else { None }
    }

    /// Returns the square with the index stored in a move. Indices beyond the board occur only in
    /// invalid moves and give an unspecified square.
    #[inline(always)]
    pub const fn of(index: u8) -> Self {
        if Self::COUNT.is_power_of_two() {
            return Square(index & (Self::COUNT - 1) as u8);
        }
        Square(if (index as usize) < Self::COUNT { index } else { 0 })
    }

    /// Returns the square of bit `bit` of a bitboard. `bit` must be below [`Square::COUNT`].
    #[inline(always)]
    pub(super) const fn of_bit(bit: usize) -> Self {
        debug_assert!(bit < Self::COUNT);
        Square(bit as u8)
    }

    /// Returns the square on a file and a rank, both counted from 0. Returns `None` if the square
    /// is off the board.
    #[inline(always)]
    pub const fn at(file: usize, rank: usize) -> Option<Self> {
        if file < FILES && rank < RANKS { Some(Square((rank * FILES + file) as u8)) } else { None }
    }

    /// Returns the index of the square: a1 has index 0, b1 has index 1.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // The mask shows the compiler that tables with one entry per square need no bounds check.
        if Self::COUNT.is_power_of_two() { self.0 as usize & (Self::COUNT - 1) } else { self.0 as usize }
    }

    /// Returns the index of the square as one byte, as stored in a [`Move`](crate::Move).
    #[inline(always)]
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// Returns the file of the square, from 0 for the a-file.
    #[inline(always)]
    pub const fn file(self) -> usize {
        self.0 as usize % FILES
    }

    /// Returns the rank of the square, from 0 for the first rank.
    #[inline(always)]
    pub const fn rank(self) -> usize {
        self.0 as usize / FILES
    }

    /// Returns the square that is `files` files and `ranks` ranks away. Returns `None` if that
    /// square is off the board.
    #[inline(always)]
    pub const fn offset(self, files: i32, ranks: i32) -> Option<Self> {
        let (file, rank) = (self.file() as i32 + files, self.rank() as i32 + ranks);
        // The conversion turns a negative number into one beyond the board.
        Self::at(file as usize, rank as usize)
    }

    /// Returns the square with its rank mirrored: a1 becomes a8 on a board with eight ranks.
    #[inline(always)]
    pub const fn flip_ranks(self) -> Self {
        Square(((RANKS - 1 - self.rank()) * FILES + self.file()) as u8)
    }

    /// Returns the square with its file mirrored: a1 becomes h1 on a board with eight files.
    #[inline(always)]
    pub const fn flip_files(self) -> Self {
        Square((self.rank() * FILES + FILES - 1 - self.file()) as u8)
    }

    /// Returns all squares of the board in the order of their indices.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..Self::COUNT).map(|index| Square(index as u8))
    }

    /// Reads the square at the start of a text. Returns the square and the rest of the text:
    /// `e10e12` gives e10 and `e12`. Returns `None` if the text does not begin with a square of
    /// this board.
    pub fn split_from(text: &str) -> Option<(Self, &str)> {
        let file = text.bytes().next()?.checked_sub(b'a')?;
        let ranks = text.get(1..)?;
        let digits = ranks.bytes().take(3).take_while(u8::is_ascii_digit).count();
        let (rank, rest) = ranks.split_at(digits);
        if rank.starts_with('0') {
            return None;
        }
        let rank: usize = rank.parse().ok()?;
        Some((Self::at(usize::from(file), rank - 1)?, rest))
    }
}

impl<const FILES: usize, const RANKS: usize> fmt::Display for Square<FILES, RANKS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file() as u8) as char, self.rank() + 1)
    }
}

impl<const FILES: usize, const RANKS: usize> fmt::Debug for Square<FILES, RANKS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<const FILES: usize, const RANKS: usize> FromStr for Square<FILES, RANKS> {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match Self::split_from(text) {
            Some((square, "")) => Ok(square),
            _ => Err(()),
        }
    }
}
