//! Positions that games do not lead to: where wrong rules hide.

use super::century::{At, Board, squares};
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

    /// King and rooks at home, with their rights.
    fn castling(&mut self, side: usize) {
        let home = 7 * side as i32;
        if self.random.random_bool(0.4) && self.put((5, home), side, b'k') {
            for (right, file) in [(0, 9), (1, 0)] {
                if self.random.random_bool(0.8) && self.put((file, home), side, b'r') {
                    self.board.castling[2 * side + right] = true;
                }
            }
        }
    }

    /// A pawn that has just made its double step, and pawns or a Jester that may take it.
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

    /// Any pieces of either side, `near` a square if that is given.
    fn pieces(&mut self, number: usize, kinds: &[u8], near: Option<At>) {
        for _ in 0..number {
            let close = |at: &&At| near.is_none_or(|(f, r)| (at.0 - f).abs() <= 3 && (at.1 - r).abs() <= 3);
            let squares: Vec<At> = self.free.iter().filter(close).copied().collect();
            let Some(&at) = squares.choose(self.random) else { return };
            let kind = *kinds.choose(self.random).expect("some kinds");
            let side = self.random.random_range(0..2);
            if kind != b'p' || (1..7).contains(&at.1) {
                self.put(at, side, kind);
            }
        }
    }

    /// A Jester on one of its ranks, or the right to declare one, or neither.
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

/// Places pieces, Jesters, pawns that have just passed and castling set-ups at random; most results are valid.
pub fn scattered(random: &mut Pcg64Mcg) -> Board {
    let mut free: Vec<At> = squares().collect();
    free.shuffle(random);
    let mut board = Board::empty();
    board.side = random.random_range(0..2);
    board.clock = random.random_range(0..120);
    board.number = random.random_range(1..90);
    let mut filling = Filling { board, free, random };
    filling.castling(0);
    filling.castling(1);
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
        // A crowd about the king: pins and checks.
        4..8 => filling.pieces(some + 2, b"ppnbrqas", Some(king)),
        _ => filling.pieces(many, b"ppppnnbbrrqaas", None),
    }
    filling.board
}
