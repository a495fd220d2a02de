//! Tests of the rules of Chess and a Half, numbered as in `src/games/half/rules.md`.

use crate::common::{CLOCK, Report, field, report};
use catapult_rules::{Game, Half, MAX_MOVES, Outcome, Position};

const EN_PASSANT: usize = 3;
const UNMOVED: usize = 6;

#[track_caller]
fn read(fen: &str) -> Half {
    Half::from_fen(fen, ()).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[track_caller]
fn ask(fen: &str) -> Report {
    report(&read(fen))
}

#[track_caller]
fn refused(fen: &str) -> String {
    Half::from_fen(fen, ()).err().unwrap_or_else(|| panic!("`{fen}` was accepted")).to_string()
}

/// Returns a FEN with Black's king on a12, White's king on l1, and other pieces. `rest` are the
/// fields after the placement.
fn corners(pieces: &[(&str, char)], rest: &str) -> String {
    let mut cells = [['.'; 12]; 12];
    for (square, piece) in pieces.iter().chain(&[("a12", 'k'), ("l1", 'K')]) {
        let (file, rank) = square.split_at(1);
        let rank: usize = rank.parse().expect("a rank");
        cells[12 - rank][usize::from(file.as_bytes()[0] - b'a')] = *piece;
    }
    let rank = |cells: &[char; 12]| {
        let mut text = String::new();
        let mut empty = 0;
        for cell in cells.iter().chain(&['|']) {
            if *cell == '.' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text.push(*cell);
        }
        text.trim_end_matches('|').to_owned()
    };
    format!("{} {rest}", cells.iter().map(rank).collect::<Vec<_>>().join("/"))
}

#[track_caller]
fn board(pieces: &[(&str, char)]) -> Report {
    ask(&corners(pieces, "w - - 7 1 -"))
}

/// Returns the texts of the moves of the piece on a square, each without its origin.
fn from<'a>(report: &'a Report, square: &str) -> Vec<&'a str> {
    let moves = report.texts().into_iter().filter_map(|text| text.strip_prefix(square));
    moves.filter(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase())).collect()
}

#[test]
fn r0_the_start() {
    let fen =
        "rnbscqkcsbnr/pppgppppgppp/12/12/12/12/12/12/12/12/PPPGPPPPGPPP/RNBSCQKCSBNR w KQkq - 0 1 b1k1b12k12";
    assert_eq!(Half::start(()).to_string(), fen);
    let start = ask(fen);
    // By hand: ten pawns with four pushes; two Guards with three steps; two knights with two leaps, and two more by two
    // leaps (b1 to d5 by c3; a3 leads off the board; k1 to i5 by j3).
    let pawns = start.texts().into_iter().filter(|text| text.contains('2')).count();
    assert_eq!(from(&start, "b1"), ["a3", "c3", "d5"]);
    assert_eq!(from(&start, "k1"), ["i5", "j3", "l3"]);
    assert_eq!(from(&start, "d2"), ["c3", "d3", "e3"]);
    // Cats jump over the second rank to the third, Star Cats to the third and the fourth.
    assert_eq!(from(&start, "e1"), ["c3", "e3", "g3"]);
    assert_eq!(from(&start, "d1"), ["a4", "b3", "d3", "d4", "f3", "g4"]);
    assert_eq!(pawns, 10 * 4 + 2 * 3);
    assert_eq!(start.moves.len(), 10 * 4 + 2 * 3 + 2 * 3 + 2 * 3 + 2 * 6);
}

#[test]
fn r1_a_guard_steps_one_square_in_any_direction() {
    let guard = board(&[("d4", 'G'), ("e5", 'p'), ("d5", 'P')]);
    assert_eq!(from(&guard, "d4"), ["c3", "c4", "c5", "d3", "e3", "e4", "e5"]);
}

#[test]
fn r1_a_guard_is_not_royal() {
    // A rook attacks the Guard, and it may stay there or step to another attacked square.
    let guard = board(&[("d4", 'G'), ("d9", 'r')]);
    assert!(!guard.check && guard.has("l1k1") && guard.has("d4d3"));
    // The Guard attacks like a king: Black's king may not step next to it.
    let king = ask(&corners(&[("b10", 'G')], "b - - 0 1 -"));
    assert_eq!(king.texts(), ["a12b12"]);
}

