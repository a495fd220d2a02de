//! Self-play and matches from Python.

use crate::engine::Engine;
use crate::errors::value_error;
use crate::judge::Raised;
use catapult_arena::{
    Contender, MatchSettings, Player, PlayerSpec, SearchPlayer, breaking_ties, contender, play_match,
};
use catapult_encoding::Encode;
use catapult_mcts::Cached;
use catapult_network::Compute;
use catapult_records::write_shard;
use catapult_rules::{Variant, with_variant};
use catapult_selfplay::{Counters, SelfPlayConfig, ShardSettings, play_shard};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Maximum number of evaluations that a player caches in a match.
const REMEMBERED: usize = 1 << 14;
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
            let found = worker.join().unwrap_or_else(|_| Err("the games broke down".to_owned()));
            (found, interrupted)
        })
    });
    match found {
        (_, Some(interrupted)) => Err(interrupted),
        (Ok(found), None) => Ok(found),
        (Err(text), None) => {
            let raised = raised.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
            Err(raised.unwrap_or_else(|| value_error(text)))
        }
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
        return Err(value_error(format!("name {name:?}: a name within the folder is wanted")));
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
    let batch = engine.batch_size;
    let records = interruptible(py, &stop, &raised, || {
        with_variant!(variant, |P, rules| {
            let mut evaluator = judge.evaluator::<P>(&text, &raised, batch)?;
            play_shard(&[(variant, rules)], &settings, &mut *evaluator, &Counters::default(), &stop)
                .map_err(|error| error.to_string())
        })
    })?;
    let mut metadata = BTreeMap::from([
        ("catapult".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ("variant".to_owned(), text.clone()),
        ("seed".to_owned(), seed.to_string()),
        ("simulations".to_owned(), config.simulations.to_string()),
        ("network".to_owned(), network.clone()),
    ]);
    metadata.extend(config.forbidden.map(|kind| ("forbidden".to_owned(), kind.to_string())));
    std::fs::create_dir_all(&folder).map_err(|error| crate::errors::file_error(&folder, error))?;
    write_shard(&folder, name, &records, &metadata).map_err(value_error)
}

/// Player of a match: an engine, or a player given by its name, such as `alphabeta:1`.
enum Side<'py> {
    Engine(PyRef<'py, Engine>),
    Name(PlayerSpec),
}

fn side<'py>(given: &Bound<'py, PyAny>) -> PyResult<Side<'py>> {
    if let Ok(engine) = given.extract::<PyRef<'py, Engine>>() {
        return Ok(Side::Engine(engine));
    }
    let name: String = given.extract().map_err(|_| {
        pyo3::exceptions::PyTypeError::new_err(format!(
            "{given}: a player is an Engine or a name such as 'alphabeta:1'"
        ))
    })?;
    name.parse().map(Side::Name).map_err(value_error)
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
    let settings = MatchSettings { games, seed, threads, ply_cap, ..MatchSettings::default() };
    let (stop, raised, text) = (AtomicBool::new(false), Raised::default(), variant.to_string());
    let sides = [side(player)?, side(opponent)?];
    with_variant!(variant, |P, rules| {
        let make = |side: &Side<'_>| contender_of::<P>(side, variant, &text, &raised);
        let [player, opponent] = [make(&sides[0])?, make(&sides[1])?];
        interruptible(py, &stop, &raised, || {
            let go_on = |_| {
                if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let played = play_match::<P>(&text, rules, &player, &opponent, &settings, &go_on);
            let played = played.map_err(|error| error.to_string())?;
            serde_json::to_string(&played.result).map_err(|error| error.to_string())
        })
    })
}

fn contender_of<P: Encode + catapult_arena::Anchor>(
    side: &Side<'_>,
    variant: Variant,
    text: &str,
    raised: &Raised,
) -> PyResult<Contender<'static, P>> {
    match side {
        Side::Name(spec) => contender::<P>(spec, variant, &Compute::on("cpu")).map_err(value_error),
        Side::Engine(engine) => {
            let (judge, batch, name) = (engine.judge.clone(), engine.batch_size, engine.player_name());
            // All search players of a match break ties like this.
            let (config, simulations) = (breaking_ties(engine.config.clone()), engine.simulations);
            let (text, raised) = (text.to_owned(), raised.clone());
            let make = move || {
                let evaluator = judge.evaluator::<P>(&text, &raised, batch);
                let evaluator = evaluator.map_err(catapult_arena::PlayerError::Settings)?;
                let evaluator = Cached::new(evaluator, REMEMBERED);
                let player = SearchPlayer::with_config(evaluator, config.clone(), simulations);
                Ok(Box::new(player) as Box<dyn Player<P>>)
            };
            Ok(Contender { name, make: Box::new(make), games_at_once: 256 })
        }
    }
}
