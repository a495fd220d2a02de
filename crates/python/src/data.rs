//! Training samples ("rows") from recorded games, as arrays.

use crate::board::Board;
use crate::encode::{array, shapes, widen};
use crate::errors::{value_error, whole};
use crate::values::{from_python, to_python};
use catapult_encoding::{Encode, Layout};
use catapult_records::{GameRecord, RecordError, read_shard, verify_record};
use catapult_rows::{FUTURE_PLIES, Row, RowEncoder, Sampler, TargetConfig, WindowConfig, flipped, game_rows};
use catapult_rules::{Color, Variant, with_variants};
use catapult_seeds::Stream;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

pub(crate) fn record_error(error: RecordError) -> PyErr {
    match error {
        RecordError::Io { path, source, .. } => crate::errors::file_error(&path, source),
        other => value_error(other),
    }
}

/// A recorded game.
///
/// - `variant`, `game` (its number in the shard), `seed`, `network` (name of the evaluator)
/// - `start_fen`: FEN of the first position
/// - `parent`, `fork_ply`: the game of the shard and its ply at which this game forks, or None
/// - `moves`: the moves' texts
/// - `outcome`: the way in which the game ended
/// - `winner`: True for White, False for Black, or None
/// - `values`, `raw_values`, `mean_values`: float32 [plies, 3], P(win), P(draw) and P(loss) of the
///   side to move: of the search, of the network without a search, and the mean over the search's
///   visits, respectively. They are 0 for a ply without values.
/// - `moves_left`: float32 [plies], expected number of plies to the end of the game
/// - `surprises`: float32 [plies], divergence of the search's policy from the network's policy at
///   the root temperature, in nats. 0 if unknown.
/// - `policies`: one dict per ply, with probabilities by move text. It is empty for a ply without a
///   full search.
#[pyclass(frozen, module = "catapult.data")]
pub struct GamePlayed {
    record: Arc<GameRecord>,
}

fn triples<'py>(py: Python<'py>, values: &[[f32; 3]]) -> PyResult<Bound<'py, PyArray2<f32>>> {
    array(py, (values.len(), 3), values.concat())
}

/// Converts a Python index into a list of `all` items to an index from 0. A negative index counts
/// from the end. Returns an `IndexError` if there is no such item. `what` names the items in the
/// error.
fn place(what: &str, index: i64, all: usize) -> PyResult<usize> {
    let at = if index < 0 { index + all as i64 } else { index };
    let inside = usize::try_from(at).ok().filter(|at| *at < all);
    inside.ok_or_else(|| PyIndexError::new_err(format!("{what} {index} of {all}")))
}

#[pymethods]
impl GamePlayed {
    #[getter]
    fn variant(&self) -> String {
        self.record.variant.to_string()
    }

    #[getter]
    fn game(&self) -> u64 {
        self.record.game
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.record.seed
    }

    #[getter]
    fn network(&self) -> &str {
        &self.record.network
    }

    #[getter]
    fn start_fen(&self) -> &str {
        &self.record.start_fen
    }

    #[getter]
    fn moves(&self) -> PyResult<Vec<String>> {
        Ok(self.record.texts().map_err(value_error)?.moves)
    }

    #[getter]
    fn outcome(&self) -> &'static str {
        self.record.outcome.name()
    }

    #[getter]
    fn winner(&self) -> Option<bool> {
        self.record.winner.map(|winner| winner == Color::White)
    }

    #[getter]
    fn parent(&self) -> Option<u64> {
        self.record.parent
    }

    #[getter]
    fn fork_ply(&self) -> Option<u32> {
        self.record.fork_ply
    }

    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        triples(py, &self.record.values)
    }

    #[getter]
    fn raw_values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        triples(py, &self.record.raw_values)
    }

    #[getter]
    fn mean_values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        triples(py, &self.record.mean_values)
    }

    #[getter]
    fn moves_left<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        PyArray1::from_slice(py, &self.record.moves_left)
    }

    #[getter]
    fn surprises<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        PyArray1::from_slice(py, &self.record.surprises)
    }

    #[getter]
    fn policies(&self) -> PyResult<Vec<BTreeMap<String, f32>>> {
        let texts = self.record.texts().map_err(value_error)?;
        Ok(texts.policies.into_iter().map(|policy| policy.into_iter().collect()).collect())
    }

    /// Returns a board with the game's moves. Raises ValueError if a move or a policy's move is
    /// illegal, or if the outcome differs from the record. The message names the game and the ply.
    fn board(&self) -> PyResult<Board> {
        let line = verify_record(&self.record).map_err(value_error)?;
        Ok(Board { variant: line.variant(), line })
    }

    fn __len__(&self) -> usize {
        self.record.moves.len()
    }

    fn __repr__(&self) -> String {
        let GameRecord { variant, game, moves, outcome, .. } = &*self.record;
        format!("<game {game} of {variant}, {} plies, {outcome}>", moves.len())
    }
}

