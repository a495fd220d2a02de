//! View of an 8x8 board from one side: its first rank becomes rank 0. Files can be flipped too.

use catapult_rules::{Color, Square, Squares};

/// Maps squares and sets of squares of the board to the view of one side.
#[derive(Clone, Copy)]
pub(crate) struct View8 {
    flip_ranks: bool,
    flip_files: bool,
}

impl View8 {
    pub(crate) fn new(side: Color, mirror: bool) -> View8 {
        View8 { flip_ranks: side == Color::Black, flip_files: mirror }
    }

    #[inline(always)]
    pub(crate) fn square(self, square: Square) -> Square {
        let square = if self.flip_ranks { square.flip_ranks() } else { square };
        if self.flip_files { square.flip_files() } else { square }
    }

    #[inline(always)]
    pub(crate) fn set(self, set: Squares) -> Squares {
        let set = if self.flip_ranks { set.flip_ranks() } else { set };
        if self.flip_files { set.flip_files() } else { set }
    }
}
