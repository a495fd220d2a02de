//! Attacks of pieces, from one square and from all squares of a set.
//!
//! Leaps come from a table. Attacks along lines use the obstruction-difference method, or faster
//! code on the 8x8 board.

use super::{Square, Squares, eight};

/// The eight steps of a king, as (files, ranks).
pub const KING_STEPS: [(i32, i32); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The eight leaps of a knight, as (files, ranks).
pub const KNIGHT_LEAPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// One value per square of a board, as `[rank][file]`. Index it with a [`Square`].
#[derive(Clone, Copy, Debug)]
pub struct PerSquare<T, const FILES: usize, const RANKS: usize>(pub [[T; FILES]; RANKS]);

impl<T, const FILES: usize, const RANKS: usize> std::ops::Index<Square<FILES, RANKS>>
    for PerSquare<T, FILES, RANKS>
{
    type Output = T;

    #[inline(always)]
    fn index(&self, square: Square<FILES, RANKS>) -> &T {
        &self.0.as_flattened()[square.index()]
    }
}

/// A line through a square, split into the squares with lower and with higher indices.
#[derive(Clone, Copy)]
struct Line<const F: usize, const R: usize, const W: usize> {
    below: Squares<F, R, W>,
    above: Squares<F, R, W>,
}

impl<const F: usize, const R: usize, const W: usize> Line<F, R, W> {
    /// Creates the line through a square in the direction (`files`, `ranks`). A step in this
    /// direction must increase the index.
    const fn through(square: Square<F, R>, files: i32, ranks: i32) -> Self {
        Line { below: ray(square, -files, -ranks), above: ray(square, files, ranks) }
    }

    /// Returns the squares that a slider attacks along the line, including the first occupied
    /// square on each side.
    #[inline(always)]
    fn seen(&self, occupied: Squares<F, R, W>) -> Squares<F, R, W> {
        let above = self.above.and(occupied).through_first().and(self.above);
        let below = self.below.and(occupied).since_last().and(self.below);
        above.or(below)
    }
}

/// Returns all squares in one direction from a square, without the square itself.
const fn ray<const F: usize, const R: usize, const W: usize>(
    square: Square<F, R>,
    files: i32,
    ranks: i32,
) -> Squares<F, R, W> {
    let mut set = Squares::EMPTY;
    let mut at = square;
    while let Some(next) = at.offset(files, ranks) {
        set = set.with(next);
        at = next;
    }
    set
}

/// Four lines through each square: file, rank, diagonal and antidiagonal.
type Lines<const F: usize, const R: usize, const W: usize> = PerSquare<[Line<F, R, W>; 4], F, R>;

const fn lines<const F: usize, const R: usize, const W: usize>() -> Lines<F, R, W> {
    let none = Line { below: Squares::EMPTY, above: Squares::EMPTY };
    let mut all = [[[none; 4]; F]; R];
    let mut index = 0;
    while let Some(square) = Square::new(index) {
        all[square.rank()][square.file()] = [
            Line::through(square, 0, 1),
            Line::through(square, 1, 0),
            Line::through(square, 1, 1),
            Line::through(square, -1, 1),
        ];
        index += 1;
    }
    PerSquare(all)
}

impl<const FILES: usize, const RANKS: usize, const WORDS: usize> Squares<FILES, RANKS, WORDS> {
    const LINES: &'static Lines<FILES, RANKS, WORDS> = &lines();
    const ONE: &'static PerSquare<Self, FILES, RANKS> = &Self::leaps(&[(0, 0)]);
    const KING: &'static PerSquare<Self, FILES, RANKS> = &Self::leaps(&KING_STEPS);
    const KNIGHT: &'static PerSquare<Self, FILES, RANKS> = &Self::leaps(&KNIGHT_LEAPS);

    /// Returns a table of the squares that these leaps (files, ranks) reach from each square. Store
    /// the table in a `const` or `static`, because building it is slow.
    pub const fn leaps(offsets: &[(i32, i32)]) -> PerSquare<Self, FILES, RANKS> {
        let mut all = [[Self::EMPTY; FILES]; RANKS];
        let mut index = 0;
        while let Some(square) = Square::<FILES, RANKS>::new(index) {
            let mut i = 0;
            while i < offsets.len() {
                if let Some(to) = square.offset(offsets[i].0, offsets[i].1) {
                    let reached = &mut all[square.rank()][square.file()];
                    *reached = reached.with(to);
                }
                i += 1;
            }
            index += 1;
        }
        PerSquare(all)
    }

    /// Returns the set of one square, like [`Squares::of`]. On boards with more than 64 squares it
    /// reads a table, which is faster than shifts.
    #[inline(always)]
    pub fn one(square: Square<FILES, RANKS>) -> Self {
        if WORDS == 1 { Self::of(square) } else { Self::ONE[square] }
    }

    /// Returns the set of one square if `condition` is true, else the empty set.
    #[inline(always)]
    pub(super) fn one_if(condition: bool, square: Square<FILES, RANKS>) -> Self {
        if WORDS == 1 {
            return Self::of_word((condition as u64) << square.index());
        }
        if condition { Self::one(square) } else { Self::EMPTY }
    }

    /// Returns the squares that a king on `square` attacks.
    ///
    /// ```
    /// use catapult_rules::Squares;
    /// let corner = Squares::FULL.first().unwrap();
    /// assert_eq!(Squares::king(corner), Squares::of(corner).kings());
    /// assert_eq!(Squares::king(corner).to_string(), "\
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// X X . . . . . .
    /// . X . . . . . .
    /// ");
    /// ```
    #[inline(always)]
    pub fn king(square: Square<FILES, RANKS>) -> Self {
        Self::KING[square]
    }

    /// Returns the squares that a knight on `square` attacks.
    #[inline(always)]
    pub fn knight(square: Square<FILES, RANKS>) -> Self {
        Self::KNIGHT[square]
    }

    /// Returns the squares that a rook on `square` attacks. They run along file and rank up to and
    /// including the first occupied square.
    ///
    /// ```
    /// use catapult_rules::{Square, Squares};
    /// let [from, stop]: [Square; 2] = ["a1", "a3"].map(|name| name.parse().unwrap());
    /// let seen = Squares::rook(from, Squares::of(stop));
    /// assert_eq!(seen & Squares::file(0), Squares::between(from, stop).with(stop));
    /// assert_eq!(seen & Squares::rank(0), Squares::rank(0).without(Squares::of(from)));
    /// ```
    #[inline(always)]
    pub fn rook(square: Square<FILES, RANKS>, occupied: Self) -> Self {
        if Self::IS_8X8 {
            return Self::of_word(eight::rook(square.index(), occupied.0[0]));
        }
        let [file, rank, ..] = &Self::LINES[square];
        file.seen(occupied) | rank.seen(occupied)
    }

    /// Returns the squares that a bishop on `square` attacks. They run along both diagonals up to
    /// and including the first occupied square.
    #[inline(always)]
    pub fn bishop(square: Square<FILES, RANKS>, occupied: Self) -> Self {
        if Self::IS_8X8 {
            return Self::of_word(eight::bishop(square.index(), occupied.0[0]));
        }
        let [.., diagonal, antidiagonal] = &Self::LINES[square];
        diagonal.seen(occupied) | antidiagonal.seen(occupied)
    }

    /// Returns the whole line (file, rank or diagonal) through two squares, both included. The
    /// result is empty if no line joins them or if they are equal.
    #[inline(always)]
    pub fn line(a: Square<FILES, RANKS>, b: Square<FILES, RANKS>) -> Self {
        if Self::IS_8X8 {
            return Self::of_word(eight::line(a.index(), b.index()));
        }
        Self::line_generic(a, b)
    }

    #[inline]
    fn line_generic(a: Square<FILES, RANKS>, b: Square<FILES, RANKS>) -> Self {
        let through = Self::LINES[a].iter().map(|line| line.below | line.above).find(|line| line.has(b));
        through.map_or(Self::EMPTY, |line| line.with(a))
    }

    /// Returns the squares strictly between two squares of a file, rank or diagonal. The result is
    /// empty if no such line joins them.
    #[inline(always)]
    pub fn between(a: Square<FILES, RANKS>, b: Square<FILES, RANKS>) -> Self {
        if Self::IS_8X8 {
            return Self::of_word(eight::between(a.index(), b.index()));
        }
        Self::between_generic(a, b)
    }

    #[inline]
    fn between_generic(a: Square<FILES, RANKS>, b: Square<FILES, RANKS>) -> Self {
        let stop = Self::of(b);
        for line in &Self::LINES[a] {
            if line.above.has(b) {
                return (line.above & stop.through_first()).without(stop);
            }
            if line.below.has(b) {
                return (line.below & stop.since_last()).without(stop);
            }
        }
        Self::EMPTY
    }

    /// Returns the squares one step east or west of squares of the set.
    #[inline(always)]
    pub const fn sideways(self) -> Self {
        self.step::<1, 0>().or(self.step::<-1, 0>())
    }

    /// Returns the squares one step along a rank or file from squares of the set.
    #[inline(always)]
    pub const fn beside(self) -> Self {
        self.sideways().or(self.step::<0, 1>()).or(self.step::<0, -1>())
    }

    /// Returns the squares that kings on all squares of the set attack.
    #[inline(always)]
    pub const fn kings(self) -> Self {
        let sides = self.sideways();
        let row = self.or(sides);
        sides.or(row.step::<0, 1>()).or(row.step::<0, -1>())
    }

    /// Returns the squares that knights on all squares of the set attack.
    #[inline(always)]
    pub const fn knights(self) -> Self {
        let one = self.sideways();
        let two = self.step::<2, 0>().or(self.step::<-2, 0>());
        one.step::<0, 2>().or(one.step::<0, -2>()).or(two.step::<0, 1>()).or(two.step::<0, -1>())
    }

    /// Returns the squares that sliders on all squares of the set attack in the direction
    /// (`BY_FILES`, `BY_RANKS`). The first occupied square is included.
    #[inline(always)]
    pub const fn rays<const BY_FILES: i32, const BY_RANKS: i32>(self, occupied: Self) -> Self {
        let (mut seen, mut front) = (Self::EMPTY, self);
        // This many steps cross the board.
        let mut left = if FILES > RANKS { FILES } else { RANKS } - 1;
        while left > 0 {
            front = front.step::<BY_FILES, BY_RANKS>();
            seen = seen.or(front);
            front = front.without(occupied);
            left -= 1;
        }
        seen
    }

    /// Returns the squares that rooks on all squares of the set attack.
    #[inline(always)]
    pub const fn rooks(self, occupied: Self) -> Self {
        let ranks = self.rays::<1, 0>(occupied).or(self.rays::<-1, 0>(occupied));
        ranks.or(self.rays::<0, 1>(occupied)).or(self.rays::<0, -1>(occupied))
    }

    /// Returns the squares that bishops on all squares of the set attack.
    #[inline(always)]
    pub const fn bishops(self, occupied: Self) -> Self {
        let up = self.rays::<1, 1>(occupied).or(self.rays::<-1, 1>(occupied));
        up.or(self.rays::<1, -1>(occupied)).or(self.rays::<-1, -1>(occupied))
    }
}
