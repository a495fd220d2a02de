//! Tests of the numbered rules of Twenty-First Century Chess. The name of a test of rule 1 begins
//! with `r1`.

use crate::common::{CASTLING, CLOCK, ask, field, refused};
use catapult_rules::{Century, Game, Outcome, Position, perft};

const JESTERS: usize = 6;
const EN_PASSANT: usize = 3;

/// Returns the destinations of the moves from the square `from`, sorted and joined by spaces. A
/// letter at the end of a move's text is part of the destination.
#[track_caller]
fn goes(fen: &str, from: &str) -> String {
    let report = ask("century", fen);
    let mut ends: Vec<String> = report.of(from).iter().map(|text| text[2..].to_owned()).collect();
    ends.sort();
    ends.join(" ")
}

#[track_caller]
fn after(fen: &str, text: &str) -> String {
    ask("century", fen).after(text).to_owned()
}

#[track_caller]
fn names(fen: &str, field: &str, part: &str) {
    let error = refused("century", fen);
    assert!(error.starts_with(&format!("FEN field {field}: ")) && error.contains(part), "{error}");
}

#[test]
fn the_start_is_that_of_the_page() {
    let start = Century::start(());
    assert_eq!(start.to_string(), "rnbaqkabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBAQKABNR w KQkq - 0 1 Jj");
    // 20 pawn moves, the same 20 as Jesters, 18 diagonal steps as Jesters, 4 by knights and 4 by Barons.
    assert_eq!(perft(&start, 1), 66);
    assert!(size_of::<Century>() <= 112);
}

#[test]
fn r1_a_baron_moves_as_bishop_or_knight() {
    let fen = "5k4/10/10/1p8/3A6/10/10/5K4 w - - 0 1 -";
    // Diagonals a1-h8 and a7-g1, and eight leaps, one of them onto the pawn b5.
    assert_eq!(goes(fen, "d4"), "a1 a7 b2 b3 b5 b6 c2 c3 c5 c6 e2 e3 e5 e6 f2 f3 f5 f6 g1 g7 h8");
    let beside = |king: &str| ask("century", &format!("{king}/10/10/10/3A6/10/10/5K4 b - - 0 1 -")).check;
    assert!(beside("7k2"), "along the diagonal");
    assert!(!beside("3k6"), "not along a file");
    assert!(ask("century", "10/10/2k7/10/3A6/10/10/5K4 b - - 0 1 -").check, "by a leap");
}

#[test]
fn r1_a_sorcerer_moves_as_queen_or_knight() {
    let fen = "k9/10/10/1p8/3S6/10/10/5K4 w - - 0 1 -";
    let moves = goes(fen, "d4");
    // A queen on d4 reaches nine squares along the rank, seven along the file, and seven and six on
    // the diagonals. A knight adds eight.
    for end in
        ["a4", "j4", "d1", "d8", "a1", "h8", "a7", "g1", "b5", "b3", "c2", "c6", "e2", "e6", "f3", "f5"]
    {
        assert!(moves.split(' ').any(|found| found == end), "{end}: {moves}");
    }
    assert_eq!(moves.split(' ').count(), 9 + 7 + 7 + 6 + 8);
}

#[test]
fn r1_sorcerers_appear_by_promotion_alone() {
    assert!(!Century::start(()).to_string().split(' ').next().unwrap().to_lowercase().contains('s'));
}

#[test]
fn r2_pawns_step_and_take_in_passing_as_in_chess() {
    let fen = "5k4/10/10/10/10/3p6/2P7/5K4 w - - 0 1 -";
    assert_eq!(goes(fen, "c2"), "c3 c4 d3");
    let doubled = after("5k4/10/10/10/3p6/10/2P7/5K4 w - - 0 1 -", "c2c4");
    assert_eq!(field(&doubled, EN_PASSANT), "c3");
    assert!(after(&doubled, "d4c3").starts_with("5k4/10/10/10/10/2p7/10/5K4 "));
    assert_eq!(field(&after("5k4/10/10/10/10/10/2P7/5K4 w - - 0 1 -", "c2c4"), EN_PASSANT), "-");
}

#[test]
fn r2_a_pawn_promotes_to_a_sorcerer_only_and_must() {
    let fen = "1n3k4/2P7/10/10/10/10/10/5K4 w - - 0 1 -";
    assert_eq!(goes(fen, "c7"), "b8s c8s");
    assert!(after(fen, "c7c8s").starts_with("1nS2k4/10/"));
    assert!(after(fen, "c7b8s").starts_with("1S3k4/10/"));
}

