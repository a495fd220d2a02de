//! Python functions that evaluate positions for a search, and interrupts of a search.

use crate::encode::{actions, array, number, widen};
use crate::errors::value_error;
use catapult_arena::{EncodedPositions, EvaluatorSource};
use catapult_mcts::{EvaluationError, Value};
use numpy::{PyArray1, PyArray2, PyArray4, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Minimum interval between checks for signals, such as Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(50);

/// Place for an exception of a Python function or an interrupt. The exception is raised after the
/// search has ended.
pub(crate) type Raised = Arc<Mutex<Option<PyErr>>>;

/// Returns the exception of a Python function, or else a `ValueError` with `text`.
pub(crate) fn raised_or(raised: &Raised, text: String) -> PyErr {
    let raised = raised.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
    raised.unwrap_or_else(|| value_error(text))
}

/// Checks for Python signals at intervals. Stores the exception of an interrupt in `raised`.
pub(crate) struct Signals {
    last: Instant,
    raised: Raised,
}

impl Signals {
    pub(crate) fn new(raised: &Raised) -> Signals {
        Signals { last: Instant::now(), raised: raised.clone() }
    }

    /// Returns true if a signal interrupts the call.
    pub(crate) fn look(&mut self) -> bool {
        if self.last.elapsed() < PATIENCE {
            return false;
        }
        self.last = Instant::now();
        let error = Python::attach(|py| py.check_signals()).err();
        let interrupted = error.is_some();
        if interrupted {
            *self.raised.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = error;
        }
        interrupted
    }
}

/// Returns the evaluator that calls a Python function, with at most `most` rows per call. An
/// exception of the function is stored in `raised`.
pub(crate) fn function_source(function: &Arc<Py<PyAny>>, raised: &Raised, most: usize) -> EvaluatorSource {
    let (function, raised) = (function.clone(), raised.clone());
    let evaluate = move |positions| {
        Python::attach(|py| ask(py, &function, positions)).map_err(|error| {
            let text = error.to_string();
            *raised.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(error);
            EvaluationError(text)
        })
    };
    EvaluatorSource::Function { evaluate: Arc::new(evaluate), most }
}

/// Positions that a function evaluates, from the view of their sides to move.
///
/// - `planes`: float32 [rows, ranks, files, planes]
/// - `globals`: float32 [rows, globals]
/// - `moves`: int64 [moves, 4], one row per legal move: position's row, policy plane, square,
///   destination. They are ordered by the position's row.
/// - `actions`: int64 [moves], the action of each move: `plane * squares + square`
/// - `offsets`: int64 [rows + 1]. Row `i` has the moves from `offsets[i]` up to, not including,
///   `offsets[i + 1]`.
/// - `num_actions`: number of actions in the layout
/// - `variant`: name of the variant
/// - `fens`: FENs of the positions. They are created at each access.
#[pyclass(frozen, module = "catapult", name = "Positions")]
pub struct Positions {
    #[pyo3(get)]
    planes: Py<PyArray4<f32>>,
    #[pyo3(get)]
    globals: Py<PyArray2<f32>>,
    #[pyo3(get)]
    moves: Py<PyArray2<i64>>,
    #[pyo3(get)]
    actions: Py<PyArray1<i64>>,
    #[pyo3(get)]
    offsets: Py<PyArray1<i64>>,
    #[pyo3(get)]
    num_actions: usize,
    #[pyo3(get)]
    variant: String,
    texts: Box<dyn Fn() -> Vec<String> + Send + Sync>,
}

#[pymethods]
impl Positions {
    #[getter]
    fn fens(&self) -> Vec<String> {
        (self.texts)()
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.globals.bind(py).shape()[0]
    }
}

/// Evaluates positions with a Python function. Returns the logits of all moves and the values.
fn ask(
    py: Python<'_>,
    function: &Py<PyAny>,
    positions: EncodedPositions,
) -> PyResult<(Vec<f32>, Vec<Value>)> {
    let EncodedPositions { variant, layout, planes, globals, moves, offsets, fens } = positions;
    let layout = &layout;
    let (count, asked) = (offsets.len() - 1, moves.len());
    let actions_of: Vec<i64> = moves.iter().map(|index| i64::from(number(layout, *index))).collect();
    let mut rows = Vec::with_capacity(4 * asked);
    for row in 0..count {
        for index in &moves[offsets[row]..offsets[row + 1]] {
            let [plane, square, to] = [index.plane, index.square, index.to].map(i64::from);
            rows.extend([row as i64, plane, square, to]);
        }
    }
    let shape = [count, layout.ranks, layout.files, layout.planes];
    let starts = offsets.iter().map(|offset| *offset as i64).collect();
    let given = Positions {
        planes: array(py, shape, planes.into_iter().map(widen).collect())?.unbind(),
        globals: array(py, [count, layout.globals], globals)?.unbind(),
        moves: array(py, [asked, 4], rows)?.unbind(),
        actions: array(py, asked, actions_of.clone())?.unbind(),
        offsets: array(py, count + 1, starts)?.unbind(),
        num_actions: actions(layout),
        variant: variant.to_string(),
        texts: fens,
    };
    let answer = function.bind(py).call1((given,))?;
    let answer = answer.cast_into::<PyTuple>().map_err(|_| {
        PyTypeError::new_err(
            "the evaluator must return a tuple (logits, values) or (logits, values, moves_left)",
        )
    })?;
    if !(2..=3).contains(&answer.len()) {
        return Err(value_error(format!(
            "the evaluator returned {} arrays; expected (logits, values) or (logits, values, moves_left)",
            answer.len()
        )));
    }
    let floats = |at: usize, name: &str| floats(&answer.get_item(at)?, &format!("the evaluator's {name}"));
    let logits = floats(0, "logits")?;
    let (shape, values) = (logits.shape().to_vec(), logits.try_readonly().map_err(value_error)?);
    let values = values.as_slice()?;
    let all = actions(layout);
    let logits: Vec<f32> = match shape[..] {
        [moves] if moves == asked => values.to_vec(),
        [rows, actions] if rows == count && actions == all => {
            let row = |row: usize| (offsets[row]..offsets[row + 1]).map(move |at| (row, at));
            (0..count).flat_map(row).map(|(row, at)| values[row * all + actions_of[at] as usize]).collect()
        }
        _ => {
            return Err(value_error(format!(
                "the evaluator returned logits of shape {shape:?}; expected [{asked}] or [{count}, {all}]"
            )));
        }
    };
    check("logits", &logits)?;
    let told = floats(1, "values")?;
    let shape = told.shape().to_vec();
    let readable = told.try_readonly().map_err(value_error)?;
    let told = readable.as_slice()?;
    check("values", told)?;
    let wdl: Vec<[f32; 3]> = match shape[..] {
        [rows] | [rows, 1] if rows == count => {
            check_range("values", told, -1.0001..=1.0001, "-1 to 1")?;
            told.iter().map(|q| q.clamp(-1.0, 1.0)).map(|q| [(1.0 + q) / 2.0, 0.0, (1.0 - q) / 2.0]).collect()
        }
        [rows, 3] if rows == count => {
            told.chunks_exact(3).map(|wdl| normalised([wdl[0], wdl[1], wdl[2]])).collect::<PyResult<_>>()?
        }
        _ => {
            return Err(value_error(format!(
                "the evaluator returned values of shape {shape:?}; expected [{count}] or [{count}, 3]"
            )));
        }
    };
    let left = if answer.len() == 3 {
        let left = floats(2, "moves left")?;
        let found = left.len();
        if found != count {
            return Err(value_error(format!(
                "the evaluator returned {found} values of moves_left for {count} rows"
            )));
        }
        let left = left.try_readonly().map_err(value_error)?.as_slice()?.to_vec();
        check("moves left", &left)?;
        check_range("moves left", &left, 0.0..=f32::MAX, "0 or more")?;
        left
    } else {
        vec![0.0; count]
    };
    let value = |(wdl, moves_left): ([f32; 3], f32)| Value { wdl, moves_left };
    Ok((logits, wdl.into_iter().zip(left).map(value).collect()))
}

/// Converts an object to a float32 array with numpy. Errors contain `name`.
pub(crate) fn floats<'py>(given: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
    let numpy = given.py().import("numpy")?;
    let keywords = PyDict::new(given.py());
    keywords.set_item("dtype", "float32")?;
    let array = numpy.call_method("ascontiguousarray", (given,), Some(&keywords));
    let array = array.map_err(|error| value_error(format!("{name}: {error}")))?;
    Ok(array.cast_into::<PyArrayDyn<f32>>()?)
}

fn check(name: &str, values: &[f32]) -> PyResult<()> {
    match values.iter().find(|value| !value.is_finite()) {
        None => Ok(()),
        Some(value) => Err(value_error(format!("the evaluator's {name} hold {value}"))),
    }
}

fn check_range(name: &str, values: &[f32], range: RangeInclusive<f32>, allowed: &str) -> PyResult<()> {
    match values.iter().find(|value| !range.contains(value)) {
        None => Ok(()),
        Some(value) => Err(value_error(format!("the evaluator's {name} hold {value}; allowed: {allowed}"))),
    }
}

fn normalised(wdl: [f32; 3]) -> PyResult<[f32; 3]> {
    let sum: f32 = wdl.iter().sum();
    if wdl.iter().any(|part| *part < -1e-4) || !(0.99..=1.01).contains(&sum) {
        return Err(value_error(format!(
            "the evaluator's values hold {wdl:?}: win, draw and loss are probabilities"
        )));
    }
    Ok(wdl.map(|part| part.max(0.0) / sum))
}
