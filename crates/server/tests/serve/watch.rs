//! Tests of watching runs: their states and games are read while another process writes them.

use super::common::*;
use catapult_records::{GameRecord, write_shard};
use catapult_rules::{Color, Outcome};
use catapult_training::Work;
use catapult_training::report::{GamesReport, GenerationReport};
use std::collections::BTreeMap;
use std::path::Path;

const CONFIG: &str = include_str!("../../../../configs/test/tiny.toml");

fn game(number: u64, moves: &[&str], outcome: Outcome, winner: Option<Color>) -> GameRecord {
    let record = GameRecord::of_texts("chesspp".parse().unwrap(), None, &moves.join(" ")).unwrap();
    GameRecord { game: number, seed: 1, network: "none".to_owned(), outcome, winner, ..record }
}

fn complete(run: &Path, generation: u32, games: u64) {
    let outcomes = BTreeMap::from([("checkmate".to_owned(), games)]);
    let report = GenerationReport {
        generation,
        network: "none".to_owned(),
        games: (generation > 0).then(|| GamesReport {
            games,
            plies: 40 * games,
            seconds: 2.0,
            evaluations: 30 * games,
            outcomes,
            wins: [games, 0],
            ..GamesReport::default()
        }),
        work: (generation > 0).then_some(Work { asked: 30 * games, rows: 0 }),
        ..GenerationReport::default()
    };
    write(
        run.join(format!("generation-{generation:04}/report.json")),
        &serde_json::to_string(&report).unwrap(),
    );
}

fn shard(run: &Path, generation: u32, name: &str, games: &[GameRecord]) -> std::path::PathBuf {
    let dir = run.join(format!("generation-{generation:04}/games"));
    std::fs::create_dir_all(&dir).unwrap();
    write_shard(&dir, name, games, &BTreeMap::new()).unwrap()
}

#[test]
fn a_run_is_told_while_it_goes_on() {
    let (dir, server) = server();
    let run = dir.path().join("runs/tiny");
    write(run.join("config.toml"), CONFIG);
    complete(&run, 0, 0);
    let client = server.client();
    let list = client.get("/api/runs").json();
    let one = &list[0];
    assert_eq!(
        (one["name"].as_str(), one["generations"].as_u64(), one["planned"].as_u64()),
        (Some("tiny"), Some(0), Some(6))
    );
    assert_eq!((one["variants"][0].as_str(), one["problem"].is_null()), (Some("chesspp"), true));

    let mut events = client.events("/api/runs/tiny/events");
    let mut second = client.events("/api/runs/tiny/events");
    let first = events.next().unwrap();
    assert_eq!((&first["playing"], first["games"].as_u64()), (&serde_json::json!([1, 0, 4]), Some(0)));
    assert_eq!(second.next().unwrap(), first);

    // Another process writes a shard, then completes the generation.
    let path = shard(&run, 1, "shard-0000", &[game(0, &["e2e4"], Outcome::Capped, None)]);
    let told = events.find(|told| told["playing"] == serde_json::json!([1, 1, 4])).unwrap();
    assert_eq!(told["newest"].as_str(), path.file_name().unwrap().to_str());
    complete(&run, 1, 24);
    let told = events.find(|told| told["generations"] == 1).unwrap();
    assert_eq!(told["games"].as_u64(), Some(24));
    assert_eq!(told["curves"]["games/mean_plies"], serde_json::json!([[1, 40.0]]));
    // 24 games of 30 evaluations in two seconds, all won by White.
    assert_eq!(told["curves"]["rate/evaluations"], serde_json::json!([[1, 360.0]]));
    assert_eq!(told["curves"]["games/white_wins"], serde_json::json!([[1, 1.0]]));
    assert_eq!(told["outcomes"]["checkmate"], serde_json::json!([[1, 24]]));
    assert_eq!(client.get("/api/runs/tiny").json()["generations"], 1);

    // The server detects a working process without touching the lock.
    if cfg!(target_os = "linux") {
        let running = || client.get("/api/runs/tiny").json()["running"].as_bool();
        assert_eq!(running(), Some(false));
        let lock = catapult_store::lock(&run).unwrap();
        assert_eq!(running(), Some(true));
        drop(lock);
        assert_eq!(running(), Some(false));
        assert!(catapult_store::lock(&run).is_ok());
    }
    server.stop();
}

/// A run whose budget is spent is complete, although its config has more generations.
#[test]
fn a_run_that_spent_its_budget_is_complete() {
    let (dir, server) = server();
    let run = dir.path().join("runs/tiny");
    write(run.join("config.toml"), &format!("{CONFIG}\n[budget]\nwork = 1\nrow_cost = 0.0\n"));
    complete(&run, 0, 0);
    let client = server.client();
    let state = |key: &str| client.get("/api/runs/tiny").json()[key].clone();
    assert_eq!((state("planned"), state("playing")), (6.into(), serde_json::json!([1, 0, 4])));
    complete(&run, 1, 24);
    assert_eq!((state("planned"), state("playing")), (1.into(), serde_json::Value::Null));
    assert_eq!(client.get("/api/runs").json()[0]["planned"], 1);
    server.stop();
}

