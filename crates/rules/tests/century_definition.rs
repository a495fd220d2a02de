//! Twenty-First Century Chess: the engine held against the definition on random games and scattered positions, and the
//! definition against the vectors: before it judges the engine it must be right itself.
//!
//! `CATAPULT_SCATTERED=1000000 cargo test --release -p catapult-rules --test century_definition` for a long run.

#[path = "definition/century.rs"]
mod century;
#[path = "definition/century_scatter.rs"]
mod century_scatter;

use catapult_rules::{Century, Position, conformance, perft};
use century::Board;
use century_scatter::scattered;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;
use serde_json::Value;
use std::collections::BTreeMap;

#[test]
fn the_definition_agrees_with_the_vectors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/vectors.jsonl");
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let mut checked = 0;
    for line in lines.filter(|line| line["variant"] == "century") {
        let fen = line["fen"].as_str().expect("fen");
        let board = Board::from_fen(fen);
        assert_eq!(board.fen(), fen);
        if board.captures_king() {
            // Refused by the crate: the test of the vectors says so.
            continue;
        }
        assert_eq!(board.in_check(), line["check"].as_bool().expect("check"), "check in {fen}");
        let moves = board.legal_moves();
        let expected: BTreeMap<String, String> =
            serde_json::from_value(line["after"].clone()).expect("texts and FENs");
        assert_eq!(moves, expected, "moves in {fen}");
        assert_eq!(board.outcome(&moves), line["outcome"].as_str(), "outcome of {fen}");
        assert_eq!(board.perft(2), line["perft2"].as_u64().expect("perft2"), "leaves of {fen}");
        checked += 1;
    }
    assert_eq!(checked, 42);
}

/// Everything the two can be compared in; gives the outcome.
fn compare(position: &Century, board: &Board) -> Option<&'static str> {
    let fen = board.fen();
    assert_eq!(position.to_string(), fen, "FEN");
    assert_eq!(position.in_check(), board.in_check(), "check in `{fen}`");
    let list = position.legal_moves();
    let after = |mv| {
        let mut next = *position;
        next.play(mv);
        assert_eq!(next.key(), next.recomputed_key(), "key after {} in {fen}", position.move_text(mv));
        (position.move_text(mv), next.to_string())
    };
    let moves: BTreeMap<String, String> = list.iter().map(|mv| after(*mv)).collect();
    assert_eq!(moves, board.legal_moves(), "moves in `{fen}`");
    assert_eq!([position.count_legal_moves(), moves.len()], [list.len(); 2], "count in {fen}");
    assert_eq!(position.has_legal_move(), !list.is_empty(), "any move in {fen}");
    let outcome = position.outcome().map(|outcome| outcome.name());
    assert_eq!(outcome, board.outcome(&moves), "outcome of `{fen}`");
    outcome
}

#[test]
fn random_games() {
    for game in 0..40 {
        let mut random = Pcg64Mcg::seed_from_u64(game);
        let mut position = Century::start(());
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
    let start = Century::start(());
    let defined = Board::from_fen(&start.to_string());
    for depth in 1..=3 {
        assert_eq!(perft(&start, depth), defined.perft(depth));
    }
}

#[test]
fn scattered_positions() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let (wanted, seed) =
        (number("CATAPULT_SCATTERED").unwrap_or(20_000), number("CATAPULT_SEED").unwrap_or(1));
    let mut seen = BTreeMap::new();
    for n in 0..wanted {
        *seen.entry(one_scattered(seed << 40 | n, n.is_multiple_of(16))).or_insert(0u64) += 1;
    }
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
        match Century::from_fen(&board.fen(), ()) {
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
