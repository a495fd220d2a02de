//! Results of games against the computer, recorded if the operator wants them.

use crate::App;
use crate::error::{Answer, Refusal};
use crate::games::outcome;
use crate::guard::JsonBody;
use crate::play::{game, variant};
use crate::watch::with_files;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use std::io::Write;
use std::sync::{Arc, PoisonError};

/// Maximum size of the file in bytes.
const LARGEST: u64 = 16 << 20;
/// Maximum length of a level in bytes. A level may contain the name of a run's folder.
const LONGEST_LEVEL: usize = 300;

/// A finished game from the start position: the level as the page names it, and the person's side.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Finished {
    variant: String,
    moves: Vec<String>,
    level: String,
    colour: String,
    resigned: bool,
}

/// Appends the result of a game to the file. The result follows from the moves.
pub(crate) async fn record(
    State(app): State<Arc<App>>,
    JsonBody(finished): JsonBody<Finished>,
) -> Answer<StatusCode> {
    with_files(&app, |app| append(app, finished)).await
}

fn append(app: &App, finished: Finished) -> Answer<StatusCode> {
    let Finished { variant: name, moves, level, colour, resigned } = finished;
    let file = app.results.as_ref().ok_or_else(|| Refusal::missing("this server records no results"))?;
    // A level is written to the CSV file without quotes. Spreadsheets take a cell for a formula if it
    // begins with `=`, `+`, `-` or `@`.
    let breaks_row = |letter: char| letter.is_control() || letter == ',' || letter == '"';
    let begins_well = level.starts_with(|letter: char| letter.is_ascii_alphanumeric());
    if !begins_well || level.len() > LONGEST_LEVEL || level.contains(breaks_row) {
        let shown: String = level.chars().take(60).collect();
        return Err(Refusal::bad(format!(
            "level: {shown:?} must begin with a letter or digit and have at most {LONGEST_LEVEL} bytes, \
             without comma, quote or control character"
        )));
    }
    let board = game(variant(&name)?, "", &moves)?;
    let result = match (outcome(&*board), colour.as_str()) {
        (None, "white" | "black") if resigned => "loss",
        (Some((_, None)), "white" | "black") => "draw",
        (Some((_, Some(winner))), "white" | "black") if winner == colour => "win",
        (Some(_), "white" | "black") => "loss",
        _ => return Err(Refusal::bad("the game is not over, or its colour is not white or black")),
    };
    let path = file.lock().unwrap_or_else(PoisonError::into_inner);
    let failed = |error: std::io::Error| Refusal::fault(format!("the result could not be stored: {error}"));
    let mut file = std::fs::File::options().append(true).create(true).open(&*path).map_err(failed)?;
    let header = match file.metadata().map_err(failed)?.len() {
        0 => "variant,level,colour,result,plies\n",
        LARGEST.. => return Err(Refusal::busy("the file of results is full")),
        _ => "",
    };
    let line = format!("{header}{},{level},{colour},{result},{}\n", board.variant(), moves.len());
    file.write_all(line.as_bytes()).map(|()| StatusCode::NO_CONTENT).map_err(failed)
}