#[test]
fn r1_a_nightrider_repeats_a_leap_over_empty_squares() {
    let rider = board(&[("b1", 'H'), ("c3", 'n'), ("f3", 'P')]);
    // Up: c3 is captured and ends the ride; d2 is free, f3 is its own. To the left only a3.
    assert_eq!(from(&rider, "b1"), ["a3", "c3", "d2"]);
    let rider = board(&[("b1", 'H'), ("f9", 'n')]);
    assert_eq!(from(&rider, "b1"), ["a3", "c3", "d2", "d5", "e7", "f3", "f9", "h4", "j5", "l6"]);
}

#[test]
fn r1_a_nightrider_pins_and_checks_along_its_way() {
    // Black's rider on h9 attacks l1 by i7, j5 and k3.
    let check = board(&[("h9", 'h'), ("b5", 'R')]);
    assert!(check.check);
    // The rook blocks on j5, the king steps aside.
    assert_eq!(check.texts(), ["b5j5", "l1k1", "l1k2", "l1l2"]);
    let pinned = board(&[("h9", 'h'), ("j5", 'R')]);
    assert!(!pinned.check && from(&pinned, "j5").is_empty());
    // A pinned rider may move along the pin.
    let pinned = board(&[("h9", 'h'), ("j5", 'H')]);
    assert_eq!(from(&pinned, "j5"), ["h9", "i7", "k3"]);
}

#[test]
fn r1_sliders_cross_twelve_squares() {
    let sliders = board(&[("b1", 'Q')]);
    // Ten along the rank to the king's square, eleven up the file, one and ten diagonally.
    assert_eq!(from(&sliders, "b1").len(), 10 + 11 + 1 + 10);
    assert!(sliders.has("b1b12") && sliders.has("b1l11"));
}

#[test]
fn r2_a_cat_jumps_one_or_two_squares_over_anything() {
    let alone = board(&[("d4", 'C')]);
    assert_eq!(from(&alone, "d4").len(), 16);
    let surrounded = board(&[("d4", 'C'), ("d5", 'P'), ("e5", 'P'), ("e4", 'P'), ("c3", 'P')]);
    let targets = from(&surrounded, "d4");
    for reached in ["d6", "f6", "f4", "b2", "c5", "b6"] {
        assert!(targets.contains(&reached), "{reached}");
    }
    for closed in ["d5", "e5", "e4", "c3", "d7", "e6", "f5"] {
        assert!(!targets.contains(&closed), "{closed}");
    }
    assert_eq!(targets.len(), 12);
}

#[test]
fn r2_a_star_cat_jumps_up_to_three() {
    let alone = board(&[("d4", 'S')]);
    assert_eq!(from(&alone, "d4").len(), 24);
    let over_own = board(&[("d4", 'S'), ("d5", 'P'), ("d6", 'G')]);
    assert!(over_own.has("d4d7") && !over_own.has("d4d6") && !over_own.has("d4d8"));
}

#[test]
fn r2_jumps_give_check_over_anything_and_can_not_be_blocked() {
    let check = board(&[("i4", 's'), ("j3", 'R'), ("k2", 'P')]);
    assert!(check.check);
    // Only the king's flight answers the check: k1 and l2 are not attacked.
    assert_eq!(check.texts(), ["l1k1", "l1l2"]);
    assert!(!board(&[("i4", 'c')]).check);
    assert!(board(&[("j3", 'c'), ("k2", 'P')]).check);
}

#[test]
fn r3_any_choice_of_the_enemies_passed_may_be_captured() {
    let report = board(&[("d1", 'S'), ("d2", 'n'), ("d3", 'p'), ("d4", 'r')]);
    let up: Vec<&str> = from(&report, "d1").into_iter().filter(|to| to.starts_with('d')).collect();
    assert_eq!(up, ["d2", "d3", "d3xd2", "d4", "d4xd2", "d4xd2xd3", "d4xd3"]);
    let after = |text: &str| report.after(text).split(' ').next().unwrap_or("").to_owned();
    assert!(after("d1d4xd2xd3").contains("/3S8/12/12/11K"));
    assert!(after("d1d4xd3").contains("/3S8/12/3n8/11K"));
    assert!(after("d1d4").contains("/3S8/3p8/3n8/11K"));
    assert!(after("d1d3xd2").contains("/3r8/3S8/12/11K"));
}

