//! Tests of two-player games.

use super::common::*;
use catapult_server::serve;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Moves of a Chess++ game. The last move is a teleport from White's catapult on b1 to White's
/// catapult on f1.
const MOVES: [&str; 5] = ["e2e4", "e7e5", "f1c4", "b8c6", "b1f1t"];

#[test]
fn a_game_with_a_teleport_and_a_resignation() {
    let (_dir, server) = server();
    let client = server.client();
    let links = begin(&client, "chesspp", "");
    let ids = [&links.white, &links.black, &links.watch];
    assert!(ids.iter().all(|id| id.len() == 24) && ids[0] != ids[1] && ids[1] != ids[2]);
    let mut seen = client.clone().link(&links.watch).events("/api/game/events");
    assert_eq!(seen.next().unwrap()["moves"].as_array().unwrap().len(), 0);

    for (ply, text) in MOVES.iter().enumerate() {
        let [mover, other] =
            if ply % 2 == 0 { [&links.white, &links.black] } else { [&links.black, &links.white] };
        assert_eq!(make_move(&client, other, ply, text).error(), "the other side is to move");
        assert_eq!(make_move(&client, &links.watch, ply, text).error(), "this link is for watching only");
        let illegal = make_move(&client, mover, ply, "e1e8");
        assert_eq!(illegal.status, 400, "{illegal:?}");
        let ahead = make_move(&client, mover, ply + 1, text);
        assert_eq!((ahead.status, ahead.error().contains("moves")), (409, true));
        let made = make_move(&client, mover, ply, text);
        assert_eq!((made.status, made.json()["ply"].as_u64()), (200, Some(ply as u64 + 1)), "{made:?}");
        // A request repeated after a lost response changes nothing.
        assert_eq!(make_move(&client, mover, ply, text).json()["ply"].as_u64(), Some(ply as u64 + 1));
        let told = seen.next().unwrap();
        assert_eq!(told["moves"].as_array().unwrap().last().unwrap(), text);
    }
    assert_eq!(moves(&client, &links.black), MOVES);
    let role =
        |link: &str| client.clone().link(link).get("/api/game").json()["role"].as_str().unwrap().to_owned();
    assert_eq!(ids.map(|id| role(id)), ["white", "black", "watch"]);

    assert_eq!(client.clone().link(&links.watch).post("/api/game/resign", "").status, 403);
    let end = client.clone().link(&links.white).post("/api/game/resign", "").json();
    assert_eq!(
        (end["end"]["name"].as_str(), end["end"]["winner"].as_str()),
        (Some("resignation"), Some("black"))
    );
    assert_eq!(seen.next().unwrap()["end"]["winner"].as_str(), Some("black"));
    assert_eq!(make_move(&client, &links.black, 5, "a7a6").error(), "the game is over");
    assert_eq!(client.clone().link(&links.black).post("/api/game/resign", "").error(), "the game is over");

    for unknown in ["", "x", &"A".repeat(24), &links.white.to_lowercase(), &links.white[..23]] {
        assert_eq!(client.clone().link(unknown).get("/api/game").status, 404, "{unknown}");
    }
    server.stop();
}

