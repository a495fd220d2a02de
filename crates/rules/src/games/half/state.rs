//! State of a position of Chess and a Half.

use super::piece::HalfPiece;
use super::{Half, Square, Squares};
use crate::board::{BoardGame, Contents, KeyLayout, Rights};

/// Squares of the knights in the start position, in the order of their bits: b1, k1, b12, k12.
pub(super) const KNIGHTS: [Square; 4] = [Square::of(1), Square::of(10), Square::of(133), Square::of(142)];

/// State of a position of Chess and a Half.
///
/// The game-specific rights are the knights of [`KNIGHTS`] that have never moved, as bits. The
/// en-passant square is the square of a pawn that can be captured en passant.
pub(super) type State = Contents<Half, 12, 12, 3, 4>;

impl BoardGame for Half {
    type Kind = HalfPiece;

    type Extra = ();

    const KEY_LAYOUT: KeyLayout = KeyLayout {
        first: 0x1_0000,
        cell: [1, 2, 4, 8, 16],
        en_passant: 0x5000,
        side: 0x6000,
        rights: Rights::Bits(0x4000),
        marks: [0; 4],
    };
}

impl State {
    /// Returns the squares of both sides' knights that have never moved.
    #[inline(always)]
    pub(crate) fn unmoved_knights(&self) -> Squares {
        let mut squares = Squares::EMPTY;
        for (i, square) in KNIGHTS.into_iter().enumerate() {
            if self.rights() >> i & 1 != 0 {
                squares |= Squares::one(square);
            }
        }
        squares
    }
}
