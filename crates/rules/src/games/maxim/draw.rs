//! Description of Maxim chess, and drawing of its positions.

use super::{Maxim, Phase};
use crate::{Color, Describe, Shown, Square};

impl Describe for Maxim {
    fn about((): ()) -> &'static str {
        "Knights move along ranks and files only: one or two squares, or three with a leap. Two friendly pieces may share a \
         square; of a captured pair the later one is pushed aside. After a move a player may declare a pair of portals: the next \
         piece to end on one of them comes out at the other. No castling, no promotion."
    }

    /// Returns the pieces on the square. A portal on the square is drawn as a frame of brackets.
    fn shown(&self, file: usize, rank: usize) -> Shown {
        let mut shown = Shown::default();
        let Some(square) = Square::at(file, rank) else { return shown };
        if let Some((side, first, second)) = self.pieces_at(square) {
            for kind in [Some(first), second].into_iter().flatten() {
                shown.pieces.push(side.cased(kind.letter()));
            }
        }
        let owner = Color::ALL.into_iter().find(|side| self.portals(*side).has(square));
        shown.frame = owner.map(|side| (side, if side == Color::White { ['[', ']'] } else { ['(', ')'] }));
        shown
    }

    fn legend(&self) -> Option<&'static str> {
        let any = !self.state.all_portals().is_empty();
        match (any, self.phase()) {
            (_, Phase::First) => {
                Some("[ ] White's portals, ( ) Black's; `done`, or the first of two new portals, as `@c3`")
            }
            (_, Phase::Second(_)) => Some("[ ] White's portals, ( ) Black's; the second portal, as `@f6`"),
            (true, Phase::Move) => Some("[ ] White's portals, ( ) Black's"),
            (false, Phase::Move) => None,
        }
    }
}
