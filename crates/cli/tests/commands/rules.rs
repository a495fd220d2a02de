//! Tests of `catapult perft` and `catapult moves`.

use super::{catapult_reading, fail, fail_in_a_line, root, succeed, text};
use serde_json::Value;

fn lines(name: &str, variant: &str) -> Vec<Value> {
    let path = root().join("crates/rules/tests/data").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines.filter(|line| line["variant"] == variant).collect()
}

/// Sends lines to `catapult moves` and returns its JSON results, one per line.
fn moves(variant: &str, input: &[Vec<u8>]) -> Vec<Value> {
    let mut bytes = Vec::new();
    for line in input {
        bytes.extend_from_slice(line);
        bytes.push(b'\n');
    }
    let output = catapult_reading(&["moves", variant], &bytes);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let answers: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), input.len(), "an answer to every line");
    answers
}

fn fen(line: &Value) -> &str {
    line["fen"].as_str().expect("fen")
}

fn is_refusal(answer: &Value) -> bool {
    let object = answer.as_object().expect("an object");
    object.len() == 1 && object["error"].as_str().is_some_and(|text| !text.is_empty() && !text.contains('\n'))
}

#[test]
fn moves_agrees_with_the_vectors_between_refused_lines() {
    let mut refusals = 0;
    for variant in ["chess", "chesspp"] {
        let vectors = lines("vectors.jsonl", variant);
        let refused = lines("refused.jsonl", variant);
        assert!(vectors.len() > 15 && refused.len() > 5);
        // Each vector follows a rejected FEN and precedes bytes that are not text.
        let mut input: Vec<Vec<u8>> = Vec::new();
        for (line, bad) in vectors.iter().zip(refused.iter().cycle()) {
            input.push(fen(bad).as_bytes().to_vec());
            input.push(fen(line).as_bytes().to_vec());
            input.push(vec![0xff, 0xfe, b' ', 0x80]);
        }
        let answers = moves(variant, &input);
        for (line, answers) in vectors.iter().zip(answers.chunks_exact(3)) {
            assert!(is_refusal(&answers[0]) && is_refusal(&answers[2]), "{answers:?}");
            let found = &answers[1];
            // Two of the vectors are themselves illegal, because the side not to move is in check.
            if is_refusal(found) {
                assert!(found["error"].as_str().unwrap().contains("in check"), "{}: {found}", fen(line));
                refusals += 1;
                continue;
            }
            assert_eq!(found["fen"], line["fen"]);
            assert_eq!(found["check"], line["check"], "{}", fen(line));
            assert_eq!(found["outcome"], line["outcome"], "{}", fen(line));
            assert_eq!(found["moves"], line["after"], "{}", fen(line));
            assert_eq!(found.as_object().unwrap().len(), 4);
        }
    }
    assert_eq!(refusals, 2);
}

#[test]
fn moves_answers_every_kind_of_line() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let input = [
        "",
        "   ",
        "\u{1F600}",
        start,
        "{\"fen\": 1}",
        "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\r",
    ];
    let mut input: Vec<Vec<u8>> = input.iter().map(|line| line.as_bytes().to_vec()).collect();
    input.push(vec![b'p'; 100_000]);
    let answers = moves("chess", &input);
    let refused: Vec<bool> = answers.iter().map(is_refusal).collect();
    assert_eq!(refused, [true, true, true, false, true, false, true]);
    for answer in [&answers[3], &answers[5]] {
        assert_eq!(answer["moves"].as_object().unwrap().len(), 20);
        assert_eq!(answer["outcome"], Value::Null);
    }
    // The last line needs no newline.
    let output = catapult_reading(&["moves", "chess"], start.as_bytes());
    assert_eq!(text(&output.stdout).lines().count(), 1);
}

#[test]
fn perft_prints_the_bare_count_last() {
    assert_eq!(succeed(&["perft", "chess", "4"]), "197281\n");
    let divided = succeed(&["perft", "chess", "4", "--divide"]);
    let lines: Vec<&str> = divided.lines().collect();
    assert_eq!(lines.len(), 21);
    assert_eq!(lines[20], "197281");
    let counts = lines[..20].iter().map(|line| line.split_once(": ").unwrap().1.parse::<u64>().unwrap());
    assert_eq!(counts.sum::<u64>(), 197_281);
    assert_eq!(succeed(&["perft", "chess", "0", "--divide"]), "1\n");
    // Position 2 of the Chess Programming Wiki.
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!(succeed(&["perft", "chess", "3", "--fen", kiwipete]), "97862\n");
}

/// The commands are those of docs/own-rule.md.
#[test]
fn a_rules_file_stands_for_its_variant() {
    let file = |name: &str| root().join("configs/rules").join(name).display().to_string();
    assert_eq!(succeed(&["perft", &file("still.toml"), "3"]), "9062\n");
    let fen = "8/8/8/3k4/4n3/8/5N2/4K3 w - - 5 1 -/d5e1";
    let shown = |variant: &str| succeed(&["show", variant, "--fen", fen, "--moves"]);
    assert!(shown(&file("bare.toml")).contains("Nxe4"), "{}", shown(&file("bare.toml")));
    assert!(!shown("chesspp").contains("Nxe4"));
    assert_eq!(shown(&file("bare.toml")), shown("chesspp+bare"));
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("games").display().to_string();
    succeed(&[
        "match",
        "random",
        "random",
        "--games",
        "2",
        "--variant",
        &file("bare.toml"),
        "--output",
        &out,
    ]);
    let games = std::fs::read_to_string(folder.path().join("games/games.pgn")).unwrap();
    assert_eq!(games.matches("[Variant \"chesspp+bare\"]").count(), 2, "{games}");
    fail(&["perft", &file("none.toml"), "3"], &["none.toml", "No such file"]);
    fail(&["perft", "chess", "33"], &["33 is not in 0..=32"]);
    fail(
        &["perft", &root().join("configs/test/tiny.toml").display().to_string(), "3"],
        &["tiny.toml: base: missing"],
    );
}

#[test]
fn bad_positions_and_games_are_named() {
    fail_in_a_line(&["perft", "chess", "2", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], &["FEN field placement"]);
    fail_in_a_line(&["play", "chess", "--fen", "nonsense"], &["FEN field"]);
    fail(&["perft", "checkers", "2"], &["checkers"]);
    fail(&["moves", "chesspp+flying"], &["chesspp+flying"]);
    fail(&["perft", "chess", "deep"], &["deep"]);
}
