//! Tests of the functions that the web page calls.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

use catapult_wasm::{Engine, after, alphabeta, branching, games, perft, read_pgn, state, write_pgn};
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn at(variant: &str, fen: &str, moves: &str) -> Value {
    json(&state(variant, fen, moves).unwrap_or_else(|error| panic!("{variant} {fen} {moves}: {error}")))
}

fn legal<'a>(state: &'a Value, text: &str) -> &'a Value {
    let moves = state["moves"].as_array().expect("moves");
    moves.iter().find(|mv| mv["text"] == text).unwrap_or_else(|| panic!("{text} is not legal"))
}

#[test]
fn both_layers_are_told() {
    let state = at("chesspp", "", "b1c3 a7a6 b1b3");
    assert_eq!(state["board"]["1"], Value::Null);
    assert_eq!(state["board"]["17"]["frame"], json(r#"{"side": "white", "what": "moved"}"#));
    assert_eq!(state["board"]["5"], json(r#"{"pieces": "B", "frame": {"side": "white", "what": "fresh"}}"#));
    assert_eq!(state["last"]["kind"], "catapult");
    assert_eq!(state["history"][0], json(r#"["b1c3", "Nc3", "white", 1]"#));
    let maxim = at("maxim", "7k/8/8/8/8/8/(NB)7/4K3 w - - 0 1 c3f6/- -", "");
    assert_eq!(maxim["board"]["18"]["frame"]["what"], "portal");
    assert_eq!(maxim["board"]["8"]["pieces"], "NB");
}

#[test]
fn a_name_has_options_with_values() {
    let name = "chesspp+bare+fifty=60+restart+still+teleport=NBRQ";
    let state = at(name, "", "b1c3 a7a6 b1b3 a6a5");
    assert!(state["fen"].as_str().unwrap().ends_with("w KQkq - 0 3 b3f1*/b8*f8* w"), "{state}");
    let moves = state["moves"].as_array().unwrap();
    assert!(moves.iter().all(|mv| mv["kind"] != "catapult"), "{state}");
    let pgn = write_pgn(name, "", "b1c3 a7a6 b1b3", "[]", "*").unwrap();
    assert!(pgn.contains(&format!("[Variant \"{name}\"]")), "{pgn}");
    assert_eq!(json(&read_pgn(&pgn).unwrap())["games"][0]["variant"], name);
    let name = "chesspp+block+catapults=c3+moves=3+start=BBNRKRQN";
    let state = at(name, "", "c3c4 e7e5");
    let fen = "bbnrkrqn/pppp1ppp/8/4p3/8/8/PPPPPPPP/BBNRKRQN w - - 0 2 c4/c6* 2/3";
    assert_eq!(state["fen"], fen);
    let pgn = write_pgn(name, "", "c3c4 e7e5", "[]", "*").unwrap();
    assert_eq!(json(&read_pgn(&pgn).unwrap())["games"][0]["variant"], name);
}

#[test]
fn moves_say_what_they_do() {
    let state = at("chesspp", "4k3/8/8/7r/8/8/8/N3K3 w - - 3 7 a1h5/-", "");
    let teleport = legal(&state, "a1h5t");
    assert_eq!((&teleport["kind"], &teleport["captures"]), (&json("\"teleport\""), &Value::Bool(true)));
    // A king on the opponent's last catapult captures it.
    let state = at("chesspp", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 -/d2", "");
    assert_eq!(legal(&state, "e1d2")["catapults"], true);
    let state = at("chesspp", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 -/d2", "e1d2");
    assert_eq!(state["last"]["taken"], json(r#"["catapult"]"#));
    let state = at("chess", "7k/4P3/8/8/8/8/8/R3K3 w Q - 0 1", "");
    assert_eq!(legal(&state, "e1c1")["kind"], "castle");
}

#[test]
fn what_can_not_be_understood_is_named() {
    for (variant, fen, moves, part) in [
        ("draughts", "", "", "no game `draughts`"),
        ("chess", "nonsense", "", "FEN field"),
        ("chess", "", "e2e4 e2e4", "after 1 moves: move `e2e4`"),
    ] {
        let error = state(variant, fen, moves).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
    assert!(read_pgn("").unwrap_err().contains("no game"));
    assert!(write_pgn("chess", "", "", "{", "").unwrap_err().contains("tags"));
    assert!(write_pgn("chess", "", "", "[]", "2-0").unwrap_err().contains("`2-0`"));
    let error = Engine::new("chess", "a file", vec![0; 100]).err().expect("refused");
    assert!(error.contains("a file"), "{error}");
}

#[test]
fn pgn_goes_there_and_back() {
    let tags = r#"[["White", "<b>\"A\"</b>"]]"#;
    let text = write_pgn("chesspp", "", "b1c3 a7a6 f1b1t", tags, "0-1").unwrap();
    let file =
        json(&read_pgn(&format!("{text}[Variant \"draughts\"]\n\n1. e4 *\n\n1. e4 e5 2. Ke3 *\n")).unwrap());
    let games = file["games"].as_array().expect("games");
    assert_eq!(games[0]["moves"], json(r#"["b1c3", "a7a6", "f1b1t"]"#));
    assert_eq!((&games[0]["variant"], &games[0]["result"]), (&json("\"chesspp\""), &json("\"0-1\"")));
    assert!(games[1]["error"].as_str().expect("error").contains("draughts"));
    assert_eq!(games[2]["moves"], json(r#"["e2e4", "e7e5"]"#));
    assert!(games[2]["error"].as_str().expect("error").contains("Ke3"));
    // The reader accepts names of tags that the writer rejects.
    let game = &json(&read_pgn("[Time-Control \"60\"]\n[White \"Ada\"]\n\n1. e4 *\n").unwrap())["games"][0];
    assert_eq!(game["tags"], json(r#"[["Time-Control", "60"], ["White", "Ada"]]"#));
    let text = write_pgn("chess", "", "e2e4", &game["tags"].to_string(), "").unwrap();
    assert!(text.contains("[White \"Ada\"]") && !text.contains("Time-Control"), "{text}");
}

#[test]
fn trees_are_counted() {
    assert_eq!(perft("chesspp", "", 3).unwrap(), "9062");
    let counted = json(&branching("half", "", 3, 7).unwrap());
    assert!(counted["fewest"].as_u64() <= counted["most"].as_u64() && counted["mean"].as_f64() > Some(10.0));
    assert_eq!(json(&games()).as_array().expect("games").len(), 5);
    assert_eq!(json(&after("chess", "").unwrap())["perft2"], 400);
}

#[test]
fn alphabeta_takes_and_mates() {
    let best = |fen: &str, depth| alphabeta("chesspp", fen, "", depth, 1).unwrap();
    // A teleport captures the undefended rook.
    assert_eq!(best("4k3/8/8/7r/8/8/8/N3K3 w - - 3 7 a1h5/-", 1), "a1h5t");
    assert_eq!(best("7k/8/5KQ1/8/8/8/8/8 w - - 0 1 -", 2), "g6g7");
    assert_eq!(best("7k/5KQ1/8/8/8/8/8/8 b - - 0 1 -", 2), "");
    for game in ["chess", "century", "half", "maxim"] {
        legal(&at(game, "", ""), &alphabeta(game, "", "", 1, 7).unwrap());
    }
}

/// Checks that the page has a network for every game.
#[test]
fn every_game_has_a_network_that_plays() {
    for (variant, file) in [
        ("chess", "opponents/chess-quickstart"),
        ("chesspp+third+instant", "opponents/chesspp-quickstart"),
        ("century", "century-long"),
        ("half", "opponents/half-small"),
        ("maxim", "maxim-long"),
    ] {
        let path = format!("{}/../../models/{file}.safetensors", env!("CARGO_MANIFEST_DIR"));
        let mut engine = Engine::new(variant, file, std::fs::read(path).expect("the network")).unwrap();
        engine.think("", "", r#"{"nodes": 24}"#, 0.0).unwrap();
        let mut now = 0.0;
        while engine.step(now).unwrap() {
            now += 1.0;
        }
        let found = json(&engine.found());
        assert_eq!(found["simulations"], 24, "{variant}");
        let best = found["lines"][0]["moves"][0].as_str().expect("a move").to_owned();
        legal(&at(variant, "", ""), &best);
        // The same session continues with the next position.
        engine.think("", &best, r#"{"ms": 5}"#, now).unwrap();
        while engine.step(now).unwrap() {
            now += 1.0;
        }
        assert!(json(&engine.found())["lines"][0]["visits"].as_u64() > Some(0), "{variant}");
    }
}