#[test]
fn r3_a_pawn_on_its_second_rank_may_be_declared() {
    let fen = "5k4/10/10/10/10/1p8/2P7/5K4 w - - 0 1 J";
    assert_eq!(goes(fen, "c2"), "b3 b3j c3 c3j c4 c4j d3j");
    assert!(after(fen, "c2b3j").starts_with("5k4/10/10/10/10/1J8/10/5K4 b "));
    assert!(after(fen, "c2d3j").starts_with("5k4/10/10/10/10/1p1J6/10/5K4 b "));
    assert!(after(fen, "c2c4").starts_with("5k4/10/10/10/2P7/1p8/10/5K4 b "));
    assert!(after(fen, "c2c4j").starts_with("5k4/10/10/10/2J7/1p8/10/5K4 b "));
    // Not from another rank, and not over or onto a piece.
    assert_eq!(goes("5k4/10/10/10/10/2P7/10/5K4 w - - 0 1 J", "c3"), "c4");
    assert_eq!(goes("5k4/10/10/10/2p7/10/2P7/5K4 w - - 0 1 J", "c2"), "b3j c3 c3j d3j");
    assert_eq!(goes("5k4/10/10/10/10/2p7/2P7/5K4 w - - 0 1 J", "c2"), "b3j d3j");
    assert_eq!(goes("5k4/2p7/10/10/10/10/10/5K4 b - - 0 1 j", "c7"), "b6j c5 c5j c6 c6j d6j");
}

#[test]
fn r3_once_a_game_each_side() {
    let fen = "5k4/2p7/10/10/10/10/2PP6/5K4 w - - 0 1 Jj";
    let declared = after(fen, "c2c3j");
    assert_eq!(field(&declared, JESTERS), "j");
    assert_eq!(field(&after(fen, "c2c3"), JESTERS), "Jj");
    assert_eq!(field(&after(&declared, "c7c6j"), JESTERS), "-");
    // The right does not come back after the Jester is captured.
    assert_eq!(goes("5k4/10/10/10/10/10/2P7/5K4 w - - 0 1 j", "c2"), "c3 c4");
}

#[test]
fn r3_a_pinned_pawn_declared_stays_on_the_line() {
    assert_eq!(goes("5k4/5r4/10/10/10/10/5P4/5K4 w - - 0 1 J", "f2"), "f3 f3j f4 f4j");
    // On the line from g1 to the bishop on j4 only a Jester can step to i3.
    assert_eq!(goes("5k4/10/10/10/9b/10/7P2/6K3 w - - 0 1 J", "h2"), "i3j");
    assert_eq!(goes("5k4/10/10/10/9b/10/7P2/6K3 w - - 0 1 -", "h2"), "");
    assert_eq!(goes("5k4/10/10/9b/10/10/7P2/6K3 w - - 0 1 J", "h2"), "g3j h3 h3j h4 h4j i3j");
}

#[test]
fn r4_a_jester_steps_ahead_or_diagonally() {
    let fen = "5k4/10/10/1p8/2J7/10/10/5K4 w - - 0 1 -";
    assert_eq!(goes(fen, "c4"), "b5 c5 d5");
    assert_eq!(goes("5k4/10/10/2p7/2J7/10/10/5K4 w - - 0 1 -", "c4"), "b5 d5", "not onto a piece ahead");
    assert_eq!(goes("5k4/10/10/1P1N6/2J7/10/10/5K4 w - - 0 1 -", "c4"), "c5", "not onto its own");
    assert_eq!(goes("5k4/10/10/10/10/10/3j6/K9 b - - 0 1 -", "d2"), "c1s d1s e1s");
    // A Jester has no double step later.
    assert_eq!(goes("5k4/10/10/10/10/2J7/10/5K4 w - - 0 1 -", "c3"), "b4 c4 d4");
}

#[test]
fn r4_a_jester_takes_in_passing_and_always() {
    let fen = "5k4/10/10/4pJ4/10/10/10/5K4 w - e6 0 1 -";
    assert_eq!(goes(fen, "f5"), "e6 f6 g6");
    assert!(after(fen, "f5e6").starts_with("5k4/10/4J5/10/"), "the pawn on e5 is gone");
    // Without the en-passant square, the move is a step.
    let step = "5k4/10/10/4pJ4/10/10/10/5K4 w - - 0 1 -";
    assert!(after(step, "f5e6").starts_with("5k4/10/4J5/4p5/"));
    // If the capture would expose the king, the step is illegal too.
    let bared = "10/10/10/r3pJ3K/10/10/10/5k4 w - e6 0 1 -";
    assert_eq!(goes(bared, "f5"), "f6 g6");
}

#[test]
fn r4_its_own_double_step_can_not_be_taken_in_passing() {
    let fen = "5k4/10/10/10/1p1j6/10/2P7/5K4 w - - 0 1 J";
    assert_eq!(field(&after(fen, "c2c4"), EN_PASSANT), "c3");
    assert_eq!(field(&after(fen, "c2c4j"), EN_PASSANT), "-");
}

