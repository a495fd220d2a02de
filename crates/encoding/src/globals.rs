//! The globals that come first in every layout.

use catapult_rules::{Color, Position};

/// The castling rights of the side to move and of the other, the king's side first, the clock, and whether the position has
/// occurred once or twice before.
pub(crate) fn castling_clock_and_repetitions<P: Position>(
    position: &P,
    may_castle: impl Fn(Color, bool) -> bool,
    repetitions: u8,
) -> [f32; 7] {
    let us = position.side_to_move();
    let flag = |set: bool| f32::from(u8::from(set));
    [
        flag(may_castle(us, true)),
        flag(may_castle(us, false)),
        flag(may_castle(!us, true)),
        flag(may_castle(!us, false)),
        (position.halfmove_clock() as f32 / 100.0).min(1.0),
        flag(repetitions >= 1),
        flag(repetitions >= 2),
    ]
}
