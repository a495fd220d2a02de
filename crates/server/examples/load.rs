//! Load test of a running server: `load ADDRESS [SECONDS] [CLIENTS]`.
//!
//! Four in five clients play Chess++ in pairs. Each player has its own stream and plays random
//! legal moves after a short pause. The other clients are spectators. A further tenth of `CLIENTS`
//! never read their stream, and as many again connect and disconnect repeatedly.
//!
//! The test fails if the server rejects a move or closes a stream, or if a streamed game differs
//! from the played one. Otherwise it prints the latency of moves.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

use catapult_rules::{ChessPp, Color, Game, Position};
use catapult_server::LINK_HEADER;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::watch;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Range of the pause of a player before a move, in milliseconds.
const THOUGHT: std::ops::Range<u64> = 100..500;

/// State that all clients share.
struct Shared {
    address: String,
    until: Instant,
    /// Time at which each move was sent, by White's link of the game and the number of plies after
    /// it.
    sent: Mutex<HashMap<(String, usize), Instant>>,
    /// Latencies of the server's responses to moves.
    answered: Mutex<Vec<Duration>>,
    /// Latencies from sending a move until a stream shows it.
    seen: Mutex<Vec<Duration>>,
    games: AtomicUsize,
}

#[derive(Clone)]
struct Links {
    white: String,
    black: String,
    watch: String,
}

struct Connection {
    stream: BufReader<TcpStream>,
    address: String,
}

impl Connection {
    async fn open(address: &str) -> Result<Connection, Failure> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream: BufReader::new(stream), address: address.to_owned() })
    }

    async fn send(&mut self, path: &str, link: &str, body: Option<&Value>) -> Result<(), Failure> {
        let method = if body.is_some() { "POST" } else { "GET" };
        let body = body.map(Value::to_string).unwrap_or_default();
        let (address, length) = (&self.address, body.len());
        let text = format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\n{LINK_HEADER}: {link}\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        Ok(self.stream.get_mut().write_all(text.as_bytes()).await?)
    }

    /// Reads the headers of a response. Returns its status and the length of its body.
    async fn head(&mut self) -> Result<(u16, usize), Failure> {
        let (mut status, mut length, mut line) = (0, 0, String::new());
        loop {
            line.clear();
            if self.stream.read_line(&mut line).await? == 0 {
                return Err("the server has closed a connection".into());
            }
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest.split(' ').next().unwrap_or_default().trim().parse()?;
            } else if let Some(rest) = line.strip_prefix("content-length: ") {
                length = rest.trim().parse()?;
            } else if line == "\r\n" {
                return Ok((status, length));
            }
        }
    }

    async fn post(&mut self, path: &str, link: &str, body: &Value) -> Result<Value, Failure> {
        self.send(path, link, Some(body)).await?;
        let (status, length) = self.head().await?;
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).await?;
        let answer: Value = serde_json::from_slice(&bytes)?;
        if status == 200 { Ok(answer) } else { Err(format!("{path}: {status} {answer}").into()) }
    }

    /// Reads the next state of the stream.
    async fn event(&mut self) -> Result<Value, Failure> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.stream.read_line(&mut line).await? == 0 {
                return Err("the server has closed a stream".into());
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return Ok(serde_json::from_str(data)?);
            }
        }
    }
}

async fn stream(shared: &Shared, link: &str) -> Result<Connection, Failure> {
    let mut connection = Connection::open(&shared.address).await?;
    connection.send("/api/game/events", link, None).await?;
    match connection.head().await? {
        (200, _) => Ok(connection),
        (status, _) => Err(format!("a stream is refused: {status}").into()),
    }
}

async fn begin(shared: &Shared, poster: &mut Connection) -> Result<Links, Failure> {
    let answer = poster.post("/api/games", "", &json!({ "variant": "chesspp" })).await?;
    let link = |name: &str| answer[name].as_str().unwrap_or_default().to_owned();
    shared.games.fetch_add(1, Ordering::Relaxed);
    Ok(Links { white: link("white"), black: link("black"), watch: link("watch") })
}

/// Follows a game on its stream and checks its states against the rules.
struct Follower {
    events: Connection,
    game: Game<ChessPp>,
    /// White's link, which identifies the game.
    white: String,
}

impl Follower {
    async fn begin(shared: &Shared, links: &Links, link: &str) -> Result<Follower, Failure> {
        let game = Game::new(ChessPp::start(catapult_rules::Plain));
        Ok(Follower { events: stream(shared, link).await?, game, white: links.white.clone() })
    }

    /// Waits for the next state. Returns false once the game or the load test has ended.
    async fn goes_on(&mut self, shared: &Shared) -> Result<bool, Failure> {
        let left = shared.until.saturating_duration_since(Instant::now());
        let Ok(told) = tokio::time::timeout(left, self.events.event()).await else { return Ok(false) };
        let told = told?;
        let moves = told["moves"].as_array().ok_or("a state without moves")?;
        let ply = self.game.ply();
        if moves.len() < ply {
            return Err("a stream goes back".into());
        }
        for text in &moves[ply..] {
            let mv = self.game.position().parse_move(text.as_str().unwrap_or_default())?;
            self.game.push(mv);
        }
        let key = (self.white.clone(), moves.len());
        let sent = if moves.len() > ply { shared.sent.lock().unwrap().get(&key).copied() } else { None };
        if let Some(sent) = sent {
            shared.seen.lock().unwrap().push(sent.elapsed());
        }
        let is_over = self.game.outcome().is_some();
        if is_over == told["end"].is_null() {
            return Err("the end is told where there is none, or not told".into());
        }
        Ok(!is_over)
    }
}

