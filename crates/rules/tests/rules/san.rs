//! Tests of the algebraic notation of chess and Chess++.

use catapult_rules::{
    ChessMove, ChessMoveKind, ChessPosition, ChessPpProposals, ChessRules, Position, Proposals, Variant,
    with_chess_rules, with_variant,
};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;
use std::collections::HashSet;

#[track_caller]
fn san(variant: &str, fen: &str, expected: &[(&str, &str)]) {
    let variant: Variant = variant.parse().unwrap();
    with_variant!(variant, |P, rules| {
        let position = P::from_fen(fen, rules).unwrap();
        for (uci, san) in expected {
            let mv = position.parse_move(uci).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(position.san(mv), *san, "{uci} in {fen}");
            assert_eq!(position.parse_san(san), Ok(mv), "{san} in {fen}");
        }
    });
}

#[test]
fn standard_notation() {
    san(
        "chess",
        "r3k2r/pppq1ppp/2n2n2/3Pp3/1b6/2N2N2/PPPBQPPP/R3K2R w KQkq e6 0 1",
        &[
            ("d5e6", "dxe6"),
            ("d5c6", "dxc6"),
            ("e1g1", "O-O"),
            ("e1c1", "O-O-O"),
            ("f3e5", "Nxe5"),
            ("a2a4", "a4"),
        ],
    );
    // The text disambiguates by file, else rank, else square.
    san("chess", "4k3/8/8/8/8/8/8/R3K2R w - - 0 1", &[("a1d1", "Rd1"), ("h1f1", "Rf1"), ("a1a5", "Ra5")]);
    san("chess", "4k3/8/R7/8/8/8/8/R3K3 w - - 0 1", &[("a1a3", "R1a3"), ("a6a3", "R6a3"), ("a6e6", "Re6+")]);
    san(
        "chess",
        "6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1",
        &[("h4e1", "Qh4e1"), ("e4e1", "Qee1"), ("h1e1", "Q1e1")],
    );
    // A pinned piece does not count for disambiguation.
    san("chess", "4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1", &[("a1c2", "Nc2")]);
    san(
        "chess",
        "6k1/P4ppp/8/8/8/8/8/K7 w - - 0 1",
        &[("a7a8q", "a8=Q#"), ("a7a8n", "a8=N"), ("a7a8b", "a8=B")],
    );
    san("chess", "1n4k1/P7/8/8/8/8/8/K7 w - - 0 1", &[("a7b8q", "axb8=Q+"), ("a7b8r", "axb8=R+")]);
}