/// A watched run may be resumed with more generations, or deleted and begun again.
#[test]
fn a_changed_config_is_read_anew() {
    let (dir, server) = server();
    let run = dir.path().join("runs/tiny");
    write(run.join("config.toml"), &CONFIG.replace("generations = 6", "generations = 1"));
    complete(&run, 0, 0);
    complete(&run, 1, 24);
    let mut events = server.client().events("/api/runs/tiny/events");
    let first = events.next().unwrap();
    assert_eq!((first["planned"].as_u64(), first["playing"].is_null()), (Some(1), true));

    // The times of files advance in steps of some milliseconds.
    let wait = || std::thread::sleep(std::time::Duration::from_millis(50));
    wait();
    write(run.join("config.toml"), CONFIG);
    let told = events.find(|told| told["planned"] == 6).unwrap();
    assert_eq!((&told["playing"], told["games"].as_u64()), (&serde_json::json!([2, 0, 4]), Some(24)));

    for generation in ["generation-0000", "generation-0001"] {
        std::fs::remove_dir_all(run.join(generation)).unwrap();
    }
    wait();
    write(run.join("config.toml"), CONFIG);
    let told = events.find(|told| told["generations"] == 0 && told["planned"] == 6).unwrap();
    assert_eq!((&told["playing"], told["games"].as_u64()), (&serde_json::json!([0, 0, 4]), Some(0)));
    server.stop();
}

#[test]
fn games_of_a_run_by_what_is_asked() {
    let (dir, server) = server();
    let run = dir.path().join("runs/tiny");
    write(run.join("config.toml"), CONFIG);
    let mate = ["f2f3", "e7e5", "g2g4", "d8h4"];
    let games = [
        game(0, &mate, Outcome::Checkmate, Some(Color::Black)),
        game(1, &["e2e4", "e7e5"], Outcome::Capped, None),
        game(2, &["e2e4"], Outcome::Resignation, Some(Color::White)),
    ];
    shard(&run, 1, "shard-0000", &games);
    let damaged = shard(&run, 2, "shard-0000", &[game(3, &["d2d4"], Outcome::Capped, None)]);
    shard(&run, 2, "shard-0001", &[game(4, &["d2d4", "d7d5", "c2c4"], Outcome::Capped, None)]);
    let mut bytes = std::fs::read(&damaged).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&damaged, bytes).unwrap();

    let client = server.client();
    let found = |query: &str| client.get(&format!("/api/runs/tiny/games?{query}")).json();
    let lengths = |query: &str| -> Vec<usize> {
        found(query)["games"]
            .as_array()
            .unwrap()
            .iter()
            .map(|game| game["plies"].as_u64().unwrap() as usize)
            .collect()
    };
    assert_eq!(lengths(""), [3, 4, 2, 1], "newest generation first");
    let problems = found("")["problems"].as_array().unwrap().clone();
    let name = damaged.file_name().unwrap().to_str().unwrap();
    assert!(problems.len() == 1 && problems[0].as_str().unwrap().contains(name), "{problems:?}");
    assert!(!problems[0].as_str().unwrap().contains(dir.path().to_str().unwrap()), "{problems:?}");
    assert_eq!(lengths("generation=1"), [4, 2, 1]);
    assert_eq!(lengths("outcome=checkmate"), [4]);
    assert_eq!(lengths("winner=white"), [1]);
    assert_eq!(lengths("winner=none"), [3, 2]);
    assert_eq!(lengths("shortest=2&longest=3"), [3, 2]);
    assert_eq!(lengths("generation=7"), [0; 0]);
    let refused = client.get("/api/runs/tiny/games?outcome=mate");
    assert!(refused.status == 400 && refused.error().contains("`checkmate`"), "{refused:?}");
    // Paging shard by shard.
    let part = found("count=1");
    assert_eq!(part["games"].as_array().unwrap().len(), 1);
    let next = part["next"].as_u64().unwrap();
    assert_eq!(lengths(&format!("count=50&skip={next}")), [4, 2, 1]);
    let mated = &found("outcome=checkmate")["games"][0];
    assert_eq!(
        (mated["winner"].as_str(), mated["start"].as_str(), mated["generation"].as_u64()),
        (Some("black"), Some(""), Some(1))
    );
    assert_eq!(mated["moves"], mate.join(" "));
    server.stop();
}

#[test]
fn a_run_that_can_not_be_read_says_why() {
    let (dir, server) = server();
    write(dir.path().join("runs/odd/config.toml"), "variant = \"no game\"\n");
    let half = dir.path().join("runs/half");
    write(half.join("config.toml"), CONFIG);
    write(half.join("generation-0000/report.json"), "{\"generation\": 0, ");
    let client = server.client();
    let list = client.get("/api/runs").json();
    assert!(list[1]["problem"].as_str().unwrap().contains("config.toml"), "{list}");
    let told = client.get("/api/runs/half").json();
    assert!(told["problem"].as_str().unwrap().contains("report.json"), "{told}");
    assert_eq!(client.get("/api/runs/none").status, 404);
    server.stop();
}

#[test]
fn reports_of_studies_are_listed() {
    let (dir, server) = server();
    write(dir.path().join("studies/one two/report.html"), "<p>one</p>");
    write(dir.path().join("experiments/first/report.html"), "<p>first</p>");
    write(dir.path().join("studies/unfinished/config.toml"), "");
    let list = server.client().get("/api/studies").json();
    assert_eq!(list["studies"].as_array().unwrap().len(), 1);
    assert_eq!(
        (list["studies"][0]["name"].as_str(), list["experiments"][0]["name"].as_str()),
        (Some("one two"), Some("first"))
    );
    assert_eq!(server.client().get("/studies/one%20two/report.html").body, "<p>one</p>");
    assert_eq!(server.client().get("/experiments/first/report.html").body, "<p>first</p>");
    server.stop();
}
