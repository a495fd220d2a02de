//! What a position consists of on a board of any size, and the only functions that change it: each keeps the key.

use super::keys::Keys;
use super::{Cell, Draws, Kind, Square, Squares};
use crate::Color;
use std::fmt::Debug;

/// A game as the contents of its positions know it.
pub(crate) trait BoardGame: 'static {
    /// Its kinds of pieces.
    type Kind: Kind;

    /// What only this game has besides.
    type Extra: Copy + Eq + Debug + Default;

    /// Its random numbers.
    const DRAWS: Draws;
}

/// What a position of any game consists of. A game's kinds of pieces have codes of `B` bits. What only one game asks, or changes
/// of what it has besides, is written beside that game.
#[derive(Debug)]
pub(crate) struct Contents<G: BoardGame, const F: usize, const R: usize, const W: usize, const B: usize> {
    /// The bits of the [code](Kind::code) of each square's piece.
    codes: [Squares<F, R, W>; B],
    black: Squares<F, R, W>,
    key: u64,
    pub halfmove_clock: u16,
    pub fullmove_number: u16,
    castling: u8,
    rights: u8,
    /// A square's index, the number of squares for none: an `Option` would be a byte more.
    en_passant: u8,
    side: Color,
    pub extra: G::Extra,
}

impl<G: BoardGame, const F: usize, const R: usize, const W: usize, const B: usize> Clone
    for Contents<G, F, R, W, B>
{
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: BoardGame, const F: usize, const R: usize, const W: usize, const B: usize> Copy
    for Contents<G, F, R, W, B>
{
}

impl<G: BoardGame, const F: usize, const R: usize, const W: usize, const B: usize> PartialEq
    for Contents<G, F, R, W, B>
{
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.codes == other.codes
            && self.black == other.black
            && self.castling == other.castling
            && self.rights == other.rights
            && self.en_passant == other.en_passant
            && self.side == other.side
            && self.extra == other.extra
    }
}

impl<G: BoardGame, const F: usize, const R: usize, const W: usize, const B: usize> Eq
    for Contents<G, F, R, W, B>
{
}

impl<G: BoardGame, const F: usize, const R: usize, const W: usize, const B: usize> Contents<G, F, R, W, B> {
    const KEYS: &'static Keys<F, R> = &Keys::drawn(&G::DRAWS);

    /// No en-passant square.
    const NONE: u8 = {
        assert!(Square::<F, R>::COUNT < 256);
        Square::<F, R>::COUNT as u8
    };

    /// An empty board with White to move. The rights are those given, whose number is zero.
    pub(crate) fn empty(rights: u8) -> Self {
        Contents {
            codes: [Squares::EMPTY; B],
            black: Squares::EMPTY,
            key: 0,
            halfmove_clock: 0,
            fullmove_number: 1,
            castling: 0,
            rights,
            en_passant: Self::NONE,
            side: Color::White,
            extra: G::Extra::default(),
        }
    }

    #[inline(always)]
    pub(crate) fn key(&self) -> u64 {
        self.key
    }

    #[inline(always)]
    pub(crate) fn side(&self) -> Color {
        self.side
    }

    #[inline(always)]
    pub(crate) fn castling(&self) -> u8 {
        self.castling
    }

    /// What only this game may still do.
    #[inline(always)]
    pub(crate) fn rights(&self) -> u8 {
        self.rights
    }

    /// The square by which the game names what can be captured in passing: that passed over, or the pawn's.
    #[inline(always)]
    pub(crate) fn en_passant(&self) -> Option<Square<F, R>> {
        if self.en_passant == Self::NONE { None } else { Some(Square::of(self.en_passant)) }
    }

    /// The bits of all codes.
    #[inline(always)]
    pub(crate) fn codes(&self) -> &[Squares<F, R, W>; B] {
        &self.codes
    }

    #[inline(always)]
    pub(crate) fn occupied(&self) -> Squares<F, R, W> {
        self.codes.iter().fold(Squares::EMPTY, |all, code| all | *code)
    }

    #[inline(always)]
    pub(crate) fn side_pieces(&self, side: Color) -> Squares<F, R, W> {
        match side {
            Color::White => self.occupied().without(self.black),
            Color::Black => self.black,
        }
    }

