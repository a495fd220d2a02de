//! Positions that games do not lead to: where wrong rules hide.

use super::agreement::Definition;
use super::half::{At, Board, KNIGHTS, Passed};
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_pcg::Pcg64Mcg;

/// A board that is filled square by square.
struct Filling<'a> {
    board: Board,
    free: Vec<At>,
    random: &'a mut Pcg64Mcg,
}

impl Filling<'_> {
    /// Puts a piece on a square if it is still free.
    fn put(&mut self, at: At, side: usize, kind: u8) -> bool {
        let Some(place) = self.free.iter().position(|free| *free == at) else { return false };
        self.free.swap_remove(place);
        self.board.put(at, if side == 0 { kind.to_ascii_uppercase() } else { kind });
        true
    }

    fn chance(&mut self, p: f64) -> bool {
        self.random.random_bool(p)
    }

    /// King and rooks at home, with their rights.
    fn castling(&mut self, side: usize) {
        let home = 11 * side as i32;
        if self.chance(0.3) && self.put((6, home), side, b'k') {
            for (right, file) in [(0, 11), (1, 0)] {
                if self.chance(0.8) && self.put((file, home), side, b'r') {
                    self.board.castling[2 * side + right] = true;
                }
            }
        }
    }

    /// A pawn that has just made two to four steps, and some that may take it.
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
            // Beside the square after the one it takes on.
            let (f, r) = at(self.random.random_range(2..=steps));
            let side = *[-1, 1].choose(self.random).expect("two");
            self.put((f + side, r), us, b'p');
        }
        self.free.retain(|square| !(0..steps).any(|n| at(n) == *square));
        self.board.passed = Some(Passed { from: at(0), pawn: at(steps) });
    }

    /// Any pieces of either side, `near` a square if that is given.
    fn pieces(&mut self, number: usize, kinds: &[u8], near: Option<At>) {
        for _ in 0..number {
            let squares: Vec<At> = self
                .free
                .iter()
                .copied()
                .filter(|at| near.is_none_or(|(f, r)| (at.0 - f).abs() <= 4 && (at.1 - r).abs() <= 4))
                .collect();
            let Some(at) = squares.choose(self.random).copied() else { return };
            let kind = *kinds.choose(self.random).expect("some kinds");
            let side = self.random.random_range(0..2);
            if kind != b'p' || (1..11).contains(&at.1) {
                self.put(at, side, kind);
            }
        }
    }
}

/// Places pieces, unmoved knights, passed pawns and castling set-ups at random; most results are valid.
pub fn scattered(random: &mut Pcg64Mcg) -> Board {
    let mut free: Vec<At> = (0..144).map(|i| (i % 12, i / 12)).collect();
    free.shuffle(random);
    let mut board = Board::empty();
    board.side = random.random_range(0..2);
    board.clock = random.random_range(0..120);
    board.number = random.random_range(1..90);
    let mut filling = Filling { board, free, random };
    filling.castling(0);
    filling.castling(1);
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
    let king = filling.board.king(filling.board.side);
    match filling.random.random_range(0..10) {
        0 => {
            let number = filling.random.random_range(0..3);
            filling.pieces(number, b"bbn", None);
        }
        1..4 => {
            let number = filling.random.random_range(1..8);
            filling.pieces(number, ALL, None);
        }
        4..7 => {
            // A crowd about the king: pins, checks, pieces to jump over.
            let number = filling.random.random_range(3..16);
            filling.pieces(number, b"ppnbrqgccsshh", king);
        }
        7..9 => {
            let number = filling.random.random_range(8..40);
            filling.pieces(number, ALL, None);
        }
        _ => {
            let number = filling.random.random_range(40..110);
            filling.pieces(number, b"ppppnbrqgcsh", None);
        }
    }
    // Only what can be taken in passing is part of a position.
    let fen = filling.board.fen();
    Board::from_fen(&fen)
}