#[test]
fn r4_a_jester_promotes_and_attacks_like_a_pawn() {
    assert_eq!(goes("1n3k4/2J7/10/10/10/10/10/5K4 w - - 0 1 -", "c7"), "b8s c8s d8s");
    assert!(ask("century", "5k4/4J5/10/10/10/10/10/5K4 b - - 0 1 -").check);
    assert!(!ask("century", "5k4/5J4/10/10/10/10/10/5K4 b - - 0 1 -").check);
}

#[test]
fn r5_castling_goes_to_i1_and_b1() {
    let fen = "r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 0 1 -";
    assert_eq!(goes(fen, "f1"), "b1 e1 e2 f2 g1 g2 i1");
    assert!(after(fen, "f1i1").contains("/R6RK1 b kq - 1 1"));
    assert!(after(fen, "f1b1").contains("/1KR6R b kq - 1 1"));
    let black = fen.replace(" w ", " b ");
    assert!(after(&black, "f8i8").starts_with("r6rk1/") && after(&black, "f8b8").starts_with("1kr6r/"));
}

#[test]
fn r5_neither_has_moved() {
    let fen = "5k4/10/10/10/10/10/10/R4K3R w KQ - 0 1 -";
    let castling = |text: &str| field(&after(fen, text), CASTLING).to_owned();
    assert_eq!((castling("f1f2"), castling("a1a2"), castling("j1j2")), ("-".into(), "K".into(), "Q".into()));
    assert_eq!(goes(&fen.replace("KQ", "K"), "f1"), "e1 e2 f2 g1 g2 i1");
    // A captured rook takes its right with it.
    let taken = "r4k4/10/10/10/10/10/10/R4K4 w Q - 0 1 -";
    let black = taken.replace(" w ", " b ");
    assert_eq!((field(&after(taken, "a1a8"), CASTLING), field(&after(&black, "a8a1"), CASTLING)), ("-", "-"));
}

#[test]
fn r5_every_square_between_is_empty() {
    for (rank, castles) in
        [("R4K3R", "b1 i1"), ("RN3K3R", "i1"), ("R3QK3R", "i1"), ("R4K2NR", "b1"), ("R4KN2R", "b1")]
    {
        let moves = goes(&format!("5k4/10/10/10/10/10/10/{rank} w KQ - 0 1 -"), "f1");
        let far: Vec<&str> = moves.split(' ').filter(|end| ["b1", "i1"].contains(end)).collect();
        assert_eq!(far.join(" "), castles, "{rank}");
    }
}

