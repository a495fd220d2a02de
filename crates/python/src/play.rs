//! Self-play and matches from Python.

use crate::engine::Engine;
use crate::errors::value_error;
use crate::judge::{Raised, raised_or};
use catapult_arena::{
    EvaluatorSource, MatchFiles, MatchSettings, NamedPlayer, PlayerSpec, play_named_match, play_named_shard,
};
use catapult_mcts::SearchConfig;
use catapult_network::Device;
use catapult_records::write_shard;
use catapult_rules::Variant;
use catapult_selfplay::{Counters, SelfPlayConfig, ShardSettings};
use pyo3::prelude::*;
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

/// Returns `defaults` with the settings in `json`, a JSON object. Errors contain `name`.
fn overlaid<T: serde::Serialize + serde::de::DeserializeOwned>(
    name: &str,
    defaults: &T,
    json: &str,
) -> PyResult<T> {
    let mut all = serde_json::to_value(defaults).map_err(value_error)?;
    let given: BTreeMap<String, serde_json::Value> = serde_json::from_str(json).map_err(value_error)?;
    for (key, value) in given {
        all[key] = value;
    }
    serde_json::from_value(all).map_err(|error| value_error(format!("{name}: {error}")))
}

/// Plays a shard of games with an engine, writes it to `folder` and returns its path. See
/// `catapult.data.selfplay`.
#[pyfunction(name = "_selfplay")]
#[pyo3(signature = (engine, variant, games, folder, name, seed, slots, selfplay))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn selfplay(
    py: Python<'_>,
    engine: PyRef<'_, Engine>,
    variant: &str,
    games: u64,
    folder: PathBuf,
    name: &str,
    seed: u64,
    slots: usize,
    selfplay: &str,
) -> PyResult<PathBuf> {
    let variant = crate::errors::variant(variant)?;
    if games == 0 || slots == 0 {
        return Err(value_error(format!("games = {games}, slots = {slots}: at least 1 of each")));
    }
    if name.is_empty() || name.contains(['/', '\\']) {
        return Err(value_error(format!("name {name:?}: must be a name inside the folder")));
    }
    let simulations = engine.simulations;
    let config =
        overlaid("self-play", &SelfPlayConfig { simulations, ..SelfPlayConfig::default() }, selfplay)?;
    config.validate().map_err(value_error)?;
    if config.endings.is_some() {
        return Err(value_error("endings: tables are for `catapult train`"));
    }
    let (judge, search, network) = (engine.judge.clone(), engine.config.clone(), engine.network_name());
    let raised = Raised::default();
    let stop = AtomicBool::new(false);
    let settings = ShardSettings {
        selfplay: &config,
        search: &search,
        games,
        slots,
        seed,
        network: &network,
        endings: None,
    };
    let text = variant.to_string();
    let source = judge.source(&raised, engine.batch_size);
    std::fs::create_dir_all(&folder).map_err(|error| crate::errors::file_error(&folder, error))?;
    let records = interruptible(py, &stop, &raised, || {
        play_named_shard(variant, &source, &settings, &Counters::default(), &stop)
            .map_err(|error| error.to_string())
    })?;
    let mut metadata = BTreeMap::from([
        ("catapult".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ("variant".to_owned(), text.clone()),
        ("seed".to_owned(), seed.to_string()),
        ("simulations".to_owned(), config.simulations.to_string()),
        ("network".to_owned(), network.clone()),
    ]);
    metadata.extend(config.forbidden.map(|kind| ("forbidden".to_owned(), kind.to_string())));
    write_shard(&folder, name, &records, &metadata).map_err(crate::data::record_error)
}

/// Player of a match, with its name in the result.
enum Side {
    Engine(EvaluatorSource, SearchConfig, u32, String),
    Name(PlayerSpec),
}

impl Side {
    fn new(given: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Side> {
        if let Ok(engine) = given.extract::<PyRef<'_, Engine>>() {
            let source = engine.judge.source(raised, engine.batch_size);
            let (config, simulations) = (engine.config.clone(), engine.simulations);
            return Ok(Side::Engine(source, config, simulations, engine.player_name()));
        }
        let name: String = given.extract().map_err(|_| {
            pyo3::exceptions::PyTypeError::new_err(format!(
                "{given}: a player is an Engine or a name such as 'alphabeta:1'"
            ))
        })?;
        name.parse().map(Side::Name).map_err(value_error)
    }

    fn is_function(&self) -> bool {
        matches!(self, Side::Engine(EvaluatorSource::Function { .. }, ..))
    }

    fn named(&self) -> (String, NamedPlayer<'_>) {
        match self {
            Side::Name(spec) => (spec.to_string(), NamedPlayer::Spec(spec)),
            Side::Engine(source, config, simulations, name) => {
                let (source, config, simulations) = (source.clone(), config.clone(), *simulations);
                (name.clone(), NamedPlayer::Search { source, config, simulations })
            }
        }
    }
}

/// Plays a match and returns its result as JSON. See `catapult.play_match`.
#[pyfunction(name = "_play_match")]
#[pyo3(signature = (player, opponent, variant, games, seed, threads, ply_cap))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn play_a_match(
    py: Python<'_>,
    player: &Bound<'_, PyAny>,
    opponent: &Bound<'_, PyAny>,
    variant: &str,
    games: u32,
    seed: u64,
    threads: usize,
    ply_cap: u32,
) -> PyResult<String> {
    let variant: Variant = crate::errors::variant(variant)?;
    if !(1..=1024).contains(&threads) {
        return Err(value_error(format!("threads = {threads}: 1 to 1024")));
    }
    let (stop, raised) = (AtomicBool::new(false), Raised::default());
    let sides = [Side::new(player, &raised)?, Side::new(opponent, &raised)?];
    // A Python function may keep state between its calls, so only one thread calls it.
    let threads = if sides.iter().any(Side::is_function) { 1 } else { threads };
    let settings = MatchSettings { games, seed, threads, ply_cap, ..MatchSettings::default() };
    interruptible(py, &stop, &raised, || {
        let go_on = |_| {
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let [(player, one), (opponent, two)] = sides.each_ref().map(Side::named);
        let players = [(Some(player.as_str()), one), (Some(opponent.as_str()), two)];
        let files = MatchFiles::default();
        let played = play_named_match(variant, &players, Device::Cpu, &settings, files, &go_on);
        let played = played.map_err(|error| error.to_string())?;
        serde_json::to_string(&played.result).map_err(|error| error.to_string())
    })
}
