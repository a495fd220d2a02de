//! Tests of the options of Chess++ that are no proposals, in positions worked out by hand. One test
//! per numbered rule of the rules page.

use crate::common::{CATAPULTS, CLOCK, NAMED, ask, field, random_rules, refused};
use catapult_rules::{
    ChessPpProposals, Color, Epd, ForbiddenKind, Game, Outcome, PgnReader, Position, Proposals, Variant,
    perft,
};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

fn rules(name: &str) -> Proposals {
    let Variant::ChessPp(rules) = name.parse().unwrap() else { panic!("{name}") };
    rules
}

fn game(name: &str, fen: &str) -> Game<ChessPpProposals> {
    Game::new(ChessPpProposals::from_fen(fen, rules(name)).unwrap())
}

fn play(game: &mut Game<ChessPpProposals>, moves: &str) {
    for text in moves.split(' ') {
        let mv = game.position().parse_move(text).unwrap();
        game.push(mv);
    }
}

#[test]
fn a_kind_of_move_can_be_forbidden_only_where_it_exists() {
    let kinds = |name: &str| {
        let variant: Variant = name.parse().unwrap();
        [ForbiddenKind::Teleports, ForbiddenKind::CatapultMoves, ForbiddenKind::CatapultCaptures]
            .map(|kind| variant.has_kind(kind))
    };
    for (name, expected) in [
        ("chess", [false, false, false]),
        ("chesspp", [true, true, true]),
        ("chesspp+catapults=-", [false, false, false]),
        ("chesspp+catapults=b1", [false, true, true]),
        ("chesspp+teleport=-", [false, true, true]),
        ("chesspp+pawns+teleport=-", [true, true, true]),
        ("chesspp+moves=0", [true, false, true]),
        ("chesspp+first=0", [true, false, true]),
        ("chesspp+later=0", [true, true, true]),
        ("chesspp+safe", [true, true, false]),
    ] {
        assert_eq!(kinds(name), expected, "{name}");
    }
}