#[test]
fn r5_out_of_no_check_and_into_none_but_through_any() {
    let castles = |placement: &str| {
        let moves = goes(&format!("{placement}/R4K3R w KQ - 0 1 -"), "f1");
        moves.split(' ').filter(|end| ["b1", "i1"].contains(end)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(castles("5k4/10/10/5r4/10/10/10"), "", "out of check");
    assert_eq!(castles("5k4/10/10/8r1/10/10/10"), "b1", "into check on i1");
    assert_eq!(castles("5k4/10/10/1r8/10/10/10"), "i1", "into check on b1");
    assert_eq!(castles("5k4/10/10/2rr2rr2/10/10/10"), "b1 i1", "over attacked squares");
}

#[test]
fn r6_the_clock_restarts_on_captures_and_moves_of_pawns_and_jesters() {
    let fen = "5k4/10/10/2p7/2J7/10/P7R1/5K4 w - - 7 1 -";
    let clock = |text: &str| field(&after(fen, text), CLOCK).to_owned();
    assert_eq!((clock("a2a3"), clock("c4b5"), clock("i2i3")), ("0".into(), "0".into(), "8".into()));
    assert_eq!(field(&after("5k4/10/10/10/10/10/8R1/5K2r1 w - - 7 1 -", "i2i1"), CLOCK), "0");
    let clocked =
        |clock: u32| ask("century", &format!("5k4/10/10/10/10/10/8R1/5K4 w - - {clock} 90 -")).outcome;
    assert_eq!((clocked(99), clocked(100)), (None, Some(Outcome::HundredPlies)));
}

#[test]
fn r6_the_right_to_declare_belongs_to_the_position() {
    let [with, without] = ["J", "-"].map(|field| {
        Century::from_fen(&format!("5k4/10/10/10/10/10/2P7/5K4 w - - 0 1 {field}"), ()).unwrap()
    });
    assert_ne!(with, without);
    assert_ne!(with.key(), without.key());
    let mut game = Game::new(with);
    for text in ["f1f2", "f8f7", "f2f1", "f7f8", "f1f2", "f8f7", "f2f1", "f7f8"] {
        assert_eq!(game.outcome(), None);
        game.push(game.position().parse_move(text).unwrap());
    }
    assert_eq!(game.outcome(), Some(Outcome::Repetition));
}

#[test]
fn r6_dead_positions() {
    let outcome = |rank: &str| ask("century", &format!("5k4/10/10/10/10/10/{rank}/5K4 w - - 0 1 -")).outcome;
    for dead in ["10", "N9", "B9", "n9", "b9"] {
        assert_eq!(outcome(dead), Some(Outcome::Dead), "{dead}");
    }
    for alive in ["A9", "P9", "R9", "S9", "NN8", "BB8", "Bb8", "Nn8", "Q9"] {
        assert_eq!(outcome(alive), None, "{alive}");
    }
    assert_eq!(ask("century", "5k4/10/10/10/10/J9/10/5K4 w - - 0 1 -").outcome, None);
}

#[test]
fn r7_jesters_that_can_not_be_are_refused() {
    for rank in [1, 2, 8] {
        let ranks = |n: i32| if n == rank { "J4k4" } else { "10" };
        let lines: Vec<&str> = (1..=8).rev().map(|n| if n == 4 { "5K4" } else { ranks(n) }).collect();
        names(
            &format!("{} w - - 0 1 -", lines.join("/")),
            "placement",
            &format!("Jester of White on rank {rank}"),
        );
    }
    for line in ["j4k4/10/10/5K4/10/10/10/10", "5k4/j9/10/5K4/10/10/10/10", "5k4/10/10/5K4/10/10/10/j9"] {
        names(&format!("{line} w - - 0 1 -"), "placement", "Jester of Black on rank");
    }
    ask("century", "5k4/5J4/10/10/10/10/5j4/5K4 w - - 0 1 -");
    names("5k4/10/10/J1J7/10/10/10/5K4 w - - 0 1 -", "placement", "more than one Jester");
    names("5k4/10/10/J9/10/10/10/5K4 w - - 0 1 J", "Jesters", "White has a Jester");
    names("5k4/10/10/J9/10/10/10/5K4 w - - 0 1 Jj", "Jesters", "White has a Jester");
    ask("century", "5k4/10/10/J9/10/10/10/5K4 w - - 0 1 j");
}

#[test]
fn r7_fields_that_are_wrong_are_refused() {
    let fen = |rest: &str| format!("r4k3r/10/10/10/10/10/10/R4K3R {rest}");
    names(&fen("w KQkq - 0 1"), "Jesters", "missing");
    for bad in ["JJ", "jJ", "x", "J-"] {
        names(&fen(&format!("w KQkq - 0 1 {bad}")), "Jesters", &format!("`{bad}`"));
    }
    names(&fen("w KQkq - 0 1 - -"), "end", "field too many");
    names("5k4/10/10/10/10/10/10/R4K4 w KQ - 0 1 -", "castling", "`K` without king and rook");
    names("5k4/10/10/10/10/10/10/R3K4R w Q - 0 1 -", "castling", "`Q` without king and rook");
    names("5k4/10/10/10/10/10/10/4K4P w - - 0 1 -", "placement", "a pawn on rank 1");
    names("5k4/10/10/10/10/10/10/4K3H1 w - - 0 1 -", "placement", "`H` is neither");
    names("5k4/10/10/10/10/10/10/4K6 w - - 0 1 -", "placement", "more than 10 files");
    names("5k4/10/10/10/10/10/5K4 w - - 0 1 -", "placement", "7 ranks instead of 8");
    names("10/10/10/10/10/10/10/5K4 w - - 0 1 -", "placement", "Black has 0 kings");
    names("5k4/10/10/10/10/10/5R4/5K4 w - - 0 1 -", "placement", "not to move is in check");
    names("5k4/10/10/10/4P5/10/10/5K4 b - e4 0 1 -", "en passant", "not on the rank");
    names("5k4/10/10/10/10/10/10/5K4 b - e3 0 1 -", "en passant", "no pawn");
    names("5k4/10/10/10/4P5/10/4N5/5K4 b - e3 0 1 -", "en passant", "no pawn");
    names("5k4/10/10/10/10/10/10/5K4 b - k3 0 1 -", "en passant", "`k3`");
    names("5k4/10/10/10/10/10/10/5K4 b - - 0 -1 -", "full-move number", "-1");
}

#[test]
fn r7_an_en_passant_field_is_kept_if_a_pawn_or_jester_could_capture() {
    let kept = |placement: &str| {
        let fen = format!("5k4/10/10/10/{placement}/10/10/5K4 b - e3 0 1 -");
        Century::from_fen(&fen, ()).unwrap().en_passant().is_some()
    };
    assert!(kept("3pP5") && kept("4Pp4") && kept("3jP5"));
    assert!(!kept("4P5") && !kept("2p1P5") && !kept("3nP5") && !kept("3PP5"));
}
