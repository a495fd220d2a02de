//! Globals that come first in every layout. A global is an input with one value per position.

use crate::rows::rows;
use catapult_rules::{Color, Position};

rows! {
    /// Names of the globals that come first in every layout, with their numbers.
    COMMON from 0 = 0;
    fn values(c: &Common) -> f32;
    "own castling, king's side" "1 while the right exists, here and in the next three" = f32::from(c.rights[0]);
    "own castling, queen's side" = f32::from(c.rights[1]);
    "enemy castling, king's side" = f32::from(c.rights[2]);
    "enemy castling, queen's side" = f32::from(c.rights[3]);
    "clock" "half-move clock / 100, at most 1" = (c.clock as f32 / 100.0).min(1.0);
    "seen once" "1 if the position has occurred before in the game" = f32::from(c.repetitions >= 1);
    "seen twice" "1 if it has occurred at least twice before" = f32::from(c.repetitions >= 2);
}

struct Common {
    rights: [bool; 4],
    clock: u32,
    repetitions: u8,
}

/// Returns the values of the [`COMMON`] globals. `may_castle(side, kingside)` returns true if the
/// side still has that right to castle.
pub(crate) fn common<P: Position>(
    position: &P,
    may_castle: impl Fn(Color, bool) -> bool,
    repetitions: u8,
) -> [f32; COMMON.len()] {
    let us = position.side_to_move();
    let rights = [(us, true), (us, false), (!us, true), (!us, false)];
    let rights = rights.map(|(side, kingside)| may_castle(side, kingside));
    values(&Common { rights, clock: position.halfmove_clock(), repetitions })
}
