//! State of a position on a board of any size, with its Zobrist key. Methods that change pieces,
//! side, rights or en-passant square also update the key.

use super::keys::Keys;
use super::{Cell, KeyLayout, Kind, Square, Squares};
use crate::Color;
use std::fmt::Debug;

/// Types and key layout of a game's position state. `Copy` and `Eq` are there for the derives of
/// [`Contents`].
pub(crate) trait BoardGame: Copy + Eq + 'static {
    /// Piece kind of the game.
    type Kind: Kind;

    /// Further state of a position that only this game has. It is `()` if the game needs none.
    type Extra: Copy + Eq + Debug + Default;

    /// Layout of the game's Zobrist keys in the stream of random numbers.
    const KEY_LAYOUT: KeyLayout;
}

/// State of a position on a board of `F` files and `R` ranks. Each bitboard consists of `W` `u64`s.
/// The codes of the game's piece kinds have `B` bits.
///
/// Queries and updates that only one game needs are in that game's module.
#[derive(Clone, Copy, Eq, Debug)]
pub(crate) struct Contents<G: BoardGame, const F: usize, const R: usize, const W: usize, const B: usize> {
    /// Bitboard `i` holds the squares whose piece has bit `i` set in its [code](Kind::code).
    codes: [Squares<F, R, W>; B],
    black: Squares<F, R, W>,
    key: u64,
    pub halfmove_clock: u16,
    pub fullmove_number: u16,
    castling: u8,
    rights: u8,
    /// Index of the en-passant square, or `NONE`. An `Option` would take one more byte.
    en_passant: u8,
    side: Color,
    pub extra: G::Extra,
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

impl<G: BoardGame, const F: usize, const R: usize, const W: usize, const B: usize> Contents<G, F, R, W, B> {
    const KEYS: &'static Keys<F, R> = &Keys::new(&G::KEY_LAYOUT);

    /// Value of the field `en_passant` if there is no en-passant square.
    const NONE: u8 = {
        assert!(Square::<F, R>::COUNT < 256);
        Square::<F, R>::COUNT as u8
    };

    /// Creates an empty board with White to move. `rights` is the value of the game-specific rights
    /// whose key is zero.
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

    /// Returns the game-specific rights. Each game defines the meaning of this byte.
    #[inline(always)]
    pub(crate) fn rights(&self) -> u8 {
        self.rights
    }

    /// Returns the en-passant square, if any. In Chess and a Half it is the square of the pawn that
    /// can be captured. In other games it is the square that the pawn passed.
    #[inline(always)]
    pub(crate) fn en_passant(&self) -> Option<Square<F, R>> {
        if self.en_passant == Self::NONE { None } else { Some(Square::of(self.en_passant)) }
    }

    /// Returns the bitboards of the piece codes, one per bit of the code.
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

    /// Returns the squares of both sides' pieces of a kind.
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

    /// Replaces the contents of a square by `new`. `old` must be its current contents.
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

    /// Moves the piece `cell` from `from` to `to`. `captured` must be the current contents of `to`.
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

    /// Removes the castling rights that are not in `kept`.
    #[inline(always)]
    pub(crate) fn keep_castling(&mut self, kept: u8) {
        if self.castling & !kept != 0 {
            self.set_castling(self.castling & kept);
        }
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

    /// Changes the side to move. The full-move number increases after Black's turn.
    #[inline(always)]
    pub(crate) fn pass_turn(&mut self) {
        self.fullmove_number = self.fullmove_number.saturating_add((self.side == Color::Black) as u16);
        self.key ^= Self::KEYS.side;
        self.side = !self.side;
    }

    /// Updates the key for a square that joins or leaves a game-specific set of squares. `set` is
    /// the set's index in [`KeyLayout::marks`].
    #[inline(always)]
    pub(crate) fn mark(&mut self, set: usize, square: Square<F, R>) {
        self.key ^= Self::KEYS.marks[set][square];
    }

    /// Updates the key for game-specific contents of a square that change from `old` to `new`.
    #[inline(always)]
    pub(crate) fn exchange(&mut self, square: Square<F, R>, old: Cell, new: Cell) {
        self.key ^= Self::KEYS.pieces(old)[square] ^ Self::KEYS.pieces(new)[square];
    }
}