/// A shard of recorded games: `Shard(path)`. Reading verifies the file's hash.
///
/// `metadata` is a dict of the writer's notes, such as seed, generation and simulations. Raises
/// OSError if the file cannot be read, and ValueError if the file was changed.
#[pyclass(frozen, module = "catapult.data", name = "Shard")]
pub struct PyShard {
    games: Vec<Arc<GameRecord>>,
    #[pyo3(get)]
    metadata: BTreeMap<String, String>,
    #[pyo3(get)]
    path: PathBuf,
}

#[pymethods]
impl PyShard {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<PyShard> {
        let shard = py.detach(|| read_shard(&path)).map_err(record_error)?;
        let games = shard.games.into_iter().map(Arc::new).collect();
        Ok(PyShard { games, metadata: shard.metadata, path })
    }

    fn __len__(&self) -> usize {
        self.games.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let games = self.games.iter().map(|record| Bound::new(py, GamePlayed { record: record.clone() }));
        PyList::new(py, games.collect::<PyResult<Vec<_>>>()?)?.try_iter()
    }

    fn __getitem__(&self, index: isize) -> PyResult<GamePlayed> {
        let at = place("game", index as i64, self.games.len())?;
        Ok(GamePlayed { record: self.games[at].clone() })
    }

    fn __repr__(&self) -> String {
        format!("<Shard {:?}, {} games>", self.path, self.games.len())
    }
}

/// Training samples of one layout. The interface does not depend on the position type of a variant.
trait AnyRows: Send + Sync {
    fn layout(&self) -> &'static Layout;
    fn len(&self) -> usize;
    fn frequencies(&self) -> Vec<f32>;
    fn fens(&self, rows: &[u32]) -> Vec<String>;
    /// Encodes rows. The flag flips a row left to right, if the rules allow it.
    fn encode(&self, rows: &[(u32, bool)]) -> Encoded;
    fn draw(&self, draws: &mut Draws) -> Vec<(u32, bool)>;
}

/// Training samples as flat arrays, in the form that Python receives.
#[derive(Default)]
struct Encoded {
    mirrored: Vec<bool>,
    planes: Vec<f32>,
    globals: Vec<f32>,
    moves: Vec<i64>,
    actions: Vec<i64>,
    offsets: Vec<i64>,
    policy: Vec<f32>,
    values: Vec<f32>,
    value_weight: Vec<f32>,
    moves_left: Vec<f32>,
    moves_left_weight: Vec<f32>,
    future: Vec<u8>,
    future_weight: Vec<f32>,
    frequency: Vec<f32>,
}

/// State of the random draws of rows for batches. Each batch changes it.
struct Draws {
    sampler: Sampler,
    rng: Pcg64Mcg,
    batch_rows: usize,
    mirror: bool,
}

