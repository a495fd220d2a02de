//! Searches on this machine, for the page: a player, and a second opinion.

use crate::error::{Answer, Refusal};
use crate::folders::inside;
use crate::guard::json;
use crate::play::{game, variant};
use crate::runs::generations;
use crate::{App, Embedded};
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use catapult_encoding::Encode;
use catapult_engine::{Analyst, Found, Question};
use catapult_mcts::Cached;
use catapult_network::{EvaluatorSettings, Network, NetworkEvaluator};
use catapult_rules::{Position, Variant, with_variant};
use catapult_training::TrainConfig;
use catapult_training::run::network_path;
use futures_util::stream::unfold;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{Sender, channel, error::TrySendError};

/// Bytes that a tree may take.
const MEMORY: usize = 256 << 20;
/// Answers that are remembered from search to search.
const REMEMBERED: usize = 1 << 15;
/// How often it is told what has been found.
const TELL: Duration = Duration::from_millis(150);
/// How long a search waits for its place: the one before it, which has just been left, ends in less.
const PATIENCE: Duration = Duration::from_millis(1500);
/// Simulations, and milliseconds, that may be asked for.
const MOST_NODES: u32 = 1_000_000;
const LONGEST: u32 = 600_000;
/// Bytes of a run's network that are loaded.
const LARGEST: u64 = 512 << 20;

/// Players that think, and those that wait with what they know of their last game.
pub(crate) struct Minds {
    networks: Vec<Embedded>,
    /// What each of them was trained on.
    learned: Vec<Vec<String>>,
    compute: EvaluatorSettings,
    places: Arc<Semaphore>,
    waiting: Mutex<Vec<(Key, Box<dyn Mind>)>>,
}

/// What a player is made of: variant, network, file (a run's network is another one after each generation).
type Key = (String, String, PathBuf);

impl Minds {
    pub(crate) fn new(networks: Vec<Embedded>, compute: EvaluatorSettings, places: usize) -> Minds {
        let learned = networks.iter().map(learned).collect();
        let places = Arc::new(Semaphore::new(places));
        Minds { networks, learned, compute, places, waiting: Mutex::default() }
    }

    /// A player that waits for such a game, or a new one.
    fn take(&self, key: &Key) -> Answer<Box<dyn Mind>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = waiting.iter().position(|(one, _)| one == key) {
            return Ok(waiting.remove(at).1);
        }
        drop(waiting);
        let (name, id, path) = key;
        with_variant!(variant(name)?, |P, rules| {
            let refused =
                |error: &dyn std::fmt::Display| Refusal::bad(format!("{id} can't play {name}: {error}"));
            let network = match id.strip_prefix("models/") {
                Some(model) => {
                    let found = self.networks.iter().find(|(one, _)| *one == model);
                    let (_, bytes) =
                        found.ok_or_else(|| Refusal::missing("there is no network of this name"))?;
                    Network::from_bytes(id, bytes.to_vec(), &P::LAYOUT)
                }
                None => Network::load(path, &P::LAYOUT),
            };
            let network = network.map_err(|_| refused(&"it is not a network for this game"))?;
            let evaluator =
                NetworkEvaluator::<P>::new(&network, self.compute).map_err(|error| refused(&error))?;
            let analyst = Analyst::new(rules, Cached::new(evaluator, REMEMBERED), MEMORY);
            Ok(Box::new(Place::<P> { rules, analyst }))
        })
    }

    /// Lets a player wait; the one that has waited longest gives way.
    fn give_back(&self, key: Key, mind: Box<dyn Mind>, most: usize) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push((key, mind));
        if waiting.len() > most {
            waiting.remove(0);
        }
    }
}

/// A network that can be asked.
#[derive(Serialize)]
struct Known {
    id: String,
    /// What it was trained on.
    variants: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct Hello {
    version: &'static str,
    /// Whether a token is needed, and was given.
    token: bool,
    signed_in: bool,
    /// Networks that play on this machine, and what computes them.
    networks: Vec<Known>,
    backend: String,
    /// Searches at once.
    searches: usize,
}

/// What the page may ask for; little of it before the token has been given.
pub(crate) async fn hello(State(app): State<Arc<App>>, headers: HeaderMap) -> Answer<Json<Hello>> {
    let signed_in = app.guard.is_signed_in(&headers);
    let networks =
        if signed_in { crate::watch::with_files(&app, |app| Ok(known(app))).await? } else { Vec::new() };
    Ok(Json(Hello {
        version: env!("CARGO_PKG_VERSION"),
        token: app.guard.needs_token(),
        signed_in,
        networks,
        backend: app.minds.compute.tower(),
        searches: app.limits.searches,
    }))
}

fn known(app: &App) -> Vec<Known> {
    let models = app.minds.networks.iter().zip(&app.minds.learned);
    let models = models
        .map(|((name, _), variants)| Known { id: format!("models/{name}"), variants: variants.clone() });
    let runs = app.runs.with("config.toml").into_iter().filter_map(|(name, dir)| {
        newest_network(&dir)?;
        let config = TrainConfig::read(&dir.join("config.toml"), &[]).ok()?;
        let variants = config.variants().iter().map(ToString::to_string).collect();
        Some(Known { id: format!("runs/{name}"), variants })
    });
    models.chain(runs).collect()
}

/// What a network says that it was trained on.
fn learned((name, bytes): &Embedded) -> Vec<String> {
    let read = |game| {
        let layout = with_variant!(game, |P, _rules| <P as Encode>::LAYOUT);
        Network::from_bytes(name, bytes.to_vec(), &layout).ok()
    };
    let network = Variant::games().find_map(read);
    let variants = network.and_then(|network| network.provenance.get("variant").cloned());
    variants.iter().flat_map(|names| names.split(", ")).map(str::to_owned).collect()
}

/// The network of a run's newest generation that has one.
fn newest_network(dir: &std::path::Path) -> Option<PathBuf> {
    let paths = generations(dir).into_iter().map(|generation| network_path(dir, generation));
    let path = paths.into_iter().find_map(|path| inside(dir, &path))?;
    (path.metadata().ok()?.len() <= LARGEST).then_some(path)
}

/// A question to a network.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    network: String,
    variant: String,
    #[serde(default)]
    start: String,
    #[serde(default)]
    moves: Vec<String>,
    /// Simulations; without them and without `ms` it thinks until the client goes, or the longest time is over.
    nodes: Option<u32>,
    ms: Option<u32>,
    /// Scale of the noise by which moves are drawn: 0 plays the best that is found.
    #[serde(default)]
    noise: f32,
    #[serde(default)]
    seed: u32,
}

