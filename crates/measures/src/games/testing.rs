//! Helpers for the tests of all games.

use super::StudiedGame;
use catapult_rules::Move;

/// Returns the position `fen`, and the legal move `text` in this position. An empty FEN is the
/// start position.
fn position<P: StudiedGame<Rules = ()>>(fen: &str, text: &str) -> (P, Move) {
    let position = if fen.is_empty() { P::start(()) } else { P::from_fen(fen, ()).unwrap() };
    let mv = position.parse_move(text).unwrap_or_else(|error| panic!("{fen}: {error}"));
    (position, mv)
}

/// Asserts that moves have the expected uses. Each case is a FEN, a move as text and the ids of the
/// move's uses. An empty FEN is the start position.
pub(super) fn assert_uses<P: StudiedGame<Rules = ()>>(cases: &[(impl AsRef<str>, &str, &[&str])]) {
    for (fen, text, expected) in cases {
        let (before, mv) = position::<P>(fen.as_ref(), text);
        let mut after = before;
        after.play(mv);
        assert_eq!(ids::<P>(before.uses(mv, &after)), *expected, "{text} in {}", fen.as_ref());
    }
}

/// Returns the ids of the uses in the bit set `uses`.
pub(super) fn ids<P: StudiedGame>(uses: u16) -> Vec<&'static str> {
    let made = P::USES.iter().enumerate().filter(|(index, _)| uses >> index & 1 != 0);
    made.map(|(_, it)| it.counted.id).collect()
}

/// Returns the marks of the move `text` from `fen`: index of the board in `MAPS`, and square.
pub(super) fn marks<P: StudiedGame<Rules = ()>>(fen: &str, text: &str) -> Vec<(usize, usize)> {
    let (position, mv) = position::<P>(fen, text);
    position.marks(mv)
}
