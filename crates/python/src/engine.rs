//! Engine that searches many boards at once, with a network, a built-in evaluator or a Python
//! function.

use crate::board::Board;
use crate::errors::{value_error, whole};
use crate::judge::{Raised, Signals, function_source, raised_or};
use crate::line::position;
use crate::moves::Move;
use crate::network::Network;
use catapult_arena::{BuiltInEvaluator, EvaluatorSource, ManySearches, Searched, search_many};
use catapult_engine::{Limits, Settings};
use catapult_mcts::{Algorithm, SearchConfig, SettingRow, check_simulations};
use catapult_rules::{AnyGame, Variant};
use catapult_seeds::Stream;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Number of lines of a result whose whole variation is returned. Later lines contain only their
/// first move.
const LINES: usize = 12;

/// A legal move with its search statistics.
///
/// - `move`: the move
/// - `pv`: principal variation, which starts with the move. After the twelfth line of a result, it
///   is only the move.
/// - `san`: `pv` in algebraic notation
/// - `visits`: number of visits
/// - `prior`: the evaluator's probability of the move
/// - `policy`: the search's probability of the move
/// - `value`: P(win) - P(loss) for the side to move, or None without a visit
/// - `wdl`: P(win), P(draw) and P(loss) for the side to move, or None without a visit
/// - `mate`: number of moves to a proven mate, or None. It is negative if the side to move is
///   mated.
/// - `proven`: the proven result for the side to move ("win", "draw" or "loss"), or None
#[pyclass(frozen, get_all, module = "catapult", name = "Line")]
pub struct PyLine {
    r#move: Move,
    pv: Vec<Move>,
    san: Vec<String>,
    visits: u32,
    prior: f32,
    policy: f32,
    value: Option<f32>,
    wdl: Option<(f32, f32, f32)>,
    mate: Option<i32>,
    proven: Option<&'static str>,
}

#[pymethods]
impl PyLine {
    fn __repr__(&self) -> String {
        let value = self.value.map_or("None".to_owned(), |value| format!("{value:.3}"));
        format!("Line({}, visits={}, value={value})", self.san.join(" "), self.visits)
    }
}

/// Result of a search of one position.
///
/// - `best`: the move to play, or None if the game is over
/// - `value`: P(win) - P(loss) for the side to move
/// - `wdl`: P(win), P(draw) and P(loss) for the side to move
/// - `moves_left`: expected number of plies until the game ends
/// - `simulations`: number of simulations in the search
/// - `lines`: one `Line` per legal move, the best first. It is empty if the game is over.
#[pyclass(frozen, get_all, module = "catapult")]
pub struct Analysis {
    best: Option<Move>,
    value: f32,
    wdl: (f32, f32, f32),
    moves_left: f32,
    simulations: u32,
    lines: Vec<Py<PyLine>>,
}

#[pymethods]
impl Analysis {
    /// Returns the search's probability of each legal move, as a dict by move.
    fn policy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for line in &self.lines {
            let line = line.get();
            dict.set_item(line.r#move.clone().into_pyobject(py)?, line.policy)?;
        }
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        let best = self.best.as_ref().map_or("None".into(), |mv| mv.text().into_owned());
        format!("Analysis(best={best}, value={:.3}, simulations={})", self.value, self.simulations)
    }
}

fn told(py: Python<'_>, game: &dyn AnyGame, (snapshot, best): Searched) -> PyResult<Analysis> {
    let [win, draw, loss] = snapshot.value.wdl;
    let mut lines = Vec::with_capacity(snapshot.lines.len());
    let root = position(game);
    for (number, line) in snapshot.lines.iter().enumerate() {
        let Some(first) = line.moves.first() else { continue };
        let count = if number < LINES { line.moves.len() } else { 1 };
        let (mut pv, mut san, mut at) = (Vec::new(), Vec::new(), game.forked());
        for (ply, mv) in line.moves[..count].iter().enumerate() {
            pv.push(if ply == 0 { Move::new(*mv, &root) } else { Move::new(*mv, &position(&*at)) });
            san.push(at.san(*mv));
            at.push(*mv);
        }
        let line = PyLine {
            r#move: Move::new(*first, &root),
            pv,
            san,
            visits: line.visits,
            prior: line.prior,
            policy: line.share,
            value: line.q,
            wdl: line.wdl.map(|[win, draw, loss]| (win, draw, loss)),
            mate: line.mate,
            proven: line.proven.map(|proven| proven.outlook.name()),
        };
        lines.push(Py::new(py, line)?);
    }
    Ok(Analysis {
        best: best.map(|mv| Move::new(mv, &root)),
        value: win - loss,
        wdl: (win, draw, loss),
        moves_left: snapshot.value.moves_left,
        simulations: snapshot.simulations,
        lines,
    })
}

