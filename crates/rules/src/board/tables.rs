//! Where pieces reach: leaps from a table, lines by the obstruction difference.

use super::{Set, Square};

/// A king's eight steps, as (files, ranks).
pub const KING_STEPS: [(i32, i32); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// A knight's eight leaps.
pub const KNIGHT_LEAPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// A value for each square of a board.
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

/// One line through a square: its squares below and above.
#[derive(Clone, Copy)]
struct Line<const F: usize, const R: usize, const W: usize> {
    below: Set<F, R, W>,
    above: Set<F, R, W>,
}

impl<const F: usize, const R: usize, const W: usize> Line<F, R, W> {
    /// The line through a square in the direction of rising indices (files, ranks) and back.
    const fn through(square: Square<F, R>, files: i32, ranks: i32) -> Self {
        Line { below: ray(square, -files, -ranks), above: ray(square, files, ranks) }
    }

    /// What a slider sees along the line, the first occupied square on each side included.
    #[inline(always)]
    fn seen(&self, occupied: Set<F, R, W>) -> Set<F, R, W> {
        let above = self.above.and(occupied).through_first().and(self.above);
        let below = self.below.and(occupied).since_last().and(self.below);
        above.or(below)
    }
}

/// All squares in one direction.
const fn ray<const F: usize, const R: usize, const W: usize>(
    square: Square<F, R>,
    files: i32,
    ranks: i32,
) -> Set<F, R, W> {
    let mut set = Set::EMPTY;
    let mut at = square;
    while let Some(next) = at.offset(files, ranks) {
        set = set.with(next);
        at = next;
    }
    set
}

/// The lines through each square: file, rank, diagonal, antidiagonal.
type Lines<const F: usize, const R: usize, const W: usize> = PerSquare<[Line<F, R, W>; 4], F, R>;

const fn lines<const F: usize, const R: usize, const W: usize>() -> Lines<F, R, W> {
    let none = Line { below: Set::EMPTY, above: Set::EMPTY };
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

impl<const FILES: usize, const RANKS: usize, const WORDS: usize> Set<FILES, RANKS, WORDS> {
    const LINES: &'static Lines<FILES, RANKS, WORDS> = &lines();
    const ONE: &'static PerSquare<Self, FILES, RANKS> = &Self::leaps(&[(0, 0)]);
    const KING: &'static PerSquare<Self, FILES, RANKS> = &Self::leaps(&KING_STEPS);
    const KNIGHT: &'static PerSquare<Self, FILES, RANKS> = &Self::leaps(&KNIGHT_LEAPS);

    /// The squares that one of these leaps (files, ranks) reaches from each square: a table for a `const` or `static`.
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

    /// The set of one square, as [`Set::of`]: by a load, which on boards of three words is faster than shifts.
    #[inline(always)]
    pub fn one(square: Square<FILES, RANKS>) -> Self {
        Self::ONE[square]
    }

    /// Squares a king attacks.
    #[inline(always)]
    pub fn king(square: Square<FILES, RANKS>) -> Self {
        Self::KING[square]
    }

    /// Squares a knight attacks.
    #[inline(always)]
    pub fn knight(square: Square<FILES, RANKS>) -> Self {
        Self::KNIGHT[square]
    }

    /// Squares a rook attacks.
    #[inline(always)]
    pub fn rook(square: Square<FILES, RANKS>, occupied: Self) -> Self {
        let [file, rank, ..] = &Self::LINES[square];
        file.seen(occupied) | rank.seen(occupied)
    }

    /// Squares a bishop attacks.
    #[inline(always)]
    pub fn bishop(square: Square<FILES, RANKS>, occupied: Self) -> Self {
        let [.., diagonal, antidiagonal] = &Self::LINES[square];
        diagonal.seen(occupied) | antidiagonal.seen(occupied)
    }

    /// The whole line (file, rank or diagonal) through two squares, both included; empty if they share none.
    #[inline]
    pub fn line(a: Square<FILES, RANKS>, b: Square<FILES, RANKS>) -> Self {
        let through = Self::LINES[a].iter().map(|line| line.below | line.above).find(|line| line.has(b));
        through.map_or(Self::EMPTY, |line| line.with(a))
    }

    /// Squares strictly between two squares of a line; empty if they share none.
    #[inline]
    pub fn between(a: Square<FILES, RANKS>, b: Square<FILES, RANKS>) -> Self {
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

    /// What sliders on all squares of the set see in one direction, the first occupied square included.
    pub fn rays(self, occupied: Self, files: i32, ranks: i32) -> Self {
        let mut seen = Self::EMPTY;
        let mut front = self.shifted(files, ranks);
        while !front.is_empty() {
            seen |= front;
            front = front.without(occupied).shifted(files, ranks);
        }
        seen
    }
}