/// A line of the answer: what was found so far, or why there is nothing.
#[derive(Serialize)]
struct Line {
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<Found>,
    ended: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Line {
    fn text(&self) -> String {
        // Structures of ours have no key that is not a text, the only thing that could fail.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    fn found(found: Found, ended: bool) -> String {
        Line { found: Some(found), ended, error: None }.text()
    }
}

/// Thinks about a game. The answer is JSON, a line whenever there is more to tell; it ends with the search, and the search with it.
pub(crate) async fn think(
    State(app): State<Arc<App>>,
    asked: Result<Json<Asked>, JsonRejection>,
) -> Answer<Response> {
    let asked = json(asked)?;
    check(&asked)?;
    let full = || {
        let places = app.limits.searches;
        Refusal::busy(format!(
            "{places} searches are under way, which is all there may be; try again in a while"
        ))
    };
    let free = tokio::time::timeout(PATIENCE, app.minds.places.clone().acquire_owned()).await;
    let place = free.map_err(|_| full())?.map_err(|_| full())?;
    let (tell, told) = channel::<String>(4);
    let longest = app.limits.search_time;
    tokio::task::spawn_blocking(move || {
        let error = search(&app, &asked, longest, &tell).err();
        if let Some(refusal) = error {
            let _ =
                tell.blocking_send(Line { found: None, ended: true, error: Some(refusal.message) }.text());
        }
        drop(place);
    });
    let lines = unfold(told, async |mut told| {
        let line = told.recv().await?;
        Some((Ok::<_, Infallible>(Bytes::from(line)), told))
    });
    Ok(([(CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(lines)).into_response())
}

fn check(asked: &Asked) -> Answer<()> {
    if asked.nodes.is_some_and(|nodes| nodes == 0 || nodes > MOST_NODES) {
        return Err(Refusal::bad(format!("nodes: it must be 1 to {MOST_NODES}")));
    }
    if asked.ms.is_some_and(|ms| ms == 0 || ms > LONGEST) {
        return Err(Refusal::bad(format!("ms: it must be 1 to {LONGEST}")));
    }
    if !(0.0..=100.0).contains(&asked.noise) {
        return Err(Refusal::bad("noise: it must be 0 to 100"));
    }
    variant(&asked.variant).map(|_| ())
}

fn search(app: &App, asked: &Asked, longest: Duration, tell: &Sender<String>) -> Answer<()> {
    let path = match asked.network.strip_prefix("runs/") {
        Some(run) => {
            let dir = app.runs.find(run, "config.toml");
            let missing = || Refusal::missing("there is no run of this name that has a network");
            newest_network(&dir.ok_or_else(missing)?).ok_or_else(missing)?
        }
        None if asked.network.starts_with("models/") => PathBuf::new(),
        None => return Err(Refusal::bad("network: it is models/NAME or runs/NAME")),
    };
    let key = (variant(&asked.variant)?.to_string(), asked.network.clone(), path);
    let mut mind = app.minds.take(&key)?;
    let began = Instant::now();
    mind.think(asked, began.elapsed())?;
    let mut last = Duration::ZERO;
    loop {
        let more = mind.step(began.elapsed())? && began.elapsed() < longest;
        if !more {
            // The client reads, or its connection ends.
            let _ = tell.blocking_send(Line::found(mind.found(), true));
            break;
        }
        if tell.is_closed() {
            break;
        }
        if began.elapsed() - last > TELL {
            last = began.elapsed();
            // Who reads slowly misses some.
            if let Err(TrySendError::Closed(_)) = tell.try_send(Line::found(mind.found(), false)) {
                break;
            }
        }
    }
    app.minds.give_back(key, mind, app.limits.searches);
    Ok(())
}

/// A player of whatever game.
trait Mind: Send {
    fn think(&mut self, asked: &Asked, now: Duration) -> Answer<()>;
    /// Looks at some more positions; whether there is more to do.
    fn step(&mut self, now: Duration) -> Answer<bool>;
    fn found(&self) -> Found;
}

struct Place<P: Position> {
    rules: P::Rules,
    analyst: Analyst<P, Cached<P, NetworkEvaluator<P>>>,
}

impl<P: Encode> Mind for Place<P> {
    fn think(&mut self, asked: &Asked, now: Duration) -> Answer<()> {
        let game = game::<P>(&asked.start, &asked.moves, self.rules)?;
        let &Asked { nodes, ms, noise, seed, .. } = asked;
        let time = ms.map(|ms| Duration::from_millis(ms.into()));
        self.analyst.think(game, &Question { nodes, time, noise, seed }, now);
        Ok(())
    }

    fn step(&mut self, now: Duration) -> Answer<bool> {
        self.analyst.step(now).map_err(|error| Refusal::fault(error.to_string()))
    }

    fn found(&self) -> Found {
        self.analyst.found()
    }
}
