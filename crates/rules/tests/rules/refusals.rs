//! Tests of every kind of invalid FEN. Each checks the field that the error names.

use crate::common::{ask, refused};

#[track_caller]
fn names(variant: &str, fen: &str, field: &str, part: &str) {
    let error = refused(variant, fen);
    assert!(error.starts_with(&format!("FEN field {field}: ")) && error.contains(part), "{error}");
}

#[test]
fn standard_fields() {
    let chess = |fen: &str, field: &str, part: &str| {
        names("chess", fen, field, part);
        names("chesspp", fen, field, part);
    };
    chess("", "placement", "missing");
    chess("4k3/8/8/8/8/8/8/4K3", "side to move", "missing");
    chess("4k3/8/8/8/8/8/8/4K3 w", "castling", "missing");
    chess("4k3/8/8/8/8/8/8/4K3 w -", "en passant", "missing");
    chess("4k3/8/8/8/8/8/8/4K3 w - -", "half-move clock", "missing");
    chess("4k3/8/8/8/8/8/8/4K3 w - - 0", "full-move number", "missing");
    chess("4k3/8/8/8/8/8/4K3 w - - 0 1", "placement", "7 ranks");
    chess("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "placement", "9 ranks");
    chess("4k4/8/8/8/8/8/8/4K3 w - - 0 1", "placement", "more than 8");
    chess("4k2/8/8/8/8/8/8/4K3 w - - 0 1", "placement", "7 files");
    chess("4k3/8/8/8/8/8/8/4K2x w - - 0 1", "placement", "`x`");
    chess("4k3/08/8/8/8/8/8/4K3 w - - 0 1", "placement", "`0`");
    chess("4k3/8/8/8/8/8/8/8 w - - 0 1", "placement", "White has 0 kings");
    chess("4k2k/8/8/8/8/8/8/4K3 w - - 0 1", "placement", "Black has 2 kings");
    chess("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "placement", "pawn on rank 8");
    chess("4k3/8/8/8/8/8/8/4K2p w - - 0 1", "placement", "pawn on rank 1");
    chess("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "placement", "not to move is in check");
    chess("8/8/8/8/8/8/4k3/4K3 w - - 0 1", "placement", "not to move is in check");
    chess("4k3/8/8/8/8/8/8/4K3 W - - 0 1", "side to move", "`W`");
    chess("4k3/8/8/8/8/8/8/R3K2R w X - 0 1", "castling", "`X`");
    chess("4k3/8/8/8/8/8/8/R3K2R w KK - 0 1", "castling", "twice");
    chess("4k3/8/8/8/8/8/8/R3K3 w K - 0 1", "castling", "`K` without");
    chess("4k3/8/8/8/8/8/8/R3K2r w K - 0 1", "castling", "`K` without");
    chess("4k3/8/8/8/8/8/8/R2K3R w Q - 0 1", "castling", "`Q` without");
    chess("4k3/8/8/8/8/8/8/R3K2R w k - 0 1", "castling", "`k` without");
    chess("4k3/8/8/8/4P3/8/8/4K3 b - e4 0 1", "en passant", "not on the rank");
    chess("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "en passant", "not on the rank");
    chess("4k3/8/8/8/8/8/8/4K3 b - e3 0 1", "en passant", "no pawn");
    for rank_4 in ["4N3", "4p3", "3P4", "3PNP2"] {
        chess(&format!("4k3/8/8/8/{rank_4}/8/8/4K3 b - e3 0 1"), "en passant", "no pawn");
    }
    chess("4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1", "en passant", "no pawn");
    chess("4k3/8/8/8/4P3/4N3/8/4K3 b - e3 0 1", "en passant", "no pawn");
    chess("4k3/8/8/8/4P3/8/8/4K3 b - i3 0 1", "en passant", "`i3`");
    chess("4k3/8/8/8/8/8/8/4K3 w - - x 1", "half-move clock", "`x`");
    chess("4k3/8/8/8/8/8/8/4K3 w - - +1 1", "half-move clock", "`+1`");
    chess("4k3/8/8/8/8/8/8/4K3 w - - 70000 1", "half-move clock", "65535");
    chess("4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "full-move number", "`-1`");
    names("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 -", "end", "`-` is a field too many");
    names("chesspp", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 - -", "end", "field too many");
    chess("♚3k3/8/8/8/8/8/8/4K3 w - - 0 1", "placement", "♚");
}

#[test]
fn catapults() {
    let bad = |variant: &str, list: &str, part: &str| {
        names(variant, &format!("4k3/8/8/8/8/8/8/N3K1N1 w - - 0 1 {list}"), "catapults", part);
    };
    bad("chesspp", "a2", "neither");
    bad("chesspp", "/b8", "White is empty");
    bad("chesspp", "b1/", "Black is empty");
    bad("chesspp", "a2a2/-", "two catapults on a2");
    bad("chesspp", "a2/a2", "two catapults on a2");
    bad("chesspp", "a2a3a4/-", "at most 2");
    bad("chesspp+third", "a2a3a4a5/-", "at most 3");
    bad("chesspp", "i1/-", "`i1`");
    bad("chesspp", "a2**/-", "`*`");
    bad("chesspp", "a2x/-", "`x`");
    bad("chesspp", "å/-", "does not begin");
    bad("chesspp", "a2é/-", "does not begin");
    bad("chesspp", "a2/b2/c2", "`/c2`");
    bad("chesspp", "-/a1g1", "Black stand under enemy pieces");
    bad("chesspp", "+1/+1", "only with +free");
    bad("chesspp+free", "+2/+2", "start set-up");
    // The threats of catapults count for the side not to move.
    names("chesspp", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1 a1e8/-", "placement", "not to move is in check");
    names("chesspp+instant", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1 b3e8/-", "placement", "not to move is in check");
    ask("chesspp", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1 b3e8/-");
    names("chesspp+pawns", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1 a2e8/-", "placement", "not to move is in check");
    ask("chesspp", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1 a2e8/-");
}

#[test]
fn placing() {
    let bad = |rest: &str, part: &str| {
        let fen = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {rest}");
        names("chesspp+free", &fen, "catapults", part);
    };
    bad("w KQkq - 0 1 +3/+2", "places 2");
    bad("w KQkq - 0 1 +0/+2", "places 2");
    bad("w KQkq - 0 1 +x/+2", "places 2");
    bad("w KQkq - 0 1 +1/+2", "in turn");
    bad("b KQkq - 0 1 +2/+2", "in turn");
    bad("w KQk - 0 1 +2/+2", "start set-up");
    bad("w KQkq - 0 1 +1/+1", "places 2 catapults in all");
    bad("w KQkq - 0 1 b1+1/b8*+1", "fresh");
    bad("w KQkq - 0 1 b2*+1/b8*+1", "first rank");
    names(
        "chesspp+free",
        "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 +2/+2",
        "catapults",
        "start set-up",
    );
}

#[test]
fn what_is_read_leniently() {
    let canonical = |variant: &str, fen: &str| {
        let variant: catapult_rules::Variant = variant.parse().unwrap();
        use catapult_rules::Position;
        catapult_rules::with_variant!(variant, |P, rules| P::from_fen(fen, rules).unwrap().to_string())
    };
    assert_eq!(canonical("chess", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
    assert_eq!(canonical("chess", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    assert_eq!(
        canonical("chess", "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1"),
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    );
    // Moves count from 1, and some programs write 0.
    assert_eq!(canonical("chess", "4k3/8/8/8/8/8/8/4K3 w - - 7 0"), "4k3/8/8/8/8/8/8/4K3 w - - 7 1");
    for none in ["", " -", " -/-"] {
        let fen = format!("4k3/8/8/8/8/8/8/4K3 w - - 0 1{none}");
        assert_eq!(canonical("chesspp", &fen), "4k3/8/8/8/8/8/8/4K3 w - - 0 1 -");
    }
    assert_eq!(
        canonical("chesspp", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 b2*a3/h1g7*"),
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 a3b2*/g7*h1"
    );
}
