//! Consumers of generated moves. They collect or count the moves, or test for any move or for one
//! move.
//!
//! The generator calls a [`Sink`] instead of building a list. Therefore counting and testing need
//! no list of moves.

use crate::board::{Square, Squares};
use crate::{Move, MoveList};

/// Consumer of the moves that a legal move generator finds.
///
/// A sink needs only [`Sink::one`]. It overrides the other methods if it can handle several moves at
/// once.
pub(crate) trait Sink<const F: usize, const R: usize, const W: usize> {
    /// Receives one move.
    fn one(&mut self, mv: Move);

    /// Receives one move from `from` to each square of `targets`. `kind` is the moves' kind byte.
    #[inline(always)]
    fn targets(&mut self, from: Square<F, R>, targets: Squares<F, R, W>, kind: u8) {
        for to in targets {
            self.one(Move::new(from.byte(), to.byte(), 0, kind));
        }
    }

    /// Receives one move to each square of `targets`. The index of a move's origin is the target's
    /// index minus `shift`.
    #[inline(always)]
    fn shifted(&mut self, targets: Squares<F, R, W>, shift: i8, kind: u8) {
        for to in targets {
            self.one(Move::new(to.byte().wrapping_add_signed(-shift), to.byte(), 0, kind));
        }
    }

    /// Receives one move per target and kind. The index of a move's origin is the target's index
    /// minus `shift`.
    fn promotions(&mut self, targets: Squares<F, R, W>, shift: i8, kinds: &[u8]) {
        for to in targets {
            for &kind in kinds {
                self.one(Move::new(to.byte().wrapping_add_signed(-shift), to.byte(), 0, kind));
            }
        }
    }

    /// Returns true if the sink needs no more moves. The generator may then stop.
    #[inline(always)]
    fn is_done(&self) -> bool {
        false
    }
}

/// Sink that appends the moves it receives to a list.
pub(crate) struct Collect<'a>(pub &'a mut MoveList);

impl<const F: usize, const R: usize, const W: usize> Sink<F, R, W> for Collect<'_> {
    #[inline(always)]
    fn one(&mut self, mv: Move) {
        // `MAX_MOVES` exceeds the number of legal moves of any position, so the push cannot fail.
        let _ = self.0.try_push(mv);
    }
}

/// Sink that counts the moves it receives.
pub(crate) struct Count(pub usize);

impl<const F: usize, const R: usize, const W: usize> Sink<F, R, W> for Count {
    #[inline(always)]
    fn targets(&mut self, _: Square<F, R>, targets: Squares<F, R, W>, _: u8) {
        self.0 += targets.count() as usize;
    }

    #[inline(always)]
    fn shifted(&mut self, targets: Squares<F, R, W>, _: i8, _: u8) {
        self.0 += targets.count() as usize;
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Squares<F, R, W>, _: i8, kinds: &[u8]) {
        self.0 += kinds.len() * targets.count() as usize;
    }

    #[inline(always)]
    fn one(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// Sink that tests for any move: it becomes true at the first move.
pub(crate) struct Any(pub bool);

impl<const F: usize, const R: usize, const W: usize> Sink<F, R, W> for Any {
    #[inline(always)]
    fn targets(&mut self, _: Square<F, R>, targets: Squares<F, R, W>, _: u8) {
        self.0 |= !targets.is_empty();
    }

    #[inline(always)]
    fn shifted(&mut self, targets: Squares<F, R, W>, _: i8, _: u8) {
        self.0 |= !targets.is_empty();
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

/// Sink that tests if a given move is among the moves it receives.
pub(crate) struct Find {
    pub mv: Move,
    pub found: bool,
}

impl<const F: usize, const R: usize, const W: usize> Sink<F, R, W> for Find {
    #[inline(always)]
    fn targets(&mut self, from: Square<F, R>, targets: Squares<F, R, W>, kind: u8) {
        self.found |= self.mv.from() == from.byte()
            && self.mv.kind() == kind
            && self.mv.aux() == 0
            && Square::new(self.mv.to().into()).is_some_and(|to| targets.has(to));
    }

    #[inline(always)]
    fn shifted(&mut self, targets: Squares<F, R, W>, shift: i8, kind: u8) {
        if self.mv.from().wrapping_add_signed(shift) == self.mv.to() {
            self.targets(Square::of(self.mv.from()), targets, kind);
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
