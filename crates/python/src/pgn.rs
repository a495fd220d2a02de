//! Reading and writing of PGN: an iterator over games, and a writer.

use crate::board::Board;
use crate::errors::{file_error, value_error};
use crate::line::Line;
use catapult_rules::{PgnGame, PgnResult, Variant, with_variant};
use pyo3::prelude::*;
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor};
use std::path::PathBuf;
use std::sync::Mutex;

type Input = Box<dyn BufRead + Send>;

/// Iterator over the games of a PGN file, for `catapult.pgn.read`.
#[pyclass(frozen, module = "catapult._catapult")]
pub struct PgnReader {
    reader: Mutex<catapult_rules::PgnReader<Input>>,
    variant: Option<Variant>,
}

/// A game as read: tags, variant, board after the last legal move, result, error. Variant and board
/// are None if they are unknown. The error is None if the whole game was read.
type Read = (Vec<(String, String)>, Option<String>, Option<Board>, String, Option<String>);

fn replay<P: catapult_encoding::Encode + catapult_rules::Drawn>(
    game: &PgnGame,
    variant: Variant,
    rules: P::Rules,
) -> (Option<Board>, Option<String>) {
    let (played, error) = match game.replay::<P>(rules) {
        Ok(played) => (Some(played), None),
        Err((played, error)) => (played, Some(error.to_string())),
    };
    (played.map(|played| Board { variant, line: Box::new(Line::of_game(&played)) }), error)
}

#[pymethods]
impl PgnReader {
    /// Opens the file `path` or reads `text`. `variant` replaces the variants in the games' tags.
    /// Raises ValueError unless exactly one of `path` and `text` is given.
    #[new]
    #[pyo3(signature = (path = None, text = None, variant = None))]
    fn new(path: Option<PathBuf>, text: Option<String>, variant: Option<&str>) -> PyResult<PgnReader> {
        let input: Input = match (path, text) {
            (Some(path), None) => {
                let file = File::open(&path).map_err(|error| file_error(&path, error))?;
                Box::new(BufReader::new(file))
            }
            (None, Some(text)) => Box::new(Cursor::new(text.into_bytes())),
            _ => return Err(value_error("give either a path or text")),
        };
        let variant = variant.map(crate::errors::variant).transpose()?;
        Ok(PgnReader { reader: Mutex::new(catapult_rules::PgnReader::new(input)), variant })
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self) -> Option<Read> {
        let mut reader = self.reader.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let game = match reader.next()? {
            Ok(game) => game,
            Err(error) => {
                let unknown = PgnResult::Unknown.to_string();
                return Some((Vec::new(), None, None, unknown, Some(error.to_string())));
            }
        };
        let result = game.result.to_string();
        let variant = match self.variant.map_or_else(|| game.variant(), Ok) {
            Ok(variant) => variant,
            Err(error) => {
                let error = format!("game {}: {error}", game.number);
                return Some((game.tags, None, None, result, Some(error)));
            }
        };
        let (board, error) = with_variant!(variant, |P, rules| replay::<P>(&game, variant, rules));
        Some((game.tags, Some(variant.to_string()), board, result, error))
    }
}

/// Returns a board's game as PGN, for `catapult.pgn.write`. If `result` is None, the board's
/// outcome gives the result.
#[pyfunction(name = "_write_pgn")]
pub(crate) fn write_pgn(
    board: PyRef<'_, Board>,
    tags: Vec<(String, String)>,
    comments: Vec<String>,
    result: Option<&str>,
) -> PyResult<String> {
    let variant = board.variant;
    with_variant!(variant, |P, _rules| {
        let game = board.line_of::<P>()?.game();
        let result = match result {
            None => PgnResult::of(&game),
            Some(text) => PgnResult::from_text(text)
                .ok_or_else(|| value_error(format!("result {text:?}: it may be 1-0, 0-1, 1/2-1/2 or *")))?,
        };
        let mut out = Vec::new();
        catapult_rules::write_pgn_with_comments(&mut out, variant, &tags, &game, &comments, result)
            .map_err(value_error)?;
        String::from_utf8(out).map_err(value_error)
    })
}
