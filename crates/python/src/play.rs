//! Self-play and matches from Python.

use crate::engine::Engine;
use crate::errors::{value_error, whole};
use crate::judge::{Raised, raised_or};
use crate::values::{from_python, to_python};
use catapult_arena::{
    EvaluatorSource, MatchFiles, MatchSettings, NamedPlayer, PlayerSpec, play_named_match, play_named_shard,
};
use catapult_network::Device;
use catapult_records::write_shard;
use catapult_rules::Variant;
use catapult_selfplay::{Counters, SelfPlayConfig, ShardSettings};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Interval between checks for signals, such as Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(20);

/// Runs `work` on another thread and checks for signals meanwhile. A signal sets `stop` and becomes
/// the raised exception when `work` has ended.
fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    raised: &Raised,
    work: impl FnOnce() -> Result<T, String> + Send,
) -> PyResult<T> {
    let found = py.detach(|| {
        std::thread::scope(|scope| {
            let worker = scope.spawn(work);
            let mut interrupted = None;
            while !worker.is_finished() {
                std::thread::sleep(PATIENCE);
                if interrupted.is_none()
                    && let Err(error) = Python::attach(|py| py.check_signals())
                {
                    stop.store(true, Ordering::Relaxed);
                    interrupted = Some(error);
                }
            }
            let found = worker.join().unwrap_or_else(|_| Err("a game thread panicked".to_owned()));
            (found, interrupted)
        })
    });
    match found {
        (_, Some(interrupted)) => Err(interrupted),
        (Ok(found), None) => Ok(found),
        (Err(text), None) => Err(raised_or(raised, text)),
    }
}

