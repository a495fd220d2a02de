//! What stands on a square.

use crate::Color;

/// A kind of piece of a game on such a board.
pub(crate) trait Kind: Copy + 'static {
    /// All kinds.
    const KINDS: &'static [Self];

    /// Where the game's random numbers begin: those of no other game may lie among the `0x6001` from there on.
    const FIRST_KEY: u64;

    /// The bits of a square with such a piece: from 1 to 15.
    fn code(self) -> u8;
}

/// What stands on a square: 0 for nothing, else the [code](Kind::code) of the kind, plus 16 for Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell(pub u8);

impl Cell {
    pub(crate) const EMPTY: Cell = Cell(0);

    #[inline(always)]
    pub(crate) fn of(side: Color, kind: impl Kind) -> Cell {
        Cell(kind.code() | (side as u8) << 4)
    }

    /// The kind; none for an empty square.
    pub(crate) fn kind<K: Kind>(self) -> Option<K> {
        K::KINDS.iter().copied().find(|kind| kind.code() == self.0 & 15)
    }

    #[inline(always)]
    pub(crate) const fn side(self) -> Color {
        if self.0 & 16 == 0 { Color::White } else { Color::Black }
    }

    #[inline(always)]
    pub(crate) fn is(self, kind: impl Kind) -> bool {
        self.0 & 15 == kind.code()
    }
}