impl<P: Encode> AnyRows for Vec<Row<P>> {
    fn layout(&self) -> &'static Layout {
        &P::LAYOUT
    }

    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn frequencies(&self) -> Vec<f32> {
        self.iter().map(|row| row.frequency).collect()
    }

    fn fens(&self, rows: &[u32]) -> Vec<String> {
        rows.iter().map(|row| self[*row as usize].position.to_string()).collect()
    }

    fn encode(&self, rows: &[(u32, bool)]) -> Encoded {
        let squares = P::LAYOUT.squares() as i64;
        let mut encoder = RowEncoder::new::<P>();
        let mut all = Encoded { offsets: vec![0], ..Encoded::default() };
        for (number, (row, mirror)) in rows.iter().enumerate() {
            let row = &self[*row as usize];
            let mirror = *mirror && row.position.can_mirror();
            let encoded = encoder.encode(row, mirror);
            all.mirrored.push(mirror);
            all.planes.extend(encoded.planes.iter().map(|value| widen(*value)));
            all.globals.extend_from_slice(encoded.globals);
            for index in encoded.moves {
                let [plane, square, to] = [index.plane, index.square, index.to].map(i64::from);
                all.moves.extend([number as i64, plane, square, to]);
                all.actions.push(plane * squares + square);
            }
            all.offsets.push(all.actions.len() as i64);
            all.policy.extend_from_slice(&row.policy);
            all.values.extend(row.wdl);
            all.value_weight.push(row.value_weight);
            all.moves_left.push(row.moves_left.unwrap_or(0.0));
            all.moves_left_weight.push(f32::from(u8::from(row.moves_left.is_some())));
            all.future.extend_from_slice(encoded.future);
            all.future_weight.extend(row.future_weight);
            all.frequency.push(row.frequency);
        }
        all
    }

    fn draw(&self, draws: &mut Draws) -> Vec<(u32, bool)> {
        let window: Vec<&Row<P>> = self.iter().collect();
        let drawn = draws.sampler.draw(&window, draws.batch_rows, &mut draws.rng);
        // Random numbers are drawn in the learner's order.
        drawn
            .into_iter()
            .map(|row| (row, flipped(window[row as usize], draws.mirror, &mut draws.rng)))
            .collect()
    }
}

fn rows_of<P: Encode>(
    files: &[PathBuf],
    arms: &[(Variant, P::Rules)],
    window: &WindowConfig,
    targets: &TargetConfig,
) -> PyResult<Vec<Row<P>>> {
    let mut rows = Vec::new();
    for file in files {
        let shard = read_shard(file).map_err(record_error)?;
        let of_game = |record: &GameRecord| {
            let arm = arms.iter().find(|(variant, _)| *variant == record.variant);
            let GameRecord { game, variant, .. } = record;
            let refused = || format!("game {game}: has variant `{variant}`, which was not requested");
            let (_, rules) = arm.ok_or_else(refused)?;
            game_rows::<P>(record, *rules, window, targets).map_err(|error| error.to_string())
        };
        let found: Result<Vec<_>, String> = shard.games.par_iter().map(of_game).collect();
        let found = found.map_err(|error| value_error(format!("{}: {error}", file.display())))?;
        rows.extend(found.into_iter().flat_map(|game| game.rows));
    }
    Ok(rows)
}

/// Training samples of shards, as `catapult.data.rows` returns them.
#[pyclass(frozen, module = "catapult.data", name = "Rows")]
pub struct PyRows {
    rows: Arc<dyn AnyRows>,
    #[pyo3(get)]
    variants: Vec<String>,
}