#[test]
fn r3_captures_on_the_way_go_to_empty_squares_too_and_restart_the_clock() {
    let report = board(&[("d1", 'C'), ("e2", 'p'), ("d2", 'p')]);
    assert_eq!(field(report.after("d1d3xd2"), CLOCK), "0");
    assert_eq!(field(report.after("d1f3xe2"), CLOCK), "0");
    assert_eq!(field(report.after("d1d3"), CLOCK), "8");
}

#[test]
fn r3_own_pieces_are_jumped_and_never_captured() {
    let report = board(&[("d1", 'S'), ("d2", 'P'), ("d3", 'p')]);
    let up: Vec<&str> = from(&report, "d1").into_iter().filter(|to| to.starts_with('d')).collect();
    assert_eq!(up, ["d3", "d4", "d4xd3"]);
}

#[test]
fn r3_rooks_and_knights_that_are_jumped_over_lose_their_rights() {
    let fen = "1n4k5/12/12/12/12/12/12/12/12/12/12/K10R b - - 0 1 b12";
    assert_eq!(read(fen).to_string(), fen);
    // The Cat goes from a12 to c12 and takes the knight on b12.
    let report = ask("Cn4k5/12/12/12/12/12/12/12/12/12/12/K11 w - - 0 1 b12");
    assert_eq!(field(report.after("a12c12xb12"), UNMOVED), "-");
    assert_eq!(field(report.after("a12c12"), UNMOVED), "b12");
}

#[test]
fn r3_a_capture_on_the_way_may_not_uncover_a_check() {
    // Black's rook on e9 is on the file of the king on e1, with its own pawn on e4 between.
    let behind = |rank6: &str, rank4: &str, rank3: &str| {
        ask(&format!("k11/12/12/4r7/12/12/{rank6}/12/{rank4}/{rank3}/12/4K7 w - - 0 1 -"))
    };
    let across = behind("12", "3Cp7", "12");
    assert!(!across.check && across.has("d4f4") && across.has("d4e4") && !across.has("d4f4xe4"));
    let diagonal = behind("12", "4p7", "3C8");
    assert!(diagonal.has("d3f5") && !diagonal.has("d3f5xe4"));
    // With a second piece between, one may leave. Along the file, the Cat itself blocks.
    assert!(behind("4n7", "3Cp7", "12").has("d4f4xe4"));
    assert!(behind("12", "4p7", "4C7").has("e3e5xe4"));
    // A Nightrider on h7 is on a line to e1, by g5 and f3.
    let ridden = |rank5: &str| ask(&format!("k11/12/12/12/12/7h4/12/{rank5}/12/12/12/4K7 w - - 0 1 -"));
    assert!(ridden("5Cp5").has("f5h5") && !ridden("5Cp5").has("f5h5xg5"));
    assert!(ridden("6PCp3").has("h5j5xi5"));
}

#[test]
fn r3_a_double_check_can_be_ended_by_taking_both() {
    // Two knights check the king on l1, from j2 and k3; a Star Cat on i1 reaches k3 over j2.
    let report = board(&[("j2", 'n'), ("k3", 'n'), ("i1", 'S')]);
    assert!(report.check);
    assert_eq!(from(&report, "i1"), ["k3xj2", "l4xj2xk3"]);
}

#[test]
fn r4_a_knight_that_has_never_moved_may_leap_twice() {
    let fen = "6k5/12/12/12/12/12/12/3p8/12/12/12/1N4K5 w - - 0 1 b1";
    let report = ask(fen);
    // By c3 to d5, where it captures; by d2 to f3.
    assert_eq!(from(&report, "b1"), ["a3", "c3", "d2", "d5", "f3"]);
    assert_eq!(field(report.after("b1d5"), UNMOVED), "-");
    assert_eq!(field(report.after("b1d5"), CLOCK), "0");
    let moved = ask(&fen.replace(" b1", " -"));
    assert_eq!(from(&moved, "b1"), ["a3", "c3", "d2"]);
}

#[test]
fn r4_the_first_leap_ends_on_an_empty_square() {
    for (piece, reached) in [("p", ["a3", "c3", "d2", "f3"].as_slice()), ("P", &["a3", "d2", "f3"])] {
        let fen = format!("6k5/12/12/12/12/12/12/12/12/2{piece}9/12/1N4K5 w - - 0 1 b1");
        assert_eq!(from(&ask(&fen), "b1"), reached, "{piece} on c3");
    }
}

