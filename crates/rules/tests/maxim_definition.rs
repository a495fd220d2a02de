//! Maxim chess by its definition, held against the vectors: before it judges the engine it must be right itself.

#[path = "definition/maxim.rs"]
mod maxim;

use maxim::Board;
use serde_json::Value;
use std::collections::BTreeMap;

#[test]
fn the_definition_agrees_with_the_vectors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/vectors.jsonl");
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut checked = 0;
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        if line["variant"] != "maxim" {
            continue;
        }
        let fen = line["fen"].as_str().expect("fen");
        let board = Board::from_fen(fen);
        assert_eq!(board.fen(), fen);
        assert!(!board.king_is_capturable(board.side_that_must_be_safe()), "{fen}");
        assert!(board.phase_is_sound(), "{fen}");
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
    assert_eq!(checked, 54);
}
