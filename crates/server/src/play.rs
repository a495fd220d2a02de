//! Parsers of the variants, FENs and moves in requests.

use crate::error::{Answer, Refusal};
use catapult_rules::{AnyGame, Variant};

/// Maximum number of plies of a game.
pub(crate) const MOST_PLIES: usize = 4000;
/// Maximum length of a FEN in bytes.
const LONGEST_FEN: usize = 500;
/// Maximum length of a move's text in bytes.
const LONGEST_MOVE: usize = 40;

/// Plays a move, given as text. Returns the move's canonical text.
///
/// # Errors
/// The text is not a legal move.
pub(crate) fn push(game: &mut dyn AnyGame, text: &str) -> Answer<String> {
    if text.len() > LONGEST_MOVE {
        return Err(Refusal::bad(format!("a move has at most {LONGEST_MOVE} characters")));
    }
    let mv = game.parse_move(text).map_err(|error| Refusal::bad(error.to_string()))?;
    let text = game.move_text(mv);
    game.push(mv);
    Ok(text)
}

/// Parses the name of a variant.
pub(crate) fn variant(name: &str) -> Answer<Variant> {
    // The error message quotes the name.
    if name.len() > 200 {
        return Err(Refusal::bad("the name of a variant has at most 200 characters"));
    }
    name.parse().map_err(|error| Refusal::bad(format!("{error}")))
}

/// Returns the game that starts from a FEN, after `moves`. An empty FEN gives the variant's start
/// position. The moves are in Catapult's move text.
pub(crate) fn game(variant: Variant, fen: &str, moves: &[String]) -> Answer<Box<dyn AnyGame>> {
    if fen.len() > LONGEST_FEN {
        return Err(Refusal::bad(format!("a FEN has at most {LONGEST_FEN} characters")));
    }
    if moves.len() > MOST_PLIES {
        return Err(Refusal::bad(format!("the game has more than {MOST_PLIES} moves")));
    }
    let fen = Some(fen.trim()).filter(|fen| !fen.is_empty());
    let mut game = variant.game(fen).map_err(|error| Refusal::bad(error.to_string()))?;
    for (ply, text) in moves.iter().enumerate() {
        let text = text.get(..LONGEST_MOVE).unwrap_or(text);
        let mv = game.parse_move(text);
        game.push(mv.map_err(|error| Refusal::bad(format!("after {ply} moves: {error}")))?);
    }
    Ok(game)
}