/// Choice of the evaluator for a search.
enum EvaluatorChoice {
    BuiltIn(BuiltInEvaluator),
    Network(Network),
    Function(Arc<Py<PyAny>>),
}

impl EvaluatorChoice {
    /// Interprets the argument `network` of [`Engine`].
    fn new(given: Option<Bound<'_, PyAny>>) -> PyResult<EvaluatorChoice> {
        let Some(given) = given else { return Ok(EvaluatorChoice::BuiltIn(BuiltInEvaluator::Uniform)) };
        if given.is_callable() {
            return Ok(EvaluatorChoice::Function(Arc::new(given.unbind())));
        }
        if let Ok(network) = given.cast::<Network>() {
            return Ok(EvaluatorChoice::Network(network.get().clone()));
        }
        if let Some(evaluator) = given.extract::<&str>().ok().and_then(|name| name.parse().ok()) {
            return Ok(EvaluatorChoice::BuiltIn(evaluator));
        }
        let path = given.extract::<PathBuf>().map_err(|_| {
            PyTypeError::new_err(format!(
                "{given}: expected a Network, a path, a function or the name of an evaluator"
            ))
        })?;
        Ok(EvaluatorChoice::Network(Network::load(path)?))
    }
}

/// An engine that searches positions: `Engine(network=None, simulations=100, *, algorithm="gumbel",
/// seed=0, threads=1, batch_size=1024, **settings)`.
///
/// `network` evaluates positions. It is one of these:
///
/// - a `Network`, or the path of its file
/// - a function that gets `Positions` and returns arrays, or objects that numpy converts to float32
///   arrays
/// - "uniform" (also None), "material" or "hash-random"
///
/// A function returns `(logits, values)` or `(logits, values, moves_left)`:
///
/// - `logits`: [moves] or [rows, actions]
/// - `values`: [rows] with P(win) - P(loss) of the side to move, from -1 to 1, or [rows, 3] with P(win), P(draw)
///   and P(loss)
/// - `moves_left`: [rows], in plies, at least 0
///
/// A function runs on one thread and gets at most `batch_size` rows per call. If it raises an
/// exception, the search raises the same exception.
///
/// `settings` have the names of the keys in a config's `[search]`, such as `considered`, `c_puct`
/// and `gumbel_scale`. `search_settings()` lists them. Equal settings, seeds and evaluations give
/// equal results on any number of threads, unless `time` limits the search. Other Python threads
/// can run during a search, except while a function runs.
///
/// Raises ValueError if a setting is out of range, OSError if the file cannot be read, and
/// TypeError if `network` has another type. A search raises ValueError if the network does not fit
/// the board's variant.
#[pyclass(frozen, module = "catapult")]
pub struct Engine {
    /// Evaluator of positions.
    judge: EvaluatorChoice,
    pub(crate) config: SearchConfig,
    /// Number of simulations per move, unless a call gives another.
    #[pyo3(get)]
    pub(crate) simulations: u32,
    #[pyo3(get)]
    seed: u64,
    #[pyo3(get)]
    threads: usize,
    /// Maximum number of rows per call of a Python function.
    #[pyo3(get)]
    batch_size: usize,
}

impl Engine {
    /// Returns the evaluator for a search. An exception of a Python function is stored in `raised`.
    pub fn source(&self, raised: &Raised) -> EvaluatorSource {
        match &self.judge {
            EvaluatorChoice::BuiltIn(evaluator) => EvaluatorSource::BuiltIn(*evaluator),
            EvaluatorChoice::Network(network) => EvaluatorSource::Network(network.model.clone()),
            EvaluatorChoice::Function(function) => function_source(function, raised, self.batch_size),
        }
    }

    /// Returns the evaluator's name in records: the hash of a network's file, or of the file that its
    /// `save` would write, or a word such as `uniform`.
    pub fn network_name(&self) -> String {
        match &self.judge {
            EvaluatorChoice::BuiltIn(evaluator) => evaluator.to_string(),
            EvaluatorChoice::Network(network) => network.file_hash(),
            EvaluatorChoice::Function(_) => "function".to_owned(),
        }
    }

    /// Returns the engine's name in match results: the evaluator's name, shortened, and the
    /// simulations.
    pub fn player_name(&self) -> String {
        let mut name = self.network_name();
        if matches!(self.judge, EvaluatorChoice::Network(_)) {
            name.truncate(12);
        }
        format!("{name}:{}", self.simulations)
    }

    /// Returns the seed of a search, which is the engine's without an argument.
    fn seed_of(&self, seed: Option<i128>) -> PyResult<u64> {
        seed.map_or(Ok(self.seed), |seed| whole("seed", seed, 0..=u64::MAX))
    }

