//! Moves as Python objects, and sequences of moves.

use crate::errors::value_error;
use catapult_rules::{AnyGame, Move as Bits, MoveError, MoveParts, PartsKind, move_parts};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyTuple};
use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A move. It is either a legal move of some position, or a text: `Move(uci, files=8)`.
///
/// Two moves are equal if their texts are equal.
#[pyclass(frozen, eq, hash, module = "catapult", name = "Move")]
#[derive(Clone)]
pub struct Move(Inner);

#[derive(Clone)]
enum Inner {
    /// A legal move of a game's current position, which determines its text.
    Legal(Bits, Arc<dyn AnyGame>),
    Text(Arc<str>, u8),
}

impl PartialEq for Move {
    fn eq(&self, other: &Move) -> bool {
        match (&self.0, &other.0) {
            (Inner::Legal(a, one), Inner::Legal(b, two)) if a == b && Arc::ptr_eq(one, two) => true,
            _ => self.text() == other.text(),
        }
    }
}

impl Eq for Move {}

impl Hash for Move {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text().hash(state);
    }
}

impl Move {
    /// Creates the object for a legal move of a game's current position.
    pub fn new(mv: Bits, game: &Arc<dyn AnyGame>) -> Move {
        Move(Inner::Legal(mv, game.clone()))
    }

    /// Returns the text of the move.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.0 {
            Inner::Legal(mv, game) => Cow::Owned(game.move_text(*mv)),
            Inner::Text(text, _) => Cow::Borrowed(text),
        }
    }

    /// Returns the move as the rules represent it. Returns `None` if the object is only a text or a
    /// move of a game with another position type.
    pub fn bits(&self, game: &dyn AnyGame) -> Option<Bits> {
        match &self.0 {
            Inner::Legal(mv, source) if (**source).type_id() == game.type_id() => Some(*mv),
            _ => None,
        }
    }

    fn files(&self) -> usize {
        match &self.0 {
            Inner::Legal(_, game) => game.files(),
            Inner::Text(_, files) => usize::from(*files),
        }
    }

    fn parts(&self) -> MoveParts {
        move_parts(&self.text(), self.files())
    }
}

#[pymethods]
impl Move {
    #[new]
    #[pyo3(signature = (uci, files = 8))]
    fn py_new(uci: &str, files: usize) -> PyResult<Move> {
        if !(1..=26).contains(&files) {
            return Err(value_error(format!("files = {files}: a board has 1 to 26")));
        }
        if uci.is_empty() || uci.len() > 32 || !uci.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(value_error(format!("{uci:?} is not a move")));
        }
        Ok(Move(Inner::Text(uci.into(), files as u8)))
    }

    #[staticmethod]
    #[pyo3(signature = (uci, files = 8))]
    fn from_uci(uci: &str, files: usize) -> PyResult<Move> {
        Move::py_new(uci, files)
    }

    /// Returns the move's text. Moves that exist in chess have UCI notation.
    fn uci(&self) -> String {
        self.text().into_owned()
    }

    /// Index (rank * files + file) of the square that the move leaves. It is None for a move that
    /// puts a piece on the board and for "done".
    #[getter(from_square)]
    fn origin(&self) -> Option<usize> {
        self.parts().from
    }

    /// Index (rank * files + file) of the destination square. It is None for "done".
    #[getter]
    fn to_square(&self) -> Option<usize> {
        self.parts().to
    }

    /// Capital letter of the piece to which a pawn promotes, or None.
    #[getter]
    fn promotion(&self) -> Option<char> {
        let parts = self.parts();
        parts.promotion.filter(|_| parts.to.is_some())
    }

    /// True if the move teleports a piece from one catapult to another.
    #[getter]
    fn is_teleport(&self) -> bool {
        matches!(self.parts().kind, PartsKind::Teleport | PartsKind::Instant)
    }

    fn __str__(&self) -> String {
        self.uci()
    }

    fn __repr__(&self) -> String {
        match self.files() {
            8 => format!("Move.from_uci({:?})", self.text()),
            files => format!("Move.from_uci({:?}, files={files})", self.text()),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, usize))> {
        let restore = py.import("catapult._catapult")?.getattr("Move")?;
        Ok((restore, (self.uci(), self.files())))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

/// A move as an argument of a function.
#[derive(FromPyObject)]
pub(crate) enum Given<'py> {
    /// A `Move` object.
    #[pyo3(transparent, annotation = "Move")]
    Object(PyRef<'py, Move>),
    /// The text of a move.
    #[pyo3(transparent, annotation = "str")]
    Text(String),
}

impl Given<'_> {
    /// Returns the text of the move.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match self {
            Given::Object(mv) => mv.text(),
            Given::Text(text) => Cow::Borrowed(text),
        }
    }

    /// Returns the legal move of a game's current position that the argument describes.
    ///
    /// # Errors
    /// The argument describes no legal move.
    pub(crate) fn find(&self, game: &dyn AnyGame) -> Result<Bits, MoveError> {
        let bits = match self {
            Given::Object(mv) => mv.bits(game),
            Given::Text(_) => None,
        };
        // On a square with two pieces, equal moves of two positions may move different pieces.
        let is_meant =
            |mv| game.is_legal(mv) && (game.pieces_per_square() == 1 || game.move_text(mv) == self.text());
        match bits {
            Some(mv) if is_meant(mv) => Ok(mv),
            _ => game.parse_move(&self.text()),
        }
    }
}

/// The legal moves of a position, as a sequence. It equals a list or tuple of the same moves.
/// Pickling turns it into a tuple.
#[pyclass(frozen, module = "catapult")]
pub struct LegalMoves {
    moves: Py<PyTuple>,
}

impl LegalMoves {
    /// Creates the sequence for legal moves of a game's current position.
    pub fn new(py: Python<'_>, moves: &[Bits], game: &Arc<dyn AnyGame>) -> PyResult<LegalMoves> {
        let objects = PyTuple::new(py, moves.iter().map(|mv| Move::new(*mv, game)))?;
        Ok(LegalMoves { moves: objects.unbind() })
    }
}

#[pymethods]
impl LegalMoves {
    fn __len__(&self, py: Python<'_>) -> usize {
        self.moves.bind(py).len()
    }

    /// Returns the number of moves.
    fn count(&self, py: Python<'_>) -> usize {
        self.__len__(py)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.moves.bind(py).try_iter()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.moves.bind(py).as_any().get_item(index)
    }

    fn __contains__(&self, py: Python<'_>, item: &Bound<'_, PyAny>) -> bool {
        let Ok(given) = item.extract::<Given>() else { return false };
        let is_given =
            |mv: Bound<'_, PyAny>| mv.cast::<Move>().is_ok_and(|mv| mv.get().text() == given.text());
        self.moves.bind(py).iter().any(is_given)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<LegalMoves>() {
            Ok(other) => self.moves.bind(py).eq(other.get().moves.bind(py)),
            Err(_) if other.is_instance_of::<PyTuple>() => self.moves.bind(py).eq(other),
            Err(_) => self.moves.bind(py).to_list().eq(other),
        }
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let text = |mv: Bound<'_, PyAny>| Ok(mv.str()?.to_string());
        let texts: Vec<String> = self.moves.bind(py).iter().map(text).collect::<PyResult<_>>()?;
        Ok(format!("<LegalMoves ({})>", texts.join(", ")))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyTuple>,))> {
        let tuple = py.get_type::<PyTuple>().into_bound_py_any(py)?;
        Ok((tuple, (self.moves.bind(py).clone(),)))
    }
}