/// Plays one game after another until the load test ends. White's player creates the games.
async fn player(
    shared: Arc<Shared>,
    table: watch::Sender<Links>,
    is_white: bool,
    seed: u64,
) -> Result<(), Failure> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut at = table.subscribe();
    while Instant::now() < shared.until {
        let links = at.borrow_and_update().clone();
        let link = if is_white { &links.white } else { &links.black };
        let mut poster = Connection::open(&shared.address).await?;
        let mut follower = Follower::begin(&shared, &links, link).await?;
        while follower.goes_on(&shared).await? {
            let (position, ply) = (*follower.game.position(), follower.game.ply());
            if (position.side_to_move() == Color::White) != is_white {
                continue;
            }
            tokio::time::sleep(Duration::from_millis(rng.random_range(THOUGHT))).await;
            let legal = position.legal_moves();
            let text = position.move_text(legal[rng.random_range(0..legal.len())]);
            let now = Instant::now();
            shared.sent.lock().unwrap().insert((links.white.clone(), ply + 1), now);
            let asked = json!({ "ply": ply, "move": text });
            let made = poster.post("/api/game/moves", link, &asked).await?;
            shared.answered.lock().unwrap().push(now.elapsed());
            if made["ply"] != ply + 1 {
                return Err(format!("made at another ply: {made}").into());
            }
        }
        if Instant::now() >= shared.until {
            break;
        }
        if is_white {
            let mut connection = Connection::open(&shared.address).await?;
            table.send_replace(begin(&shared, &mut connection).await?);
        } else {
            let left = shared.until.saturating_duration_since(Instant::now());
            let _ = tokio::time::timeout(left, at.changed()).await;
        }
    }
    Ok(())
}

async fn watcher(shared: Arc<Shared>, mut table: watch::Receiver<Links>) -> Result<(), Failure> {
    while Instant::now() < shared.until {
        let links = table.borrow_and_update().clone();
        let mut follower = Follower::begin(&shared, &links, &links.watch).await?;
        while follower.goes_on(&shared).await? {}
        let left = shared.until.saturating_duration_since(Instant::now());
        let _ = tokio::time::timeout(left, table.changed()).await;
    }
    Ok(())
}

/// Opens a stream and does not read it.
async fn deaf(shared: Arc<Shared>, table: watch::Receiver<Links>) -> Result<(), Failure> {
    let link = table.borrow().watch.clone();
    let mut connection = Connection::open(&shared.address).await?;
    connection.send("/api/game/events", &link, None).await?;
    tokio::time::sleep_until(shared.until.into()).await;
    Ok(())
}

/// Connects and disconnects repeatedly. Every second time it disconnects in the middle of a
/// request.
async fn fleeting(shared: Arc<Shared>, table: watch::Receiver<Links>) -> Result<(), Failure> {
    let mut is_half = false;
    while Instant::now() < shared.until {
        let link = table.borrow().watch.clone();
        if is_half {
            let mut half = Connection::open(&shared.address).await?;
            half.stream.get_mut().write_all(b"POST /api/game/moves HTTP/1.1\r\ncontent-le").await?;
        } else {
            stream(&shared, &link).await?.event().await?;
        }
        is_half = !is_half;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    Ok(())
}

fn told(name: &str, times: &Mutex<Vec<Duration>>) {
    let mut times = times.lock().unwrap();
    times.sort_unstable();
    let at = |share: f64| {
        let index = (times.len() as f64 * share) as usize;
        times
            .get(index.min(times.len().saturating_sub(1)))
            .map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
    };
    let (count, median, slow, most) = (times.len(), at(0.5), at(0.99), at(1.0));
    println!("{name}: {count}, median {median:.1} ms, p99 {slow:.1} ms, longest {most:.1} ms");
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().ok_or("load ADDRESS [SECONDS] [CLIENTS]")?;
    let address = address.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let seconds = arguments.next().map_or(Ok(10), |text| text.parse())?;
    let clients: usize = arguments.next().map_or(Ok(200), |text| text.parse())?;
    let shared = Arc::new(Shared {
        address,
        until: Instant::now() + Duration::from_secs(seconds),
        sent: Mutex::default(),
        answered: Mutex::default(),
        seen: Mutex::default(),
        games: AtomicUsize::new(0),
    });
    let mut tables = Vec::new();
    let mut poster = Connection::open(&shared.address).await?;
    for _ in 0..(2 * clients / 5).max(1) {
        tables.push(watch::Sender::new(begin(&shared, &mut poster).await?));
    }
    let mut tasks = tokio::task::JoinSet::new();
    for (number, table) in tables.iter().enumerate() {
        for is_white in [true, false] {
            let seed = 2 * number as u64 + u64::from(is_white);
            tasks.spawn(player(shared.clone(), table.clone(), is_white, seed));
        }
    }
    let receiver = |number: usize| tables[number % tables.len()].subscribe();
    for number in 2 * tables.len()..clients {
        tasks.spawn(watcher(shared.clone(), receiver(number)));
    }
    for number in 0..clients / 10 {
        tasks.spawn(deaf(shared.clone(), receiver(number)));
        tasks.spawn(fleeting(shared.clone(), receiver(number)));
    }
    let mut errors = Vec::new();
    while let Some(done) = tasks.join_next().await {
        errors.extend(done?.err());
    }
    let games = shared.games.load(Ordering::Relaxed);
    println!("{clients} clients, {seconds} s, {games} games, {} errors", errors.len());
    told("moves, until answered", &shared.answered);
    told("moves, until another client has them", &shared.seen);
    for error in errors.iter().take(5) {
        println!("error: {error}");
    }
    if errors.is_empty() { Ok(()) } else { Err("the server failed some of its clients".into()) }
}
