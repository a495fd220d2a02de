//! The page from the binary, with what a machine adds to it: stronger play and analysis, runs to watch while they go on, and games of
//! two people over a link.
//!
//! Whatever comes over a socket is hostile until it has been looked at:
//!
//! * `guard` looks at `Host`, `Origin` and the cookie before anything else does, and gives every answer its headers;
//! * `accept` bounds connections and the time that anyone may take for a header or for reading an answer;
//! * `folders` is the only way from a request to the file system: names are matched against a listing;
//! * [`Limits`] has every number.
//!
//! What is told of something that changes (a game, a run) is its newest state, through a channel that holds one value: whoever reads
//! slowly misses states between, and holds nothing up.
//!
//! ```no_run
//! # fn config() -> catapult_server::Config { unimplemented!() }
//! use std::sync::atomic::AtomicBool;
//! // `listen`, where runs and studies are, what computes networks, every bound.
//! let config: catapult_server::Config = config();
//! let stop = AtomicBool::new(false);
//! catapult_server::serve(config, &stop, |address| println!("http://{address}")).unwrap();
//! ```

mod accept;
mod assets;
mod error;
mod folders;
mod games;
mod guard;
mod ids;
mod limits;
mod live;
mod play;
mod replays;
mod runs;
mod store;
mod studies;
mod think;
mod watch;

pub use error::ServeError;
pub use guard::LINK_HEADER;
pub use ids::new_token;
pub use limits::Limits;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use catapult_network::EvaluatorSettings;
use folders::Folder;
use guard::Guard;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;

/// A network that comes with the program: the name of its file without the ending, and its bytes.
pub type Embedded = (&'static str, &'static [u8]);

/// What is served, and to whom.
pub struct Config {
    /// Where it listens. Any address but loopback needs a token, and so does loopback with a proxy in front.
    pub listen: SocketAddr,
    /// What opens everything but the page itself and the games of a link; none where nothing is asked for.
    pub token: Option<String>,
    /// Names by which a proxy is reached, as browsers send them in `Host`.
    pub hosts: Vec<String>,
    /// The folder of runs.
    pub runs: PathBuf,
    /// The folder of studies.
    pub studies: PathBuf,
    /// The folder of published studies.
    pub experiments: PathBuf,
    /// The file that keeps the games of two people.
    pub games: PathBuf,
    /// The networks that the page names.
    pub networks: Vec<Embedded>,
    /// What computes networks.
    pub compute: EvaluatorSettings,
    /// Every bound.
    pub limits: Limits,
}

/// What all answers share.
struct App {
    guard: Guard,
    games: games::Games,
    runs: Folder,
    studies: Folder,
    experiments: Folder,
    watch: watch::Watch,
    minds: think::Minds,
    assets: assets::Assets,
    streams: Arc<Semaphore>,
    /// Work on files, which blocks a thread.
    files: Arc<Semaphore>,
    limits: Limits,
}

/// Serves until `stop` is true; `ready` is told the address once connections are taken.
///
/// # Errors
/// An address that can't be listened at, or that needs a token; games that can't be opened.
pub fn serve(config: Config, stop: &AtomicBool, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    let is_reached = !config.listen.ip().is_loopback() || !config.hosts.is_empty();
    if is_reached && config.token.is_none() {
        return Err(ServeError::NoToken(config.listen));
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(ServeError::Runtime)?;
    let served = runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(config.listen).await;
        let listener = listener.map_err(|error| ServeError::Listen(config.listen, error))?;
        let address = listener.local_addr().map_err(|error| ServeError::Listen(config.listen, error))?;
        let limits = config.limits.clone();
        let router = router(app(config, address)?);
        ready(address);
        let stopped = async {
            while !stop.load(Ordering::Relaxed) {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        tokio::select! {
            () = accept::accept(listener, router, limits) => {}
            () = stopped => {}
        }
        Ok(())
    });
    // Nobody waits for searches or for clients that do not read.
    runtime.shutdown_timeout(Duration::from_millis(500));
    served
}

fn app(config: Config, address: SocketAddr) -> Result<Arc<App>, ServeError> {
    let limits = config.limits;
    let runs = Folder::new(config.runs);
    Ok(Arc::new(App {
        guard: Guard::new(address, config.hosts, config.token.as_deref()),
        games: games::Games::open(&config.games, &limits)?,
        watch: watch::Watch::default(),
        assets: assets::Assets::new(&config.networks)?,
        minds: think::Minds::new(config.networks, config.compute, limits.searches),
        studies: Folder::new(config.studies),
        experiments: Folder::new(config.experiments),
        streams: Arc::new(Semaphore::new(limits.streams)),
        files: Arc::new(Semaphore::new(limits.file_work)),
        runs,
        limits,
    }))
}

fn router(app: Arc<App>) -> Router {
    let body = app.limits.body;
    Router::new()
        .route("/api/hello", get(think::hello))
        .route("/api/login", post(guard::login))
        .route("/api/games", post(games::create))
        .route("/api/game", get(games::now))
        .route("/api/game/events", get(games::events))
        .route("/api/game/moves", post(games::make_move))
        .route("/api/game/resign", post(games::resign))
        .route("/api/think", post(think::think))
        .route("/api/runs", get(watch::list))
        .route("/api/runs/{run}", get(watch::run))
        .route("/api/runs/{run}/events", get(watch::events))
        .route("/api/runs/{run}/games", get(watch::games))
        .route("/api/studies", get(studies::list))
        .route("/studies/{name}/report.html", get(studies::report))
        .route("/experiments/{name}/report.html", get(studies::experiment))
        .fallback(assets::file)
        .layer(DefaultBodyLimit::max(body))
        .layer(axum::middleware::from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}
