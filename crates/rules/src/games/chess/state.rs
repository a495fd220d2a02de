//! State of a position of chess or Chess++, and the second layer of the board: the catapults.

use crate::board::{BoardGame, Contents, KeyLayout, Rights};
use crate::{Color, PieceKind, Square, Squares};
use std::fmt::Debug;
use std::marker::PhantomData;

/// The second layer of the board: squares of the catapults.
pub trait Layer: Copy + Eq + Debug + Default + Send + Sync + 'static {
    /// Returns the squares of a side's catapults.
    fn catapults(&self, side: Color) -> Squares;
    /// Returns the squares of both sides' catapults that have not moved yet.
    fn fresh(&self) -> Squares;
    /// Replaces the set of a side's catapults.
    fn set_catapults(&mut self, side: Color, squares: Squares);
    /// Replaces the set of both sides' catapults that have not moved yet.
    fn set_fresh(&mut self, squares: Squares);
    /// Returns the number of catapult moves that a side has left in the game, or 0 if there is no
    /// limit.
    fn moves_left(&self, _: Color) -> u8 {
        0
    }
    /// Replaces the number of catapult moves that a side has left.
    fn set_moves_left(&mut self, _: Color, _: u8) {}
}

/// The empty second layer of standard chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoLayer;

impl Layer for NoLayer {
    #[inline(always)]
    fn catapults(&self, _: Color) -> Squares {
        Squares::EMPTY
    }
    #[inline(always)]
    fn fresh(&self) -> Squares {
        Squares::EMPTY
    }
    #[inline(always)]
    fn set_catapults(&mut self, _: Color, _: Squares) {}
    #[inline(always)]
    fn set_fresh(&mut self, _: Squares) {}
}

/// The second layer of Chess++: squares of each side's catapults, and of the catapults that have
/// not moved yet. With `N` = 2, also the catapult moves that each side has left (`+moves`). Plain
/// Chess++ has `N` = 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CatapultLayer<const N: usize = 0> {
    sides: [Squares; 2],
    fresh: Squares,
    moves_left: [u8; N],
}

impl<const N: usize> Default for CatapultLayer<N> {
    fn default() -> Self {
        CatapultLayer { sides: [Squares::EMPTY; 2], fresh: Squares::EMPTY, moves_left: [0; N] }
    }
}

impl<const N: usize> Layer for CatapultLayer<N> {
    #[inline(always)]
    fn catapults(&self, side: Color) -> Squares {
        self.sides[side as usize]
    }
    #[inline(always)]
    fn fresh(&self) -> Squares {
        self.fresh
    }
    #[inline(always)]
    fn set_catapults(&mut self, side: Color, squares: Squares) {
        self.sides[side as usize] = squares;
    }
    #[inline(always)]
    fn set_fresh(&mut self, squares: Squares) {
        self.fresh = squares;
    }
    #[inline(always)]
    fn moves_left(&self, side: Color) -> u8 {
        self.moves_left.get(side as usize).map_or(0, |left| *left)
    }
    #[inline(always)]
    fn set_moves_left(&mut self, side: Color, left: u8) {
        if let Some(place) = self.moves_left.get_mut(side as usize) {
            *place = left;
        }
    }
}

/// Types and key layout of the position state of chess and Chess++.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ChessGame<L>(PhantomData<L>);

impl<L: Layer> BoardGame for ChessGame<L> {
    type Kind = PieceKind;

    type Extra = L;

    const KEY_LAYOUT: KeyLayout = KeyLayout {
        first: 0,
        cell: [1, 2, 4, 16, 8],
        en_passant: 0x2000,
        side: 0x5000,
        rights: Rights::Values { first: 0x4000, nothing: 0 },
        marks: [0x1000, 0x1100, 0x1200, 0x1300],
    };
}

/// Index of the set of catapults that have not moved yet, among the sets of squares in the Zobrist
/// key. Index 0 is White's catapults, and index 1 is Black's.
const FRESH: usize = 2;

/// Index of the set that encodes the catapult moves left: `n` moves are square `n` for White and
/// `n + 32` for Black.
const MOVES_LEFT: usize = 3;

/// Bit of a side's part of the rights that is set if its catapults rest (`+still`).
const REST: u8 = 8;

/// State of a position of chess or Chess++.
///
/// The game-specific rights have White's part in the low four bits and Black's in the high four. The
/// low three bits of a part are the number of catapults left to place. The fourth is set if the
/// side's catapults rest (`+still`). The en-passant square is the square that the pawn passed.
pub(super) type State<L> = Contents<ChessGame<L>, 8, 8, 1, 3>;

