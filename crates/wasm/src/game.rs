//! Parsers of variant names, positions and games from the page's texts.

use crate::Answer;
use catapult_rules::{AnyGame, Variant};

/// Maximum number of moves in a game from a link or a file.
pub(crate) const MOST_PLIES: usize = 4000;

/// Parses the name of a variant.
pub(crate) fn variant(name: &str) -> Answer<Variant> {
    name.parse().map_err(|error| format!("{error}"))
}

/// Returns a new game of the variant `name` from a FEN. An empty text gives the start position.
pub(crate) fn start(name: &str, fen: &str) -> Answer<Box<dyn AnyGame>> {
    let fen = Some(fen.trim()).filter(|fen| !fen.is_empty());
    variant(name)?.game(fen).map_err(|error| error.to_string())
}

/// Plays a game from the FEN `fen` through `moves`, which are move texts separated by spaces.
pub(crate) fn play(name: &str, fen: &str, moves: &str) -> Answer<Box<dyn AnyGame>> {
    let mut game = start(name, fen)?;
    for text in moves.split_ascii_whitespace() {
        let ply = game.moves().len();
        if ply == MOST_PLIES {
            return Err(format!("the game has more than {MOST_PLIES} moves"));
        }
        let mv = game.parse_move(text).map_err(|error| format!("after {ply} moves: {error}"))?;
        game.push(mv);
    }
    Ok(game)
}