    fn ask(
        &self,
        simulations: Option<i128>,
        time: Option<f64>,
        temperature: f32,
        seed: Option<i128>,
    ) -> PyResult<ManySearches> {
        if simulations.is_some() && time.is_some() {
            return Err(value_error("give either simulations or time"));
        }
        if !(0.0..=100.0).contains(&temperature) {
            return Err(value_error(format!("temperature = {temperature}: must be from 0 to 100")));
        }
        let time = time.map(|seconds| {
            let allowed = (1e-9..=1e19).contains(&seconds);
            let text = || value_error(format!("time = {seconds}: must be from 1e-9 to 1e19 seconds"));
            allowed.then(|| Duration::from_secs_f64(seconds)).ok_or_else(text)
        });
        let move_time = time.transpose()?;
        let nodes = simulations.map_or(Ok(self.simulations), simulations_of)?;
        let settings = Settings {
            search: self.config,
            overhead: Duration::ZERO,
            seed: self.seed_of(seed)?,
            keep_tree: false,
            ..Settings::default()
        };
        let limits = Limits { nodes: move_time.is_none().then_some(nodes), move_time, ..Limits::default() };
        Ok(ManySearches { settings, limits, temperature, threads: self.threads })
    }

    fn run(
        &self,
        py: Python<'_>,
        boards: Vec<PyRef<'_, Board>>,
        asked: &ManySearches,
    ) -> PyResult<Vec<Analysis>> {
        let raised = Raised::default();
        // Copies, so that other threads can use the boards during the search.
        let lines: Vec<Box<dyn AnyGame>> = boards.into_iter().map(|board| board.line.copied()).collect();
        let mut all: Vec<Option<Analysis>> = (0..lines.len()).map(|_| None).collect();
        let mut signals = Signals::new(&raised);
        // Indices of the boards of each variant. The groups are searched one after another. Each
        // gets time in proportion to its boards.
        let mut groups: BTreeMap<Variant, Vec<usize>> = BTreeMap::new();
        for (number, line) in lines.iter().enumerate() {
            groups.entry(line.variant()).or_default().push(number);
        }
        for (variant, numbers) in groups {
            let mut asked = asked.clone();
            let share = numbers.len() as f64 / lines.len() as f64;
            asked.limits.move_time = asked.limits.move_time.map(|time| time.mul_f64(share));
            let games: Vec<&dyn AnyGame> = numbers.iter().map(|number| &*lines[*number]).collect();
            let source = self.source(&raised);
            let search = || search_many(variant, &games, &source, &asked, &mut || signals.look());
            let found = py.detach(search).map_err(|text| raised_or(&raised, text))?;
            for (number, found) in numbers.iter().zip(found) {
                all[*number] = Some(told(py, &*lines[*number], found)?);
            }
        }
        Ok(all.into_iter().flatten().collect())
    }
}

/// Converts and checks a number of simulations.
fn simulations_of(simulations: i128) -> PyResult<u32> {
    let simulations = whole("simulations", simulations, 0..=u32::MAX)?;
    check_simulations(simulations).map_err(value_error)?;
    Ok(simulations)
}