#[test]
fn r17_a_bare_king_loses_its_catapults() {
    // The king on d5 checks by teleport until the capture of its knight takes its catapults away.
    let check = "8/8/8/3k4/4n3/8/5N2/4K3 w - - 5 1 -/d5e1";
    let report = ask("chesspp+bare", check);
    assert!(report.check && report.has("f2e4"));
    assert_eq!(report.after("f2e4"), "8/8/8/3k4/4N3/8/8/4K3 b - - 0 1 -");
    let plain = ask("chesspp", check);
    assert!(plain.check && !plain.has("f2e4"));
    // A second black piece keeps the catapults.
    assert!(!ask("chesspp+bare", "8/8/8/3k4/4n3/8/5N2/4K2b w - - 5 1 -/d5e1").has("f2e4"));
    let after = |fen: &str, text: &str| ask("chesspp+bare", fen).after(text).to_owned();
    // En passant, a promotion, the king itself.
    let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1 a1/a5h5";
    assert_eq!(after(fen, "e5d6"), "4k3/8/3P4/8/8/8/8/4K3 b - - 0 1 a1/-");
    let fen = "1n5k/P7/8/8/8/8/8/4K3 w - - 9 1 -/c5";
    assert_eq!(after(fen, "a7b8r"), "1R5k/8/8/8/8/8/8/4K3 b - - 0 1 -");
    let fen = "7k/8/8/8/8/8/3q4/4K3 w - - 9 1 -/a5c5*";
    assert_eq!(after(fen, "e1d2"), "7k/8/8/8/8/8/3K4/8 b - - 0 1 -");
    // Without catapults nothing happens to the clock.
    assert_eq!(field(&after("7k/8/8/8/8/8/8/R3K3 w - - 5 1 a1/-", "e1e2"), CLOCK), "6");
    // The last pawn becomes a catapult, and its king is bare.
    let report = ask("chesspp+bare+promote", "8/4P1k1/8/8/8/8/8/4K3 w - - 5 1 a1/-");
    assert_eq!(report.after("e7e8c"), "8/6k1/8/8/8/8/8/4K3 b - - 0 1 -");
    // With `+instant` one move may capture two pieces.
    let report = ask("chesspp+bare+instant+third", "k7/8/5p2/p7/8/8/8/R3K3 w - - 4 1 a5f6h3/d1");
    assert_eq!(report.after("a1a5f6"), "k7/8/5R2/8/8/8/8/4K3 b - - 0 1 a5f6h3/-");
    assert_eq!(field(report.after("a1a5"), CATAPULTS), "a5f6h3/d1");
    assert!(refused("chesspp+bare", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 -/a5").contains("only its king"));
    // Vanished catapults are not captured.
    let position = ChessPpProposals::from_fen(check, Proposals::BARE).unwrap();
    assert!(!position.captures_catapults(position.parse_move("f2e4").unwrap()));
    // With `+safe` they are not captured even if they are occupied.
    let fen = "4k3/8/8/8/4n3/3P4/8/4K3 w - - 5 1 -/e4";
    for (rules, is_capture) in [(Proposals::BARE, true), (Proposals::BARE.with(Proposals::SAFE), false)] {
        let position = ChessPpProposals::from_fen(fen, rules).unwrap();
        assert_eq!(position.captures_catapults(position.parse_move("d3e4").unwrap()), is_capture);
    }
}

#[test]
fn r18_catapults_rest_for_a_turn() {
    let mut played = game("chesspp+still", "7k/8/8/8/8/8/7P/7K w - - 0 1 a3/h5");
    let start = played.position().key();
    play(&mut played, "a3a4");
    assert_eq!(played.position().to_string(), "7k/8/8/8/8/8/7P/7K b - - 1 1 a4/h5 w");
    play(&mut played, "h5g5");
    assert_eq!(played.position().to_string(), "7k/8/8/8/8/8/7P/7K w - - 2 2 a4/g5 wb");
    let refusal = played.position().parse_move("a4a5").unwrap_err();
    assert!(refusal.reason.contains("not legal"), "{refusal}");
    play(&mut played, "h1g1 h8g8");
    assert_eq!(played.position().to_string(), "6k1/8/8/8/8/8/7P/6K1 w - - 4 3 a4/g5 -");
    // Same board and side to move as at the start, except that White's catapults rest.
    play(&mut played, "a4a3 g5h5 g1h1 g8h8");
    assert_eq!(played.position().key(), start);
    play(&mut played, "h1g1 h5h4 g1h1 h8g8 h1g1 g8h8 g1h1 h4h5");
    assert_eq!(played.position().to_string(), "7k/8/8/8/8/8/7P/7K w - - 16 9 a3/h5 b");
    assert_ne!(played.position().key(), start);

    // Teleports and placements are no catapult moves.
    let still = "chesspp+still";
    let report = ask(still, "4k3/8/8/8/8/8/8/N3K3 w - - 3 7 a1h5/- w");
    assert_eq!(report.after("a1h5t"), "4k3/8/8/7N/8/8/8/4K3 b - - 4 7 a1h5/- -");
    let start = ChessPpProposals::start(rules("chesspp+free+still"));
    assert!(start.to_string().ends_with(" 0 1 +2/+2 -"));
    assert_eq!(ask("chesspp+free+still", &start.to_string()).moves.len(), 8);
    // A side that loses its catapults rests no more.
    let report = ask(still, "4k3/8/8/8/8/n7/4K3/r7 b - - 0 1 a3c1/- w");
    assert_eq!(report.after("a1c1"), "4k3/8/8/8/8/n7/4K3/2r5 w - - 0 2 - -");
    // Black could only move its catapult.
    let fen = "7k/5Q2/8/8/8/8/8/K7 b - - 3 9 -/a5";
    assert_eq!(ask(still, &format!("{fen} b")).outcome, Some(Outcome::Stalemate));
    assert_eq!(ask(still, &format!("{fen} w").replace("-/a5", "h2/a5")).outcome, None);
    assert_eq!(ask(still, fen).moves.len(), 5, "a5 to a4, a6, b4, b5, b6");
    for (field, why) in
        [("x", "none of"), ("bw", "none of"), ("w", "no catapult that has moved"), ("- -", "too many")]
    {
        let refusal = refused(still, &format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 a5*/c5 {field}"));
        assert!(refusal.contains(why), "{refusal}");
    }
    assert!(refused("chesspp", &format!("{fen} b")).contains("too many"));
}

#[test]
fn r19_the_limit_of_the_clock() {
    let outcome = |plies: u32, clock: u32| {
        ask(&format!("chesspp+fifty={plies}"), &format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 80 -")).outcome
    };
    for (plies, clock) in [(60, 60), (60, 99), (8, 8), (150, 150), (1000, 1000)] {
        assert_eq!(outcome(plies, clock), Some(Outcome::HundredPlies), "{clock} of {plies}");
        assert_eq!(outcome(plies, plies - 1), None, "{plies}");
    }
    assert_eq!(outcome(150, 100), None);
}

#[test]
fn r20_a_catapult_move_restarts_the_clock() {
    let mut played = game("chesspp+restart", "7k/8/8/8/8/8/8/R6K w - - 7 9 d4/-");
    play(&mut played, "d4d5");
    assert_eq!(played.position().to_string(), "7k/8/8/8/8/8/8/R6K b - - 0 9 d5/-");
    // The position after the first move occurs three times, though the clock restarts in between.
    for _ in 0..2 {
        assert_eq!(played.outcome(), None);
        play(&mut played, "h8g8 d5d4 g8h8 d4d5");
    }
    assert_eq!(played.outcome(), Some(Outcome::Repetition));
    let report = ask("chesspp+restart", "7k/8/8/8/8/8/8/R6K w - - 7 9 a1d4/-");
    assert_eq!(field(report.after("a1b1"), CLOCK), "8");
    assert_eq!(field(report.after("a1d4t"), CLOCK), "8", "a teleport is no catapult move");
}

#[test]
fn r21_kinds_that_may_teleport() {
    for letter in "NBRQK".chars() {
        let king = if letter == 'K' { "4" } else { "3K" };
        let board = format!("4k3/8/8/8/8/8/8/{letter}{king}3");
        for (teleporting, instant) in
            ["-", "NBRQ", "K", "B", "NRK"].iter().flat_map(|t| [(t, false), (t, true)])
        {
            let name = format!("chesspp+teleport={teleporting}{}", if instant { "+instant" } else { "" });
            let may = teleporting.contains(letter);
            let report = ask(&name, &format!("{board} w - - 0 1 a1h5/-"));
            assert_eq!(report.has("a1h5t"), may, "{name} {letter}");
            // The same piece checks Black's king on its own catapult by teleport, or does not.
            let check = ask(&name, &format!("{board} b - - 0 1 a1e8/-"));
            assert_eq!(check.check, may, "{name} {letter}");
        }
    }
    // Attacks and targets do not depend on the side to move.
    let knight = |name: &str| {
        let fen = "4k3/8/8/8/8/8/8/N3K3 b - - 0 1 a1c6/-";
        ChessPpProposals::from_fen(fen, rules(name)).unwrap()
    };
    let c6 = "c6".parse().unwrap();
    for (name, may) in [("chesspp+teleport=N", true), ("chesspp+teleport=BRQK", false)] {
        assert_eq!(knight(name).attacks(Color::White).has(c6), may, "{name}");
        assert_eq!(knight(name).teleport_targets(Color::White).has(c6), may, "{name}");
    }
    // The second half of an instant teleport.
    let fen = "7k/8/8/8/8/8/8/R3K3 w - - 4 1 a5f6/-";
    assert!(ask("chesspp+instant+teleport=R", fen).has("a1a5f6"));
    assert!(!ask("chesspp+instant+teleport=NBQK", fen).has("a1a5f6"));
    let fen = "4k3/8/8/8/2n5/8/8/4K3 w - - 0 1 -/b2e1";
    assert!(ask("chesspp+instant+teleport=N", fen).check && !ask("chesspp+instant+teleport=B", fen).check);
    // Pawns teleport with `+pawns` only, whatever the letters.
    let fen = "4k3/8/8/8/8/8/6P1/4K3 w - - 5 1 c6g2/-";
    assert!(
        ask("chesspp+pawns+teleport=-", fen).has("g2c6t") && !ask("chesspp+teleport=NBRQK", fen).has("g2c6t")
    );
    // Castling.
    let fen = "4k3/4n3/8/8/8/8/4R3/R3K2R w KQ - 0 1 -/b1e7";
    assert!(ask("chesspp+teleport=BRQK", fen).has("e1c1") && !ask("chesspp+teleport=N", fen).has("e1c1"));
    // Dead positions: catapults help only pieces that may teleport.
    let outcome = |name: &str, fen: &str| ask(name, fen).outcome;
    let (dead, lone) = (Some(Outcome::Dead), "8/8/4k3/8/8/3KN3/8/8 w - - 0 1 a1b1/c1");
    assert_eq!(outcome("chesspp+teleport=BRQ", lone), dead);
    assert_eq!(outcome("chesspp+teleport=NBRQ", lone), None);
    assert_eq!(outcome("chesspp+teleport=K", lone), None);
    let kings = "8/8/4k3/8/8/3K4/8/8 w - - 0 1 a1b1c1/-";
    assert_eq!(outcome("chesspp+teleport=NBRQ+third", kings), dead);
    assert_eq!(outcome("chesspp+third", kings), None);
}

#[test]
fn r22_how_far_catapults_move() {
    let moves = |name: &str| -> Vec<String> {
        let report = ask(name, "7k/8/8/2ppp3/2p1p3/2ppp3/8/7K w - - 0 1 a1*d4*/-");
        report.texts().into_iter().filter(|text| !text.starts_with('h')).map(str::to_owned).collect()
    };
    // Around d4 sixteen squares at distance 2 are free and none at distance 1. Of the eight squares
    // near a1, c3 is taken.
    assert_eq!(moves("chesspp").len(), 7 + 16);
    assert_eq!(moves("chesspp+later=0").len(), 7 + 16);
    assert_eq!(moves("chesspp+first=1"), ["a1a2", "a1b1", "a1b2"]);
    assert!(moves("chesspp+first=0+later=2").is_empty());
    let moved = |name: &str| ask(name, "7k/8/8/8/8/8/8/7K w - - 0 1 d4/-").of("d4").len();
    assert_eq!(
        ["+later=0", "", "+later=2", "+first=0"].map(|option| moved(&format!("chesspp{option}"))),
        [0, 8, 24, 8]
    );
    let after = ask("chesspp+later=2", "7k/8/8/8/8/8/8/7K w - - 0 1 d4/-").after("d4f6").to_owned();
    assert_eq!(field(&after, CATAPULTS), "f6/-");
}

#[test]
fn r23_catapults_that_are_not_captured() {
    let fen = "4k3/8/8/8/8/N7/6P1/4K3 w - - 3 1 -/a3g3";
    assert_eq!(ask("chesspp+safe", fen).after("g2g3"), "4k3/8/8/8/8/N5P1/8/4K3 b - - 0 1 -/a3g3");
    // The clock continues without a capture.
    let report = ask("chesspp+safe", "4k3/8/8/8/8/8/8/R3K3 w - - 3 1 -/a5");
    assert_eq!(report.after("a1a5"), "4k3/8/8/R7/8/8/8/4K3 b - - 4 1 -/a5");
    // A bare king loses its catapults all the same.
    let report = ask("chesspp+bare+safe", "4k3/8/8/n7/8/8/8/R3K3 w - - 3 1 -/a5");
    assert_eq!(report.after("a1a5"), "4k3/8/8/R7/8/8/8/4K3 b - - 0 1 -");
}

#[test]
fn r24_castling_past_teleports() {
    // Black's knight on e7 and its other catapult.
    let on = |square: &str| format!("4k3/4n3/8/8/8/8/4R3/R3K2R w KQ - 0 1 -/{square}e7");
    let castles = |name: &str, square: &str| {
        let report = ask(name, &on(square));
        ["e1g1", "e1c1"].map(|text| report.has(text))
    };
    for name in ["chesspp+castle", "chesspp+castle+instant", "chesspp+castle+pawns"] {
        for square in ["b1", "d1", "f1", "a1"] {
            assert_eq!(castles(name, square), [true, true], "{name} {square}");
        }
        assert_eq!(castles(name, "c1"), [true, false], "{name}");
        assert_eq!(castles(name, "g1"), [false, true], "{name}");
        // In check by teleport.
        assert_eq!(castles(name, "e1"), [false, false], "{name}");
    }
    // An ordinary attack on a square that the king crosses counts.
    assert!(!ask("chesspp+castle", "3rk3/4n3/8/8/8/8/4R3/R3K2R w KQ - 0 1 -/d1e7").has("e1c1"));
    // Castling captures the catapults, as without the option.
    let report = ask("chesspp+castle", "4k3/8/8/8/8/8/8/R3K2R w KQ - 5 1 -/f1g1");
    assert_eq!(report.after("e1g1"), "4k3/8/8/8/8/8/8/R4RK1 b - - 0 1 -");
}

#[test]
fn r25_teleports_that_do_not_capture() {
    let peaceful = "chesspp+peaceful";
    let fen = "4k3/8/8/7r/8/8/8/N3K3 w - - 3 7 a1h5/-";
    assert!(ask("chesspp", fen).has("a1h5t") && !ask(peaceful, fen).has("a1h5t"));
    let report = ask(peaceful, "4k3/8/8/8/8/8/8/N3K3 w - - 3 7 a1h5/-");
    assert_eq!(report.after("a1h5t"), "4k3/8/8/7N/8/8/8/4K3 b - - 4 7 a1h5/-");
    // No check, no guard, no bar.
    for (fen, text) in [
        ("8/8/8/3k4/8/8/4P3/4K3 w - - 0 1 -/d5e1", "e2e4"),
        ("4k3/8/8/8/8/8/6n1/n6K w - - 0 1 -/a1g2", "h1g2"),
        ("4k3/4n3/8/8/8/8/4R3/R3K2R w KQ - 0 1 -/b1e7", "e1c1"),
    ] {
        for name in ["chesspp+peaceful", "chesspp+instant+peaceful", "chesspp+pawns+peaceful"] {
            let report = ask(name, fen);
            assert!(!report.check && report.has(text), "{name} {fen}");
        }
    }
    // A teleport may still block a check. The attacker can't be captured by teleport.
    assert!(ask(peaceful, "4r2k/8/8/8/8/8/8/N3K3 w - - 0 1 a1e4/-").has("a1e4t"));
    let fen = "4r2k/8/8/8/8/8/8/N3K3 w - - 0 1 a1e8/-";
    assert!(ask("chesspp", fen).has("a1e8t") && !ask(peaceful, fen).has("a1e8t"));
    let position = ChessPpProposals::from_fen("4k3/8/8/7r/8/8/8/N3K3 b - - 3 7 a1h5/-", rules(peaceful));
    let position = position.unwrap();
    let h5 = "h5".parse().unwrap();
    assert!(!position.attacks(Color::White).has(h5) && !position.teleport_targets(Color::White).has(h5));
    // The first half of an instant teleport may capture, the second may not.
    let report = ask("chesspp+instant+peaceful+third", "7k/8/5p2/p7/8/8/8/R3K3 w - - 4 1 a5f6h1/-");
    assert_eq!(report.of("a1a5"), ["a1a5", "a1a5h1"]);
    let report = ask("chesspp+instant+peaceful", "7k/8/8/p7/8/8/8/R3K3 w - - 4 1 a5f6/-");
    assert_eq!(report.after("a1a5f6"), "7k/8/5R2/8/8/8/8/4K3 b - - 0 1 a5f6/-");
    // Dead positions.
    let outcome = |fen: &str| ask(peaceful, fen).outcome;
    for fen in ["8/8/4k3/8/8/3KN3/8/8 w - - 0 1 a1b1/c1", "8/8/4k3/8/8/3KB3/8/8 w - - 0 1 a1b1/c1"] {
        assert_eq!(outcome(fen), Some(Outcome::Dead));
        assert_eq!(ask("chesspp", fen).outcome, None);
    }
    // Bishops on one colour, which a teleport could part.
    assert_eq!(outcome("8/8/4k3/4b3/8/3KB3/8/8 w - - 0 1 a1b1/c1"), None);
    assert_eq!(outcome("8/8/4k3/3b4/8/3KB3/8/8 w - - 0 1 a1b1/c1"), None);
    let kings = "8/8/4k3/8/8/3K4/8/8 w - - 0 1 a1b1c1/-";
    assert_eq!(ask("chesspp+peaceful+third", kings).outcome, Some(Outcome::Dead));
}

#[test]
fn r26_catapults_in_the_way() {
    let block = "chesspp+block";
    let report = ask(block, "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1 a3/a5e3");
    let rook: Vec<&str> = report.of("a1").into_iter().filter(|text| text.starts_with("a1a")).collect();
    assert_eq!(rook, ["a1a2", "a1a3", "a1a4", "a1a5"]);
    assert!(report.has("e2e3") && !report.has("e2e4"));
    // The own catapult shields the king, also from under a piece that leaves.
    let report = ask(block, "4r2k/8/8/8/8/8/8/4K3 w - - 0 1 e4/-");
    assert!(!report.check);
    assert_eq!(report.of("e4"), ["e4e3", "e4e5"]);
    let report = ask(block, "4r2k/8/8/8/4N3/8/8/4K3 w - - 0 1 e4/-");
    assert!(report.has("e4c3"));
    assert!(!ask("chesspp", "4r2k/8/8/8/4N3/8/8/4K3 w - - 0 1 e4/-").has("e4c3"));
    // The opponent's catapult does not.
    assert!(ask(block, "4r2k/8/8/8/8/8/8/4K3 w - - 0 1 -/e4").check);
    // In check, no catapult may move in between.
    let report = ask(block, "4r2k/8/8/8/8/8/8/4K3 w - - 0 1 d4/-");
    assert!(report.check && report.of("d4").is_empty());
    // Castling.
    let report = ask(block, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 -/a5b1");
    assert!(report.has("e1g1") && !report.has("e1c1"));
    assert!(ask(block, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 b1g1/-").has("e1c1"));
    // The own catapult shields the squares that the king crosses.
    let shielded = "4kr2/8/8/8/8/8/8/4K2R w K - 0 1 f4/-";
    assert!(ask(block, shielded).has("e1g1") && !ask("chesspp", shielded).has("e1g1"));
    // Two catapults in one line: each may leave it.
    let report = ask(block, "4r2k/8/8/8/8/8/8/4K3 w - - 0 1 e4e5/-");
    assert!(report.has("e4d4") && report.has("e5d5"));
}

#[test]
fn r27_where_catapults_start() {
    let start = |name: &str| ChessPpProposals::start(rules(name));
    let list = |name: &str| field(&start(name).to_string(), CATAPULTS).to_owned();
    assert_eq!(list("chesspp+catapults=f1b1a3"), "a3*b1*f1*/a6*b8*f8*");
    assert_eq!(list("chesspp+catapults=-"), "-");
    assert_eq!(list("chesspp+catapults=d4"), "d4*/d5*");
    assert_eq!(list("chesspp+catapults=c3d4+free"), "+2/+2");
    assert_eq!(list("chesspp+catapults=-+free"), "-");
    assert_eq!(list("chesspp+catapults=b1d1f1"), list("chesspp+third"));
    let (listed, third) = (start("chesspp+catapults=b1d1f1"), start("chesspp+third"));
    assert_eq!(perft(&listed, 3), perft(&third, 3));
    // Placements with three squares, as with `+third`: 8, 8, 7, 7, 6 choices.
    assert_eq!(perft(&start("chesspp+catapults=a1b1c4+free"), 5), 8 * 8 * 7 * 7 * 6);
    assert_eq!(perft(&start("chesspp+catapults=-"), 3), 8_902, "standard chess");
    // A single catapult moves but does not let pieces teleport.
    let report = ask("chesspp+catapults=c3", &start("chesspp+catapults=c3").to_string());
    assert_eq!(report.of("c3").len(), 14, "a3, b3, d3, e3, a4 to e4, a5 to e5");
    // The number limits promotions to a catapult and lists in a FEN.
    let fen = "5n1k/4P3/8/8/8/8/8/4K3 w - - 3 1 a1/-";
    assert!(!ask("chesspp+catapults=c3+promote", fen).has("e7e8c"));
    assert!(ask("chesspp+catapults=c3d3+promote", fen).has("e7e8c"));
    assert!(refused("chesspp+catapults=c3", &fen.replace("a1/-", "a1b1/-")).contains("at most 1 catapults"));
}

#[test]
fn r28_where_pieces_start() {
    let start = |name: &str| ChessPpProposals::start(rules(name)).to_string();
    for (rank, black, rights) in [
        ("BBNRKRQN", "bbnrkrqn", "-"),
        ("RQNBKNBR", "rqnbknbr", "KQkq"),
        ("RNBKQBNR", "rnbkqbnr", "-"),
        ("QNBRKBNR", "qnbrkbnr", "Kk"),
        ("RRRRKQQQ", "rrrrkqqq", "Qq"),
    ] {
        let tail = "pppppppp/8/8/8/8/PPPPPPPP";
        let fen = format!("{black}/{tail}/{rank} w {rights} - 0 1 b1*f1*/b8*f8*");
        assert_eq!(start(&format!("chesspp+start={rank}")), fen);
    }
    let free = "chesspp+free+start=BBNRKRQN";
    let placed = ask(free, &start(free)).after("c@a1").to_owned();
    assert!(placed.starts_with("bbnrkrqn/") && placed.ends_with(" b - - 1 1 a1*+1/+2"), "{placed}");
    assert!(refused(free, &placed.replace("bbn", "bnb")).contains("start set-up"));
}

#[test]
fn r29_a_number_of_catapult_moves() {
    let name = "chesspp+moves=2";
    let mut played = game(name, "7k/8/8/8/8/8/7P/7K w - - 0 1 a3/h5");
    let start = played.position().key();
    play(&mut played, "a3a4 h8g8 a4a3 g8h8");
    assert_eq!(played.position().to_string(), "7k/8/8/8/8/8/7P/7K w - - 4 3 a3/h5 0/2");
    assert_eq!(played.position().catapult_moves_left(Color::White), Some(0));
    assert_eq!(played.position().catapult_moves_left(Color::Black), Some(2));
    // The same board, but another position.
    assert_ne!(played.position().key(), start);
    assert!(played.position().parse_move("a3a4").is_err());
    play(&mut played, "h1g1 h5h4");
    assert!(played.position().to_string().ends_with("a3/h4 0/1"));
    // Teleports and captures of catapults leave the number.
    let report = ask(name, "4k3/8/8/8/8/8/8/N3K3 w - - 3 7 a1h5/- 1/2");
    assert_eq!(report.after("a1h5t"), "4k3/8/8/7N/8/8/8/4K3 b - - 4 7 a1h5/- 1/2");
    let report = ask(name, "4k3/8/8/8/8/8/8/R3K3 w - - 3 1 -/a5 1/2");
    assert_eq!(report.after("a1a5"), "4k3/8/8/R7/8/8/8/4K3 b - - 0 1 - 1/2");
    assert_eq!(ask("chesspp+moves=0", "7k/8/8/8/8/8/7P/7K w - - 0 1 a3/h5").of("a3").len(), 0);
    // After the field of `+still`.
    let report = ask("chesspp+moves=2+still", "7k/8/8/8/8/8/7P/7K w - - 0 1 a3/h5 b 2/1");
    assert_eq!(report.after("a3a4"), "7k/8/8/8/8/8/7P/7K b - - 1 1 a4/h5 wb 1/1");
    for bad in ["3/0", "1", "-1/1", "1/01", "1/", "a/b", "1/1/1"] {
        let refusal = refused(name, &format!("7k/8/8/8/8/8/7P/7K w - - 0 1 a3/h5 {bad}"));
        assert!(refusal.contains("two numbers from 0 to 2"), "{refusal}");
    }
    assert_eq!(ChessPpProposals::start(rules("chesspp")).catapult_moves_left(Color::White), None);
}

/// PGN and EPD carry the name, so a game is read under its own rules.
#[test]
fn games_read_back_under_their_rules() {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    for _ in 0..20 {
        let variant = random_rules(&mut random);
        let mut game = variant.start();
        for _ in 0..80 {
            let moves = game.legal_moves();
            let Some(mv) = moves.choose(&mut random).filter(|_| game.outcome().is_none()) else { break };
            game.push(*mv);
        }
        let pgn = game.pgn(&[], &[], None).unwrap();
        let read = PgnReader::new(pgn.as_bytes()).next().unwrap().unwrap();
        assert_eq!(read.variant(), Ok(variant));
        let replayed = read.replay_any(variant).unwrap_or_else(|(_, error)| panic!("{pgn}\n{error}"));
        assert_eq!((replayed.fen(), replayed.outcome()), (game.fen(), game.outcome()));
        let epd = Epd::read(&Epd::of(&game.fen(), variant).to_string()).unwrap();
        assert_eq!(epd.get("variant"), Some(variant.to_string().as_str()));
        assert_eq!(variant.game(Some(&epd.fen())).unwrap().fen(), game.fen());
    }
}

#[test]
fn names_are_canonical() {
    let name = |text: &str| text.parse::<Variant>().map(|variant| variant.to_string());
    for (text, canonical) in [
        ("chesspp+still+third+bare", "chesspp+bare+still+third"),
        ("chesspp+third+teleport=QN+fifty=60+restart", "chesspp+fifty=60+restart+teleport=NQ+third"),
        ("chesspp+fifty=100", "chesspp"),
        ("chesspp+teleport=KQRBN", "chesspp"),
        ("chesspp+teleport=-+pawns", "chesspp+pawns+teleport=-"),
        ("chesspp+fifty=8", "chesspp+fifty=8"),
        ("chesspp+later=1+safe+first=0", "chesspp+first=0+safe"),
        ("chesspp+first=2+later=2", "chesspp+later=2"),
        ("chesspp+teleport=nk", "chesspp+teleport=NK"),
        ("chesspp+fifty=1000", "chesspp+fifty=1000"),
        ("chesspp+catapults=f1b1", "chesspp"),
        ("chesspp+start=rnbqkbnr+moves=31", "chesspp+moves=31"),
        ("chesspp+start=bbnrkrqn+catapults=h4a1", "chesspp+catapults=a1h4+start=BBNRKRQN"),
        ("chesspp+catapults=-+free", "chesspp+catapults=-+free"),
        ("chesspp+peaceful+castle+block", "chesspp+block+castle+peaceful"),
    ] {
        assert_eq!(name(text).as_deref(), Ok(canonical));
        assert_eq!(name(canonical).as_deref(), Ok(canonical));
    }
    for (bad, why) in [
        ("chesspp+fifty=7", "`+fifty=7` must be from 8 to 1000"),
        ("chesspp+fifty=1001", "must be from 8 to 1000"),
        ("chesspp+fifty=060", "must be from 8 to 1000"),
        ("chesspp+fifty=", "must be from 8 to 1000"),
        ("chesspp+first=3", "must be from 0 to 2"),
        ("chesspp+later=-1", "must be from 0 to 2"),
        ("chesspp+fifty=99999999999", "must be from 8 to 1000"),
        ("chesspp+fifty", "no option `+fifty`"),
        ("chesspp+fifty=60+fifty=100", "`+fifty` occurs twice"),
        ("chesspp+bare=1", "no option `+bare=1`"),
        ("chesspp+still+still", "`+still` occurs twice"),
        ("chesspp+teleport=", "must be letters of `NBRQK`"),
        ("chesspp+teleport=NN", "must be letters of `NBRQK`"),
        ("chesspp+teleport=P", "must be letters of `NBRQK`"),
        ("chesspp+teleport=nN", "must be letters of `NBRQK`"),
        ("chesspp+teleport=N-", "must be letters of `NBRQK`"),
        ("chesspp+teleport=Né", "must be letters of `NBRQK`"),
        ("chess+fifty=60", "`chess` has no options"),
        ("chesspp+moves=32", "must be from 0 to 31"),
        ("chesspp+catapults=", "must be at most 4 squares"),
        ("chesspp+catapults=a1b1c1d1e1", "must be at most 4 squares"),
        ("chesspp+catapults=a1a1", "must be at most 4 squares"),
        ("chesspp+catapults=a5", "must be at most 4 squares"),
        ("chesspp+catapults=a1-", "must be at most 4 squares"),
        ("chesspp+catapults=--", "must be at most 4 squares"),
        ("chesspp+catapults=aé", "must be at most 4 squares"),
        ("chesspp+catapults=a1c1+third", "exclude each other"),
        ("chesspp+third+catapults=b1f1", "exclude each other"),
        ("chesspp+start=RNBQKBN", "eight letters"),
        ("chesspp+start=RNBKKBNR", "eight letters"),
        ("chesspp+start=RNBQPBNR", "eight letters"),
        ("chesspp+start=RNBQQBNR", "eight letters"),
    ] {
        let error = name(bad).unwrap_err();
        assert!(error.reason.contains(why), "{error}");
        assert!(error.to_string().contains("+fifty=NUMBER"), "{error}");
    }
    assert_eq!(Proposals::NAMED.iter().map(|row| row.name).collect::<Vec<_>>(), NAMED);
    assert_eq!(Variant::all().count(), 36);
}
