//! Searches that the server runs for the page, to play against a network or to analyse a position.

use crate::error::{Answer, Refusal};
use crate::folders::inside;
use crate::guard::JsonBody;
use crate::play::{game, variant};
use crate::runs::generations;
use crate::{App, Embedded};
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use catapult_arena::thinker;
use catapult_encoding::layout;
use catapult_engine::{AnalysisReport, AnalysisRequest, Analyst};
use catapult_network::{EvaluatorSettings, Network};
use catapult_rules::{AnyGame, Variant};
use catapult_training::TrainConfig;
use catapult_training::run::network_path;
use futures_util::stream::unfold;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{Sender, channel};

/// Maximum size of a search tree in bytes. During tree reuse, an engine briefly has two trees.
const MEMORY: usize = 128 << 20;
/// Maximum number of evaluations that an engine caches.
const CACHED: usize = 1 << 15;
/// Minimum interval between two reports of a search.
const REPORT_INTERVAL: Duration = Duration::from_millis(150);
/// Maximum time to wait for a search permit. If a client has just disconnected, its search releases
/// the permit within this time.
const PERMIT_TIMEOUT: Duration = Duration::from_millis(1500);
/// Maximum of `nodes` in a request, in simulations.
const MOST_NODES: u32 = 1_000_000;
/// Maximum of `ms` in a request, in milliseconds.
const LONGEST: u32 = 600_000;
/// Maximum size of a run's network file in bytes.
const LARGEST: u64 = 512 << 20;

/// Pool of engines. An idle engine keeps the search tree of its last game.
pub(crate) struct EnginePool {
    networks: Vec<Embedded>,
    /// For each of `networks`, the variants that it was trained on.
    trained_on: Vec<Vec<String>>,
    compute: EvaluatorSettings,
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<(Key, Analyst)>>,
}

/// Key of an engine: variant, network id, path of the network's file and time of the file's last
/// change. The path is empty for an embedded network. A run's path changes with each generation. A
/// run that is trained again under its name has the same paths, and only the times differ.
type Key = (String, String, PathBuf, Option<SystemTime>);

impl EnginePool {
    pub(crate) fn new(networks: Vec<Embedded>, compute: EvaluatorSettings, permits: usize) -> EnginePool {
        let trained_on = networks.iter().map(trained_on).collect();
        let permits = Arc::new(Semaphore::new(permits));
        EnginePool { networks, trained_on, compute, permits, idle: Mutex::default() }
    }

    /// Takes an idle engine with this key out of the pool, or creates one.
    ///
    /// # Errors
    /// The network is missing, unreadable or of another game.
    fn take(&self, key: &Key) -> Answer<Analyst> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = idle.iter().position(|(one, _)| one == key) {
            return Ok(idle.remove(at).1);
        }
        drop(idle);
        let (name, id, path, _) = key;
        let variant = variant(name)?;
        let refused =
            |error: &dyn std::fmt::Display| Refusal::bad(format!("{id} can't play {name}: {error}"));
        let network = match id.strip_prefix("models/") {
            Some(model) => {
                let found = self.networks.iter().find(|(one, _)| *one == model);
                let (_, bytes) = found.ok_or_else(|| Refusal::missing("there is no network of this name"))?;
                Network::from_bytes(id, bytes.to_vec(), &layout(variant))
            }
            None => Network::load(path, &layout(variant)),
        };
        let network = network.map_err(|_| refused(&"it is not a network for this game"))?;
        let thinker = thinker(variant, &network, self.compute, CACHED).map_err(|error| refused(&error))?;
        Ok(Analyst::new(thinker, variant, MEMORY))
    }

    /// Puts an engine back into the pool. If the pool then has more than `most` engines, the oldest
    /// is dropped.
    fn give_back(&self, key: Key, engine: Analyst, most: usize) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push((key, engine));
        if idle.len() > most {
            idle.remove(0);
        }
    }
}

/// A network that searches can use, sent as JSON.
#[derive(Serialize)]
struct AvailableNetwork {
    id: String,
    /// Variants that the network was trained on.
    variants: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct Hello {
    version: &'static str,
    /// True if the server requires a token. `signed_in` is true if the client has access.
    token: bool,
    signed_in: bool,
    /// Networks for searches.
    networks: Vec<AvailableNetwork>,
    /// True if the server records results of games against the computer.
    results: bool,
}

/// Returns the server's version and networks. Without access, the list of networks is empty.
pub(crate) async fn hello(State(app): State<Arc<App>>, headers: HeaderMap) -> Answer<Json<Hello>> {
    let signed_in = app.guard.is_signed_in(&headers);
    let networks = if signed_in {
        crate::watch::with_files(&app, |app| Ok(available_networks(app))).await?
    } else {
        Vec::new()
    };
    Ok(Json(Hello {
        version: env!("CARGO_PKG_VERSION"),
        token: app.guard.needs_token(),
        signed_in,
        networks,
        results: app.results.is_some(),
    }))
}

fn available_networks(app: &App) -> Vec<AvailableNetwork> {
    let models = app.engines.networks.iter().zip(&app.engines.trained_on);
    let models = models.map(|((name, _), variants)| AvailableNetwork {
        id: format!("models/{name}"),
        variants: variants.clone(),
    });
    let runs = app.runs.with("config.toml").into_iter().filter_map(|(name, dir)| {
        newest_network(&dir)?;
        let config = TrainConfig::read(&dir.join("config.toml"), &[]).ok()?;
        let variants = config.variants().iter().map(ToString::to_string).collect();
        Some(AvailableNetwork { id: format!("runs/{name}"), variants })
    });
    models.chain(runs).collect()
}

/// Returns the variants that an embedded network was trained on, from its provenance. Empty if the
/// network cannot be read.
fn trained_on((name, bytes): &Embedded) -> Vec<String> {
    let read = |game| Network::from_bytes(name, bytes.to_vec(), &layout(game)).ok();
    let network = Variant::games().find_map(read);
    let variants = network.and_then(|network| network.provenance.get("variant").cloned());
    variants.iter().flat_map(|names| names.split(", ")).map(str::to_owned).collect()
}

/// Returns the path of a run's newest network. `None` if the run has no network or the file is
/// larger than [`LARGEST`].
fn newest_network(dir: &std::path::Path) -> Option<PathBuf> {
    let paths = generations(dir).into_iter().map(|generation| network_path(dir, generation));
    let path = paths.into_iter().find_map(|path| inside(dir, &path))?;
    (path.metadata().ok()?.len() <= LARGEST).then_some(path)
}

/// A request for a search: network, variant, position and limits.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchRequest {
    network: String,
    variant: String,
    #[serde(default)]
    start: String,
    #[serde(default)]
    moves: Vec<String>,
    /// Maximum number of simulations. `ms` is the maximum time in milliseconds. Without both, the
    /// search ends when the client disconnects, or after `Limits::search_time`.
    nodes: Option<u32>,
    ms: Option<u32>,
    /// Scale of the Gumbel noise that randomises the move, 0 to 100. 0 plays the best move.
    #[serde(default)]
    noise: f32,
    #[serde(default)]
    seed: u32,
}

