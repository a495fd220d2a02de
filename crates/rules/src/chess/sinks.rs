//! What becomes of generated moves: a list, a count, whether there is one, whether one is among them.

use super::bits;
use super::kinds::promoting;
use super::piece::PromotionTo;
use crate::{Move, MoveList};

/// The pieces a pawn may become.
pub(super) const PIECES: [PromotionTo; 4] =
    [PromotionTo::Queen, PromotionTo::Rook, PromotionTo::Bishop, PromotionTo::Knight];

/// Consumes generated moves.
pub(super) trait Sink {
    /// Moves of one origin.
    fn targets(&mut self, from: u8, targets: u64, kind: u8);

    /// Moves to each target from the square `shift` before it.
    fn shifted(&mut self, targets: u64, shift: i8, kind: u8);

    /// The same, each one a promotion to each of the four pieces.
    fn promotions(&mut self, targets: u64, shift: i8, kind: u8);

    /// One move.
    fn one(&mut self, mv: Move);

    /// Whether no more moves are wanted.
    #[inline(always)]
    fn is_done(&self) -> bool {
        false
    }
}

/// Appends the moves.
pub(super) struct Collect<'a>(pub &'a mut MoveList);

impl Sink for Collect<'_> {
    #[inline(always)]
    fn targets(&mut self, from: u8, targets: u64, kind: u8) {
        for to in bits(targets) {
            self.one(Move::new(from, to, 0, kind));
        }
    }

    #[inline(always)]
    fn shifted(&mut self, targets: u64, shift: i8, kind: u8) {
        for to in bits(targets) {
            self.one(Move::new(to.wrapping_add_signed(-shift), to, 0, kind));
        }
    }

    fn promotions(&mut self, targets: u64, shift: i8, kind: u8) {
        for to in bits(targets) {
            for piece in PIECES {
                self.one(Move::new(to.wrapping_add_signed(-shift), to, 0, promoting(kind, piece)));
            }
        }
    }

    #[inline(always)]
    fn one(&mut self, mv: Move) {
        // No position of 64 squares has as many moves as there is room for.
        let _ = self.0.try_push(mv);
    }
}

/// Counts the moves without making them.
pub(super) struct Count(pub usize);

impl Sink for Count {
    #[inline(always)]
    fn targets(&mut self, _: u8, targets: u64, _: u8) {
        self.0 += targets.count_ones() as usize;
    }

    #[inline(always)]
    fn shifted(&mut self, targets: u64, _: i8, _: u8) {
        self.0 += targets.count_ones() as usize;
    }

    #[inline(always)]
    fn promotions(&mut self, targets: u64, _: i8, _: u8) {
        self.0 += 4 * targets.count_ones() as usize;
    }

    #[inline(always)]
    fn one(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// Whether there is a move.
pub(super) struct Any(pub bool);

impl Sink for Any {
    #[inline(always)]
    fn targets(&mut self, _: u8, targets: u64, _: u8) {
        self.0 |= targets != 0;
    }

    #[inline(always)]
    fn shifted(&mut self, targets: u64, _: i8, _: u8) {
        self.0 |= targets != 0;
    }

    #[inline(always)]
    fn promotions(&mut self, targets: u64, _: i8, _: u8) {
        self.0 |= targets != 0;
    }

    #[inline(always)]
    fn one(&mut self, _: Move) {
        self.0 = true;
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.0
    }
}

/// Whether a given move is among them.
pub(super) struct Find {
    mv: Move,
    pub found: bool,
}

impl Find {
    pub fn new(mv: Move) -> Find {
        Find { mv, found: false }
    }
}

impl Sink for Find {
    #[inline(always)]
    fn targets(&mut self, from: u8, targets: u64, kind: u8) {
        self.found |= self.mv.from() == from
            && self.mv.kind() == kind
            && self.mv.aux() == 0
            && self.mv.to() < 64
            && targets >> self.mv.to() & 1 != 0;
    }

    #[inline(always)]
    fn shifted(&mut self, targets: u64, shift: i8, kind: u8) {
        if self.is_shifted(shift) {
            self.targets(self.mv.from(), targets, kind);
        }
    }

    fn promotions(&mut self, targets: u64, shift: i8, kind: u8) {
        if self.is_shifted(shift) {
            for piece in PIECES {
                self.targets(self.mv.from(), targets, promoting(kind, piece));
            }
        }
    }

    #[inline(always)]
    fn one(&mut self, mv: Move) {
        self.found |= self.mv == mv;
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.found
    }
}

impl Find {
    fn is_shifted(&self, shift: i8) -> bool {
        self.mv.from().wrapping_add_signed(shift) == self.mv.to()
    }
}