/// Plays games of an engine against itself and writes them as a shard. Returns the shard's path.
///
/// The engine's simulations and settings apply. `slots` games are played concurrently. `settings`
/// are those of a config's `[selfplay]`: `sampled_plies`, `ply_cap`, `fork_share` and so on. Equal
/// engines, seeds and settings give equal bytes. Records identify a network by the hash of its
/// file, or of the file that `save` would write.
#[pyfunction]
#[pyo3(signature = (engine, variant, games, folder, *, name = "games", seed = 0, slots = 64, **settings))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn selfplay(
    py: Python<'_>,
    engine: PyRef<'_, Engine>,
    variant: &str,
    games: i128,
    folder: PathBuf,
    name: &str,
    seed: i128,
    slots: i128,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<PathBuf> {
    let variant = crate::errors::variant(variant)?;
    let (games, seed) = (whole("games", games, 1..=u64::MAX)?, whole("seed", seed, 0..=u64::MAX)?);
    let slots = whole("slots", slots, 1..=usize::MAX)?;
    if name.is_empty() || name.contains(['/', '\\']) {
        return Err(value_error(format!("name {name:?}: must be a name inside the folder")));
    }
    let given = PyDict::new(py);
    given.set_item("simulations", engine.simulations)?;
    if let Some(settings) = settings {
        given.update(settings.as_mapping())?;
    }
    let config: SelfPlayConfig = from_python("self-play", &given)?;
    config.validate().map_err(value_error)?;
    if config.endings.is_some() {
        return Err(value_error("endings: tables are for `catapult train`"));
    }
    let network = engine.network_name();
    let raised = Raised::default();
    let stop = AtomicBool::new(false);
    let settings = ShardSettings {
        selfplay: &config,
        search: &engine.config,
        games,
        slots,
        seed,
        network: &network,
        endings: None,
    };
    let source = engine.source(&raised);
    std::fs::create_dir_all(&folder).map_err(|error| crate::errors::file_error(&folder, error))?;
    let records = interruptible(py, &stop, &raised, || {
        play_named_shard(variant, &source, &settings, &Counters::default(), &stop)
            .map_err(|error| error.to_string())
    })?;
    let mut metadata = BTreeMap::from([
        ("catapult".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ("variant".to_owned(), variant.to_string()),
        ("seed".to_owned(), seed.to_string()),
        ("simulations".to_owned(), config.simulations.to_string()),
        ("network".to_owned(), network.clone()),
    ]);
    metadata.extend(config.forbidden.map(|kind| ("forbidden".to_owned(), kind.to_string())));
    write_shard(&folder, name, &records, &metadata).map_err(crate::data::record_error)
}

/// Player of a match.
enum Side {
    /// An engine, with its name in the result.
    Engine(String, NamedPlayer<'static>),
    Spec(PlayerSpec),
}

impl Side {
    fn new(given: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Side> {
        if let Ok(engine) = given.extract::<PyRef<'_, Engine>>() {
            let (source, config) = (engine.source(raised), engine.config);
            let player = NamedPlayer::Search { source, config, simulations: engine.simulations };
            return Ok(Side::Engine(engine.player_name(), player));
        }
        let name: String = given.extract().map_err(|_| {
            pyo3::exceptions::PyTypeError::new_err(format!(
                "{given}: a player is an Engine or a name such as 'alphabeta:1'"
            ))
        })?;
        name.parse().map(Side::Spec).map_err(value_error)
    }

    fn is_function(&self) -> bool {
        let Side::Engine(_, NamedPlayer::Search { source, .. }) = self else { return false };
        matches!(source, EvaluatorSource::Function { .. })
    }

    fn named(&self) -> (String, NamedPlayer<'_>) {
        match self {
            Side::Engine(name, player) => (name.clone(), player.clone()),
            Side::Spec(spec) => (spec.to_string(), NamedPlayer::Spec(spec)),
        }
    }
}

/// Plays a match like `catapult match`, with the project's openings and colors swapped in pairs.
///
/// Returns the result as a dict: `wins`, `draws`, `losses` and `capped` (truncated games) of
/// `player`, `score` and `elo` with 95 % intervals (`value`, `low`, `high`), `reasons`, `pairs` and
/// more.
///
/// Players are engines or names: `"random"`, `"alphabeta:1"`, `"search:uniform:64"`,
/// `"FILE.safetensors:64"` and so on. `games` must be even. Equal players and seeds give equal
/// games for any number of `threads`. A match with an engine of a Python function is played on one
/// thread.
#[pyfunction]
#[pyo3(signature = (player, opponent, variant = "chesspp", games = 100, *, seed = 1, threads = 1, ply_cap = 400))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn play_match<'py>(
    py: Python<'py>,
    player: &Bound<'_, PyAny>,
    opponent: &Bound<'_, PyAny>,
    variant: &str,
    games: i128,
    seed: i128,
    threads: i128,
    ply_cap: i128,
) -> PyResult<Bound<'py, PyAny>> {
    let variant: Variant = crate::errors::variant(variant)?;
    let (games, seed) = (whole("games", games, 0..=u32::MAX)?, whole("seed", seed, 0..=u64::MAX)?);
    let threads = whole("threads", threads, 1..=1024)?;
    let ply_cap = whole("ply_cap", ply_cap, 0..=u32::MAX)?;
    let (stop, raised) = (AtomicBool::new(false), Raised::default());
    let sides = [Side::new(player, &raised)?, Side::new(opponent, &raised)?];
    // A Python function may keep state between its calls, so only one thread calls it.
    let threads = if sides.iter().any(Side::is_function) { 1 } else { threads };
    let settings = MatchSettings { games, seed, threads, ply_cap, ..MatchSettings::default() };
    let played = interruptible(py, &stop, &raised, || {
        let go_on = |_| {
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let [(player, one), (opponent, two)] = sides.each_ref().map(Side::named);
        let players = [(Some(player.as_str()), one), (Some(opponent.as_str()), two)];
        let files = MatchFiles::default();
        play_named_match(variant, &players, Device::Cpu, &settings, files, &go_on)
            .map_err(|error| error.to_string())
    })?;
    to_python(py, &played.result)
}