impl<L: Layer> State<L> {
    #[inline(always)]
    pub(crate) fn left_to_place(&self, side: Color) -> u8 {
        self.rights() >> (side as u8 * 4) & 7
    }

    /// Returns true if a side moved a catapult on its last turn. Always false without `+still`.
    #[inline(always)]
    pub(crate) fn rests(&self, side: Color) -> bool {
        self.rights() & REST << (side as u8 * 4) != 0
    }

    #[inline(always)]
    pub(crate) fn set_rest(&mut self, side: Color, rests: bool) {
        if rests != self.rests(side) {
            self.set_rights(self.rights() ^ REST << (side as u8 * 4));
        }
    }

    #[inline(always)]
    pub(crate) fn placing(&self) -> bool {
        self.rights() & !(REST | REST << 4) != 0
    }

    #[inline(always)]
    pub(crate) fn catapults(&self, side: Color) -> Squares {
        self.extra.catapults(side)
    }

    #[inline(always)]
    pub(crate) fn fresh(&self) -> Squares {
        self.extra.fresh()
    }

    #[inline(always)]
    pub(crate) fn pawns(&self) -> Squares {
        let &[a, b, c] = self.codes();
        a & !b & !c
    }

    #[inline(always)]
    pub(crate) fn knights(&self) -> Squares {
        let &[a, b, c] = self.codes();
        b & !a & !c
    }

    #[inline(always)]
    pub(crate) fn bishops(&self) -> Squares {
        let &[a, b, _] = self.codes();
        a & b
    }

    #[inline(always)]
    pub(crate) fn kings(&self) -> Squares {
        let &[_, b, c] = self.codes();
        b & c
    }

    /// Returns the squares of bishops and queens.
    #[inline(always)]
    pub(crate) fn diagonal(&self) -> Squares {
        let &[a, b, c] = self.codes();
        a & (b | c)
    }

    /// Returns the squares of rooks and queens.
    #[inline(always)]
    pub(crate) fn straight(&self) -> Squares {
        let &[_, b, c] = self.codes();
        c & !b
    }

    /// Returns the square of a side's king. An invalid position, left by an illegal move, gives an
    /// unspecified square.
    #[inline(always)]
    pub(crate) fn king(&self, side: Color) -> Square {
        (self.kings() & self.side_pieces(side)).only()
    }

    pub(crate) fn set_to_place(&mut self, white: u8, black: u8) {
        self.set_rights(white & 7 | (black & 7) << 4);
    }

    /// Adds a side's catapult on a square. `fresh` is true if the catapult counts as not yet moved.
    #[inline(always)]
    pub(crate) fn add_catapult(&mut self, side: Color, square: Square, fresh: bool) {
        self.extra.set_catapults(side, self.catapults(side).with(square));
        self.mark(side as usize, square);
        if fresh {
            self.extra.set_fresh(self.fresh().with(square));
            self.mark(FRESH, square);
        }
    }

    /// Removes a side's catapult from a square.
    #[inline(always)]
    pub(crate) fn remove_catapult(&mut self, side: Color, square: Square) {
        let here = Squares::of(square);
        self.extra.set_catapults(side, self.catapults(side).without(here));
        self.mark(side as usize, square);
        if self.fresh().has(square) {
            self.extra.set_fresh(self.fresh().without(here));
            self.mark(FRESH, square);
        }
    }

    /// Removes all catapults of a side, and resets the half-move clock.
    pub(crate) fn lose_catapults(&mut self, side: Color) {
        for square in self.catapults(side) {
            self.remove_catapult(side, square);
        }
        self.set_rest(side, false);
        self.halfmove_clock = 0;
    }

    /// Returns the number of catapult moves that a side has left (`+moves`). Always 0 without
    /// `+moves`.
    #[inline(always)]
    pub(crate) fn moves_left(&self, side: Color) -> u8 {
        self.extra.moves_left(side)
    }

    pub(crate) fn set_moves_left(&mut self, side: Color, left: u8) {
        let before = self.moves_left_mark(side);
        self.extra.set_moves_left(side, left);
        for square in before ^ self.moves_left_mark(side) {
            self.mark(MOVES_LEFT, square);
        }
    }

    fn moves_left_mark(&self, side: Color) -> Squares {
        match self.moves_left(side) & 31 {
            0 => Squares::EMPTY,
            left => Squares::of(Square::of(side as u8 * 32 + left)),
        }
    }

    /// Returns true if a side has only its king, and catapults.
    #[inline(always)]
    pub(crate) fn is_bare_with_catapults(&self, side: Color) -> bool {
        !self.side_pieces(side).is_many() && !self.catapults(side).is_empty()
    }
}
