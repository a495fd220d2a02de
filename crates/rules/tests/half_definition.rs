//! Chess and a Half: the engine held against the definition on random games and scattered positions, and the definition
//! against the vectors: before it judges the engine it must be right itself.
//!
//! `CATAPULT_SCATTERED=1000000 cargo test --release -p catapult-rules --test half_definition` for a long run.

#[path = "definition/half.rs"]
mod half;
#[path = "definition/half_scatter.rs"]
mod half_scatter;

use catapult_rules::{Half, Position, conformance, perft};
use half::Board;
use half_scatter::scattered;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Mutex;

#[test]
fn the_definition_agrees_with_the_vectors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/vectors.jsonl");
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut checked = 0;
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        if line["variant"] != "half" {
            continue;
        }
        let fen = line["fen"].as_str().expect("fen");
        let board = Board::from_fen(fen);
        assert_eq!(board.fen(), fen);
        assert!(!board.captures_king(), "{fen}");
        assert_eq!(board.in_check(), line["check"].as_bool().expect("check"), "check in {fen}");
        let moves = board.legal_moves();
        let expected = line["after"].as_object().expect("after").iter();
        let expected: BTreeMap<String, String> =
            expected.map(|(text, fen)| (text.clone(), fen.as_str().expect("fen").to_owned())).collect();
        assert_eq!(moves, expected, "moves in {fen}");
        assert_eq!(board.outcome(&moves), line["outcome"].as_str(), "outcome of {fen}");
        assert_eq!(board.perft(2), line["perft2"].as_u64().expect("perft2"), "leaves of {fen}");
        checked += 1;
    }
    assert_eq!(checked, 65);
}

/// Everything the two can be compared in; gives the outcome.
fn compare(position: &Half, board: &Board) -> Option<&'static str> {
    let fen = board.fen();
    assert_eq!(position.to_string(), fen, "FEN");
    assert_eq!(position.in_check(), board.in_check(), "check in `{fen}`");
    let mut moves = BTreeMap::new();
    let list = position.legal_moves();
    for mv in &list {
        let mut next = *position;
        next.play(*mv);
        let text = position.move_text(*mv);
        assert_eq!(next.key(), next.recomputed_key(), "key after {text} in {fen}");
        assert!(position.is_legal(*mv), "{text} in {fen}");
        assert!(moves.insert(text, next.to_string()).is_none(), "a move twice in {fen}");
    }
    assert_eq!(moves, board.legal_moves(), "moves in `{fen}`");
    assert_eq!(position.count_legal_moves(), list.len(), "count in {fen}");
    assert_eq!(position.has_legal_move(), !list.is_empty(), "any move in {fen}");
    let outcome = position.outcome().map(|outcome| outcome.name());
    assert_eq!(outcome, board.outcome(&moves), "outcome of `{fen}`");
    outcome
}

#[test]
fn random_games() {
    for game in 0..20 {
        let mut random = Pcg64Mcg::seed_from_u64(game);
        let mut position = Half::start(());
        for _ in 0..150 {
            if position.outcome().is_some() {
                break;
            }
            conformance::check_position(&position);
            compare(&position, &Board::from_fen(&position.to_string()));
            position.play(*position.legal_moves().choose(&mut random).expect("no outcome"));
        }
    }
}

#[test]
fn leaves_from_the_start() {
    let start = Half::start(());
    let defined = Board::from_fen(&start.to_string());
    for depth in 1..=2 {
        assert_eq!(perft(&start, depth), defined.perft(depth));
    }
}

#[test]
fn scattered_positions() {
    let wanted: u64 = std::env::var("CATAPULT_SCATTERED").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let seed: u64 = std::env::var("CATAPULT_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get()) as u64;
    let seen = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let seen = &seen;
            scope.spawn(move || {
                // Each position has its own seed, so that the set does not depend on the number of workers.
                for n in (worker..wanted).step_by(workers as usize) {
                    let outcome = one_scattered(seed << 40 | n, n.is_multiple_of(16));
                    *seen.lock().expect("no worker has failed").entry(outcome).or_insert(0u64) += 1;
                }
            });
        }
    });
    let seen = seen.into_inner().expect("no worker has failed");
    println!("{wanted} positions, seed {seed}: {seen:?}");
    for outcome in [Some("checkmate"), Some("dead"), Some("hundred-plies"), None] {
        assert!(wanted < 20_000 || seen.contains_key(&outcome), "{outcome:?} never came up: {seen:?}");
    }
}

fn one_scattered(seed: u64, conforms: bool) -> Option<&'static str> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    loop {
        let board = scattered(&mut random);
        let valid = !board.captures_king();
        match Half::from_fen(&board.fen(), ()) {
            Ok(position) => {
                assert!(valid, "accepted `{}`", board.fen());
                if conforms {
                    conformance::check_position(&position);
                }
                return compare(&position, &board);
            }
            Err(error) => assert!(!valid, "refused `{}`: {error}", board.fen()),
        }
    }
}