#[test]
fn notation_of_catapults() {
    san("chesspp", "4k3/8/8/7r/8/8/8/N3K3 w - - 0 1 a1h5/-", &[("a1h5t", "Nxh5t"), ("a1b3", "Nb3")]);
    san("chesspp", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1 b1*h5/-", &[("b1c3", "Cb1-c3"), ("h5g6", "Ch5-g6")]);
    san("chesspp", "4k3/8/8/8/8/8/8/4K2R w K - 0 1 e1e7/-", &[("e1g1", "O-O"), ("e1e2", "Ke2")]);
    san(
        "chesspp+third",
        "7k/8/8/8/8/8/1N6/N3K3 w - - 0 1 a1b2h5/-",
        &[("a1h5t", "Nah5t"), ("b2h5t", "Nbh5t"), ("b2c4", "Nc4")],
    );
    san("chesspp+free", &ChessPpProposals::start(Proposals::FREE).to_string(), &[("c@b1", "Cb1")]);
    san("chesspp+promote", "5n1k/4P3/8/8/8/8/8/4K3 w - - 0 1", &[("e7e8c", "e8=C"), ("e7f8c", "exf8=C")]);
    san("chesspp+pawns", "7k/8/8/8/8/8/6P1/4K3 w - - 0 1 c8g2/-", &[("g2c8nt", "g2c8=Nt"), ("g2g3", "g3")]);
    san("chesspp+pawns", "7k/8/8/2p5/8/8/6P1/4K3 w - - 0 1 c5g2/-", &[("g2c5t", "g2xc5t")]);
    san(
        "chesspp+instant+third",
        "7k/8/5p2/p7/8/8/8/R3K3 w - - 0 1 a5f6h1/-",
        &[("a1a5f6", "Rxa5-xf6"), ("a1a5h1", "Rxa5-h1+"), ("a1a5", "Rxa5")],
    );
    let both = "chesspp+instant+pawns";
    san(both, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1 d6h3/-", &[("e5d6h3", "exd6-h3"), ("e5d6", "exd6")]);
    san(both, "7k/4p3/3P4/8/8/8/8/4K3 w - - 0 1 c8e7/-", &[("d6e7c8n", "dxe7-c8=N"), ("d6e7", "dxe7")]);
    san(both, "7k/8/8/8/8/8/2P5/4K3 w - - 0 1 c3g6/-", &[("c2c3g6", "c3-g6"), ("c2c4", "c4")]);
}

/// Checks that each pair's first text, in algebraic notation, is read as the move whose plain text
/// is the second.
#[track_caller]
fn reads(variant: &str, fen: &str, texts: &[(&str, &str)]) {
    let variant: Variant = variant.parse().unwrap();
    with_variant!(variant, |P, rules| {
        let position = P::from_fen(fen, rules).unwrap();
        for (text, uci) in texts {
            let read = position.parse_san(text).map(|mv| position.move_text(mv));
            assert_eq!(read.as_deref(), Ok(*uci), "{text} in {fen}");
        }
    });
}

#[test]
fn reading_is_lenient() {
    reads(
        "chess",
        "r3k2r/P7/8/3pP3/8/8/8/RN2K1NR w KQkq d6 0 1",
        &[
            ("Nf3!?", "g1f3"),
            ("Ng1f3", "g1f3"),
            ("Ngf3", "g1f3"),
            ("Ng1-f3", "g1f3"),
            ("Nxf3", "g1f3"),
            ("g1f3", "g1f3"),
            ("exd6", "e5d6"),
            ("exd6e.p.", "e5d6"),
            ("exd6+e.p.", "e5d6"),
            ("exd6 e.p.", "e5d6"),
            ("ed6", "e5d6"),
            ("e5d6", "e5d6"),
            ("e5xd6+??", "e5d6"),
            ("e6", "e5e6"),
            ("Pe6", "e5e6"),
            ("Rxh8", "h1h8"),
            ("Rh8#", "h1h8"),
            ("R1h3", "h1h3"),
        ],
    );
    reads(
        "chess",
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        &[("0-0", "e1g1"), ("0-0-0+", "e1c1"), ("O-O!", "e1g1"), ("e1c1", "e1c1")],
    );
    let promotes = ["e8=Q", "e8Q", "e8(Q)", "e8/Q", "e8=q", "e8=Q+", "e7-e8=Q", "e7e8q"];
    reads("chess", "7k/4P3/8/8/8/8/8/4K3 w - - 0 1", &promotes.map(|text| (text, "e7e8q")));
    reads(
        "chesspp",
        "4k3/8/8/8/8/8/8/N3K3 w - - 0 1 a1h5/-",
        &[
            ("Ch4", "h5h4"),
            ("Chh4", "h5h4"),
            ("Ch5h4", "h5h4"),
            ("h5h4", "h5h4"),
            ("Nxh5t", "a1h5t"),
            ("Na1h5t", "a1h5t"),
            ("a1h5t", "a1h5t"),
        ],
    );
    let placed = ["Cb1", "C@b1", "c@b1"];
    reads(
        "chesspp+free",
        &ChessPpProposals::start(Proposals::FREE).to_string(),
        &placed.map(|t| (t, "c@b1")),
    );
    // The dash of an instant teleport and that of old books.
    reads(
        "chesspp+instant",
        "7k/8/8/8/8/8/8/R3K3 w - - 0 1 a5f6/-",
        &[("Ra5-f6", "a1a5f6"), ("Ra1a5-f6", "a1a5f6"), ("Ra1-a5", "a1a5"), ("a1a5f6", "a1a5f6")],
    );
}

#[track_caller]
fn refuses(variant: &str, fen: &str, texts: &[(&str, &str)]) {
    let variant: Variant = variant.parse().unwrap();
    with_variant!(variant, |P, rules| {
        let position = P::from_fen(fen, rules).unwrap();
        for (text, reason) in texts {
            let error = position.parse_san(text).map(|mv| position.move_text(mv)).unwrap_err();
            assert_eq!(error.text, *text);
            assert!(error.reason.contains(reason), "`{text}`: {}", error.reason);
        }
    });
}

#[test]
fn refusals_say_what_is_wrong() {
    let unreadable = "not a move in algebraic notation";
    let fen = "r3k2r/P7/8/3pP3/8/8/8/RN2K1NR w KQkq d6 0 1";
    let texts = ["Nd2x", "Xe4", "N", "", "=Q", "x", "é4", "Nf3-", "-", "--", "Naaa3", "Nabf3", "C", "♘f3"];
    refuses("chess", fen, &texts.map(|text| (text, unreadable)));
    refuses(
        "chess",
        fen,
        &[
            ("a8=Q", "White has no move of a pawn to a8"),
            ("d6", "no move of a pawn to d6"),
            ("Kd8", "no move of a king to d8"),
            ("Nbf3", "no move of a knight to f3"),
            ("Rxh8=Q", "nothing promotes on h8"),
            ("O-O", "no castling"),
            ("Cb1", "no move of a catapult"),
            ("Nf6t", "no teleport of a knight"),
            ("Nf3-a8", "no instant teleport of a knight"),
            ("e2e5", "no move of a pawn to e5"),
            ("b1b3", "no move of a knight to b3"),
        ],
    );
    refuses("chess", "4k3/8/8/8/8/8/4K3/R6R w - - 0 1", &[("Rd1", "ambiguous: Rad1 or Rhd1")]);
    refuses("chess", "7k/4P3/8/8/8/8/8/4K3 w - - 0 1", &[("e8", "must promote"), ("e8=K", unreadable)]);
    refuses("chess", "4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1", &[("O-O-O", "White, in check, has no castling")]);
    refuses("chesspp", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 a1c1/-", &[("Cb1", "ambiguous: Ca1-b1 or Cc1-b1")]);
    refuses(
        "chesspp+free",
        &ChessPpProposals::start(Proposals::FREE).to_string(),
        &[("Cb2", "no placement of a catapult to b2")],
    );
}

/// Checks that the algebraic notation of every legal move is unique and reads back. It must also
/// read back without `+`, `#`, `x` and `=`. Returns the number of moves.
fn all_moves_read_back<R: ChessRules>(position: &ChessPosition<R>) -> usize {
    let moves = position.legal_moves();
    let mut texts = HashSet::new();
    for mv in &moves {
        let text = position.san(*mv);
        assert_eq!(position.parse_san(&text), Ok(*mv), "{text} in {position}");
        assert_eq!(position.parse_san(&position.move_text(*mv)), Ok(*mv), "{text} in {position}");
        let bare = text.replace(['+', '#', 'x', '='], "");
        assert_eq!(position.parse_san(&bare), Ok(*mv), "{bare} in {position}");
        let mut after = *position;
        after.play(*mv);
        let mate = after.in_check() && after.legal_moves().is_empty();
        assert_eq!(
            (text.ends_with('+'), text.ends_with('#')),
            (after.in_check() && !mate, mate),
            "{text} in {position}"
        );
        let captures = position.captures(*mv);
        assert_eq!(text.matches('x').count() as u32, captures.count(), "{text} in {position}");
        assert_eq!(
            text.contains('t'),
            ChessMove::of(*mv).kind == ChessMoveKind::Teleport,
            "{text} in {position}"
        );
        assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+#=-".contains(&byte)), "{text}");
        assert!(texts.insert(text), "twice in {position}");
    }
    moves.len()
}

#[test]
fn every_move_of_the_vectors_reads_back() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/vectors.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let (mut positions, mut moves) = (0, 0);
    for line in text.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let Ok(variant) = line["variant"].as_str().unwrap().parse::<Variant>() else { continue };
        with_chess_rules!(variant, |P, rules| {
            // Two lines break a rule themselves; see the test of the vectors.
            if let Ok(position) = P::from_fen(line["fen"].as_str().unwrap(), rules) {
                positions += 1;
                moves += all_moves_read_back(&position);
            }
        });
    }
    assert_eq!(positions, 170);
    assert!(moves > 4_000, "{moves}");
}

fn moves_of_random_games_read_back(games: usize, plies: usize) {
    let mut random = Pcg64Mcg::seed_from_u64(11);
    for variant in Variant::all() {
        with_chess_rules!(variant, |P, rules| {
            for _ in 0..games {
                let mut position = P::start(rules);
                for _ in 0..plies {
                    all_moves_read_back(&position);
                    let moves = position.legal_moves();
                    let Some(mv) = moves.choose(&mut random) else { break };
                    position.play(*mv);
                }
            }
        });
    }
}

#[test]
fn every_move_of_random_games_reads_back() {
    moves_of_random_games_read_back(1, 40);
}

#[test]
#[ignore = "long"]
fn every_move_of_long_random_games_reads_back() {
    moves_of_random_games_read_back(2, 100);
}