/// A line of the response, as JSON: a report of the search or an error.
#[derive(Serialize)]
struct Line {
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<AnalysisReport>,
    ended: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Line {
    fn text(&self) -> String {
        // The structure has only string keys, so serialization cannot fail.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    fn report(found: AnalysisReport, ended: bool) -> String {
        Line { found: Some(found), ended, error: None }.text()
    }
}

/// Runs a search. The response is a stream of JSON lines, one per report. In the last line, `ended`
/// is true. The search ends early if the client disconnects.
pub(crate) async fn think(
    State(app): State<Arc<App>>,
    JsonBody(request): JsonBody<SearchRequest>,
) -> Answer<Response> {
    let game = check(&request)?;
    let full = || {
        let most = app.limits.searches;
        Refusal::busy(format!("the server has reached its limit of {most} searches; try again later"))
    };
    let free = tokio::time::timeout(PERMIT_TIMEOUT, app.engines.permits.clone().acquire_owned()).await;
    let permit = free.map_err(|_| full())?.map_err(|_| full())?;
    let (lines_in, lines_out) = channel::<String>(4);
    let longest = app.limits.search_time;
    tokio::task::spawn_blocking(move || {
        if let Err(refusal) = search(&app, &request, &*game, longest, &lines_in) {
            let _ = lines_in
                .blocking_send(Line { found: None, ended: true, error: Some(refusal.message) }.text());
        }
        drop(permit);
    });
    let lines = unfold(lines_out, async |mut lines_out| {
        let line = lines_out.recv().await?;
        Some((Ok::<_, Infallible>(Bytes::from(line)), lines_out))
    });
    Ok(([(CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(lines)).into_response())
}

/// Checks the limits of a request and returns its game.
fn check(request: &SearchRequest) -> Answer<Box<dyn AnyGame>> {
    if request.nodes.is_some_and(|nodes| nodes == 0 || nodes > MOST_NODES) {
        return Err(Refusal::bad(format!("nodes: it must be 1 to {MOST_NODES}")));
    }
    if request.ms.is_some_and(|ms| ms == 0 || ms > LONGEST) {
        return Err(Refusal::bad(format!("ms: it must be 1 to {LONGEST}")));
    }
    if !(0.0..=100.0).contains(&request.noise) {
        return Err(Refusal::bad("noise: it must be 0 to 100"));
    }
    game(variant(&request.variant)?, &request.start, &request.moves)
}

fn search(
    app: &App,
    request: &SearchRequest,
    game: &dyn AnyGame,
    longest: Duration,
    lines: &Sender<String>,
) -> Answer<()> {
    let path = match request.network.strip_prefix("runs/") {
        Some(run) => {
            let dir = app.runs.find(run, "config.toml");
            let missing = || Refusal::missing("there is no run of this name that has a network");
            newest_network(&dir.ok_or_else(missing)?).ok_or_else(missing)?
        }
        None if request.network.starts_with("models/") => PathBuf::new(),
        None => return Err(Refusal::bad("network: it is models/NAME or runs/NAME")),
    };
    let changed = path.metadata().and_then(|file| file.modified()).ok();
    let key = (game.variant().to_string(), request.network.clone(), path, changed);
    let mut engine = app.engines.take(&key)?;
    let began = Instant::now();
    let &SearchRequest { nodes, ms, noise, seed, .. } = request;
    let request = AnalysisRequest { nodes, ms: ms.map(f64::from), noise, seed };
    engine.think(game, &request, began.elapsed()).map_err(Refusal::bad)?;
    let mut last = Duration::ZERO;
    while engine.step(began.elapsed()).map_err(|error| Refusal::fault(error.to_string()))?
        && began.elapsed() < longest
        && !lines.is_closed()
    {
        if began.elapsed() - last > REPORT_INTERVAL {
            last = began.elapsed();
            // A slow client misses intermediate reports.
            let _ = lines.try_send(Line::report(engine.report(), false));
        }
    }
    // Blocks until the client has read the line or disconnected.
    let _ = lines.blocking_send(Line::report(engine.report(), true));
    app.engines.give_back(key, engine, app.limits.searches);
    Ok(())
}
