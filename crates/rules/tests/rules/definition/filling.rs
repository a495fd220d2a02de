//! A board that is filled with random pieces square by square, to test positions that games rarely
//! reach.

use super::At;
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_pcg::Pcg64Mcg;

/// A board on which [`Filling`] places pieces.
pub(super) trait Fill {
    const RANKS: i32;

    fn put(&mut self, at: At, piece: u8);
}

pub(super) struct Filling<'a, B> {
    pub board: B,
    /// Squares that are still free, in random order.
    pub free: Vec<At>,
    pub random: &'a mut Pcg64Mcg,
}

impl<'a, B: Fill> Filling<'a, B> {
    pub(super) fn new(
        board: B,
        squares: impl Iterator<Item = At>,
        random: &'a mut Pcg64Mcg,
    ) -> Filling<'a, B> {
        let mut free: Vec<At> = squares.collect();
        free.shuffle(random);
        Filling { board, free, random }
    }

    pub(super) fn chance(&mut self, p: f64) -> bool {
        self.random.random_bool(p)
    }

    /// Puts a piece on a square if the square is still free. Returns true if the square was free.
    pub(super) fn put(&mut self, at: At, side: usize, kind: u8) -> bool {
        let Some(place) = self.free.iter().position(|free| *free == at) else { return false };
        self.free.swap_remove(place);
        self.board.put(at, if side == 0 { kind.to_ascii_uppercase() } else { kind });
        true
    }

    /// Places king and rooks on their start squares, with probability `chance` for each side.
    /// Returns the resulting castling rights in the order K, Q, k, q.
    ///
    /// `king` and `rooks` are files from 0, the kingside rook first.
    pub(super) fn castling(&mut self, chance: f64, king: i32, rooks: [i32; 2]) -> [bool; 4] {
        let mut rights = [false; 4];
        for side in 0..2 {
            let home = (B::RANKS - 1) * side as i32;
            if self.chance(chance) && self.put((king, home), side, b'k') {
                for (right, file) in rooks.into_iter().enumerate() {
                    rights[2 * side + right] = self.chance(0.8) && self.put((file, home), side, b'r');
                }
            }
        }
        rights
    }

    /// Places up to `number` random pieces of these kinds, of either side. If `near` has a square
    /// and a distance, the pieces are within this distance of the square.
    pub(super) fn pieces(&mut self, number: usize, kinds: &[u8], near: Option<(At, i32)>) {
        for _ in 0..number {
            let close = |at: &&At| {
                near.is_none_or(|((f, r), most)| (at.0 - f).abs() <= most && (at.1 - r).abs() <= most)
            };
            let squares: Vec<At> = self.free.iter().filter(close).copied().collect();
            let Some(&at) = squares.choose(self.random) else { return };
            let kind = *kinds.choose(self.random).expect("some kinds");
            let side = self.random.random_range(0..2);
            if kind != b'p' || (1..B::RANKS - 1).contains(&at.1) {
                self.put(at, side, kind);
            }
        }
    }
}
