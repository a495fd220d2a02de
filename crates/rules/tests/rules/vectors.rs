//! Tests with the positions of `tests/data/vectors.jsonl`, worked out by two other implementations,
//! and with invalid FENs.

use catapult_rules::{Move, Position, Variant, perft, with_variant};
use serde_json::Value;

/// FENs of `tests/data/vectors.jsonl` that are invalid, because the side to move could capture the
/// opponent's king.
const SIDE_NOT_TO_MOVE_IN_CHECK: [&str; 3] = [
    "8/8/4k1b1/8/8/3KB3/8/8 b - - 0 1",
    "8/8/4k3/8/8/3KR3/8/8 w - - 100 80",
    "5k4/2P1J5/10/10/10/10/10/5K4 w - - 0 1 -",
];

fn lines(name: &str) -> Vec<Value> {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Returns the variant of a line, or `None` if this crate lacks the game.
fn known(line: &Value) -> Option<Variant> {
    line["variant"].as_str().expect("variant").parse().ok()
}

fn check<P: Position>(rules: P::Rules, line: &Value) {
    let fen = line["fen"].as_str().expect("fen");
    let variant = line["variant"].as_str().expect("variant");
    let position = P::from_fen(fen, rules).unwrap_or_else(|error| panic!("{variant} {fen}: {error}"));
    let at = format!("{variant} `{fen}` ({})", line["name"]);
    assert_eq!(position.to_string(), fen, "FEN of {at}");
    assert_eq!(position.in_check(), line["check"].as_bool().expect("check"), "check in {at}");
    assert_eq!(position.outcome().map(|outcome| outcome.name()), line["outcome"].as_str(), "outcome of {at}");
    let expected = line["after"].as_object().expect("after");
    let moves = position.legal_moves();
    let mut texts: Vec<String> = moves.iter().map(|mv| position.move_text(*mv)).collect();
    texts.sort();
    let mut wanted: Vec<String> = expected.keys().cloned().collect();
    wanted.sort();
    assert_eq!(texts, wanted, "moves of {at}");
    assert_eq!(position.count_legal_moves(), moves.len(), "count in {at}");
    for mv in moves {
        let text = position.move_text(mv);
        let mut next = position;
        next.play(mv);
        assert_eq!(next.to_string(), expected[&text].as_str().expect("fen"), "after {text} in {at}");
        assert_eq!(position.parse_move(&text), Ok(mv), "{text} in {at}");
        assert!(position.is_legal(mv), "{text} in {at}");
        assert_eq!(P::from_fen(&next.to_string(), rules), Ok(next), "reading back after {text} in {at}");
    }
    assert!(!position.is_legal(Move::from_bits(u32::MAX)));
    assert_eq!(perft(&position, 2), line["perft2"].as_u64().expect("perft2"), "leaves at depth 2 of {at}");
}

#[test]
fn positions_agree_with_the_vectors() {
    let mut checked = 0;
    for line in lines("vectors.jsonl") {
        if SIDE_NOT_TO_MOVE_IN_CHECK.contains(&line["fen"].as_str().expect("fen")) {
            continue;
        }
        if let Some(variant) = known(&line) {
            with_variant!(variant, |P, rules| check::<P>(rules, &line));
            checked += 1;
        }
    }
    assert_eq!(checked, 331, "all lines of the registered games");
}

#[test]
fn lines_that_break_a_rule_are_refused() {
    for line in lines("vectors.jsonl") {
        let fen = line["fen"].as_str().expect("fen");
        let Some(variant) = known(&line).filter(|_| SIDE_NOT_TO_MOVE_IN_CHECK.contains(&fen)) else {
            continue;
        };
        let error = with_variant!(variant, |P, rules| P::from_fen(fen, rules).unwrap_err());
        assert_eq!((error.field, error.reason.as_str()), ("placement", "the side not to move is in check"));
    }
}

#[test]
fn bad_fens_are_refused() {
    let mut checked = 0;
    for line in lines("refused.jsonl") {
        let Some(variant) = known(&line) else { continue };
        let fen = line["fen"].as_str().expect("fen");
        let refused = with_variant!(variant, |P, rules| P::from_fen(fen, rules).err());
        let error = refused.unwrap_or_else(|| panic!("{variant} `{fen}` was accepted: {}", line["why"]));
        assert!(error.to_string().starts_with("FEN field "), "{error}");
        checked += 1;
    }
    assert_eq!(checked, 35);
}
