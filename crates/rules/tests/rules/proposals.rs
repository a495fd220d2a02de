//! Tests of the proposals (optional rules) of Chess++, in positions worked out by hand.

use crate::common::{CATAPULTS, CLOCK, ask, field};
use catapult_rules::{
    ChessPpProposals, Color, Describe, Game, Outcome, Position, Proposals, Square, Squares, Variant, perft,
    with_variant,
};

#[test]
fn third_starts_with_three_and_captures_three_at_once() {
    let start =
        with_variant!("chesspp+third".parse::<Variant>().unwrap(), |P, rules| P::start(rules).to_string());
    assert_eq!(field(&start, CATAPULTS), "b1*d1*f1*/b8*d8*f8*");
    let third = "chesspp+third";
    // A teleport goes to any other own catapult.
    let report = ask(third, "7k/8/8/8/8/8/8/N3K3 w - - 0 1 a1c4g6/-");
    assert!(report.has("a1c4t") && report.has("a1g6t"));
    let list = |fen: &str, text: &str| field(ask(third, fen).after(text), CATAPULTS).to_owned();
    assert_eq!(list("4k3/8/2N5/8/8/8/N5P1/4K3 w - - 3 1 -/a2c6g3", "g2g3"), "-");
    assert_eq!(list("4k3/8/8/8/8/8/N5P1/4K3 w - - 3 1 -/a2c6g3", "g2g3"), "-/a2c6g3");
    // Two pieces give check by teleport: only the king can help.
    let report = ask(third, "7k/8/8/8/8/2n5/3R4/K1n5 w - - 0 1 -/a1c1c3");
    assert!(report.check && report.texts().iter().all(|text| text.starts_with("a1")), "{:?}", report.texts());
}

