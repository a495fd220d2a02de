//! Attacks on a board with at most one blocking piece, and symmetries of the board. Sets of squares
//! are bitboards, with a1 as bit 0.

use catapult_rules::{PieceKind, Square, Squares};
use std::sync::LazyLock;

/// Square number that stands for a missing piece.
pub(crate) const NOWHERE: u8 = 64;

/// Precomputed attacks and symmetries.
pub(crate) static BOARD: LazyLock<Geometry> = LazyLock::new(Geometry::new);

pub(crate) struct Geometry {
    /// Steps of a king from each square. A catapult that has moved has the same steps.
    pub king: [u64; 64],
    /// Destinations of a catapult's first move from each square: within two files and two ranks.
    pub near: [u64; 64],
    knight: [u64; 64],
    between: [[u64; 64]; 64],
    /// Attacks of a bishop, rook or queen, by kind, square of the attacker and square of the only
    /// blocker ([`NOWHERE`] for none). The blocker's square is excluded.
    sliders: [Vec<[u64; 65]>; 3],
    /// Images of all squares, by symmetry and square. [`NOWHERE`] maps to itself.
    pub symmetries: [[u8; 65]; 8],
}

impl Geometry {
    fn new() -> Geometry {
        let leaps =
            |reach: fn(Square) -> Squares| std::array::from_fn(|from| word(reach(Square::of(from as u8))));
        let sliders = |reach: fn(Square, Squares) -> Squares| -> Vec<[u64; 65]> {
            let blocked = |from: Square, blocker: Squares| word(reach(from, blocker).without(blocker));
            // There is no square with the number `NOWHERE`.
            let by_blocker =
                |from| std::array::from_fn(|at| blocked(from, Square::new(at).into_iter().collect()));
            Square::all().map(by_blocker).collect()
        };
        let between = |a: usize, b: usize| word(Squares::between(Square::of(a as u8), Square::of(b as u8)));
        Geometry {
            king: leaps(Squares::king),
            near: leaps(|from| {
                let king = Squares::king(from);
                (king | king.kings()).without(Squares::of(from))
            }),
            knight: leaps(Squares::knight),
            between: std::array::from_fn(|a| std::array::from_fn(|b| between(a, b))),
            sliders: [
                sliders(Squares::bishop),
                sliders(Squares::rook),
                sliders(|from, occupied| Squares::bishop(from, occupied) | Squares::rook(from, occupied)),
            ],
            symmetries: std::array::from_fn(|symmetry| {
                let image = |square: usize| apply(symmetry as u8, bit(square as u8));
                std::array::from_fn(|square| image(square).trailing_zeros() as u8)
            }),
        }
    }

    /// Returns the squares strictly between two squares on a rank, file or diagonal. Returns no
    /// squares for other pairs.
    #[inline(always)]
    pub(crate) fn between(&self, a: u8, b: u8) -> u64 {
        self.between[a as usize & 63][b as usize & 63]
    }

    /// Returns the squares that a piece on `from` reaches if only `blocker` blocks it. The
    /// blocker's square is excluded. Returns no squares for a pawn, or if `from` is [`NOWHERE`].
    #[inline(always)]
    pub(crate) fn reach(&self, kind: PieceKind, from: u8, blocker: u8) -> u64 {
        let Some(from) = (from < 64).then_some(from as usize) else { return 0 };
        match kind {
            PieceKind::Knight => self.knight[from] & !bit(blocker),
            PieceKind::King => self.king[from] & !bit(blocker),
            PieceKind::Bishop => self.sliders[0][from][blocker as usize],
            PieceKind::Rook => self.sliders[1][from][blocker as usize],
            PieceKind::Queen => self.sliders[2][from][blocker as usize],
            PieceKind::Pawn => 0,
        }
    }
}

/// Returns the bitboard of a square, or the empty set for [`NOWHERE`].
#[inline(always)]
pub(crate) const fn bit(square: u8) -> u64 {
    if square < 64 { 1 << square } else { 0 }
}

/// Iterates over the squares of a bitboard in ascending order.
#[inline(always)]
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as u8;
        set &= set.wrapping_sub(1);
        (square < 64).then_some(square)
    })
}

/// Returns a set of squares as a bitboard.
fn word(set: Squares) -> u64 {
    set.into_iter().fold(0, |word, square| word | bit(square.byte()))
}

#[inline(always)]
fn flip(symmetry: u8, set: u64) -> u64 {
    match symmetry & 3 {
        0 => set,
        1 => set.swap_bytes().reverse_bits(),
        2 => set.swap_bytes(),
        _ => set.reverse_bits(),
    }
}

#[inline(always)]
fn transpose(mut set: u64) -> u64 {
    let mut exchange = |shift: u32, mask: u64| {
        let moved = (set ^ set >> shift) & mask;
        set ^= moved ^ moved << shift;
    };
    exchange(7, 0x00aa_00aa_00aa_00aa);
    exchange(14, 0x0000_cccc_0000_cccc);
    exchange(28, 0x0000_0000_f0f0_f0f0);
    set
}

/// Returns the image of a bitboard under a symmetry. The bits of `symmetry` are applied in order: 1
/// flips the files, 2 flips the ranks, 4 swaps files and ranks.
#[inline(always)]
pub(crate) fn apply(symmetry: u8, set: u64) -> u64 {
    let flipped = flip(symmetry, set);
    if symmetry & 4 != 0 { transpose(flipped) } else { flipped }
}

/// Returns the bitboard whose image under a symmetry is `set`: the inverse of [`apply`].
#[inline(always)]
pub(crate) fn undo(symmetry: u8, set: u64) -> u64 {
    flip(symmetry, if symmetry & 4 != 0 { transpose(set) } else { set })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_of_sets_are_those_of_their_squares() {
        for symmetry in 0..8u8 {
            for square in 0..64u8 {
                let files = if symmetry & 1 != 0 { 7 } else { 0 };
                let flipped = square ^ files ^ if symmetry & 2 != 0 { 56 } else { 0 };
                let there = if symmetry & 4 != 0 { flipped >> 3 | (flipped & 7) << 3 } else { flipped };
                assert_eq!(BOARD.symmetries[symmetry as usize][square as usize], there);
                assert_eq!(apply(symmetry, bit(square)), bit(there));
                assert_eq!(undo(symmetry, bit(there)), bit(square));
            }
            assert_eq!(BOARD.symmetries[symmetry as usize][64], NOWHERE);
        }
    }

    #[test]
    fn a_blocker_cuts_a_line() {
        let named = |text: &str| -> u8 { text.parse::<catapult_rules::Square>().unwrap().index() as u8 };
        let set = |names: &[&str]| names.iter().fold(0, |set, name| set | bit(named(name)));
        assert_eq!(
            BOARD.reach(PieceKind::Rook, named("a1"), named("a4")),
            set(&["a2", "a3", "b1", "c1", "d1", "e1", "f1", "g1", "h1"])
        );
        assert_eq!(BOARD.reach(PieceKind::Bishop, named("c1"), named("d2")), set(&["b2", "a3"]));
        assert_eq!(BOARD.between(named("h8"), named("e5")), set(&["f6", "g7"]));
        assert_eq!(BOARD.between(named("h8"), named("e6")), 0);
        assert_eq!(BOARD.near[0].count_ones(), 8);
    }
}