#[test]
fn mate_ends_a_game_from_a_fen_and_a_server_begun_again_knows_it() {
    let dir = tempfile::tempdir().unwrap();
    let first = Server::start(config(dir.path()));
    let client = first.client();
    let links = begin(&client, "chess", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    let open = begin(&client, "maxim", "");
    let over =
        client.post("/api/games", r#"{"variant":"chess","fen":"R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1"}"#);
    assert!(over.error().contains("checkmate"), "{over:?}");
    assert_eq!(make_move(&client, &links.white, 0, "a1a8").json()["end"]["name"].as_str(), Some("checkmate"));
    let resigned = begin(&client, "chess", "");
    assert_eq!(client.clone().link(&resigned.black).post("/api/game/resign", "").status, 200);

    let mut other = config(dir.path());
    other.listen = "127.0.0.1:0".parse().unwrap();
    let taken = catapult_server::serve(other, &std::sync::atomic::AtomicBool::new(true), |_| ());
    assert!(taken.unwrap_err().to_string().contains("another process has it open"));

    first.stop();
    let second = Server::start(config(dir.path()));
    let client = second.client();
    let game = client.clone().link(&links.watch).get("/api/game").json()["game"].clone();
    assert_eq!((game["moves"][0].as_str(), game["end"]["winner"].as_str()), (Some("a1a8"), Some("white")));
    let game = client.clone().link(&resigned.watch).get("/api/game").json()["game"].clone();
    assert_eq!(
        (game["end"]["name"].as_str(), game["end"]["winner"].as_str()),
        (Some("resignation"), Some("white"))
    );
    assert_eq!(moves(&client, &open.black), Vec::<String>::new());
    // The digests in the file open no game.
    second.stop();
    let mut bytes = std::fs::read(dir.path().join("games.sqlite")).unwrap();
    if let Ok(more) = std::fs::read(dir.path().join("games.sqlite-wal")) {
        bytes.extend(more);
    }
    for link in [&links.white, &links.black, &links.watch] {
        assert!(!bytes.windows(link.len()).any(|part| part == link.as_bytes()));
    }
}

/// The first visitor who asks gets the free seat. Files of versions without free seats and clocks still open.
#[test]
fn a_free_seat_goes_to_the_first_visitor() {
    let dir = tempfile::tempdir().unwrap();
    let first = Server::start(config(dir.path()));
    let client = first.client();
    let full = begin(&client, "chess", "");
    first.stop();
    let file = rusqlite::Connection::open(dir.path().join("games.sqlite")).unwrap();
    for column in ["free", "clock"] {
        file.execute_batch(&format!("ALTER TABLE games DROP COLUMN {column}")).unwrap();
    }
    drop(file);

    let second = Server::start(config(dir.path()));
    let client = second.client();
    assert_eq!(moves(&client, &full.white), Vec::<String>::new());
    let links = client.post("/api/games", r#"{"variant":"chess","side":"white"}"#).json();
    let link = |name: &str| links[name].as_str().map(str::to_owned);
    let (white, watch) = (link("white").unwrap(), link("watch").unwrap());
    assert_eq!(link("black"), None);
    let invited = client.clone().link(&watch);
    assert_eq!(invited.get("/api/game").json()["game"]["free"].as_str(), Some("black"));
    let mut seen = client.clone().link(&white).events("/api/game/events");
    assert_eq!(seen.next().unwrap()["free"].as_str(), Some("black"));
    let join = |seat: &str| invited.post("/api/game/join", &serde_json::json!({ "seat": seat }).to_string());
    assert_eq!(join("short").status, 400);
    assert_eq!(join(&full.black).status, 409, "a link of another game");
    let (seat, other) = ("s".repeat(24), "t".repeat(24));
    // A repeated request changes nothing.
    for _ in 0..2 {
        assert_eq!(join(&seat).json()["role"].as_str(), Some("black"));
    }
    assert!(seen.next().unwrap()["free"].is_null());
    assert_eq!(join(&other).error(), "both seats are taken");
    assert_eq!(client.clone().link(&full.watch).post("/api/game/join", r#"{"seat":"x"}"#).status, 400);
    assert_eq!(make_move(&client, &white, 0, "e2e4").status, 200);
    assert_eq!(make_move(&client, &watch, 1, "e7e5").status, 403);
    assert_eq!(make_move(&client, &seat, 1, "e7e5").status, 200);
    second.stop();

    let third = Server::start(config(dir.path()));
    let client = third.client();
    assert_eq!(client.clone().link(&seat).get("/api/game").json()["role"].as_str(), Some("black"));
    assert!(client.clone().link(&watch).get("/api/game").json()["game"]["free"].is_null());
    third.stop();
}

fn offer(client: &Client, link: &str, seat: &str) -> Reply {
    client.clone().link(link).post("/api/game/offer", &serde_json::json!({ "seat": seat }).to_string())
}

fn agree(client: &Client, link: &str) -> Reply {
    client.clone().link(link).post("/api/game/offer", r#"{"seat":"","agrees":true}"#)
}

fn game(client: &Client, link: &str) -> serde_json::Value {
    client.clone().link(link).get("/api/game").json()["game"].clone()
}

/// A turn is taken back if both sides ask.
#[test]
fn a_turn_is_taken_back_by_agreement() {
    let dir = tempfile::tempdir().unwrap();
    let first = Server::start(config(dir.path()));
    let client = first.client();
    let links = begin(&client, "chesspp", "");
    let (white, black) = (&links.white, &links.black);
    assert_eq!(offer(&client, &links.watch, "").status, 403);
    assert_eq!(offer(&client, white, "").error(), "there is no turn to take back");
    for (ply, text) in MOVES.iter().enumerate().take(4) {
        assert_eq!(make_move(&client, [white, black][ply % 2], ply, text).status, 200);
    }
    let mut seen = client.clone().link(&links.watch).events("/api/game/events");
    seen.next().unwrap();
    // White is to move, so its last turn is before Black's reply. Repeating the request changes nothing.
    for _ in 0..2 {
        assert_eq!(offer(&client, white, "").json()["ply"].as_u64(), Some(4));
        assert_eq!(seen.next().unwrap()["offer"].as_str(), Some("white"));
    }
    drop(seen);
    first.stop();
    let second = Server::start(config(dir.path()));
    let client = second.client();
    assert_eq!(game(&client, black)["offer"].as_str(), Some("white"));
    let mut seen = client.clone().link(&links.watch).events("/api/game/events");
    seen.next().unwrap();
    // Black asks before it has seen White's request.
    assert_eq!(offer(&client, black, "").status, 409);
    assert_eq!(agree(&client, black).json()["ply"].as_u64(), Some(2));
    let told = seen.next().unwrap();
    assert_eq!((told["moves"].as_array().unwrap().len(), told["offer"].is_null()), (2, true));
    // A move declines.
    assert_eq!(offer(&client, black, "").status, 200);
    assert_eq!(make_move(&client, white, 2, "d2d4").status, 200);
    assert_eq!(agree(&client, white).status, 409);
    assert!(game(&client, black)["offer"].is_null());
    // A turn of Maxim chess has several decisions.
    let maxim = begin(&client, "maxim", "");
    assert_eq!(make_move(&client, &maxim.white, 0, "e2e4").status, 200);
    while game(&client, &maxim.white)["side"] == "white" {
        let ply = moves(&client, &maxim.white).len();
        assert_eq!(make_move(&client, &maxim.white, ply, "done").status, 200);
    }
    assert!(moves(&client, &maxim.white).len() > 1);
    assert_eq!(offer(&client, &maxim.white, "").status, 200);
    assert_eq!(agree(&client, &maxim.black).json()["ply"].as_u64(), Some(0));
    second.stop();
    // Accepted and declined requests stay so.
    let third = Server::start(config(dir.path()));
    for link in [black, &maxim.white] {
        assert!(game(&third.client(), link)["offer"].is_null());
    }
    assert_eq!(moves(&third.client(), black), ["e2e4", "e7e5", "d2d4"]);
    third.stop();
}

/// A rematch has the same rules, start and clock, and swapped colours. Offers survive a restart.
#[test]
fn a_rematch_begins_when_both_sides_offer_it() {
    let dir = tempfile::tempdir().unwrap();
    let start = || {
        let mut config = config(dir.path());
        config.limits.open_games = 2;
        Server::start(config)
    };
    let server = start();
    let client = server.client();
    let asked = r#"{"variant":"chesspp+bare","clock":{"base":60000,"increment":1000}}"#;
    let links = client.post("/api/games", asked).json();
    let link = |name: &str| links[name].as_str().unwrap().to_owned();
    let (white, black) = (link("white"), link("black"));
    let (a, b) = ("a".repeat(24), "b".repeat(24));
    assert_eq!(make_move(&client, &white, 0, "e2e4").status, 200);
    assert_eq!(client.clone().link(&black).post("/api/game/resign", "").status, 200);
    for seat in ["short", &white, &black] {
        assert_eq!(offer(&client, &white, seat).status, 409, "{seat}");
    }
    assert_eq!(offer(&client, &white, &a).status, 200);
    server.stop();
    let server = start();
    let client = server.client();
    assert_eq!(game(&client, &black)["offer"].as_str(), Some("white"));
    assert!(game(&client, &black)["next"].is_null());
    // Another game takes the last place.
    let extra = [begin(&client, "chess", ""), begin(&client, "chess", "")];
    assert_eq!(offer(&client, &black, &b).status, 503);
    client.clone().link(&extra[0].white).post("/api/game/resign", "");
    assert_eq!(offer(&client, &black, &b).status, 200);
    let next = game(&client, &black)["next"].as_str().unwrap().to_owned();
    server.stop();
    let server = start();
    let client = server.client();
    assert_eq!(game(&client, &white)["next"].as_str(), Some(&*next));
    assert!(game(&client, &white)["offer"].is_null());
    let role = |link: &str| client.clone().link(link).get("/api/game").json()["role"].clone();
    assert_eq!([role(&a), role(&b), role(&next)], ["black", "white", "watch"]);
    let begun = game(&client, &next);
    assert_eq!(
        (begun["variant"].as_str(), begun["moves"].as_array().unwrap().len()),
        (Some("chesspp+bare"), 0)
    );
    assert_eq!(begun["clock"]["left"], serde_json::json!([60000, 60000]));
    assert_eq!(offer(&client, &white, &"c".repeat(24)).status, 409);
    server.stop();
}

/// The clock starts after both sides' first moves, adds the increment, survives a restart of the
/// server and ends the game.
#[test]
fn a_clock_ends_a_game() {
    let dir = tempfile::tempdir().unwrap();
    let first = Server::start(config(dir.path()));
    let client = first.client();
    for clock in [
        "[0,0]",
        r#"{"base":999,"increment":0}"#,
        r#"{"base":60000,"increment":180001}"#,
        r#"{"base":60000}"#,
    ] {
        let asked = format!(r#"{{"variant":"chess","clock":{clock}}}"#);
        assert!((400..500).contains(&client.post("/api/games", &asked).status), "{clock}");
    }
    let asked = r#"{"variant":"chess","clock":{"base":3000,"increment":7000}}"#;
    let links = client.post("/api/games", asked).json();
    let link = |name: &str| links[name].as_str().unwrap().to_owned();
    let (white, black, watch) = (link("white"), link("black"), link("watch"));
    let left = |client: &Client| {
        let clock = game(client, &watch)["clock"].clone();
        ([0, 1].map(|side| clock["left"][side].as_i64().unwrap()), clock["since"].is_i64())
    };
    make_move(&client, &white, 0, "e2e4");
    assert_eq!(left(&client), ([3000, 3000], false));
    make_move(&client, &black, 1, "e7e5");
    assert_eq!(left(&client), ([3000, 3000], true));
    std::thread::sleep(Duration::from_millis(50));
    make_move(&client, &white, 2, "g1f3");
    let ([ours, theirs], runs) = left(&client);
    assert!(ours > 7000 && ours <= 9950 && theirs == 3000 && runs, "{ours} {theirs}");
    first.stop();

    let second = Server::start(config(dir.path()));
    let client = second.client();
    assert_eq!(left(&client), ([ours, 3000], true));
    let now = client.clone().link(&watch).get("/api/game").json()["now"].as_i64().unwrap();
    assert!((now - game(&client, &watch)["clock"]["since"].as_i64().unwrap()).abs() < 60_000);
    let mut seen = client.clone().link(&watch).events("/api/game/events");
    seen.next().unwrap();
    std::thread::sleep(Duration::from_millis(3050));
    // The late move is rejected, and its request ends the game.
    assert_eq!(make_move(&client, &black, 3, "b8c6").error(), "the game is over");
    let end = &seen.next().unwrap()["end"];
    assert_eq!((end["name"].as_str(), end["winner"].as_str()), (Some("time"), Some("white")));
    let stopped = left(&client);
    assert!(stopped.0[1] <= 0 && !stopped.1, "{stopped:?}");
    second.stop();
    let third = Server::start(config(dir.path()));
    assert_eq!(game(&third.client(), &white)["end"]["name"].as_str(), Some("time"));
    assert_eq!(left(&third.client()), stopped);
    third.stop();
}

/// A turn of Maxim chess has several decisions. The clock starts after the first turn of each side,
/// also if a turn was taken back.
#[test]
fn a_clock_starts_after_two_turns() {
    let (_dir, server) = server();
    let client = server.client();
    let asked = r#"{"variant":"maxim","clock":{"base":60000,"increment":0}}"#;
    let links = client.post("/api/games", asked).json();
    let [white, black] = ["white", "black"].map(|side| links[side].as_str().unwrap());
    let runs = || game(&client, white)["clock"]["since"].is_i64();
    let decisions = [(white, "e2e4"), (white, "done"), (black, "e7e5"), (black, "done")];
    for (ply, (link, text)) in decisions.into_iter().enumerate() {
        assert!(!runs(), "before {text} at ply {ply}");
        let reply = make_move(&client, link, ply, text);
        assert_eq!(reply.status, 200, "{reply:?}");
    }
    assert!(runs());
    assert_eq!(offer(&client, black, "").status, 200);
    assert_eq!(agree(&client, white).status, 200);
    assert_eq!((moves(&client, white).len(), runs()), (2, false));
    server.stop();
}

/// Only a server that records results stores them, one line per game. The server replays the moves.
#[test]
fn results_of_games_against_the_computer_are_appended() {
    let (_dir, silent) = server();
    let mate = r#"{"variant":"chesspp+still+bare","moves":["f2f3","e7e5","g2g4","d8h4"],"level":"easy","colour":"black","resigned":false}"#;
    assert_eq!(silent.client().get("/api/hello").json()["results"], false);
    assert_eq!(silent.client().post("/api/results", mate).status, 404);
    silent.stop();

    let (dir, server) = server_with(|config| {
        config.results = Some(config.games.with_file_name("results.csv"));
        config.token = Some("a token of some length".to_owned());
    });
    let client = server.client();
    assert_eq!(client.get("/api/hello").json()["results"], true);
    assert_eq!(client.post("/api/results", mate).status, 204);
    assert_eq!(
        client.post("/api/results", &mate.replace("black", "white").replace("easy", "vs5:models/x")).status,
        204
    );
    let resigned = mate.replace(r#","d8h4"]"#, "]").replace("false", "true");
    assert_eq!(client.post("/api/results", &resigned).status, 204);
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2);
    let drawn = serde_json::json!({ "variant": "chess", "moves": shuffle, "level": "n400", "colour": "white", "resigned": false });
    assert_eq!(client.post("/api/results", &drawn.to_string()).status, 204);
    // The level may contain the name of any run's folder that fits into a CSV file.
    let long = format!("vs5:runs/chesspp+bare {}", "x".repeat(200));
    assert_eq!(client.post("/api/results", &mate.replace("easy", &long)).status, 204);
    let too_long = "n".repeat(301);
    for (part, other) in [
        (r#","d8h4"]"#, "]"),
        ("d8h4", "d8h5"),
        ("easy", "=1"),
        ("easy", "n1,2"),
        ("easy", r"n1\n2"),
        ("easy", r#"n1\"2"#),
        ("easy", too_long.as_str()),
        ("easy", ""),
        ("black", "grey"),
        ("chesspp", "poker"),
        (r#""level""#, r#""name":"x","level""#),
    ] {
        let reply = client.post("/api/results", &mate.replace(part, other));
        assert!((400..500).contains(&reply.status), "{part} {other}: {reply:?}");
    }
    let found = std::fs::read_to_string(dir.path().join("results.csv")).unwrap();
    let wanted = format!(
        "variant,level,colour,result,plies\n\
        chesspp+bare+still,easy,black,win,4\n\
        chesspp+bare+still,vs5:models/x,white,loss,4\n\
        chesspp+bare+still,easy,black,loss,3\n\
        chess,n400,white,draw,8\n\
        chesspp+bare+still,{long},black,win,4\n"
    );
    assert_eq!(found, wanted);
    server.stop();
    // A file that cannot be written is reported at the start: here it is a folder.
    let mut unwritable = config(dir.path());
    unwritable.results = Some(dir.path().to_owned());
    let refused = serve(unwritable, &AtomicBool::new(true), |_| panic!("it serves"));
    let error = refused.unwrap_err().to_string();
    assert!(error.contains(dir.path().to_str().unwrap()), "{error}");
}

/// One link cannot take the streams of other links.
#[test]
fn streams_are_bounded_per_link() {
    let (_dir, server) = server_with(|config| config.limits.link_streams = 3);
    let client = server.client();
    let links = begin(&client, "chess", "");
    let open = |link: &str| client.clone().link(link).events("/api/game/events");
    let mut held: Vec<_> = (0..3).map(|_| open(&links.watch)).collect();
    for stream in &mut held {
        stream.next().unwrap();
    }
    assert_eq!(client.clone().link(&links.watch).get("/api/game/events").status, 503);
    for link in [&links.white, &begin(&client, "chess", "").watch] {
        open(link).next().unwrap();
    }
    drop(held);
    until("a stream's place", || {
        let reply = client.clone().link(&links.watch).send("GET", "/api/game/events", None);
        let mut first = [0; 12];
        (&reply).read_exact(&mut first).is_ok() && &first == b"HTTP/1.1 200"
    });
    server.stop();
}

/// If a client disconnects before the response, its move is either stored or not played at all. The
/// game can continue.
#[test]
fn clients_that_vanish_leave_whole_games() {
    let (_dir, server) = server();
    let client = server.client();
    let links = begin(&client, "chess", "");
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for ply in 0..40 {
        let (link, text) = ([&links.white, &links.black][ply % 2], shuffle[ply % 4]);
        let asked = serde_json::json!({ "ply": ply, "move": text }).to_string();
        drop(client.clone().link(link).send("POST", "/api/game/moves", Some(&asked)));
        let reply = make_move(&client, link, ply, text);
        if reply.status == 409 && reply.error() == "the game is over" {
            break;
        }
        assert_eq!(reply.status, 200, "{reply:?}");
        assert_eq!(moves(&client, &links.watch).len(), ply + 1);
    }
    server.stop();
}

/// Clients that never read their stream do not delay other clients.
#[test]
fn slow_clients_hold_nothing_up() {
    let (_dir, server) = server();
    let client = server.client();
    let links: Vec<Links> = (0..10).map(|_| begin(&client, "chesspp", "")).collect();
    let watch = client.clone().link(&links[0].watch);
    let _unread: Vec<_> = (0..60).map(|_| watch.send("GET", "/api/game/events", None)).collect();
    let mut reads = watch.events("/api/game/events");
    reads.next().unwrap();
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let mut longest = Duration::ZERO;
    for game in &links {
        // The third occurrence of the start position would end the game at eight plies.
        for ply in 0..7 {
            let began = Instant::now();
            let reply = make_move(&client, [&game.white, &game.black][ply % 2], ply, shuffle[ply % 4]);
            assert_eq!(reply.status, 200, "{reply:?}");
            longest = longest.max(began.elapsed());
        }
    }
    assert!(reads.any(|told| told["moves"].as_array().unwrap().len() == 7));
    // A server that waited for these clients would hang. The bound allows for a busy machine.
    assert!(longest < Duration::from_secs(10), "{longest:?}");
    server.stop();
}

/// Environment variable that makes `served_by_a_process_of_its_own` serve a folder. Its value is
/// the folder's path.
const SERVED: &str = "CATAPULT_TEST_SERVED";

/// Serves a folder in a process of its own. `what_was_answered_survives_a_kill` starts that process
/// and kills it. Without the variable [`SERVED`], the test does nothing.
#[test]
fn served_by_a_process_of_its_own() {
    let Ok(dir) = std::env::var(SERVED) else { return };
    let stop = std::sync::atomic::AtomicBool::new(false);
    let served = catapult_server::serve(config(Path::new(&dir)), &stop, |address| println!("at {address}"));
    panic!("{served:?}");
}

struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(dir: &Path) -> (Killed, Client) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "games::served_by_a_process_of_its_own", "--nocapture"])
        .env(SERVED, dir)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let child = Killed(child);
    // The test's own name precedes the address on the line.
    let address = lines
        .map_while(Result::ok)
        .find_map(|line| line.split_once("at 127").map(|(_, rest)| format!("127{rest}")));
    (child, Client { address: address.expect("it serves").parse().unwrap(), headers: Vec::new() })
}

/// After a SIGKILL during a move, the file has every answered move, and at most one more.
#[test]
fn what_was_answered_survives_a_kill() {
    let dir = tempfile::tempdir().unwrap();
    let (mut process, mut client) = start(dir.path());
    let fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/RN2K1NR w - - 0 1";
    let shuffle = ["g1f3", "e8d8", "f3g1", "d8e8"];
    let mut links = begin(&client, "chess", fen);
    let (mut answered, mut kills) = (0, 0);
    while kills < 6 {
        // The delays cover different stages of a move: before sending, during the write, after the
        // response.
        let delay = Duration::from_micros(150 * (1 + kills * 7 % 11));
        let (link, text) = ([&links.white, &links.black][answered % 2].clone(), shuffle[answered % 4]);
        if answered % 4 < 3 {
            assert_eq!(make_move(&client, &link, answered, text).status, 200);
            answered += 1;
            continue;
        }
        let asked = serde_json::json!({ "ply": answered, "move": text }).to_string();
        let _under_way = client.clone().link(&link).send("POST", "/api/game/moves", Some(&asked));
        std::thread::sleep(delay);
        drop(process);
        kills += 1;
        (process, client) = start(dir.path());
        let found = moves(&client, &links.watch);
        assert!(
            found.len() == answered || found.len() == answered + 1,
            "{answered} answered, {} there",
            found.len()
        );
        assert!(found.iter().enumerate().all(|(ply, text)| text == shuffle[ply % 4]), "{found:?}");
        // The game continues to the repetition that ends it; then another one starts.
        assert_eq!(make_move(&client, &link, answered, text).status, 200);
        answered += 1;
        if answered == 8 {
            links = begin(&client, "chess", fen);
            answered = 0;
        }
    }
    drop(process);
}
