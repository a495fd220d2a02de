//! Random boards of Twenty-First Century Chess. They cover situations that random games rarely
//! reach.

use super::At;
use super::century::{Board, squares};
use super::filling::{Fill, Filling};
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

impl Fill for Board {
    const RANKS: i32 = 8;

    fn put(&mut self, at: At, piece: u8) {
        Board::put(self, at, piece);
    }
}

impl Filling<'_, Board> {
    /// Places a pawn that just made a double step, and enemy pawns or a Jester that may capture it
    /// en passant.
    fn passed(&mut self) {
        let (us, them) = (self.board.side, 1 - self.board.side);
        let (second, forward) = if them == 0 { (1, 1) } else { (6, -1) };
        let file = self.random.random_range(0..10);
        let at = |n: i32| (file, second + forward * n);
        if !(0..=2).all(|n| self.free.contains(&at(n))) {
            return;
        }
        self.put(at(2), them, b'p');
        for side in [-1, 1] {
            let kind = if self.random.random_bool(0.7) { b'p' } else { b'j' };
            let jester = kind == b'j' && !self.board.find(us, b'j').is_empty();
            if self.random.random_bool(0.7) && !jester {
                self.put((file + side, at(2).1), us, kind);
            }
        }
        self.free.retain(|square| !(0..2).any(|n| at(n) == *square));
        self.board.en_passant = Some(at(1));
    }

    /// Places a Jester on a possible rank, or grants the right to declare a Jester, or does
    /// neither.
    fn jester(&mut self, side: usize) {
        let on_board = !self.board.find(side, b'j').is_empty();
        let ranks = if side == 0 { 2..7 } else { 1..6 };
        if !on_board && self.random.random_bool(0.4) {
            let squares: Vec<At> = self.free.iter().filter(|at| ranks.contains(&at.1)).copied().collect();
            if let Some(&at) = squares.choose(self.random) {
                self.put(at, side, b'j');
                return;
            }
        }
        self.board.declaring[side] = !on_board && self.random.random_bool(0.7);
    }
}

/// Places pieces, Jesters, pawns that can be captured en passant, and castling set-ups at random.
/// Most results are valid.
pub(crate) fn scattered(random: &mut Pcg64Mcg) -> Board {
    let mut filling = Filling::new(Board::empty(), squares(), random);
    filling.board.side = filling.random.random_range(0..2);
    filling.board.clock = filling.random.random_range(0..120);
    filling.board.number = filling.random.random_range(1..90);
    filling.board.castling = filling.castling(0.4, 5, [9, 0]);
    if filling.random.random_bool(0.4) {
        filling.passed();
    }
    for side in 0..2 {
        if filling.board.find(side, b'k').is_empty() {
            let at = filling.free[0];
            filling.put(at, side, b'k');
        }
    }
    let king = filling.board.find(filling.board.side, b'k')[0];
    if filling.random.random_bool(0.9) {
        filling.jester(0);
        filling.jester(1);
    }
    let few = filling.random.random_range(0..3);
    let some = filling.random.random_range(1..9);
    let many = filling.random.random_range(8..40);
    match filling.random.random_range(0..10) {
        0 => filling.pieces(few, b"bn", None),
        1..4 => filling.pieces(some, b"pppnbrqas", None),
        // Crowds the king to produce pins and checks.
        4..8 => filling.pieces(some + 2, b"ppnbrqas", Some((king, 3))),
        _ => filling.pieces(many, b"ppppnnbbrrqaas", None),
    }
    filling.board
}
