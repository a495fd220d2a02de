//! Networks: their files, parameters and evaluations.

use crate::board::Board;
use crate::encode::{array, shapes};
use crate::errors::{value_error, whole};
use crate::judge::floats;
use crate::line::with_legal;
use crate::values::to_python;
use catapult_encoding::{Layout, PolicyIndex, inputs, layout as layout_of, policy_indices};
use catapult_mcts::Value;
use catapult_model::{
    Architecture, ModelError, Network as Model, NetworkInfo, Parameters, Portable, Role, Spec, fits,
};
use catapult_rules::Variant;
use half::bf16;
use numpy::ndarray::{Ix2, IxDyn};
use numpy::{PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Returns the variants with the options of the paper, each after the layout of its encoding.
fn layouts() -> Vec<(Layout, Variant)> {
    Variant::all().map(|variant| (layout_of(variant), variant)).collect()
}

/// Returns the layout with this name or with this name of its earlier version. Returns a Python
/// `ValueError` if the name is unknown.
fn layout(name: &str) -> PyResult<Layout> {
    let all = layouts();
    let is_named =
        |layout: &Layout| layout.name == name || layout.earlier.is_some_and(|(earlier, _)| earlier == name);
    let found = all.iter().find(|(layout, _)| is_named(layout));
    found.map(|(layout, _)| *layout).ok_or_else(|| {
        let mut names: Vec<&str> = all.iter().map(|(layout, _)| layout.name).collect();
        names.dedup();
        value_error(format!("layout {name:?}: known are {}", names.join(", ")))
    })
}

fn model_error(error: ModelError) -> PyErr {
    match error {
        ModelError::Io { path, source } => crate::errors::file_error(&path, source),
        other => value_error(other),
    }
}

/// A Catapult network: a residual tower or a sparse network. It evaluates the policy, win, draw and
/// loss, and the plies left.
///
/// `Network.load(path)` reads a file. `Network.untrained(variant, channels=32, blocks=4)` creates
/// an untrained network. `Network.from_arrays` creates a network from parameters.
///
/// Evaluations run in plain Rust on the calling thread, for the most part in integers.
#[pyclass(frozen, module = "catapult", name = "Network")]
#[derive(Clone)]
pub struct Network {
    pub model: Arc<Model>,
    /// BLAKE3 hash of the network's file. `None` if the network is not from a file.
    pub hash: Option<String>,
}

/// Evaluations of boards: values [boards, 3], plies left [boards], and one policy [legal moves] per
/// board.
type Answers<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<f32>>, Vec<Bound<'py, PyArray1<f32>>>);

/// Evaluations of encoded positions: logits [moves], values [rows, 3] and plies left [rows].
type Forward<'py> = (Bound<'py, PyArray1<f32>>, Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<f32>>);

/// Returns the softmax of logits. Its values are probabilities with the sum 1.
fn softmax(logits: &[f32]) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut parts: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
    let sum: f32 = parts.iter().sum();
    parts.iter_mut().for_each(|part| *part /= sum);
    parts
}

fn wdl<'py>(py: Python<'py>, values: &[Value]) -> PyResult<Bound<'py, PyArray2<f32>>> {
    array(py, [values.len(), 3], values.iter().flat_map(|value| value.wdl).collect())
}

/// Encoded positions with the policy indices of moves, and the number of moves of each position.
type Inputs = (Vec<(Vec<bf16>, Vec<f32>)>, Vec<PolicyIndex>, Vec<usize>);

/// Evaluates encoded positions. Returns the logits of all moves, and one value per position.
fn answer(model: &Model, (inputs, moves, counts): &Inputs) -> (Vec<f32>, Vec<Value>) {
    let (mut logits, mut values) = (vec![0.0; moves.len()], vec![Value::default(); counts.len()]);
    let mut network = Portable::new(model, counts.len().max(1));
    for (row, (planes, globals)) in inputs.iter().enumerate() {
        let (row_planes, row_globals) = network.row_mut(row);
        row_planes.copy_from_slice(planes);
        row_globals.copy_from_slice(globals);
    }
    network.answer(moves, counts, &mut logits, &mut values);
    (logits, values)
}

