//! What becomes of generated moves: a list, a count, whether there is one, whether one is among them.

use crate::board::Set;
use crate::{Move, MoveList};

/// A set of squares to which moves go.
pub(crate) trait Targets: Copy {
    /// The number of squares.
    fn number(self) -> usize;

    /// Whether there is one.
    fn any(self) -> bool;

    /// Whether the square of this index is among them; any index will do.
    fn has_index(self, index: u8) -> bool;

    /// Their indices, lowest first.
    fn indices(self) -> impl Iterator<Item = u8>;
}

impl Targets for u64 {
    #[inline(always)]
    fn number(self) -> usize {
        self.count_ones() as usize
    }

    #[inline(always)]
    fn any(self) -> bool {
        self != 0
    }

    #[inline(always)]
    fn has_index(self, index: u8) -> bool {
        index < 64 && self >> index & 1 != 0
    }

    #[inline(always)]
    fn indices(mut self) -> impl Iterator<Item = u8> {
        std::iter::from_fn(move || {
            if self == 0 {
                return None;
            }
            let index = self.trailing_zeros() as u8;
            self &= self - 1;
            Some(index)
        })
    }
}

impl<const F: usize, const R: usize, const W: usize> Targets for Set<F, R, W> {
    #[inline(always)]
    fn number(self) -> usize {
        self.count() as usize
    }

    #[inline(always)]
    fn any(self) -> bool {
        !self.is_empty()
    }

    #[inline(always)]
    fn has_index(self, index: u8) -> bool {
        crate::board::Square::new(index.into()).is_some_and(|square| self.has(square))
    }

    #[inline(always)]
    fn indices(self) -> impl Iterator<Item = u8> {
        self.into_iter().map(|square| square.byte())
    }
}

/// Consumes generated moves.
pub(crate) trait Sink<T: Targets> {
    /// Moves of one origin.
    fn targets(&mut self, from: u8, targets: T, kind: u8);

    /// Moves to each target from the square `shift` before it.
    fn shifted(&mut self, targets: T, shift: i8, kind: u8);

    /// The same, to each target one move of each kind.
    fn promotions(&mut self, targets: T, shift: i8, kinds: &[u8]);

    /// One move.
    fn one(&mut self, mv: Move);

    /// Whether no more moves are wanted.
    #[inline(always)]
    fn is_done(&self) -> bool {
        false
    }
}

/// Appends the moves.
pub(crate) struct Collect<'a>(pub &'a mut MoveList);

impl<T: Targets> Sink<T> for Collect<'_> {
    #[inline(always)]
    fn targets(&mut self, from: u8, targets: T, kind: u8) {
        for to in targets.indices() {
            Sink::<T>::one(self, Move::new(from, to, 0, kind));
        }
    }

    #[inline(always)]
    fn shifted(&mut self, targets: T, shift: i8, kind: u8) {
        for to in targets.indices() {
            Sink::<T>::one(self, Move::new(to.wrapping_add_signed(-shift), to, 0, kind));
        }
    }

    fn promotions(&mut self, targets: T, shift: i8, kinds: &[u8]) {
        for to in targets.indices() {
            for &kind in kinds {
                Sink::<T>::one(self, Move::new(to.wrapping_add_signed(-shift), to, 0, kind));
            }
        }
    }

    #[inline(always)]
    fn one(&mut self, mv: Move) {
        // No position has as many moves as there is room for.
        let _ = self.0.try_push(mv);
    }
}

/// Counts the moves without making them.
pub(crate) struct Count(pub usize);

impl<T: Targets> Sink<T> for Count {
    #[inline(always)]
    fn targets(&mut self, _: u8, targets: T, _: u8) {
        self.0 += targets.number();
    }

    #[inline(always)]
    fn shifted(&mut self, targets: T, _: i8, _: u8) {
        self.0 += targets.number();
    }

    #[inline(always)]
    fn promotions(&mut self, targets: T, _: i8, kinds: &[u8]) {
        self.0 += kinds.len() * targets.number();
    }

    #[inline(always)]
    fn one(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// Whether there is a move.
pub(crate) struct Any(pub bool);

impl<T: Targets> Sink<T> for Any {
    #[inline(always)]
    fn targets(&mut self, _: u8, targets: T, _: u8) {
        self.0 |= targets.any();
    }

    #[inline(always)]
    fn shifted(&mut self, targets: T, _: i8, _: u8) {
        self.0 |= targets.any();
    }

    #[inline(always)]
    fn promotions(&mut self, targets: T, _: i8, _: &[u8]) {
        self.0 |= targets.any();
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
pub(crate) struct Find {
    mv: Move,
    pub found: bool,
}

impl Find {
    pub(crate) fn new(mv: Move) -> Find {
        Find { mv, found: false }
    }
}

impl<T: Targets> Sink<T> for Find {
    #[inline(always)]
    fn targets(&mut self, from: u8, targets: T, kind: u8) {
        self.found |= self.mv.from() == from
            && self.mv.kind() == kind
            && self.mv.aux() == 0
            && targets.has_index(self.mv.to());
    }

    #[inline(always)]
    fn shifted(&mut self, targets: T, shift: i8, kind: u8) {
        if self.is_shifted(shift) {
            self.targets(self.mv.from(), targets, kind);
        }
    }

    fn promotions(&mut self, targets: T, shift: i8, kinds: &[u8]) {
        if self.is_shifted(shift) {
            for &kind in kinds {
                self.targets(self.mv.from(), targets, kind);
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
