//! Evaluators for a search: built-in ones, networks and Python functions.

use crate::encode::{actions, array, widen};
use crate::errors::value_error;
use catapult_encoding::Encode;
use catapult_mcts::evaluators::{HashRandom, Material, Uniform};
use catapult_mcts::{Batch, EvaluationError, Evaluator, Value};
use catapult_model::{CpuEvaluator, Network as Model};
use half::bf16;
use numpy::{PyArray1, PyArray2, PyArray4, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::{Arc, Mutex};

/// Choice of the evaluator for a search.
#[derive(Clone)]
pub(crate) enum Judge {
    Uniform,
    HashRandom,
    Material,
    /// A network, with the BLAKE3 hash of its file. The hash is `None` if the network is not from a
    /// file.
    Network(Arc<Model>, Option<String>),
    Function(Arc<Py<PyAny>>),
}

/// Place for an exception of a Python function. The exception is raised after the search has ended.
pub(crate) type Raised = Arc<Mutex<Option<PyErr>>>;

impl Judge {
    /// Creates the evaluator. A Python function gets at most `most` rows per call. An exception of
    /// the function is stored in `raised`.
    pub(crate) fn evaluator<P: Encode>(
        &self,
        variant: &str,
        raised: &Raised,
        most: usize,
    ) -> Result<Box<dyn Evaluator<P> + Send>, String> {
        Ok(match self {
            Judge::Uniform => Box::new(Uniform),
            Judge::HashRandom => Box::new(HashRandom::default()),
            Judge::Material => Box::new(Material),
            Judge::Network(model, _) => {
                Box::new(CpuEvaluator::<P>::portable(model).map_err(|error| error.to_string())?)
            }
            Judge::Function(function) => Box::new(Function {
                function: function.clone(),
                variant: variant.to_owned(),
                raised: raised.clone(),
                most,
            }),
        })
    }
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

/// A Python function as an evaluator of positions.
struct Function {
    function: Arc<Py<PyAny>>,
    variant: String,
    raised: Raised,
    /// Maximum number of rows per call of the function.
    most: usize,
}

impl Function {
    fn ask<P: Encode>(
        &self,
        py: Python<'_>,
        batch: &mut Batch<P>,
        rows: std::ops::Range<usize>,
    ) -> PyResult<()> {
        let layout = &P::LAYOUT;
        let leaves = &batch.leaves[rows.clone()];
        let count = leaves.len();
        let mut encoded = vec![bf16::ZERO; layout.squares() * layout.planes];
        let mut planes = Vec::with_capacity(count * encoded.len());
        let mut globals = vec![0f32; count * layout.globals];
        let (mut moves, mut offsets) = (Vec::new(), vec![0i64]);
        let first = leaves.first().map_or(0, |leaf| leaf.range().start);
        let mut actions_of = Vec::new();
        for (row, leaf) in leaves.iter().enumerate() {
            let globals = &mut globals[row * layout.globals..][..layout.globals];
            leaf.position.encode(leaf.repetitions, false, &mut encoded, globals);
            planes.extend(encoded.iter().copied().map(widen));
            for mv in &batch.moves[leaf.range()] {
                let index = leaf.position.policy_index(*mv, false);
                let [plane, square, to] = [index.plane, index.square, index.to].map(i64::from);
                moves.extend([row as i64, plane, square, to]);
                actions_of.push(plane * layout.squares() as i64 + square);
            }
            offsets.push(actions_of.len() as i64);
        }
        let asked = actions_of.len();
        let positions: Vec<P> = leaves.iter().map(|leaf| leaf.position).collect();
        let shape = [count, layout.ranks, layout.files, layout.planes];
        let given = Positions {
            planes: array(py, shape, planes)?.unbind(),
            globals: array(py, [count, layout.globals], globals)?.unbind(),
            moves: array(py, [asked, 4], moves)?.unbind(),
            actions: array(py, asked, actions_of.clone())?.unbind(),
            offsets: array(py, count + 1, offsets.clone())?.unbind(),
            num_actions: actions(layout),
            variant: self.variant.clone(),
            texts: Box::new(move || positions.iter().map(P::to_string).collect()),
        };
        let answer = self.function.bind(py).call1((given,))?;
        let answer = answer.cast_into::<PyTuple>().map_err(|_| {
            PyTypeError::new_err(
                "the evaluator must give a tuple: logits, values and, if it knows them, moves left",
            )
        })?;
        if !(2..=3).contains(&answer.len()) {
            return Err(value_error(format!(
                "the evaluator gave {} arrays: logits, values and, if it knows them, moves left",
                answer.len()
            )));
        }
        let floats = |at: usize, name: &str| floats(&answer.get_item(at)?, name);
        let logits = floats(0, "logits")?;
        let (shape, values) = (logits.shape().to_vec(), logits.try_readonly().map_err(value_error)?);
        let values = values.as_slice()?;
        let all = actions(layout);
        let logits: Vec<f32> = match shape[..] {
            [moves] if moves == asked => values.to_vec(),
            [rows, actions] if rows == count && actions == all => {
                let row = |row: usize| (offsets[row]..offsets[row + 1]).map(move |at| (row, at as usize));
                (0..count)
                    .flat_map(row)
                    .map(|(row, at)| values[row * all + actions_of[at] as usize])
                    .collect()
            }
            _ => {
                return Err(value_error(format!(
                    "the evaluator gave logits of shape {shape:?}; wanted [{asked}] or [{count}, {all}]"
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
            [rows] | [rows, 1] if rows == count => told
                .iter()
                .map(|q| q.clamp(-1.0, 1.0))
                .map(|q| [(1.0 + q) / 2.0, 0.0, (1.0 - q) / 2.0])
                .collect(),
            [rows, 3] if rows == count => told
                .chunks_exact(3)
                .map(|wdl| normalised([wdl[0], wdl[1], wdl[2]]))
                .collect::<PyResult<_>>()?,
            _ => {
                return Err(value_error(format!(
                    "the evaluator gave values of shape {shape:?}; wanted [{count}] or [{count}, 3]"
                )));
            }
        };
        let left = if answer.len() == 3 {
            let left = floats(2, "moves left")?;
            let found = left.len();
            if found != count {
                return Err(value_error(format!("the evaluator gave {found} moves left for {count} rows")));
            }
            let left = left.try_readonly().map_err(value_error)?.as_slice()?.to_vec();
            check("moves left", &left)?;
            left
        } else {
            vec![0.0; count]
        };
        batch.logits[first..first + asked].copy_from_slice(&logits);
        for (value, (wdl, moves_left)) in batch.values[rows].iter_mut().zip(wdl.into_iter().zip(left)) {
            *value = Value { wdl, moves_left: moves_left.max(0.0) };
        }
        Ok(())
    }
}

/// Converts an object to a float32 array with numpy. Errors contain `name`.
fn floats<'py>(given: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
    let numpy = given.py().import("numpy")?;
    let keywords = PyDict::new(given.py());
    keywords.set_item("dtype", "float32")?;
    let array = numpy.call_method("ascontiguousarray", (given,), Some(&keywords));
    let array = array.map_err(|error| value_error(format!("the evaluator's {name}: {error}")))?;
    Ok(array.cast_into::<PyArrayDyn<f32>>()?)
}

fn check(name: &str, values: &[f32]) -> PyResult<()> {
    match values.iter().find(|value| !value.is_finite()) {
        None => Ok(()),
        Some(value) => Err(value_error(format!("the evaluator's {name} hold {value}"))),
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

impl<P: Encode> Evaluator<P> for Function {
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
        batch.logits.resize(batch.moves.len(), 0.0);
        batch.values.resize(batch.leaves.len(), Value::default());
        Python::attach(|py| {
            let mut begin = 0;
            while begin < batch.leaves.len() {
                let end = (begin + self.most).min(batch.leaves.len());
                self.ask(py, batch, begin..end)?;
                begin = end;
            }
            Ok(())
        })
        .map_err(|error: PyErr| {
            let text = error.to_string();
            *self.raised.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(error);
            EvaluationError(text)
        })
    }
}