/// Sets a search setting and returns its row. Raises ValueError with the allowed settings or values.
fn set(config: &mut SearchConfig, key: &str, value: &str) -> PyResult<SettingRow> {
    let Some(row) = SearchConfig::row(key) else {
        let keys: Vec<&str> = SearchConfig::rows().iter().map(|row| row.key).collect();
        return Err(value_error(format!("no search setting {key:?}; allowed: {}", keys.join(", "))));
    };
    row.set(config, value).map_err(value_error)?;
    Ok(row)
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (network = None, simulations = 100, *, algorithm = "gumbel", seed = 0, threads = 1, batch_size = 1024, **settings))]
    fn new(
        network: Option<Bound<'_, PyAny>>,
        simulations: i128,
        algorithm: &str,
        seed: i128,
        threads: i128,
        batch_size: i128,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Engine> {
        let judge = EvaluatorChoice::new(network)?;
        let threads = whole("threads", threads, 1..=1024)?;
        let batch_size = whole("batch_size", batch_size, 1..=usize::MAX)?;
        let mut config = SearchConfig::default();
        set(&mut config, "algorithm", algorithm)?;
        for (key, value) in settings.into_iter().flatten() {
            // Python writes true and false with a capital.
            let text = match value.extract::<bool>() {
                Ok(flag) => flag.to_string(),
                Err(_) => value.str()?.to_string(),
            };
            let key = key.extract::<String>()?;
            let row = set(&mut config, &key, &text)?;
            if let Some(of) = row.algorithm.filter(|of| *of != config.algorithm) {
                return Err(value_error(format!("{key} = {text}: only {} uses it", of.name())));
            }
        }
        let (simulations, seed) = (simulations_of(simulations)?, whole("seed", seed, 0..=u64::MAX)?);
        Ok(Engine { judge, config, simulations, seed, threads, batch_size })
    }

    /// Search algorithm: "gumbel" or "puct".
    #[getter]
    fn algorithm(&self) -> String {
        self.settings().remove("algorithm").unwrap_or_default()
    }

    /// Search settings as texts, by name, with `algorithm`. Settings of the other algorithm have
    /// their defaults. A text is empty if the setting has no value.
    #[getter]
    fn settings(&self) -> BTreeMap<&'static str, String> {
        SearchConfig::rows().iter().map(|row| (row.key, row.get(&self.config))).collect()
    }

    /// Returns the move to play on a board. The search ends after `simulations` simulations or
    /// `time` seconds. Only one may be given. The default is the engine's `simulations`.
    ///
    /// With a `temperature` above 0, the move is sampled. The probability of a move is proportional
    /// to the search's probability to the power of 1 / temperature. Raises ValueError if the game
    /// is over or an argument is out of range.
    #[pyo3(signature = (board, *, simulations = None, time = None, temperature = 0.0, seed = None))]
    fn play(
        &self,
        py: Python<'_>,
        board: PyRef<'_, Board>,
        simulations: Option<i128>,
        time: Option<f64>,
        temperature: f32,
        seed: Option<i128>,
    ) -> PyResult<Move> {
        // A search adds the ply to its seed. Without this, games with successive seeds would share
        // random numbers.
        let seed = Stream::Choice.seed(self.seed_of(seed)?);
        let asked = self.ask(simulations, time, temperature, Some(seed.into()))?;
        let fen = board.line.fen();
        let found = self.run(py, vec![board], &asked)?.pop().and_then(|found| found.best);
        found.ok_or_else(|| value_error(format!("{fen}: the game is over")))
    }

    /// Returns the analysis of a board. The search ends after `simulations` simulations or `time`
    /// seconds, as in `play`. Raises ValueError if both are given or an argument is out of range.
    #[pyo3(signature = (board, *, simulations = None, time = None, seed = None))]
    fn analyse(
        &self,
        py: Python<'_>,
        board: PyRef<'_, Board>,
        simulations: Option<i128>,
        time: Option<f64>,
        seed: Option<i128>,
    ) -> PyResult<Analysis> {
        let asked = self.ask(simulations, time, 0.0, seed)?;
        self.run(py, vec![board], &asked)?.pop().ok_or_else(|| value_error("nothing was found"))
    }

    /// Returns the analyses of many boards, in the same order. Their variants may differ.
    ///
    /// The boards of a variant are searched at the same time, at most 256 per thread, so the
    /// evaluator gets large batches. Other boards are searched one group after another, and the
    /// groups share the `time` in proportion to their boards. With a `temperature` above 0, `best` is
    /// sampled as in `play`. The sample depends on `seed` plus the board's ply, so the seeds of
    /// unrelated games must be further apart than a game has plies. Raises ValueError if an argument
    /// is out of range.
    #[pyo3(signature = (boards, *, simulations = None, time = None, temperature = 0.0, seed = None))]
    fn analyse_many(
        &self,
        py: Python<'_>,
        boards: Vec<PyRef<'_, Board>>,
        simulations: Option<i128>,
        time: Option<f64>,
        temperature: f32,
        seed: Option<i128>,
    ) -> PyResult<Vec<Analysis>> {
        let asked = self.ask(simulations, time, temperature, seed)?;
        self.run(py, boards, &asked)
    }

    fn __repr__(&self) -> String {
        let judge = match &self.judge {
            EvaluatorChoice::Network(Network { model, .. }) => {
                format!("{} for {}", model.architecture, model.layout.name)
            }
            EvaluatorChoice::Function(_) => "a function".to_owned(),
            _ => self.network_name(),
        };
        format!("<Engine {judge}, {} simulations>", self.simulations)
    }
}

/// Returns the search settings, which are keywords of `Engine`, as a dict by name.
///
/// - `default`: default value as a text. It is empty if the setting has no value by default.
/// - `allowed`: allowed values, in words
/// - `algorithm`: only algorithm that uses the setting, or None if both do
/// - `meaning`: meaning of the setting, in Markdown
#[pyfunction]
pub(crate) fn search_settings(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    let defaults = SearchConfig::default();
    for row in SearchConfig::rows() {
        let one = PyDict::new(py);
        one.set_item("default", row.get(&defaults))?;
        one.set_item("allowed", row.values.to_string())?;
        one.set_item("algorithm", row.algorithm.map(Algorithm::name))?;
        one.set_item("meaning", row.meaning)?;
        all.set_item(row.key, one)?;
    }
    Ok(all)
}