#[test]
fn free_places_catapults_in_turn() {
    let rules = Proposals::FREE;
    let start = ChessPpProposals::start(rules);
    assert_eq!(start.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 +2/+2");
    assert_eq!([1, 2, 3].map(|depth| perft(&start, depth)), [8, 64, 448]);
    let mut position = start;
    for (text, after) in [
        ("c@b1", "b KQkq - 1 1 b1*+1/+2"),
        ("c@b8", "w KQkq - 2 2 b1*+1/b8*+1"),
        ("c@f1", "b KQkq - 3 2 b1*f1*/b8*+1"),
        ("c@a8", "w KQkq - 4 3 b1*f1*/a8*b8*"),
    ] {
        position.play(position.parse_move(text).unwrap());
        assert!(position.to_string().ends_with(after), "{position}");
    }
    assert_eq!(position.count_legal_moves(), 20);
    let with_third = ChessPpProposals::start(rules.with(Proposals::THIRD));
    assert_eq!(perft(&with_third, 5), 8 * 8 * 7 * 7 * 6);
}

#[test]
fn free_attacks_nothing_by_teleport_while_placing() {
    // The rooks in the corners are guarded by nothing but each other's teleports.
    let corners = |position: &ChessPpProposals| {
        let attacked = position.attacks(Color::White);
        ["a1", "h1"].map(|square| attacked.has(square.parse().unwrap()))
    };
    for rules in [Proposals::FREE, Proposals::FREE.with(Proposals::INSTANT)] {
        let mut position = ChessPpProposals::start(rules);
        for text in ["c@a1", "c@b8", "c@h1"] {
            position.play(position.parse_move(text).unwrap());
        }
        assert_eq!(corners(&position), [false, false]);
        position.play(position.parse_move("c@f8").unwrap());
        assert_eq!(corners(&position), [true, true]);
    }
}

#[test]
fn pawns_teleport_like_pieces() {
    let pawns = "chesspp+pawns";
    let report = ask(pawns, "4k3/8/8/8/8/8/6P1/4K3 w - - 5 1 c6g2/-");
    assert_eq!(field(report.after("g2c6t"), CLOCK), "6", "a plain teleport is no pawn move for the clock");
    // Not onto the own first rank; onto the last one it promotes, in the same move.
    assert!(ask(pawns, "4k3/8/8/8/8/8/6P1/4K3 w - - 5 1 c1g2/-").of("g2c1").is_empty());
    let report = ask(pawns, "7k/8/8/8/8/8/6P1/4K3 w - - 5 1 c8g2/-");
    assert_eq!(report.of("g2c8"), ["g2c8bt", "g2c8nt", "g2c8qt", "g2c8rt"]);
    assert_eq!(report.after("g2c8qt"), "2Q4k/8/8/8/8/8/8/4K3 b - - 0 1 c8g2/-");
    // They attack, and hinder castling.
    assert!(ask(pawns, "4k3/8/8/8/p7/8/8/4K3 w - - 0 1 -/a4e1").check);
    assert!(!ask(pawns, "4k3/8/8/3p4/8/8/8/R3K2R w KQ - 0 1 -/b1d5").has("e1c1"));
    // But never to their own first rank.
    assert!(!ask(pawns, "4K3/8/8/8/8/3p4/8/7k w - - 0 1 -/d3e8").check);
}

#[test]
fn pawns_double_step_from_the_second_rank_however_they_came() {
    let report = ask("chesspp+pawns", "4k3/8/8/3P4/8/8/8/4K3 w - - 0 1 d5g2/-");
    let fen = report.after("d5g2t").to_owned();
    let reply = ask("chesspp+pawns", &fen).after("e8e7").to_owned();
    assert!(ask("chesspp+pawns", &reply).has("g2g4"));
    // Only a double push sets the en-passant square: both moves, two positions.
    let report = ask("chesspp+pawns", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1 e2e4/-");
    assert_eq!(field(report.after("e2e4"), 3), "e3");
    assert_eq!(field(report.after("e2e4t"), 3), "-");
    assert!(!ask("chesspp+pawns", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 e2e4/-").has("e2e4t"));
    // A teleport onto the en-passant square captures nothing in passing.
    let report = ask("chesspp+pawns", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1 d6e5/-");
    assert!(report.after("e5d6").starts_with("4k3/8/3P4/8/8/"));
    assert!(report.after("e5d6t").starts_with("4k3/8/3P4/3p4/8/"));
}

#[test]
fn pawns_can_repeat_across_their_pushes() {
    // A pawn that teleports back makes pushes reversible, so repetition must look beyond clock
    // resets.
    let start = "7k/8/8/8/8/4P3/8/7K w - - 0 1 e3e5/-";
    let mut game = Game::new(ChessPpProposals::from_fen(start, Proposals::PAWNS).unwrap());
    for repetitions in 1..=2 {
        for text in ["e3e4", "h8h7", "e4e5", "h7g7", "e5e3t", "g7h8"] {
            assert_eq!(game.outcome(), None);
            let mv = game.position().parse_move(text).unwrap();
            game.push(mv);
        }
        assert_eq!(game.repetitions(), repetitions);
    }
    assert_eq!(game.outcome(), Some(Outcome::Repetition));
    assert_eq!(game.position().halfmove_clock(), 3, "the last push is three plies ago");
}

#[test]
fn promote_to_a_catapult() {
    let promote = "chesspp+promote";
    // Fewer than two, and none on the square; a piece captured there is gone.
    let report = ask(promote, "5n1k/4P3/8/8/8/8/8/4K3 w - - 3 1 a1/-");
    assert_eq!(report.after("e7e8c"), "5n1k/8/8/8/8/8/8/4K3 b - - 0 1 a1e8*/-");
    assert_eq!(report.after("e7f8c"), "7k/8/8/8/8/8/8/4K3 b - - 0 1 a1f8*/-");
    assert!(!ask(promote, "5n1k/4P3/8/8/8/8/8/4K3 w - - 0 1 a1b1/-").has("e7e8c"));
    assert!(!ask(promote, "5n1k/4P3/8/8/8/8/8/4K3 w - - 0 1 -/f8").has("e7f8c"));
    assert!(!ask(promote, "5n1k/4P3/8/8/8/8/8/4K3 w - - 0 1 e8/-").has("e7e8c"));
    assert!(ask("chesspp+promote+third", "7k/4P3/8/8/8/8/8/4K3 w - - 0 1 a1b1/-").has("e7e8c"));
    // The pawn leaves the board: it can neither shield its king there nor close the line behind its
    // capture.
    let report = ask(promote, "K5rk/5P2/8/8/8/8/8/8 w - - 0 1");
    assert!(report.check && report.has("f7f8q") && !report.has("f7f8c"));
    assert!(report.has("f7g8q") && report.has("f7g8c"));
    let report = ask(promote, "K5rr/5P1k/8/8/8/8/8/8 w - - 0 1");
    assert!(report.has("f7g8q") && !report.has("f7g8c"));
    assert!(!ask("chesspp", "5n1k/4P3/8/8/8/8/8/4K3 w - - 3 1 a1/-").has("e7e8c"));
}

#[test]
fn instant_goes_on_through_a_catapult() {
    let instant = "chesspp+instant";
    let report = ask(instant, "7k/8/8/8/8/8/8/R3K3 w - - 4 1 a5f6/-");
    assert_eq!(report.after("a1a5f6"), "7k/8/5R2/8/8/8/8/4K3 b - - 5 1 a5f6/-");
    // It may capture on both squares.
    let report = ask("chesspp+instant+third", "7k/8/5p2/p7/8/8/8/R3K3 w - - 4 1 a5f6h1/-");
    assert_eq!(report.after("a1a5f6"), "7k/8/5R2/8/8/8/8/4K3 b - - 0 1 a5f6h1/-");
    // Not where it started, not onto an own piece, not by pawns, not after castling.
    assert!(ask(instant, "7k/8/8/8/8/8/8/R3K3 w - - 4 1 a1a5/-").of("a1a5a1").is_empty());
    assert!(!ask(instant, "7k/8/5P2/8/8/8/8/R3K3 w - - 4 1 a5f6/-").has("a1a5f6"));
    assert!(!ask(instant, "7k/8/8/8/8/8/P7/4K3 w - - 4 1 a3f6/-").has("a2a3f6"));
    assert!(ask(instant, "4k3/8/8/8/8/8/8/4K2R w K - 0 1 a5g1/-").of("e1g1a5").is_empty());
    // The lowest of several middle squares.
    let report = ask("chesspp+instant+third", "8/7k/8/8/8/8/8/Q3K3 w - - 0 1 a3c3g6/-");
    assert!(report.has("a1a3g6") && !report.has("a1c3g6"));
    // The capture of a rook at home on the middle square.
    let report = ask(instant, "r3k3/8/8/8/8/8/8/R3K3 w q - 0 1 a8h4/-");
    assert_eq!(field(report.after("a1a8h4"), 2), "-");
}

#[test]
fn instant_threatens_and_is_judged_after_the_turn() {
    let instant = "chesspp+instant";
    // The knight could go to b2, its catapult, and on to e1.
    assert!(ask(instant, "4k3/8/8/8/2n5/8/8/4K3 w - - 0 1 -/b2e1").check);
    assert!(!ask("chesspp", "4k3/8/8/8/2n5/8/8/4K3 w - - 0 1 -/b2e1").check);
    assert!(!ask(instant, "4k3/2n5/8/8/8/8/8/R3K2R w KQ - 0 1 -/b1d5").has("e1c1"), "rule 12");
    // The last catapults captured in the same turn threaten no more.
    let report = ask(instant, "4k3/8/8/8/2n5/1R6/8/4K3 w - - 0 1 -/b2e1");
    assert!(report.check);
    assert_eq!(field(report.after("b3b2"), CATAPULTS), "-");
    // The king passes through an attacked square.
    assert!(ask(instant, "3rk3/8/8/8/8/8/8/4K3 w - - 0 1 d1h4/-").has("e1d1h4"));
}

#[test]
fn instant_with_pawns() {
    let both = "chesspp+instant+pawns";
    let report = ask(both, "7k/8/8/8/8/8/2P5/4K3 w - - 4 1 c3g6/-");
    assert_eq!(report.after("c2c3g6"), "7k/8/6P1/8/8/8/8/4K3 b - - 0 1 c3g6/-");
    let report = ask(both, "7k/4p3/3P4/8/8/8/8/4K3 w - - 0 1 c8e7/-");
    assert_eq!(report.of("d6e7c8"), ["d6e7c8b", "d6e7c8n", "d6e7c8q", "d6e7c8r"]);
    // En passant on the way; a double push on the way sets no square.
    let report = ask(both, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1 d6h3/-");
    assert_eq!(report.after("e5d6h3"), "4k3/8/8/8/8/7P/8/4K3 b - - 0 1 d6h3/-");
    // A capture en passant with a landing there, or a capture by teleport: one position, written as
    // the teleport.
    let report = ask(both, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1 d5e5/-");
    assert!(report.has("e5d5t"));
    let report = ask("chesspp+instant+pawns+third", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1 d5d6e5/-");
    assert!(report.has("e5d5t") && !report.has("e5d6d5"));
    // A move that leads to the same position as a plain teleport is written and counted as one.
    let report = ask("chesspp+instant+pawns+third", "4k3/8/8/8/8/8/2P5/4K3 w - - 9 9 c2c3g6/-");
    assert_eq!(field(report.after("c2g6t"), CLOCK), "10");
    assert!(!report.has("c2c3g6"));
    // A double push on the way needs both squares empty.
    assert!(ask(both, "4k3/3p4/8/8/8/8/8/4K3 w - - 0 1 -/d5e1").check);
    assert!(!ask(both, "4k3/3p4/3n4/8/8/8/8/4K3 w - - 0 1 -/d5e1").check);
    // A capture on the way is another position than a plain teleport to the same square.
    let report = ask("chesspp+instant+pawns+third", "4k3/8/8/8/8/3b4/2P5/4K3 w - - 9 9 c2d3g6/-");
    assert!(report.has("c2g6t") && report.has("c2d3g6"), "{:?}", report.texts());
    // Not after a promotion.
    assert!(ask(both, "7k/4P3/8/8/8/8/8/4K3 w - - 0 1 c5e8/-").of("e7e8c5").is_empty());
    // The new en-passant square counts when the mover's king might be captured: d2d4 opens e4xd3-g5.
    let report = ask(both, "7k/8/8/6K1/4p3/8/3P4/8 w - - 0 1 -/d3g5");
    assert!(!report.has("d2d4") && report.has("d2d3"), "{:?}", report.texts());
}

#[test]
fn attacks_and_targets_count_teleports() {
    let read = |fen: &str, rules| ChessPpProposals::from_fen(fen, rules).unwrap();
    let at = |name: &str| name.parse::<Square>().unwrap();
    let side = Color::White;
    // A knight on a1 guards the own catapult on c6, under an own pawn, but can't go there.
    let position = read("4k3/8/2P5/8/8/8/8/N3K3 b - - 0 1 a1c6/-", Proposals::default());
    assert!(position.attacks(side).has(at("c6")) && !position.attacks(side).has(at("a1")));
    assert!(position.teleport_targets(side).is_empty());
    let position = read("4k3/8/8/8/8/8/8/N3K3 b - - 0 1 a1c6/-", Proposals::default());
    assert_eq!(position.teleport_targets(side), Squares::of(at("c6")));
    // A piece does not guard its own square by going to and fro.
    let position = read("4k3/8/8/8/8/8/8/R3K3 w - - 0 1 a1a5/-", Proposals::INSTANT);
    assert!(position.attacks(side).has(at("a5")) && !position.attacks(side).has(at("a1")));
    // Through a5 the rook could get to h6; without the option it could not.
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 a5h6/-";
    assert_eq!(read(fen, Proposals::INSTANT).teleport_targets(side), Squares::of(at("h6")));
    assert!(read(fen, Proposals::default()).teleport_targets(side).is_empty());
}

#[test]
fn instant_check_by_a_pawn() {
    let check_in = |options: &str, fen: &str| ask(&format!("chesspp+instant{options}"), fen).check;
    let check = |fen: &str| check_in("+pawns", fen);
    assert!(check("4k3/3p4/8/8/8/8/8/4K3 w - - 0 1 -/d5e1"));
    assert!(!check("4k3/3p4/3P4/8/8/8/8/4K3 w - - 0 1 -/d5e1"), "the way is blocked");
    assert!(!check("4k3/8/3p4/8/8/8/8/4K3 w - - 0 1 -/d4e1"), "only from the second rank");
    assert!(check("4k3/8/3p4/8/8/8/8/4K3 w - - 0 1 -/d5e1"));
    assert!(!check_in("", "4k3/8/3p4/8/8/8/8/4K3 w - - 0 1 -/d5e1"), "pawns do not teleport");
    assert!(!check("4k3/8/8/8/4K3/8/3p4/8 w - - 0 1 -/d1e4"), "on the last rank it is no pawn any more");
    // A capture on the way, downwards.
    assert!(check_in("+pawns+third", "4k3/3p4/4N3/8/8/8/8/4K3 w - - 0 1 -/e1e6h5"));
    assert!(!check_in("+pawns+third", "4k3/8/4N3/3p4/8/8/8/4K3 w - - 0 1 -/e1e6h5"));
}

#[test]
fn games_with_catapults_say_so() {
    for variant in Variant::all() {
        let about = with_variant!(variant, |P, rules| P::about(rules));
        let has = matches!(variant, Variant::ChessPp(_));
        assert_eq!(about.contains("catapult"), has, "{variant}: {about}");
    }
}

#[test]
fn variant_names() {
    let name = |text: &str| text.parse::<Variant>().map(|variant| variant.to_string());
    assert_eq!(name("chesspp+third+free+instant").as_deref(), Ok("chesspp+free+instant+third"));
    for (bad, why) in [
        ("chesspp+free+free", "`+free` occurs twice"),
        ("chesspp+fast", "no option `+fast`"),
        ("chess+free", "`chess` has no options"),
        ("go", "no game `go`"),
        ("", "no game ``"),
    ] {
        let error = name(bad).unwrap_err();
        assert_eq!(error.reason, why);
        assert!(error.to_string().contains("+pawns"), "says what is allowed: {error}");
    }
    assert_eq!(Proposals::all_sets().count(), 32);
    let json = serde_json::to_string(&"chesspp+pawns".parse::<Variant>().unwrap()).unwrap();
    assert_eq!(json, "\"chesspp+pawns\"");
    assert!(serde_json::from_str::<Variant>("\"chesspp+x\"").is_err());
}

/// The pieces that teleport are one value, like a number.
#[test]
fn sets_treat_the_teleporting_pieces_as_one_value() {
    let set = |option: &str| Proposals::option(option).unwrap().unwrap();
    let [two, other, three] = ["NB", "RQ", "NBR"].map(|kinds| set(&format!("teleport={kinds}")));
    assert_eq!(two.without(three), two);
    assert!(!two.contains(three) && two.contains(two) && two.without(two).is_empty());
    assert_eq!(two.with(other), other);
    assert_eq!(two.with(Proposals::BARE), Proposals::BARE.with(two));
}
