//! Parsers of variant names, positions and games from the page's texts.

use crate::Answer;
use catapult_rules::{Game, Position, Variant};

/// Maximum number of moves in a game from a link or a file.
pub(crate) const MOST_PLIES: usize = 4000;

/// Parses the name of a variant.
pub(crate) fn variant(name: &str) -> Answer<Variant> {
    name.parse().map_err(|error| format!("{error}"))
}

/// Parses a FEN. An empty text gives the initial position.
pub(crate) fn start<P: Position>(fen: &str, rules: P::Rules) -> Answer<P> {
    match fen.trim() {
        "" => Ok(P::start(rules)),
        fen => P::from_fen(fen, rules).map_err(|error| error.to_string()),
    }
}

/// Plays a game from the FEN `fen` through `moves`, which are move texts separated by spaces.
pub(crate) fn play<P: Position>(fen: &str, moves: &str, rules: P::Rules) -> Answer<Game<P>> {
    let mut game = Game::new(start::<P>(fen, rules)?);
    for text in moves.split_ascii_whitespace() {
        if game.ply() == MOST_PLIES {
            return Err(format!("the game has more than {MOST_PLIES} moves"));
        }
        match game.position().parse_move(text) {
            Ok(mv) => game.push(mv),
            Err(error) => return Err(format!("after {} moves: {error}", game.ply())),
        }
    }
    Ok(game)
}
