//! The web server. It serves the embedded page, searches on this machine, training runs in
//! progress, and two-player games.
//!
//! All input from a socket is treated as hostile:
//!
//! * `guard` checks `Host`, `Origin` and the cookie of each request, and adds headers to each
//!   response;
//! * `accept` limits the number of connections, the time to send a header and the time to read a
//!   response;
//! * `folders` alone maps names in requests to paths, by comparing them with a listing;
//! * [`Limits`] contains the configurable limits.
//!
//! The server sends the states of games and runs through channels that hold only the latest value.
//! A slow client skips intermediate states and delays no other client.
//!
//! ```no_run
//! # fn config() -> catapult_server::Config { unimplemented!() }
//! use std::sync::atomic::AtomicBool;
//! // Address, folders of runs and studies, inference settings, limits.
//! let config: catapult_server::Config = config();
//! let stop = AtomicBool::new(false);
//! catapult_server::serve(config, &stop, |address| println!("http://{address}")).unwrap();
//! ```

mod accept;
mod assets;
mod clock;
mod error;
mod folders;
mod games;
mod guard;
mod ids;
mod limits;
mod live;
mod play;
mod replays;
mod results;
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
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Semaphore;

/// An embedded network: its file name without extension, and the bytes of the file.
pub type Embedded = (&'static str, &'static [u8]);

/// Configuration of the server.
pub struct Config {
    /// Address to listen on. A token is required if it is not a loopback address or if `hosts` is
    /// not empty.
    pub listen: SocketAddr,
    /// Token that clients need, except for the page, games by link and sending results of games.
    /// `None` requires no token.
    pub token: Option<String>,
    /// Host names of reverse proxies in front of the server, as browsers send them in `Host`.
    pub hosts: Vec<String>,
    /// Folder whose subfolders are runs. The folder need not exist.
    pub runs: PathBuf,
    /// Folder whose subfolders are studies. The folder need not exist.
    pub studies: PathBuf,
    /// Folder whose subfolders are published studies. The folder need not exist.
    pub experiments: PathBuf,
    /// SQLite file of two-player games. A missing file is created.
    pub games: PathBuf,
    /// CSV file to which results of games against the computer are appended. A missing file is
    /// created. `None` records nothing.
    pub results: Option<PathBuf>,
    /// Embedded networks that the page and searches can use in addition to the networks of runs.
    pub networks: Vec<Embedded>,
    /// Device and settings for evaluating networks in searches.
    pub compute: EvaluatorSettings,
    /// Limits on resources.
    pub limits: Limits,
}

/// State that all requests share.
struct App {
    guard: Guard,
    games: games::Games,
    runs: Folder,
    studies: Folder,
    experiments: Folder,
    results: Option<Mutex<PathBuf>>,
    watch: watch::Watch,
    engines: think::EnginePool,
    assets: assets::Assets,
    streams: Arc<Semaphore>,
    /// Permits for concurrent requests that read files. Each one blocks a thread.
    files: Arc<Semaphore>,
    limits: Limits,
}

/// Runs the server until `stop` is true. Calls `ready` with the bound address once the server
/// accepts connections.
///
/// # Errors
/// The address is unavailable or requires a token, the file of games or results cannot be opened, or
/// the embedded page is incomplete.
pub fn serve(config: Config, stop: &AtomicBool, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    let is_reached = !config.listen.ip().is_loopback() || !config.hosts.is_empty();
    if is_reached && config.token.is_none() {
        return Err(ServeError::NoToken(config.listen));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| ServeError::Other(format!("cannot start: {error}")))?;
    let served = runtime.block_on(async {
        let wanted = config.listen;
        let failed = |error: std::io::Error| ServeError::Other(format!("cannot listen at {wanted}: {error}"));
        let listener = tokio::net::TcpListener::bind(wanted).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
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
    // Shutdown does not wait for searches or for clients that do not read.
    runtime.shutdown_timeout(Duration::from_millis(500));
    served
}

fn app(config: Config, address: SocketAddr) -> Result<Arc<App>, ServeError> {
    let limits = config.limits;
    if let Some(path) = &config.results {
        // The page does not report that a result was not stored, so the file is tried here.
        let opened = std::fs::File::options().append(true).create(true).open(path);
        opened.map_err(|error| ServeError::Other(format!("{}: {error}", path.display())))?;
    }
    Ok(Arc::new(App {
        guard: Guard::new(address, config.hosts, config.token.as_deref()),
        games: games::Games::open(&config.games, limits.link_streams)?,
        results: config.results.map(Mutex::new),
        watch: watch::Watch::default(),
        assets: assets::Assets::new(&config.networks)?,
        engines: think::EnginePool::new(config.networks, config.compute, limits.searches),
        runs: Folder(config.runs),
        studies: Folder(config.studies),
        experiments: Folder(config.experiments),
        streams: Arc::new(Semaphore::new(limits.streams)),
        files: Arc::new(Semaphore::new(watch::FILE_WORK)),
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
        .route("/api/game/join", post(games::join))
        .route("/api/game/moves", post(games::make_move))
        .route("/api/game/resign", post(games::resign))
        .route("/api/game/offer", post(games::offer))
        .route("/api/results", post(results::record))
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
