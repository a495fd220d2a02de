//! The bare contents of a position, and the only functions that change them: each keeps the key.

use super::keys::Keys;
use super::{Cell, Kind, Set, Square};
use crate::Color;
use std::marker::PhantomData;

/// What a position consists of on a board of any size; `K` is the game's kind of piece. What only one game asks is written
/// beside that game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State<K, const F: usize, const R: usize, const W: usize> {
    /// The bits of each square's [`Cell`].
    planes: [Set<F, R, W>; 5],
    key: u64,
    pub halfmove_clock: u16,
    pub fullmove_number: u16,
    castling: u8,
    rights: u8,
    en_passant: Option<Square<F, R>>,
    side: Color,
    kinds: PhantomData<K>,
}

impl<K, const F: usize, const R: usize, const W: usize> PartialEq for State<K, F, R, W> {
    fn eq(&self, other: &Self) -> bool {
        self.planes == other.planes
            && self.castling == other.castling
            && self.rights == other.rights
            && self.en_passant == other.en_passant
            && self.side == other.side
    }
}

impl<K, const F: usize, const R: usize, const W: usize> Eq for State<K, F, R, W> {}

impl<K: Kind, const F: usize, const R: usize, const W: usize> State<K, F, R, W> {
    const KEYS: &'static Keys<F, R> = &Keys::drawn(K::FIRST_KEY);

    pub(crate) fn empty() -> Self {
        State {
            planes: [Set::EMPTY; 5],
            key: 0,
            halfmove_clock: 0,
            fullmove_number: 1,
            castling: 0,
            rights: 0,
            en_passant: None,
            side: Color::White,
            kinds: PhantomData,
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

    /// Rights that only this game has, as four bits.
    #[inline(always)]
    pub(crate) fn rights(&self) -> u8 {
        self.rights
    }

    /// The square by which the game names what can be captured in passing: that passed over, or the pawn's.
    #[inline(always)]
    pub(crate) fn en_passant(&self) -> Option<Square<F, R>> {
        self.en_passant
    }

    /// The squares whose cells have a bit.
    #[inline(always)]
    pub(crate) fn plane(&self, bit: usize) -> Set<F, R, W> {
        self.planes[bit]
    }

    #[inline(always)]
    pub(crate) fn occupied(&self) -> Set<F, R, W> {
        let [a, b, c, d, _] = self.planes;
        a | b | c | d
    }

    #[inline(always)]
    pub(crate) fn side_pieces(&self, side: Color) -> Set<F, R, W> {
        match side {
            Color::White => self.occupied().without(self.planes[4]),
            Color::Black => self.planes[4],
        }
    }

    /// The pieces of a kind, of both sides.
    #[inline(always)]
    pub(crate) fn kind(&self, kind: K) -> Set<F, R, W> {
        let code = kind.code();
        let mut set = Set::FULL;
        for (i, plane) in self.planes[..4].iter().enumerate() {
            set = if code >> i & 1 != 0 { set & *plane } else { set.without(*plane) };
        }
        set
    }

    #[inline(always)]
    pub(crate) fn cell(&self, square: Square<F, R>) -> Cell {
        let bit = |i: usize| (self.planes[i].has(square) as u8) << i;
        Cell(bit(0) | bit(1) | bit(2) | bit(3) | bit(4))
    }

    /// Changes what stands on a square from `old` to `new`.
    #[inline(always)]
    pub(crate) fn replace(&mut self, square: Square<F, R>, old: Cell, new: Cell) {
        debug_assert_eq!(self.cell(square), old);
        let here = Set::one(square);
        for (i, plane) in self.planes.iter_mut().enumerate() {
            if (old.0 ^ new.0) >> i & 1 != 0 {
                *plane ^= here;
            }
        }
        self.key ^= Self::KEYS.pieces(old)[square] ^ Self::KEYS.pieces(new)[square];
    }

    /// Moves what stands on a square to another, and takes what stood there.
    pub(crate) fn relocate(&mut self, from: Square<F, R>, to: Square<F, R>) {
        let cell = self.cell(from);
        self.replace(from, cell, Cell::EMPTY);
        self.replace(to, self.cell(to), cell);
    }

    #[inline(always)]
    pub(crate) fn set_castling(&mut self, rights: u8) {
        self.key ^= Self::KEYS.castling[self.castling as usize] ^ Self::KEYS.castling[rights as usize];
        self.castling = rights;
    }

    #[inline(always)]
    pub(crate) fn set_rights(&mut self, rights: u8) {
        self.key ^= Self::KEYS.rights[self.rights as usize] ^ Self::KEYS.rights[rights as usize];
        self.rights = rights;
    }

    #[inline(always)]
    pub(crate) fn set_en_passant(&mut self, square: Option<Square<F, R>>) {
        for changed in [self.en_passant, square].into_iter().flatten() {
            self.key ^= Self::KEYS.en_passant[changed];
        }
        self.en_passant = square;
    }

    #[inline(always)]
    pub(crate) fn pass_turn(&mut self) {
        self.key ^= Self::KEYS.side;
        self.side = !self.side;
    }

    /// The key from scratch.
    pub(crate) fn recomputed_key(&self) -> u64 {
        let keys = Self::KEYS;
        let mut key = keys.castling[self.castling as usize] ^ keys.rights[self.rights as usize];
        if let Some(square) = self.en_passant {
            key ^= keys.en_passant[square];
        }
        if self.side == Color::Black {
            key ^= keys.side;
        }
        Square::all().fold(key, |key, square| key ^ keys.pieces(self.cell(square))[square])
    }
}