/// Encodes boards with their legal moves for a network.
fn encoded(model: &Model, boards: &[PyRef<'_, Board>]) -> PyResult<Inputs> {
    let (mut all, mut moves, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for board in boards {
        let game = &*board.line;
        model.check_layout(&layout_of(board.variant)).map_err(model_error)?;
        let indices = with_legal(game, |moves| policy_indices(game, moves));
        if indices.is_empty() {
            return Err(value_error(format!("{} has no legal move", game.fen())));
        }
        all.push(inputs(game));
        counts.push(indices.len());
        moves.extend(indices);
    }
    Ok((all, moves, counts))
}

impl Network {
    /// Returns the BLAKE3 hash of the network's file, or of the file that `save` would write.
    pub fn file_hash(&self) -> String {
        self.hash.clone().unwrap_or_else(|| self.model.file_hash())
    }
}

/// Converts an object to an int64 array with numpy. Fails if it contains other numbers than integers.
fn integers<'py>(given: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArrayDyn<'py, i64>> {
    let keywords = PyDict::new(given.py());
    keywords.set_item("casting", "same_kind")?;
    let array = given.py().import("numpy")?.call_method1("asarray", (given,))?;
    let array = array.call_method("astype", ("int64",), Some(&keywords))?.cast_into::<PyArrayDyn<i64>>()?;
    array.try_readonly().map_err(value_error)
}

#[pymethods]
impl Network {
    /// Reads and verifies a network file. Raises OSError if the file cannot be read, and ValueError
    /// if it is damaged or not a network.
    #[staticmethod]
    pub fn load(path: PathBuf) -> PyResult<Network> {
        let info = NetworkInfo::read(&path).map_err(model_error)?;
        let model = Model::load(&path, &layout(&info.layout)?).map_err(model_error)?;
        Ok(Network { model: Arc::new(model), hash: Some(info.hash) })
    }

    /// Creates an untrained network for a variant. Its policy is uniform. Win, draw and loss have
    /// probability 1/3 each. `sizes` are the sizes of the architecture and its `kind`. Without them,
    /// the network is a tower of 32 channels and 4 blocks. Raises ValueError if the variant is
    /// unknown or a size is invalid.
    #[staticmethod]
    #[pyo3(signature = (variant, *, seed = 0, **sizes))]
    fn untrained(variant: &str, seed: i128, sizes: Option<&Bound<'_, PyDict>>) -> PyResult<Network> {
        let variant = crate::errors::variant(variant)?;
        let layout = layout_of(variant);
        let seed = whole("seed", seed, 0..=u64::MAX)?;
        let architecture = match sizes {
            Some(sizes) => sizes_of(sizes)?,
            None => Architecture::tower(32, 4),
        };
        let model = Model::untrained(architecture, layout, seed).map_err(model_error)?;
        Ok(Network { model: Arc::new(model), hash: None })
    }

    /// Creates a network from its parameters by name, in the form that `parameters()` returns.
    ///
    /// `architecture` is a dict of sizes, `layout` the name of a layout, and `provenance` a dict of
    /// notes. Raises ValueError if a parameter is missing, is unknown or has another shape. The
    /// message names the parameter.
    #[staticmethod]
    #[pyo3(signature = (architecture, layout, parameters, provenance = None))]
    fn from_arrays(
        architecture: &Bound<'_, PyDict>,
        layout: &str,
        parameters: &Bound<'_, PyDict>,
        provenance: Option<BTreeMap<String, String>>,
    ) -> PyResult<Network> {
        let layout = self::layout(layout)?;
        let architecture = sizes_of(architecture)?;
        let mut all = Parameters::zeros(&architecture, &layout);
        let specs = all.shared_specs();
        for (name, _) in parameters {
            let name: String = name.extract()?;
            if !specs.iter().any(|spec| spec.name == name) {
                return Err(value_error(format!(
                    "parameter {name:?}: this architecture has none of that name"
                )));
            }
        }
        for spec in specs.iter() {
            let Spec { name, shape, .. } = spec;
            let array = parameters.get_item(name)?;
            let array = array.ok_or_else(|| value_error(format!("parameter {name:?} is missing")))?;
            let array: PyReadonlyArrayDyn<'_, f32> = array
                .extract()
                .map_err(|_| value_error(format!("parameter {name:?}: expected a float32 array")))?;
            let array = array.as_array();
            let found = array.shape();
            if found != shape {
                return Err(value_error(format!(
                    "parameter {name:?}: expected shape {shape:?}, got {found:?}"
                )));
            }
            if array.iter().any(|value| !value.is_finite()) {
                return Err(value_error(format!("parameter {name:?} contains NaN or infinity")));
            }
            all.values[spec.range()].iter_mut().zip(array.iter()).for_each(|(to, from)| *to = *from);
        }
        let provenance = provenance.unwrap_or_default();
        Ok(Network {
            model: Arc::new(Model { architecture, layout, parameters: all, provenance }),
            hash: None,
        })
    }

    /// Writes the network as a safetensors file, which `catapult match` and other commands read. An
    /// existing file is replaced atomically. Returns the file's BLAKE3 hash, which identifies the
    /// network in records.
    fn save(&self, path: PathBuf) -> PyResult<String> {
        self.model.save(&path).map_err(model_error)
    }

    /// Sizes of the architecture by name, such as `channels` and `blocks`. A sparse network also has
    /// `kind`.
    #[getter]
    fn architecture<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.model.architecture)
    }

    /// Name of the network's layout.
    #[getter]
    fn layout(&self) -> &'static str {
        self.model.layout.name
    }

    /// Names of the variants that the network can evaluate. These are the variants with its layout
    /// and the options of the paper. Further options, listed in docs/own-rule.md, also work.
    #[getter]
    fn variants(&self) -> Vec<String> {
        let all = layouts().into_iter().filter(|(layout, _)| layout.name == self.model.layout.name);
        all.map(|(_, variant)| variant.to_string()).collect()
    }

    /// Sizes of the network's inputs and outputs, by name: ranks, files, planes, globals,
    /// policy_planes, future_planes and actions.
    #[getter]
    fn shapes(&self) -> BTreeMap<&'static str, usize> {
        shapes(&self.model.layout)
    }

    /// Notes on the network's origin, by name.
    #[getter]
    fn provenance(&self) -> BTreeMap<String, String> {
        self.model.provenance.clone()
    }

    /// BLAKE3 hash of the network's file, or None if it is not from a file.
    #[getter]
    fn hash(&self) -> Option<&str> {
        self.hash.as_deref()
    }

    /// Returns True if the residual block with this index, from 0, has global pooling.
    fn is_pooled(&self, block: usize) -> bool {
        matches!(&self.model.architecture, Architecture::Tower(sizes) if sizes.is_pooled(block))
    }

    /// Returns copies of the network's parameters by name. They are float32, in the shapes of
    /// PyTorch.
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<BTreeMap<String, Bound<'py, PyArrayDyn<f32>>>> {
        let parameters = &self.model.parameters;
        let parameter = |spec: &Spec| {
            let values = parameters.values[spec.range()].to_vec();
            Ok((spec.name.clone(), array(py, IxDyn(&spec.shape), values)?))
        };
        parameters.specs().iter().map(parameter).collect()
    }

    /// Returns the names of the parameters without a gradient. These are the running statistics of
    /// batch normalisation.
    fn statistics(&self) -> Vec<String> {
        let specs = self.model.parameters.specs().iter();
        specs.filter(|spec| spec.role == Role::Statistic).map(|spec| spec.name.clone()).collect()
    }

    /// Evaluates boards. Returns `(values, moves_left, policies)`.
    ///
    /// - `values`: float32 [boards, 3], P(win), P(draw) and P(loss) of the side to move
    /// - `moves_left`: float32 [boards], expected number of plies until the game ends
    /// - `policies`: one array per board, float32 [legal moves], with the probabilities of the
    ///   moves in the order of `Board.legal_moves`
    ///
    /// Raises ValueError if a board has another layout or no legal move.
    fn evaluate<'py>(&self, py: Python<'py>, boards: Vec<PyRef<'py, Board>>) -> PyResult<Answers<'py>> {
        let given = encoded(&self.model, &boards)?;
        // Other threads can use the boards during the evaluation.
        drop(boards);
        let (logits, values) = py.detach(|| answer(&self.model, &given));
        let moves_left = values.iter().map(|value| value.moves_left).collect();
        let mut rest = &logits[..];
        let policies = given.2.iter().map(|count| {
            let (own, others) = rest.split_at(*count);
            rest = others;
            PyArray1::from_vec(py, softmax(own))
        });
        let policies = policies.collect();
        Ok((wdl(py, &values)?, PyArray1::from_vec(py, moves_left), policies))
    }

    /// Evaluates encoded positions. Returns `(logits, values, moves_left)`.
    ///
    /// Arguments:
    ///
    /// - `planes`: float32 [rows, ranks, files, planes], 0 to 1
    /// - `globals`: float32 [rows, globals]
    /// - `moves`: int64 [moves, 4], one row per move: position's row, policy plane, square,
    ///   destination. They are ordered by the position's row.
    ///
    /// numpy converts planes and globals of other types, and moves of other integer types. The
    /// network rounds planes between 0 and 1, unlike `catapult.torch` and `catapult.onnx`.
    ///
    /// Results:
    ///
    /// - `logits`: float32 [moves]
    /// - `values`: float32 [rows, 3], P(win), P(draw) and P(loss) of the side to move
    /// - `moves_left`: float32 [rows], expected number of plies until the game ends
    ///
    /// Raises ValueError if an array has another shape, a plane is not from 0 to 1, a global is not
    /// finite, or a move is outside the layout.
    fn forward<'py>(
        &self,
        py: Python<'py>,
        planes: &Bound<'py, PyAny>,
        globals: &Bound<'py, PyAny>,
        moves: &Bound<'py, PyAny>,
    ) -> PyResult<Forward<'py>> {
        let layout = &self.model.layout;
        let moves = integers(moves).map_err(|error| value_error(format!("moves: {error}")))?;
        let (planes, globals) =
            (floats(planes, "planes")?.readonly(), floats(globals, "globals")?.readonly());
        let (planes, globals, moves) = (planes.as_array(), globals.as_array(), moves.as_array());
        let rows = planes.shape().first().copied().unwrap_or(0);
        let wanted = [rows, layout.ranks, layout.files, layout.planes];
        let fits_layout = planes.shape() == wanted && globals.shape() == [rows, layout.globals];
        if !fits_layout || !matches!(moves.shape(), [_, 4]) {
            let found = (planes.shape(), globals.shape(), moves.shape());
            return Err(value_error(format!(
                "planes, globals and moves have shapes {found:?}; expected {wanted:?}, [{rows}, {}] and [moves, 4]",
                layout.globals
            )));
        }
        let moves = moves.into_dimensionality::<Ix2>().map_err(value_error)?;
        let plane = planes.iter().find(|value| !(0.0..=1.0).contains(*value));
        if let Some(value) = plane.or(globals.iter().find(|value| !value.is_finite())) {
            return Err(value_error(format!("planes are 0 to 1 and globals finite, found {value}")));
        }
        let mut counts = vec![0; rows];
        let mut indices = Vec::with_capacity(moves.shape()[0]);
        let mut before = 0;
        for (number, mv) in moves.outer_iter().enumerate() {
            let part = |at: usize| u16::try_from(mv[at]).ok();
            let index = || Some(PolicyIndex { plane: part(1)?, square: part(2)?, to: part(3)? });
            let row = usize::try_from(mv[0]).ok().filter(|row| *row < rows && *row >= before);
            let (Some(row), Some(index)) = (row, index().filter(|index| fits(index, layout))) else {
                return Err(value_error(format!(
                    "moves[{number}] = {mv}: rows are 0 to {} in order, policy planes below {}, squares below {}",
                    rows.saturating_sub(1),
                    layout.policy_planes,
                    layout.squares()
                )));
            };
            before = row;
            counts[row] += 1;
            indices.push(index);
        }
        let inputs: Vec<(Vec<bf16>, Vec<f32>)> = planes
            .outer_iter()
            .zip(globals.outer_iter())
            .map(|(planes, globals)| {
                let planes = planes.iter().copied().map(bf16::from_f32).collect();
                (planes, globals.iter().copied().collect())
            })
            .collect();
        let given = (inputs, indices, counts);
        let (logits, values) = py.detach(|| answer(&self.model, &given));
        let moves_left = values.iter().map(|value| value.moves_left).collect();
        Ok((PyArray1::from_vec(py, logits), wdl(py, &values)?, PyArray1::from_vec(py, moves_left)))
    }

    fn __repr__(&self) -> String {
        let Model { architecture, layout, parameters, .. } = &*self.model;
        format!("<Network {architecture} for {}, {} parameters>", layout.name, parameters.trained())
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    /// Restores a pickled network.
    #[staticmethod]
    #[pyo3(name = "_restore")]
    fn restore(
        architecture: &Bound<'_, PyDict>,
        layout: &str,
        parameters: &Bound<'_, PyDict>,
        provenance: BTreeMap<String, String>,
        hash: Option<String>,
    ) -> PyResult<Network> {
        let network = Network::from_arrays(architecture, layout, parameters, Some(provenance))?;
        Ok(Network { hash, ..network })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let make = py.import("catapult._catapult")?.getattr("Network")?.getattr("_restore")?;
        let (parameters, provenance) = (self.parameters(py)?, self.provenance());
        let arguments = (self.architecture(py)?, self.layout(), parameters, provenance, self.hash.clone());
        Ok((make, arguments.into_pyobject(py)?.into_any()))
    }
}

/// Reads and verifies a file of a network or a training state. Returns a dict with `architecture`,
/// `layout`, `parameters`, `provenance`, `hash` and `step`. Raises OSError if the file cannot be
/// read, and ValueError if it is damaged.
#[pyfunction]
pub(crate) fn inspect<'py>(py: Python<'py>, path: PathBuf) -> PyResult<Bound<'py, PyAny>> {
    to_python(py, &NetworkInfo::read(&path).map_err(model_error)?)
}

fn sizes_of(sizes: &Bound<'_, PyDict>) -> PyResult<Architecture> {
    let mut json = serde_json::Map::new();
    for (key, value) in sizes {
        let value = if value.is_instance_of::<PyString>() {
            value.extract::<String>()?.into()
        } else {
            let error = |_| value_error(format!("{key} = {value}: must be a whole number, at least 0"));
            value.extract::<usize>().map_err(error)?.into()
        };
        json.insert(key.extract()?, value);
    }
    let architecture: Architecture =
        serde_json::from_value(json.into()).map_err(|error| value_error(format!("architecture: {error}")))?;
    architecture.validate().map_err(ModelError::from).map_err(value_error)?;
    Ok(architecture)
}
