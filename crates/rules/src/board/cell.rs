//! Contents of one square: empty, or a piece with its side.

use crate::Color;

/// A piece kind that a [`Cell`] can hold.
pub(crate) trait Kind: Copy + 'static {
    /// All piece kinds of the game.
    const KINDS: &'static [Self];

    /// Returns the code of this piece kind in a [`Cell`], from 1 to 15.
    fn code(self) -> u8;

    /// Returns the piece kind with this code, or `None` if no kind has the code.
    #[inline(always)]
    fn from_code(code: u8) -> Option<Self> {
        Self::KINDS.iter().copied().find(|kind| kind.code() == code)
    }
}

impl Kind for crate::PieceKind {
    const KINDS: &'static [crate::PieceKind] = &crate::PieceKind::ALL;

    #[inline(always)]
    fn code(self) -> u8 {
        self as u8 + 1
    }

    #[inline(always)]
    fn from_code(code: u8) -> Option<Self> {
        crate::PieceKind::ALL.get(code.checked_sub(1)? as usize).copied()
    }
}

/// Contents of a square: 0 if empty, otherwise the [code](Kind::code) of the piece kind, plus 16
/// for a piece of Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell(pub u8);

impl Cell {
    pub(crate) const EMPTY: Cell = Cell(0);

    #[inline(always)]
    pub(crate) fn of(side: Color, kind: impl Kind) -> Cell {
        Cell(kind.code() | (side as u8) << 4)
    }

    /// Returns the piece kind, or `None` if the square is empty.
    #[inline(always)]
    pub(crate) fn kind<K: Kind>(self) -> Option<K> {
        K::from_code(self.0 & 15)
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