#[pymethods]
impl PyRows {
    /// Reads the rows of shards. If `last` is given, only the last `last` rows are returned.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        files: Vec<PathBuf>,
        variants: Vec<String>,
        window: &Bound<'_, PyDict>,
        targets: &Bound<'_, PyDict>,
        last: Option<i128>,
    ) -> PyResult<PyRows> {
        let window = window_config(window)?;
        let targets: TargetConfig = from_python("targets", targets)?;
        targets.check_ranges().map_err(|error| value_error(format!("targets: {error}")))?;
        let parsed: Vec<Variant> =
            variants.iter().map(|name| crate::errors::variant(name)).collect::<PyResult<_>>()?;
        let boards = |variant: &Variant| matches!(variant, Variant::Chess | Variant::ChessPp(_));
        if parsed.is_empty() || parsed.len() > 1 && !parsed.iter().all(boards) {
            return Err(value_error(format!(
                "variants {variants:?}: one, or several of the 8x8 board of chess and Chess++"
            )));
        }
        let last = last.map_or(Ok(usize::MAX), |last| whole("last", last, 0..=usize::MAX))?;
        // A forked process does not have the threads of rayon's global pool.
        let pool = rayon::ThreadPoolBuilder::new().build().map_err(value_error)?;
        let read = || {
            with_variants!(&parsed, |P, arms| {
                let mut rows = rows_of::<P>(&files, &arms, &window, &targets)?;
                rows.drain(..rows.len().saturating_sub(last));
                Ok::<Arc<dyn AnyRows>, PyErr>(Arc::new(rows))
            })
        };
        let rows = py.detach(|| pool.install(read))?;
        Ok(PyRows { rows, variants })
    }

    fn __len__(&self) -> usize {
        self.rows.len()
    }

    /// Sizes of one row, by name: ranks, files, planes, globals, policy_planes, future_planes (per
    /// future ply) and actions.
    #[getter]
    fn shapes(&self) -> BTreeMap<&'static str, usize> {
        shapes(self.rows.layout())
    }

    /// Name of the encoding's layout.
    #[getter]
    fn layout(&self) -> &'static str {
        self.rows.layout().name
    }

    /// Returns how often each row is sampled, relative to the mean of all rows: float32 [rows].
    fn frequencies<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        PyArray1::from_vec(py, self.rows.frequencies())
    }

    /// Returns the FENs of the rows with these numbers, or of all rows if `rows` is None. Raises
    /// IndexError if there is no row with a number.
    #[pyo3(signature = (rows = None))]
    fn fens(&self, rows: Option<Vec<i64>>) -> PyResult<Vec<String>> {
        Ok(self.rows.fens(&self.numbers(rows)?))
    }

    /// Returns the rows with these numbers as a dict of arrays. If `rows` is None, returns all
    /// rows.
    ///
    /// `mirror` (bool [rows]) selects rows to flip left to right. A row is flipped only if the
    /// rules allow it. Raises IndexError if there is no row with a number. Raises ValueError if
    /// `mirror` has another length than `rows`.
    #[pyo3(signature = (rows = None, mirror = None))]
    fn arrays<'py>(
        &self,
        py: Python<'py>,
        rows: Option<Vec<i64>>,
        mirror: Option<Vec<bool>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let numbers = self.numbers(rows)?;
        let mirror = mirror.unwrap_or_else(|| vec![false; numbers.len()]);
        if mirror.len() != numbers.len() {
            return Err(value_error(format!("mirror: {} for {} rows", mirror.len(), numbers.len())));
        }
        let asked: Vec<(u32, bool)> = numbers.into_iter().zip(mirror).collect();
        told(py, &*self.rows, &asked)
    }

    /// Returns an endless iterator over batches of `batch_rows` rows, or of all rows if there are
    /// fewer. The rows are drawn in the same way as in training. With `mirror`, half of them are
    /// flipped left to right if the rules allow it. Raises ValueError if there are no rows or
    /// `batch_rows` is 0.
    fn batches(&self, batch_rows: i128, seed: i128, mirror: bool) -> PyResult<Batches> {
        let batch_rows = whole("batch_rows", batch_rows, 1..=usize::MAX)?;
        let seed = whole("seed", seed, 0..=u64::MAX)?;
        if self.rows.len() == 0 {
            return Err(value_error("there are no rows"));
        }
        let draws =
            Draws { sampler: Sampler::default(), rng: Pcg64Mcg::seed_from_u64(seed), batch_rows, mirror };
        Ok(Batches { rows: self.rows.clone(), draws: Mutex::new(draws) })
    }

    fn __repr__(&self) -> String {
        format!("<{} Rows of {}>", self.rows.len(), self.variants.join(", "))
    }
}

impl PyRows {
    fn numbers(&self, rows: Option<Vec<i64>>) -> PyResult<Vec<u32>> {
        let Some(rows) = rows else { return Ok((0..self.rows.len() as u32).collect()) };
        let number = |row| Ok(place("row", row, self.rows.len())? as u32);
        rows.into_iter().map(number).collect()
    }
}