#[test]
fn r4_the_second_leap_goes_in_the_same_direction() {
    let report = ask("6k5/12/12/12/12/12/12/12/12/12/12/1N4K5 w - - 0 1 b1");
    assert!(!report.has("b1b5") && !report.has("b1e4") && report.has("b1d5"));
}

#[test]
fn r4_two_leaps_attack() {
    // The knight on b12 has never moved: d8 is attacked by way of c10.
    let fen = "1n4k5/12/12/12/3K8/12/12/12/12/12/12/12 w - - 0 1 b12";
    assert!(ask(fen).check);
    assert!(!ask(&fen.replace(" b12", " -")).check);
    // A king may not go there; one between is pinned.
    let step = ask("1n4k5/12/12/12/12/3K8/12/12/12/12/12/12 w - - 0 1 b12");
    assert!(!step.has("d7d8") && step.has("d7c8"));
    let pinned = ask("1n4k5/12/2R9/12/3K8/12/12/12/12/12/12/12 w - - 0 1 b12");
    assert!(!pinned.check && from(&pinned, "c10").is_empty());
    // Blocking is an answer.
    let blocked = ask("1n4k5/12/7R4/12/3K8/12/12/12/12/12/12/12 w - - 0 1 b12");
    assert_eq!(from(&blocked, "h10"), ["c10"]);
}

#[test]
fn r4_a_knight_that_comes_home_or_from_promotion_has_moved() {
    let away_and_back = ask("6k5/12/12/12/12/12/12/12/12/2N9/12/6K5 w - - 0 1 -");
    assert_eq!(field(away_and_back.after("c3b1"), UNMOVED), "-");
    let promoted = ask("6k5/12/12/12/12/12/12/12/12/12/1p10/6K5 b - - 0 1 -");
    assert_eq!(field(promoted.after("b2b1n"), UNMOVED), "-");
}

#[test]
fn r5_a_pawn_steps_one_to_four_squares_from_its_second_rank() {
    assert_eq!(from(&board(&[("e2", 'P')]), "e2"), ["e3", "e4", "e5", "e6"]);
    assert_eq!(from(&board(&[("e3", 'P')]), "e3"), ["e4"]);
    assert_eq!(from(&board(&[("e2", 'P'), ("e5", 'n')]), "e2"), ["e3", "e4"]);
    assert_eq!(from(&board(&[("e2", 'P'), ("e3", 'N')]), "e2"), [""; 0]);
    let black = ask(&corners(&[("e11", 'p')], "b - - 7 1 -"));
    assert_eq!(from(&black, "e11"), ["e10", "e7", "e8", "e9"]);
    assert_eq!(field(black.after("e11e7"), CLOCK), "0");
}

#[test]
fn r5_it_can_be_taken_on_any_square_it_skipped() {
    let report = board(&[("e2", 'P'), ("d4", 'p'), ("f5", 'p'), ("f6", 'p')]);
    assert_eq!(field(report.after("e2e6"), EN_PASSANT), "e3e4e5");
    assert_eq!(field(report.after("e2e5"), EN_PASSANT), "e3e4");
    assert_eq!(field(report.after("e2e4"), EN_PASSANT), "e3");
    assert_eq!(field(report.after("e2e3"), EN_PASSANT), "-");
    let passed = ask(report.after("e2e6"));
    for (text, rank3) in [("d4e3", "4p7"), ("f5e4", "12"), ("f6e5", "12")] {
        let after = passed.after(text);
        let ranks: Vec<&str> = after.split(['/', ' ']).collect();
        assert_eq!(ranks[9], rank3, "{after}");
        assert!(!ranks[6].contains('P'), "the pawn on e6 is gone: {after}");
        assert_eq!((field(after, EN_PASSANT), field(after, CLOCK)), ("-", "0"));
    }
}

#[test]
fn r5_only_the_squares_that_can_be_captured_on_are_listed() {
    let report = board(&[("e2", 'P'), ("f5", 'p')]);
    assert_eq!(field(report.after("e2e6"), EN_PASSANT), "e4");
    assert_eq!(field(report.after("e2e5"), EN_PASSANT), "e4");
    assert_eq!(field(report.after("e2e4"), EN_PASSANT), "-");
    // There is no pawn, only a Guard, so nothing can capture en passant.
    assert_eq!(field(board(&[("e2", 'P'), ("f5", 'g')]).after("e2e6"), EN_PASSANT), "-");
}

