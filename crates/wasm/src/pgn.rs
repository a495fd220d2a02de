//! Reads and writes PGN files for the web page.

use crate::Answer;
use crate::game::{MOST_PLIES, play};
use crate::state::json;
use catapult_rules::{PgnGame, PgnReader, PgnResult, is_tag_name};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// Maximum number of games that are read from a file.
const MOST_GAMES: usize = 5000;

#[derive(Serialize, Default)]
struct Read {
    tags: Vec<(String, String)>,
    variant: String,
    /// FEN of the first position. Empty for the start position of the variant.
    start: String,
    moves: Vec<String>,
    result: String,
    /// Reason why the game could not be read completely, or `None`.
    error: Option<String>,
}

#[derive(Serialize)]
struct File {
    games: Vec<Read>,
    /// True if the file has more games than were read.
    more: bool,
}

/// Returns the games of a PGN file as JSON. A game that cannot be read completely has an error
/// message.
#[wasm_bindgen]
pub fn read_pgn(text: &str) -> Answer {
    let mut games = Vec::new();
    let mut reader = PgnReader::new(text.as_bytes());
    for game in reader.by_ref().take(MOST_GAMES) {
        games.push(match game {
            Ok(game) => read_game(&game),
            Err(error) => Read { error: Some(error.to_string()), ..Read::default() },
        });
    }
    if games.is_empty() {
        return Err("there is no game in this PGN".to_owned());
    }
    Ok(json(&File { games, more: reader.next().is_some() }))
}

fn read_game(game: &PgnGame) -> Read {
    let mut read = Read { tags: game.tags.clone(), result: game.result.to_string(), ..Read::default() };
    let variant = match game.variant() {
        Ok(variant) => variant,
        Err(error) => {
            read.error = Some(format!("game {}: {error}", game.number));
            return read;
        }
    };
    read.variant = variant.to_string();
    if game.moves.len() > MOST_PLIES {
        read.error = Some(format!("game {}: more than {MOST_PLIES} moves", game.number));
        return read;
    }
    let played = game.replay_any(variant).map(Some).unwrap_or_else(|(played, error)| {
        read.error = Some(error.to_string());
        played
    });
    if let Some(played) = played {
        if played.start_fen() != variant.start().fen() || game.tag("FEN").is_some() {
            read.start = played.start_fen();
        }
        let mut at = played.rewound();
        for &mv in played.moves() {
            read.moves.push(at.move_text(mv));
            at.push(mv);
        }
    }
    read
}

/// Returns a game as PGN. `tags` is a JSON list of pairs of name and value. Tags with names that only
/// the reader accepts are left out. `result` is a PGN result such as `1-0`, or empty for the result
/// of the position.
#[wasm_bindgen]
pub fn write_pgn(variant: &str, start: &str, moves: &str, tags: &str, result: &str) -> Answer {
    let mut tags: Vec<(String, String)> =
        serde_json::from_str(tags).map_err(|error| format!("tags: not a JSON list of pairs: {error}"))?;
    tags.retain(|(name, _)| is_tag_name(name));
    let game = play(variant, start, moves)?;
    let result = match result {
        "" => None,
        text => Some(PgnResult::from_text(text).ok_or_else(|| format!("`{text}` is not a game result"))?),
    };
    game.pgn(&tags, &[], result).map_err(|error| error.to_string())
}
