//! Reading and writing of PGN: an iterator over games, and a writer.

use crate::board::Board;
use crate::errors::{file_error, value_error};
use catapult_rules::{PgnError, PgnResult, Variant};
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
    /// File of the games. Empty for a text.
    path: PathBuf,
    variant: Option<Variant>,
}

/// A game as read: tags, variant, board after the last legal move, result, error. Variant and board
/// are None if they are unknown. The error is None if the whole game was read.
type Read = (Vec<(String, String)>, Option<String>, Option<Board>, String, Option<String>);

#[pymethods]
impl PgnReader {
    /// Opens the file `path` or reads `text`. `variant` replaces the variants in the games' tags.
    /// Raises ValueError unless exactly one of `path` and `text` is given.
    #[new]
    #[pyo3(signature = (path = None, text = None, variant = None))]
    fn new(path: Option<PathBuf>, text: Option<String>, variant: Option<&str>) -> PyResult<PgnReader> {
        let input: Input = match (&path, text) {
            (Some(path), None) => {
                let file = File::open(path).map_err(|error| file_error(path, error))?;
                Box::new(BufReader::new(file))
            }
            (None, Some(text)) => Box::new(Cursor::new(text.into_bytes())),
            _ => return Err(value_error("give either a path or text")),
        };
        let variant = variant.map(crate::errors::variant).transpose()?;
        let reader = Mutex::new(catapult_rules::PgnReader::new(input));
        Ok(PgnReader { reader, path: path.unwrap_or_default(), variant })
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self) -> PyResult<Option<Read>> {
        let mut reader = self.reader.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let game = match reader.next() {
            None => return Ok(None),
            Some(Ok(game)) => game,
            // No game follows.
            Some(Err(PgnError::Io { error, .. })) => return Err(file_error(&self.path, error)),
            Some(Err(error)) => {
                let unknown = PgnResult::Unknown.to_string();
                return Ok(Some((Vec::new(), None, None, unknown, Some(error.to_string()))));
            }
        };
        let result = game.result.to_string();
        let variant = match self.variant.map_or_else(|| game.variant(), Ok) {
            Ok(variant) => variant,
            Err(error) => {
                let error = format!("game {}: {error}", game.number);
                return Ok(Some((game.tags, None, None, result, Some(error))));
            }
        };
        let (line, error) = match game.replay_any(variant) {
            Ok(line) => (Some(line), None),
            Err((line, error)) => (line, Some(error.to_string())),
        };
        let board = line.map(|line| Board { variant, line });
        Ok(Some((game.tags, Some(variant.to_string()), board, result, error)))
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
    let read = |text: &str| {
        let unknown = || value_error(format!("result {text:?}: must be 1-0, 0-1, 1/2-1/2 or *"));
        PgnResult::from_text(text).ok_or_else(unknown)
    };
    board.line.pgn(&tags, &comments, result.map(read).transpose()?).map_err(value_error)
}
