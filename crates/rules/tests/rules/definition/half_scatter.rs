//! Random boards of Chess and a Half. They cover situations that random games rarely reach.

use super::At;
use super::agreement::Definition;
use super::filling::{Fill, Filling};
use super::half::{Board, KNIGHTS, Passed};
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

impl Fill for Board {
    const RANKS: i32 = 12;

    fn put(&mut self, at: At, piece: u8) {
        Board::put(self, at, piece);
    }
}

impl Filling<'_, Board> {
    /// Places a pawn that just moved two to four squares, and some enemy pawns that may capture it
    /// en passant.
    fn passed(&mut self) {
        let (us, them) = (self.board.side, 1 - self.board.side);
        let (second, forward) = if them == 0 { (1, 1) } else { (10, -1) };
        let file = self.random.random_range(0..12);
        let steps = self.random.random_range(2..=4);
        let at = |n: i32| (file, second + forward * n);
        if !(0..=steps).all(|n| self.free.contains(&at(n))) {
            return;
        }
        self.put(at(steps), them, b'p');
        for _ in 0..self.random.random_range(1..=3) {
            // The capturing pawn is next to the square after its target.
            let (f, r) = at(self.random.random_range(2..=steps));
            let side = *[-1, 1].choose(self.random).expect("two");
            self.put((f + side, r), us, b'p');
        }
        self.free.retain(|square| !(0..steps).any(|n| at(n) == *square));
        self.board.passed = Some(Passed { from: at(0), pawn: at(steps) });
    }
}

/// Places pieces, unmoved knights, pawns that can be captured en passant, and castling set-ups at
/// random. Most results are valid.
pub(crate) fn scattered(random: &mut Pcg64Mcg) -> Board {
    let mut filling = Filling::new(Board::empty(), (0..144).map(|i| (i % 12, i / 12)), random);
    filling.board.side = filling.random.random_range(0..2);
    filling.board.clock = filling.random.random_range(0..120);
    filling.board.number = filling.random.random_range(1..90);
    filling.board.castling = filling.castling(0.3, 6, [11, 0]);
    for (n, at) in KNIGHTS.into_iter().enumerate() {
        if filling.chance(0.25) {
            filling.board.unmoved[n] = filling.put(at, n / 2, b'n');
        }
    }
    if filling.chance(0.4) {
        filling.passed();
    }
    for side in 0..2 {
        if filling.board.king(side).is_none() {
            let at = filling.free[0];
            filling.put(at, side, b'k');
        }
    }
    const ALL: &[u8] = b"pppnbrqgcsh";
    let king = filling.board.king(filling.board.side).map(|at| (at, 4));
    let (most, kinds, near) = match filling.random.random_range(0..10) {
        0 => (0..3, &b"bbn"[..], None),
        1..4 => (1..8, ALL, None),
        // Crowds the king to produce pins, checks and pieces to jump over.
        4..7 => (3..16, &b"ppnbrqgccsshh"[..], king),
        7..9 => (8..40, ALL, None),
        _ => (40..110, &b"ppppnbrqgcsh"[..], None),
    };
    let number = filling.random.random_range(most);
    filling.pieces(number, kinds, near);
    // An en-passant square counts only if a pawn can capture there.
    let fen = filling.board.fen();
    Board::from_fen(&fen)
}