#[test]
fn r5_the_squares_are_listed_in_the_order_passed() {
    let black = ask(&corners(&[("e11", 'p'), ("d9", 'P'), ("f8", 'P')], "b - - 7 1 -"));
    assert_eq!(field(black.after("e11e7"), EN_PASSANT), "e10e9");
    let taken = ask(black.after("e11e7"));
    assert!(taken.has("d9e10") && taken.has("f8e9") && !taken.has("f8e8"));
}

#[test]
fn r5_in_passing_only_at_once() {
    let mut position = read(&corners(&[("e2", 'P'), ("d4", 'p')], "w - - 0 1 -"));
    for text in ["e2e6", "a12a11", "l1l2"] {
        assert_eq!(position.parse_move("d4e3").is_ok(), text == "a12a11");
        position.play(position.parse_move(text).expect(text));
    }
    assert!(position.parse_move("d4e3").is_err());
}

#[test]
fn r5_in_passing_may_not_uncover_a_check() {
    // White's rook on e1 is on the file of Black's king on e9. Its pawn just moved from e2 to e6.
    let fen = "12/12/12/4k7/12/12/4P7/12/3p8/12/12/4R6K b - e3 0 1 -";
    let report = ask(fen);
    // The capturing pawn arrives on e3 and blocks.
    assert!(report.has("d4e3"));
    // A rook on the rank of both pawns attacks the king if both leave.
    let fen = "12/12/12/12/12/12/R3P2k4/5p6/12/12/12/11K b - e4 0 1 -";
    assert!(!ask(fen).has("f5e4"));
    assert!(
        ask(&fen.replace("R3P2k4", "12").replace(" e4 ", " - ").replace("/5p6/", "/4Pp1k4/")).has("f5f4")
    );
    // Capturing the checking pawn en passant answers its check.
    let fen = "12/12/12/12/12/3k8/4P7/5p6/12/12/12/11K b - e4 0 1 -";
    let report = ask(fen);
    assert!(report.check && report.has("f5e4") && !report.has("f5f4"));
}

#[test]
fn r6_a_pawn_must_become_one_of_six() {
    let report = board(&[("e11", 'P'), ("f12", 'r')]);
    let to = |square: &str| ["b", "c", "g", "n", "q", "r"].map(|piece| format!("{square}{piece}"));
    assert_eq!(from(&report, "e11"), [to("e12"), to("f12")].concat());
    assert!(report.after("e11e12c").starts_with("k3Cr6/12/"));
    assert!(report.after("e11f12g").starts_with("k4G6/12/"));
    assert!(ask(&corners(&[("e2", 'p')], "b - - 0 1 -")).after("e2e1n").contains("/4n6K w"));
}

#[test]
fn r6_a_cat_that_comes_to_the_last_rank_may_become_a_star_cat() {
    let report = board(&[("e10", 'C'), ("e11", 'p'), ("g12", 'n')]);
    let up: Vec<&str> = from(&report, "e10").into_iter().filter(|to| to[1..].starts_with("12")).collect();
    assert_eq!(up, ["c12", "c12s", "e12", "e12s", "e12xe11", "e12xe11s", "g12", "g12s"]);
    assert!(report.after("e10e12s").starts_with("k3S1n5/4p7/"));
    assert!(report.after("e10e12").starts_with("k3C1n5/4p7/"));
    assert_eq!(field(report.after("e10e12s"), CLOCK), "8");
    assert_eq!(field(report.after("e10e12xe11s"), CLOCK), "0");
}

#[test]
fn r6_not_from_the_last_rank_nor_for_the_other_side_s() {
    let report = board(&[("e12", 'C'), ("h12", 'N')]);
    assert!(report.has("e12f12") && !report.has("e12f12s"));
    let home = ask(&corners(&[("e3", 'C'), ("d2", 'N')], "w - - 0 1 -"));
    assert!(home.has("e3e1") && !home.has("e3e1s") && home.has("d2b1") && !home.has("d2b1h"));
    let black = ask(&corners(&[("e3", 'c'), ("d2", 'n')], "b - - 0 1 -"));
    assert!(black.has("e3e1") && black.has("e3e1s") && black.has("d2b1h"));
}

