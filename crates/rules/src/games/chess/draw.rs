//! Description of chess and Chess++, and drawing of their positions.

use super::{ChessPosition, ChessRules};
use crate::{Color, Describe, Shown, Square};

impl<R: ChessRules> Describe for ChessPosition<R> {
    fn about(rules: R) -> &'static str {
        if !rules.catapults() {
            return "Standard (FIDE) chess.";
        }
        "Chess with two catapults per side. A turn may instead move an empty catapult, or teleport a piece (not a pawn) from one \
         of its side's catapults to the other, capturing an enemy there. A side that occupies both enemy catapults captures them."
    }

    /// Returns the piece on the square. A catapult on the square is drawn as a frame of brackets.
    fn shown(&self, file: usize, rank: usize) -> Shown {
        let Some(square) = Square::at(file, rank) else { return Shown::default() };
        let mut shown = Shown::of(self.letter_at(file, rank));
        let owner = Color::ALL.into_iter().find(|&side| self.catapults(side).has(square));
        shown.frame = owner.map(|side| {
            let signs = match (side, self.fresh_catapults(side).has(square)) {
                (Color::White, true) => ['{', '}'],
                (Color::White, false) => ['[', ']'],
                (Color::Black, true) => ['<', '>'],
                (Color::Black, false) => ['(', ')'],
            };
            (side, signs)
        });
        shown
    }

    fn legend(&self) -> Option<&'static str> {
        let any = Color::ALL.iter().any(|&side| !self.catapults(side).is_empty());
        any.then_some("[ ] White's catapult, ( ) Black's; { } and < > while their first move is left")
    }
}