fn told<'py>(py: Python<'py>, table: &dyn AnyRows, rows: &[(u32, bool)]) -> PyResult<Bound<'py, PyDict>> {
    let layout = table.layout();
    let count = rows.len();
    let all = py.detach(|| table.encode(rows));
    let dict = PyDict::new(py);
    let numbers: Vec<i64> = rows.iter().map(|(row, _)| i64::from(*row)).collect();
    dict.set_item("row", PyArray1::from_vec(py, numbers))?;
    dict.set_item("mirrored", PyArray1::from_vec(py, all.mirrored))?;
    let future = FUTURE_PLIES.len() * layout.future_planes;
    let moves = all.actions.len();
    dict.set_item("planes", array(py, (count, layout.ranks, layout.files, layout.planes), all.planes)?)?;
    dict.set_item("globals", array(py, (count, layout.globals), all.globals)?)?;
    dict.set_item("moves", array(py, (moves, 4), all.moves)?)?;
    dict.set_item("actions", array(py, moves, all.actions)?)?;
    dict.set_item("offsets", array(py, count + 1, all.offsets)?)?;
    dict.set_item("policy", array(py, moves, all.policy)?)?;
    dict.set_item("values", array(py, (count, 3), all.values)?)?;
    dict.set_item("value_weight", array(py, count, all.value_weight)?)?;
    dict.set_item("moves_left", array(py, count, all.moves_left)?)?;
    dict.set_item("moves_left_weight", array(py, count, all.moves_left_weight)?)?;
    dict.set_item("future", array(py, (count, layout.ranks, layout.files, future), all.future)?)?;
    dict.set_item("future_weight", array(py, (count, FUTURE_PLIES.len()), all.future_weight)?)?;
    dict.set_item("frequency", array(py, count, all.frequency)?)?;
    Ok(dict)
}

/// Endless iterator over batches. Each batch is a dict of arrays, as in `Rows.arrays`.
#[pyclass(frozen, module = "catapult._catapult")]
pub struct Batches {
    rows: Arc<dyn AnyRows>,
    draws: Mutex<Draws>,
}

#[pymethods]
impl Batches {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let drawn = {
            let mut draws = self.draws.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            self.rows.draw(&mut draws)
        };
        told(py, &*self.rows, &drawn)
    }
}

/// Returns the shards of a folder by name, without unfinished files and files that were set aside
/// as damaged. Reading verifies them.
#[pyfunction(name = "shards")]
pub(crate) fn find_shards(folder: PathBuf) -> PyResult<Vec<PathBuf>> {
    let found = catapult_records::find_shards(&folder).map_err(record_error)?;
    Ok(found.into_iter().map(|file| file.path).collect())
}

fn window_config(given: &Bound<'_, PyDict>) -> PyResult<WindowConfig> {
    let config: WindowConfig = from_python("window", given)?;
    config.check_ranges().map_err(|error| value_error(format!("window: {error}")))?;
    Ok(config)
}

/// Returns the window of training samples in a generation: its first generation, and its size in
/// rows. `lag` is the config's `games.lag`. `rows` lists the number of rows in each generation,
/// from generation 1 to `generation`. If `drops_untrained` is False, only the window's size can
/// exclude the games of the untrained network.
#[pyfunction(name = "_window")]
pub(crate) fn window(
    config: &Bound<'_, PyDict>,
    lag: u32,
    generation: u32,
    rows: Vec<u64>,
    drops_untrained: bool,
) -> PyResult<(u32, usize)> {
    let config = window_config(config)?;
    let asked = WindowConfig {
        drop_untrained_at: if drops_untrained { config.drop_untrained_at } else { u32::MAX },
        ..config.clone()
    };
    let known = rows.len();
    if generation == 0 || known != generation as usize {
        return Err(value_error(format!("generation {generation} with the rows of {known} generations")));
    }
    let first = catapult_rows::first_generation(&asked, lag, generation, &rows);
    Ok((first, catapult_rows::window_rows(&config, rows.iter().sum())))
}

/// Returns the seed with which the learner draws batches in a generation of a run.
#[pyfunction(name = "_learner_seed")]
pub(crate) fn learner_seed(seed: u64, generation: u32) -> u64 {
    Stream::Learner { generation }.seed(seed)
}

/// Parses a TOML text.
#[pyfunction(name = "_toml")]
pub(crate) fn parse_toml<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let value: serde_json::Value = toml::from_str(text).map_err(value_error)?;
    to_python(py, &value)
}