#[test]
fn r6_a_knight_that_comes_to_the_last_rank_may_become_a_nightrider() {
    let report = board(&[("e10", 'N'), ("f12", 'b')]);
    let up: Vec<&str> = from(&report, "e10").into_iter().filter(|to| to[1..].starts_with("12")).collect();
    assert_eq!(up, ["d12", "d12h", "f12", "f12h"]);
    assert!(report.after("e10f12h").starts_with("k4H6/"));
}

#[test]
fn r6_no_other_piece_changes() {
    let report = board(&[("d10", 'S'), ("e11", 'G'), ("g11", 'B'), ("i10", 'H'), ("k11", 'R')]);
    assert!(
        report.texts().iter().all(|text| text.ends_with(|c: char| c.is_ascii_digit())),
        "{:?}",
        report.texts()
    );
}

#[test]
fn r7_the_king_goes_as_far_as_it_likes_and_the_rook_beyond() {
    let report = ask("6k5/12/12/12/12/12/12/12/12/12/12/R5K4R w KQ - 0 1 -");
    let castlings: Vec<&str> = from(&report, "g1").into_iter().filter(|to| to.ends_with('o')).collect();
    assert_eq!(castlings, ["b1o", "c1o", "d1o", "e1o", "f1o", "h1o", "i1o", "j1o", "k1o"]);
    assert!(report.after("g1k1o").contains("/R8RK1 b - -"));
    assert!(report.after("g1b1o").contains("/1KR8R b - -"));
    // A king's step is another move.
    assert!(report.after("g1h1").contains("/R6K3R b - -"));
    assert!(report.after("g1h1o").contains("/R5RK4 b - -"));
    let black = ask("r5k4r/12/12/12/12/12/12/12/12/12/12/6K5 b kq - 0 1 -");
    assert!(black.after("g12c12o").starts_with("2kr7r/"));
}

#[test]
fn r7_all_squares_between_must_be_empty() {
    let report = ask("6k5/12/12/12/12/12/12/12/12/12/12/RN4K3BR w KQ - 0 1 -");
    assert!(report.texts().iter().all(|text| !text.ends_with('o')));
}

#[test]
fn r7_not_out_of_through_or_into_check() {
    let castlings = |file: usize| {
        let rook =
            if file == 0 { "12".to_owned() } else { format!("{file}r{}", 11 - file).replace("r0", "r") };
        let report = ask(&format!("6k5/12/12/12/12/12/12/12/{rook}/12/12/R5K4R w KQ - 0 1 -"));
        report
            .texts()
            .iter()
            .filter(|text| text.ends_with('o'))
            .map(|text| text[2..].to_owned())
            .collect::<Vec<_>>()
    };
    assert!(castlings(6).is_empty());
    assert_eq!(castlings(7), ["b1o", "c1o", "d1o", "e1o", "f1o"]);
    assert_eq!(castlings(9), ["b1o", "c1o", "d1o", "e1o", "f1o", "h1o", "i1o"]);
    // The rook may pass an attacked square, and be attacked.
    assert_eq!(castlings(11).len(), 9);
    assert_eq!(castlings(3), ["e1o", "f1o", "h1o", "i1o", "j1o", "k1o"]);
}

#[test]
fn r7_king_and_rook_unmoved() {
    let mut position = read("6k5/12/12/12/12/12/12/12/12/12/12/R5K4R w KQ - 0 1 -");
    for text in ["l1l2", "g12g11", "l2l1", "g11g12"] {
        position.play(position.parse_move(text).expect(text));
    }
    assert!(position.parse_move("g1h1o").is_err() && position.parse_move("g1f1o").is_ok());
    for text in ["g1g2", "g12g11", "g2g1", "g11g12"] {
        position.play(position.parse_move(text).expect(text));
    }
    assert!(position.parse_move("g1f1o").is_err());
    // A rook captured at home takes its right with it.
    let taken = ask("6k4r/12/12/12/12/12/12/12/12/12/12/R5K4R b KQ - 0 1 -");
    assert_eq!(field(taken.after("l12l1"), 2), "Q");
}