    /// The pieces of a kind, of both sides.
    #[inline(always)]
    pub(crate) fn kind(&self, kind: G::Kind) -> Squares<F, R, W> {
        let code = kind.code();
        let mut set = Squares::FULL;
        for (i, bits) in self.codes.iter().enumerate() {
            set = if code >> i & 1 != 0 { set & *bits } else { set.without(*bits) };
        }
        set
    }

    #[inline(always)]
    pub(crate) fn cell(&self, square: Square<F, R>) -> Cell {
        let mut cell = (self.black.has(square) as u8) << 4;
        for (i, bits) in self.codes.iter().enumerate() {
            cell |= (bits.has(square) as u8) << i;
        }
        Cell(cell)
    }

    /// Changes what stands on a square from `old` to `new`.
    #[inline(always)]
    pub(crate) fn replace(&mut self, square: Square<F, R>, old: Cell, new: Cell) {
        debug_assert_eq!(self.cell(square), old);
        let changes = old.0 ^ new.0;
        for (i, bits) in self.codes.iter_mut().enumerate() {
            *bits ^= Squares::one_if(changes >> i & 1 != 0, square);
        }
        self.black ^= Squares::one_if(changes >> 4 & 1 != 0, square);
        self.key ^= Self::KEYS.pieces(old)[square] ^ Self::KEYS.pieces(new)[square];
    }

    /// Moves `cell` from one square to another, onto `captured` (or nothing).
    #[inline(always)]
    pub(crate) fn move_piece(&mut self, from: Square<F, R>, to: Square<F, R>, cell: Cell, captured: Cell) {
        debug_assert!(self.cell(from) == cell && self.cell(to) == captured);
        let left = Squares::one(from) | Squares::one(to);
        for (i, bits) in self.codes.iter_mut().enumerate() {
            *bits = bits.without(left) | Squares::one_if(cell.0 >> i & 1 != 0, to);
        }
        self.black = self.black.without(left) | Squares::one_if(cell.0 >> 4 & 1 != 0, to);
        let own = Self::KEYS.pieces(cell);
        self.key ^= own[from] ^ own[to] ^ Self::KEYS.pieces(captured)[to];
    }

    #[inline(always)]
    pub(crate) fn set_castling(&mut self, rights: u8) {
        let keys = &Self::KEYS.castling;
        self.key ^= keys[self.castling as usize & 15] ^ keys[rights as usize & 15];
        self.castling = rights;
    }

    #[inline(always)]
    pub(crate) fn set_rights(&mut self, rights: u8) {
        let keys = &Self::KEYS.rights;
        self.key ^= keys[self.rights as usize] ^ keys[rights as usize];
        self.rights = rights;
    }

    #[inline(always)]
    pub(crate) fn set_en_passant(&mut self, square: Option<Square<F, R>>) {
        let square = square.map_or(Self::NONE, Square::byte);
        let keys = &Self::KEYS.en_passant;
        self.key ^= keys[self.en_passant as usize] ^ keys[square as usize];
        self.en_passant = square;
    }

    #[inline(always)]
    pub(crate) fn pass_turn(&mut self) {
        self.key ^= Self::KEYS.side;
        self.side = !self.side;
    }

    /// Tells the key that a square has joined or left a set that only this game has.
    #[inline(always)]
    pub(crate) fn mark(&mut self, set: usize, square: Square<F, R>) {
        self.key ^= Self::KEYS.marks[set][square];
    }

    /// Tells the key that what the game has besides on a square has changed.
    #[inline(always)]
    pub(crate) fn exchange(&mut self, square: Square<F, R>, old: Cell, new: Cell) {
        self.key ^= Self::KEYS.pieces(old)[square] ^ Self::KEYS.pieces(new)[square];
    }

    /// The key from scratch, with what is kept besides.
    pub(crate) fn recomputed_key(
        &self,
        marks: &[Squares<F, R, W>],
        besides: impl Fn(Square<F, R>) -> Cell,
    ) -> u64 {
        let keys = Self::KEYS;
        let mut key = keys.castling[self.castling as usize] ^ keys.rights[self.rights as usize];
        key ^= keys.en_passant[self.en_passant as usize];
        if self.side == Color::Black {
            key ^= keys.side;
        }
        for (set, keys) in marks.iter().zip(&keys.marks) {
            key = set.into_iter().fold(key, |key, square| key ^ keys[square]);
        }
        Square::all().fold(key, |key, square| {
            key ^ keys.pieces(self.cell(square))[square] ^ keys.pieces(besides(square))[square]
        })
    }
}
