//! Helpers of the tests: a server on a free port, and a client that writes raw HTTP.

use catapult_network::EvaluatorSettings;
use catapult_server::{Config, Embedded, LINK_HEADER, Limits, ServeError, serve};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;
use tempfile::TempDir;

pub(crate) static NETWORKS: [Embedded; 1] =
    [("chesspp-quickstart", include_bytes!("../../../../models/opponents/chesspp-quickstart.safetensors"))];

/// Returns a configuration whose files are all in `dir`. The server listens on a free loopback port
/// and requires no token.
pub(crate) fn config(dir: &Path) -> Config {
    Config {
        listen: "127.0.0.1:0".parse().unwrap(),
        token: None,
        hosts: Vec::new(),
        runs: dir.join("runs"),
        studies: dir.join("studies"),
        experiments: dir.join("experiments"),
        games: dir.join("games.sqlite"),
        results: None,
        networks: NETWORKS.to_vec(),
        compute: EvaluatorSettings::default(),
        limits: Limits { look: Duration::from_millis(50), ..Limits::default() },
    }
}

pub(crate) struct Server {
    pub address: SocketAddr,
    stop: &'static AtomicBool,
    thread: Option<JoinHandle<Result<(), ServeError>>>,
}

impl Server {
    pub(crate) fn start(config: Config) -> Server {
        let stop: &'static AtomicBool = Box::leak(Box::default());
        let (tell, told) = mpsc::channel();
        let thread = std::thread::spawn(move || serve(config, stop, |address| tell.send(address).unwrap()));
        let address = told.recv_timeout(Duration::from_secs(60)).expect("it serves");
        Server { address, stop, thread: Some(thread) }
    }

    pub(crate) fn stop(mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().expect("it does not panic").expect("it ends well");
    }

    pub(crate) fn client(&self) -> Client {
        Client { address: self.address, headers: Vec::new() }
    }
}

/// Starts a server whose files are in a temporary folder.
pub(crate) fn server() -> (TempDir, Server) {
    server_with(|_| {})
}

pub(crate) fn server_with(change: impl FnOnce(&mut Config)) -> (TempDir, Server) {
    let dir = tempfile::tempdir().unwrap();
    let mut config = config(dir.path());
    change(&mut config);
    (dir, Server::start(config))
}

#[derive(Debug)]
pub(crate) struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(one, _)| one == name).map_or("", |(_, value)| value)
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns the message of an error response. Panics if the response is not one.
    pub(crate) fn error(&self) -> String {
        assert_eq!(self.header("content-type"), "application/json", "{self:?}");
        self.json()["error"].as_str().unwrap_or_else(|| panic!("no sentence: {self:?}")).to_owned()
    }
}

#[derive(Clone)]
pub(crate) struct Client {
    pub address: SocketAddr,
    pub headers: Vec<(String, String)>,
}

impl Client {
    pub(crate) fn with(mut self, name: &str, value: &str) -> Client {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn link(self, id: &str) -> Client {
        self.with(LINK_HEADER, id)
    }

    fn text(&self, method: &str, path: &str, body: Option<&str>) -> String {
        let has = |wanted: &str| self.headers.iter().any(|(name, _)| name == wanted);
        let mut text = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        if !has("host") {
            text += &format!("host: {}\r\n", self.address);
        }
        if method == "POST" && !has("origin") {
            text += &format!("origin: http://{}\r\n", self.address);
        }
        for (name, value) in self.headers.iter().filter(|(_, value)| value != "-") {
            text += &format!("{name}: {value}\r\n");
        }
        if let Some(body) = body {
            text += &format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
        }
        text + "\r\n" + body.unwrap_or_default()
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        raw(self.address, self.text("GET", path, None).as_bytes())
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Reply {
        raw(self.address, self.text("POST", path, Some(body)).as_bytes())
    }

    /// Sends a request without reading the response.
    pub(crate) fn send(&self, method: &str, path: &str, body: Option<&str>) -> TcpStream {
        let mut stream = connect(self.address);
        stream.write_all(self.text(method, path, body).as_bytes()).unwrap();
        stream
    }

    /// Requests a stream and returns the data of its events.
    pub(crate) fn events(&self, path: &str) -> impl Iterator<Item = serde_json::Value> + use<> {
        let mut lines = BufReader::new(self.send("GET", path, None)).lines().map_while(Result::ok);
        let status = lines.next().unwrap_or_default();
        assert!(status.starts_with("HTTP/1.1 200"), "{status}");
        lines.filter_map(|line| Some(serde_json::from_str(line.strip_prefix("data: ")?).unwrap()))
    }
}

pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream
}

/// Sends raw bytes and reads the response until the server closes the connection.
pub(crate) fn raw(address: SocketAddr, bytes: &[u8]) -> Reply {
    let mut stream = connect(address);
    // A server that rejects a request may close before it has read everything.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    parse(&String::from_utf8_lossy(&answer))
}

fn parse(answer: &str) -> Reply {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    let mut lines = head.lines();
    let status = lines.next().unwrap_or_default().split(' ').nth(1).and_then(|code| code.parse().ok());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let is_chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let body = if is_chunked { unchunked(body) } else { body.to_owned() };
    Reply { status: status.unwrap_or(0), headers, body }
}

fn unchunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let Ok(size) = usize::from_str_radix(size, 16) else { break };
        let Some(part) = rest.get(..size) else { break };
        whole += part;
        body = rest[size..].trim_start_matches("\r\n");
    }
    whole
}

pub(crate) struct Links {
    pub white: String,
    pub black: String,
    pub watch: String,
}

/// Creates a two-player game and returns its links.
pub(crate) fn begin(client: &Client, variant: &str, fen: &str) -> Links {
    let asked = serde_json::json!({ "variant": variant, "fen": fen }).to_string();
    let reply = client.post("/api/games", &asked);
    assert_eq!(reply.status, 200, "{reply:?}");
    let links = reply.json();
    let link = |name: &str| links[name].as_str().unwrap().to_owned();
    Links { white: link("white"), black: link("black"), watch: link("watch") }
}

pub(crate) fn make_move(client: &Client, link: &str, ply: usize, text: &str) -> Reply {
    let asked = serde_json::json!({ "ply": ply, "move": text }).to_string();
    client.clone().link(link).post("/api/game/moves", &asked)
}

/// Returns the moves of the game with this link.
pub(crate) fn moves(client: &Client, link: &str) -> Vec<String> {
    let reply = client.clone().link(link).get("/api/game");
    assert_eq!(reply.status, 200, "{reply:?}");
    let moves = reply.json()["game"]["moves"].as_array().unwrap().clone();
    moves.iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// Waits until `holds` returns true, at most a minute. `what` names the condition in the panic
/// message.
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    for _ in 0..2400 {
        if holds() {
            return;
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    panic!("waited a minute for {what}");
}

pub(crate) fn write(path: PathBuf, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}