#[test]
fn r8_the_clock_restarts_on_captures_and_pawn_moves() {
    let report = board(&[("d4", 'R'), ("d8", 'p'), ("e2", 'P'), ("b8", 'C')]);
    let clock = |text: &str| field(report.after(text), CLOCK).to_owned();
    assert_eq!([clock("d4d5"), clock("l1l2"), clock("b8b9")], ["8", "8", "8"]);
    assert_eq!([clock("d4d8"), clock("e2e3"), clock("e2e6"), clock("b8d8")], ["0", "0", "0", "0"]);
}

#[test]
fn r8_the_unmoved_knights_belong_to_the_position() {
    let fen = "6k5/12/12/12/12/12/12/12/12/12/12/1N4K5 w - - 0 1 b1";
    let (unmoved, moved) = (read(fen), read(&fen.replace(" b1", " -")));
    assert!(unmoved != moved && unmoved.key() != moved.key());
    // The start position cannot recur after the knights have moved. The third occurrence is the
    // position with both knights out, after plies 2, 6 and 10. It is not the start after ply 8.
    let mut game = Game::new(Half::start(()));
    for ply in 1..=10 {
        assert_eq!(game.outcome(), None, "before ply {ply}");
        let text = ["c10b12", "b1c3", "b12c10", "c3b1"][ply % 4];
        game.push(game.position().parse_move(text).expect(text));
    }
    assert_eq!(game.outcome(), Some(Outcome::Repetition));
}

#[test]
fn r8_dead_positions() {
    let outcome = |pieces: &[(&str, char)]| board(pieces).outcome;
    assert_eq!(outcome(&[]), Some(Outcome::Dead));
    assert_eq!(outcome(&[("d4", 'B')]), Some(Outcome::Dead));
    assert_eq!(outcome(&[("d4", 'b')]), Some(Outcome::Dead));
    for alive in [
        [("d4", 'N')].as_slice(),
        &[("d4", 'G')],
        &[("d4", 'C')],
        &[("d4", 'P')],
        &[("d4", 'B'), ("f4", 'B')],
        &[("d4", 'B'), ("f4", 'b')],
    ] {
        assert_eq!(outcome(alive), None, "{alive:?}");
    }
}

#[test]
fn r9_refusals() {
    let names = |fen: &str, field: &str, part: &str| {
        let error = refused(fen);
        assert!(error.starts_with(&format!("FEN field {field}: ")) && error.contains(part), "{error}");
    };
    let with = |rest: &str| format!("1n4k3n1/12/12/12/12/12/12/12/12/12/12/1N4K5 {rest}");
    for good in ["-", "b1", "b1b12k12", "k12b1"] {
        read(&with(&format!("w - - 0 1 {good}")));
    }
    assert_eq!(field(&read(&with("w - - 0 1 k12b1")).to_string(), UNMOVED), "b1k12");
    names(&with("w - - 0 1 c1"), "unmoved knights", "c1 is not one of");
    names(&with("w - - 0 1 k1"), "unmoved knights", "no knight of White on k1");
    names(&with("w - - 0 1 b1b1"), "unmoved knights", "b1 occurs twice");
    names(&with("w - - 0 1 b1x"), "unmoved knights", "`x`");
    names(&with("w - - 0 1 é"), "unmoved knights", "`é`");
    names(&with("w - - 0 1"), "unmoved knights", "missing");
    names(&with("w - - 0 1 - -"), "end", "field too many");
    names(&with("w - - 0 1 b1").replace("1N4K5", "1n4K5"), "unmoved knights", "no knight of White on b1");
    names(&with("w K - 0 1 -"), "castling", "`K` without");
    names(&with("w q - 0 1 -"), "castling", "`q` without");
    names("6k5/12/12/12/12/12/12/12/12/12/12/6K4 w - - 0 1 -", "placement", "11 files");
    names("6k5/12/12/12/12/12/12/12/12/12/12/6K6 w - - 0 1 -", "placement", "more than 12");
    names("6k5/12/12/12/12/12/12/12/12/12/6K5 w - - 0 1 -", "placement", "11 ranks");
    names("6k5/12/12/12/12/12/12/12/12/12/12/6K4A w - - 0 1 -", "placement", "`A`");
    names("6k5/12/12/12/12/12/12/12/12/12/12/6K4P w - - 0 1 -", "placement", "pawn on rank 1");
    names("6k4P/12/12/12/12/12/12/12/12/12/12/6K5 w - - 0 1 -", "placement", "pawn on rank 12");
    names("12/12/12/12/12/12/12/12/12/12/12/6K5 w - - 0 1 -", "placement", "Black has 0 kings");
    // The side not to move is in check: by a Star Cat over others, by an unmoved knight's second leap.
    names("6k5/6p5/6p5/6S5/12/12/12/12/12/12/12/6K5 w - - 0 1 -", "placement", "not to move is in check");
    let leap = "6k5/12/12/12/12/12/12/3k8/12/12/12/1N4K5 w - - 0 1 b1".replacen("6k5", "12", 1);
    names(&leap, "placement", "not to move is in check");
    read(&leap.replace(" b1", " -"));
}

#[test]
fn r9_skipped_squares_may_come_in_any_order_and_need_not_be_all() {
    let fen =
        |squares: &str| corners(&[("e6", 'P'), ("d4", 'p'), ("f5", 'p')], &format!("b - {squares} 0 1 -"));
    for squares in ["e3e4", "e4e3", "e3e4e5", "e5e3e4", "e5", "e3", "e4"] {
        assert_eq!(field(&read(&fen(squares)).to_string(), EN_PASSANT), "e3e4", "{squares}");
    }
    // An en-passant square that no pawn can use is read and dropped.
    let quiet = corners(&[("e6", 'P')], "b - e3e4e5 0 1 -");
    assert_eq!(field(&read(&quiet).to_string(), EN_PASSANT), "-");
    for (squares, part) in [
        ("e2", "no pawn"),
        ("e6", "no pawn"),
        ("e7", "no pawn"),
        ("d3", "no pawn"),
        ("e3d3", "no pawn"),
        ("e3e3", "twice"),
        ("e3e", "`e`"),
        ("e13", "`e13`"),
    ] {
        let error = refused(&fen(squares));
        assert!(error.starts_with("FEN field en passant: ") && error.contains(part), "{squares}: {error}");
    }
    // The second rank and all that it skipped are empty.
    for stray in ["e2", "e3", "e5"] {
        let pieces = [("e6", 'P'), ("d4", 'p'), (stray, 'N')];
        assert!(refused(&corners(&pieces, "b - e4 0 1 -")).contains("no pawn"), "{stray}");
    }
}

#[test]
fn the_move_list_holds_a_board_full_of_star_cats() {
    // A search for many moves found this position. Another program counts 1,325 moves of Star Cats
    // too.
    let fen = "k3SSSSSSSK/ppSppSSpppSS/pSpSpppSpppS/pSppppSpppSp/SpppSpSpppSp/ppSppSpSpSpS/SppSpSpSpppS/pSSppSSpSpSp/\
               SpppSpppSppp/pSpppSpppSpS/pppSpppSpppS/SSSSSSSSSSSS w - - 0 1 -";
    let position = read(fen);
    let moves = position.legal_moves();
    let kings = moves.iter().filter(|mv| position.move_text(**mv).starts_with("l12")).count();
    assert_eq!((moves.len() - kings, moves.len()), (1_325, position.count_legal_moves()));
    assert!(moves.len() > 1_024 && moves.len() < MAX_MOVES);
}

#[test]
fn attacks_and_mobility_by_hand() {
    use catapult_rules::{Color, HalfPiece};
    // Cat d4 among own pawn d5 and enemy pawn e5; Guard b2; unmoved knight b1; a bishop on k1 behind the king's l2.
    let position = read("k11/12/12/12/12/12/12/3Pp7/3C8/12/1G9K/1N8B1 w - - 0 1 b1");
    let names = |kind| {
        let squares = position.attacks_of(Color::White, kind).into_iter();
        squares.map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(HalfPiece::Guard), "a1 b1 c1 a2 c2 a3 b3 c3");
    assert_eq!(names(HalfPiece::Knight), "d2 a3 c3 f3 d5");
    assert_eq!(names(HalfPiece::Pawn), "c6 e6");
    assert_eq!(position.attacks_of(Color::White, HalfPiece::Cat).count(), 16);
    // Guard 7 (b1 is its own), knight 4 (d5 is its own), Cat 14 (b2 and d5 are its own), bishop j2 to a11 ten squares, up
    // to the king none.
    assert_eq!(position.mobility(Color::White), 7 + 4 + 14 + 10);
    assert_eq!(position.mobility(Color::Black), 0);
}
