//! Tests of each numbered rule of Chess++ in positions worked out by hand. A test fails if its rule
//! is removed from the engine.

use crate::common::{CASTLING, CATAPULTS, CLOCK, ask, field};
use catapult_rules::{ChessMove, ChessMoveKind, ChessPp, Color, Game, Outcome, Plain, Position};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

const PP: &str = "chesspp";

#[test]
fn r01_catapult_moves_one_square_to_an_empty_one_without_catapult() {
    // Round d4: a black pawn on c5, an own catapult on d5, an enemy one on e5.
    let report = ask(PP, "4k3/8/8/2p5/8/8/8/4K3 w - - 0 1 d4d5/e5");
    assert_eq!(report.of("d4"), ["d4c3", "d4c4", "d4d3", "d4e3", "d4e4"]);
}

#[test]
fn r02_no_catapult_moves_under_a_piece_of_either_colour() {
    let report = ask(PP, "4k3/8/8/3p4/3K4/8/8/8 w - - 0 1 d4d5/-");
    assert!(report.of("d5").is_empty());
    assert_eq!(report.of("d4").len(), 6, "the king moves, not the catapult: {:?}", report.texts());
    assert!(report.of("d4").iter().all(|text| field(report.after(text), CATAPULTS) == "d4d5/-"));
}

#[test]
fn r03_first_move_leaps_within_two_files_and_ranks() {
    assert_eq!(ask(PP, "7k/8/8/8/8/8/8/7K w - - 0 1 d4*/-").of("d4").len(), 24);
    assert_eq!(ask(PP, "7k/8/8/8/8/8/8/7K w - - 0 1 d4/-").of("d4").len(), 8);
    // Over a wall of pawns, as a knight leaps.
    let report = ask(PP, "7k/8/8/2ppp3/2p1p3/2ppp3/8/7K w - - 0 1 d4*/-");
    assert_eq!(report.of("d4").len(), 16);
    assert_eq!(field(report.after("d4e6"), CATAPULTS), "e6/-", "the first move is over");
    // One square is a first move too; carrying a teleport is none.
    assert_eq!(field(ask(PP, "7k/8/8/8/8/8/8/7K w - - 0 1 d4*/-").after("d4d5"), CATAPULTS), "d5/-");
    let carried = ask(PP, "6k1/8/8/8/8/8/8/B6K w - - 0 1 a1*b1*/-");
    assert_eq!(field(carried.after("a1b1t"), CATAPULTS), "a1*b1*/-");
}

#[test]
fn r04_a_catapult_move_is_a_full_turn_written_from_to() {
    let start = ask(PP, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 b1*f1*/b8*f8*");
    // b1 and f1 are occupied: the knight moves.
    assert_eq!(start.of("b1"), ["b1a3", "b1c3"]);
    let fen = start.after("b1c3");
    assert_eq!(field(fen, CATAPULTS), "b1*f1*/b8*f8*");
    let report = ask(PP, "rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 0 2 b1*f1*/b8*f8*");
    let after = report.after("b1b3");
    assert_eq!(after, "rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR b KQkq - 1 2 b3f1*/b8*f8*");
}

#[test]
fn r05_catapult_moves_are_legal_exactly_when_not_in_check() {
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let (mut in_check, mut free) = (0, 0);
    for _ in 0..200 {
        let mut position = ChessPp::start(Plain);
        while position.outcome().is_none() && position.fullmove_number() < 60 {
            let moves = position.legal_moves();
            let side = position.side_to_move();
            let taken =
                position.occupied() | position.catapults(Color::White) | position.catapults(Color::Black);
            let listed =
                moves.iter().filter(|mv| ChessMove::of(**mv).kind == ChessMoveKind::Catapult).count();
            // Counted on the board: neighbours, or for a fresh catapult all within two.
            let mut expected = 0;
            for from in position.catapults(side) & !position.occupied() {
                let reach = if position.fresh_catapults(side).has(from) { 2 } else { 1 };
                expected += catapult_rules::Square::all()
                    .filter(|to| *to != from && !taken.has(*to))
                    .filter(|to| {
                        to.file().abs_diff(from.file()) <= reach && to.rank().abs_diff(from.rank()) <= reach
                    })
                    .count();
            }
            if position.in_check() {
                in_check += expected;
                expected = 0;
            } else {
                free += expected;
            }
            assert_eq!(listed, expected, "{position}");
            position.play(*moves.choose(&mut random).unwrap());
        }
    }
    assert!(in_check > 100 && free > 1000, "both cases came up: {in_check}, {free}");
}

#[test]
fn r06_unoccupied_catapults_are_no_obstacle() {
    let report = ask(PP, "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1 a3/a5e3");
    assert!(report.has("a1a3") && report.has("a1a5") && report.has("a1a8"), "{:?}", report.of("a1"));
    assert!(report.has("e2e3") && report.has("e2e4"));
    // An occupied catapult blocks as its piece does.
    let report = ask(PP, "4k3/8/8/p7/8/N7/8/R3K3 w - - 0 1 a3/a5");
    assert_eq!(report.of("a1a"), ["a1a2"]);
}

#[test]
fn r07_en_passant_whatever_catapults_lie_there() {
    for catapults in ["d6d5/a1", "a1/d6d5", "e5/d7", "-"] {
        let report = ask(PP, &format!("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1 {catapults}"));
        let after = report.after("e5d6");
        assert!(after.starts_with("4k3/8/3P4/8/8/8/8/4K3 b - - 0 1"), "{after}");
    }
}

#[test]
fn r08_teleport_to_the_own_other_catapult_with_capture() {
    let report = ask(PP, "4k3/8/8/7r/8/8/8/N3K3 w - - 3 7 a1h5/-");
    assert_eq!(report.after("a1h5t"), "4k3/8/8/7N/8/8/8/4K3 b - - 0 7 a1h5/-");
    // Not onto an own piece, and only from an own catapult.
    assert!(!ask(PP, "4k3/8/8/7R/8/8/8/N3K3 w - - 0 1 a1h5/-").has("a1h5t"));
    assert!(!ask(PP, "4k3/8/8/7r/8/8/8/N3K3 w - - 0 1 b1h5/-").has("a1h5t"));
    // At any distance, over anything. If an ordinary move leads to the same position, the move is
    // written as ordinary.
    let report = ask(PP, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 a1a5/-");
    assert!(report.has("a1a5") && !report.has("a1a5t"));
}

#[test]
fn r09_own_catapults_only_and_no_pawns() {
    assert!(!ask(PP, "4k3/8/8/8/8/8/8/N3K3 w - - 0 1 -/a1h5").has("a1h5t"));
    assert!(!ask(PP, "4k3/8/8/8/8/8/P7/4K3 w - - 0 1 a2h5/-").has("a2h5t"));
    // A pawn on a catapult does not threaten: the king on the other one is not in check.
    assert!(!ask(PP, "4k3/8/8/8/8/8/p7/4K3 w - - 0 1 -/a2e1").check);
    assert!(ask(PP, "4k3/8/8/8/8/8/n7/4K3 w - - 0 1 -/a2e1").check);
    // Promoted on a catapult: it threatens at once and teleports from its next turn.
    let fen = ask(PP, "7k/P7/8/8/8/8/8/4K3 w - - 0 1 a8h5/-").after("a7a8n").to_owned();
    let next = ask(PP, &fen).after("h8g8").to_owned();
    assert!(ask(PP, &next).has("a8h5t"));
}

#[test]
fn r10_a_teleport_is_a_threat() {
    // By a king, and by a pinned piece.
    assert!(ask(PP, "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1 -/d5e1").check);
    let pinned = ask(PP, "4k3/4n3/8/8/8/8/4R3/K7 w - - 0 1 -/a1e7");
    assert!(pinned.check);
    // A check by teleport can't be blocked: the king goes, or the giver is taken.
    assert_eq!(pinned.texts(), ["a1a2", "a1b1", "a1b2", "e2e7"]);
    // The giver may also be the pinner of the piece that takes it.
    assert!(ask(PP, "r3k2r/5b2/4P1B1/8/8/2p5/8/R3K2b b Qkq - 25 37 e8g6*/c3*").has("f7g6"));
    // The king may not capture on a catapult that a far piece guards.
    assert!(!ask(PP, "4k3/8/8/8/8/8/6n1/n6K w - - 0 1 -/a1g2").has("h1g2"));
    assert!(ask(PP, "4k3/8/8/8/8/8/6n1/n6K w - - 0 1 -/b1g2").has("h1g2"));
    // Nor step onto one.
    assert!(!ask(PP, "4k3/8/8/8/8/8/8/n6K w - - 0 1 -/a1g2").has("h1g2"));
}

#[test]
fn r11_interposing_own_king_and_castling_rights() {
    let report = ask(PP, "4r2k/8/8/8/8/8/8/N3K3 w - - 0 1 a1e4/-");
    assert!(report.check && report.has("a1e4t"));
    // A teleport that leaves the king in check is not legal.
    assert!(!ask(PP, "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1 e2a4/-").has("e2a4t"));
    assert!(ask(PP, "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1 e2e5/-").has("e2e5t"), "along the pin");
    assert!(ask(PP, "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1 e2e8/-").has("e2e8t"), "onto the pinner itself");
    let two = ask(PP, "k3r3/4r3/8/8/4N3/8/8/4K3 w - - 0 1 e4e7/-");
    assert!(two.has("e4e7t"), "onto the pinner, which has another behind it");
    // Behind the king it is not on the pin any more.
    assert!(!ask(PP, "4r2k/4N3/8/4K3/8/8/8/8 w - - 0 1 e7e2/-").has("e7e2t"));
    // Rights: the king's, the rook's, and those of a rook captured at home.
    let report = ask(PP, "r3k2r/8/8/8/8/8/P7/R3K2R w KQkq - 0 1 e1c4/-");
    assert_eq!(field(report.after("e1c4t"), CASTLING), "kq");
    let report = ask(PP, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 h1c4/-");
    assert_eq!(field(report.after("h1c4t"), CASTLING), "Qkq");
    let report = ask(PP, "r3k2r/8/8/8/3P4/8/8/Q3K3 w kq - 0 1 a1h8/-");
    assert_eq!(field(report.after("a1h8t"), CASTLING), "q");
}

/// Returns two flags: White may castle kingside, and White may castle queenside.
#[track_caller]
fn castles(fen: &str) -> (bool, bool) {
    let report = ask(PP, fen);
    (report.has("e1g1"), report.has("e1c1"))
}

#[test]
fn r12_castling_b_file() {
    // An enemy that could teleport to b1, pinned or not, a king too.
    assert_eq!(castles("4k3/4n3/8/8/8/8/4R3/R3K2R w KQ - 0 1 -/b1e7"), (true, false));
    assert_eq!(castles("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 -/b1e8"), (true, false));
    // No piece on the other catapult, or only a pawn: no bar.
    assert_eq!(castles("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 -/b1e7"), (true, true));
    assert_eq!(castles("4k3/4p3/8/8/8/8/8/R3K2R w KQ - 0 1 -/b1e7"), (true, true));
    // An ordinary attack on b1 bars nothing.
    assert_eq!(castles("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 -/b1a8"), (true, true));
    // Black's b8 likewise.
    let report = ask(PP, "r3k2r/8/8/8/8/8/4N3/4K3 b kq - 0 1 b8e2/-");
    assert!(report.has("e8g8") && !report.has("e8c8"), "{:?}", report.of("e8"));
}

#[test]
fn r12_castling_over_catapults() {
    // Own unoccupied catapults never hinder.
    assert_eq!(castles("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 b1f1/-"), (true, true));
    assert_eq!(castles("4k3/4n3/8/8/8/8/4R3/R3K2R w KQ - 0 1 -/g1e7"), (false, true));
    // An ordinary attack on d1 bars.
    assert_eq!(castles("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), (true, false));
    // A catapult under the rook is not between.
    assert_eq!(castles("4k3/4n3/8/8/8/8/4R3/R3K2R w KQ - 0 1 -/a1e7"), (true, true));
    // In check, and with a piece between.
    assert_eq!(castles("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1"), (false, false));
    assert_eq!(castles("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1"), (false, false));
}

#[test]
fn r13_all_catapults_under_enemy_pieces_are_captured() {
    let list = |fen: &str, text: &str| field(ask(PP, fen).after(text), CATAPULTS).to_owned();
    // By a pawn's push onto the last of two; not while one is free or under another's piece.
    assert_eq!(list("4k3/8/8/8/8/N7/6P1/4K3 w - - 0 1 -/a3g3", "g2g3"), "-");
    assert_eq!(list("4k3/8/8/8/8/8/6P1/4K3 w - - 0 1 -/a3g3", "g2g3"), "-/a3g3");
    assert_eq!(list("4k3/8/8/8/8/n7/6P1/4K3 w - - 0 1 -/a3g3", "g2g3"), "-/a3g3");
    // A lone catapult, by a king.
    assert_eq!(list("4k3/8/8/8/8/8/6P1/4K3 w - - 0 1 a1/d1*", "e1d1"), "a1/-");
    // Completed by castling, promotion, en passant.
    assert_eq!(list("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 -/f1g1", "e1g1"), "-");
    assert_eq!(list("7k/P7/8/8/8/8/8/4K3 w - - 0 1 -/a8e1", "a7a8n"), "-");
    assert_eq!(list("4k3/8/8/3pP3/8/8/8/2R1K3 w - d6 0 1 -/c1d6", "e5d6"), "-");
    // Own catapults under own pieces are not captured.
    assert_eq!(list("4k3/8/8/8/8/N7/6P1/4K3 w - - 0 1 a3g3/-", "g2g3"), "a3g3/-");
    // Black captures White's.
    assert_eq!(list("4k3/6p1/8/8/8/8/8/4K3 b - - 0 1 e8g6/-", "g7g6"), "-");
}

#[test]
fn r14_clock() {
    let clock = |fen: &str, text: &str| field(ask(PP, fen).after(text), CLOCK).to_owned();
    assert_eq!(clock("4k3/8/8/8/8/8/8/N3K3 w - - 7 9 a1h5/-", "a1h5t"), "8");
    assert_eq!(clock("4k3/8/8/8/8/8/8/N3K3 w - - 7 9 b1h5/-", "b1b2"), "8");
    assert_eq!(clock("4k3/8/8/7r/8/8/8/N3K3 w - - 7 9 a1h5/-", "a1h5t"), "0");
    assert_eq!(clock("4k3/8/8/8/8/8/8/N3K3 w - - 7 9 -/b3", "a1b3"), "0", "catapults captured");
    assert_eq!(clock("4k3/8/8/8/8/8/8/N3K3 w - - 7 9 -/b3c3", "a1b3"), "8");
    assert_eq!(clock("4k3/8/8/8/8/8/P7/4K3 w - - 7 9 -", "a2a3"), "0");
}

#[test]
fn r15_catapults_belong_to_the_position() {
    let read = |fen: &str| ChessPp::from_fen(fen, Plain).unwrap();
    let base = read("4k3/8/8/8/8/8/8/R3K3 w - - 0 1 a2b2/-");
    for other in ["a2b3/-", "a2*b2/-", "a2/b2", "-/a2b2", "-", "a2/-"] {
        let other = read(&format!("4k3/8/8/8/8/8/8/R3K3 w - - 0 1 {other}"));
        assert_ne!(base, other);
        assert_ne!(base.key(), other.key(), "{other}");
    }
    let same = read("4k3/8/8/8/8/8/8/R3K3 w - - 31 17 b2a2/-");
    assert_eq!((base, base.key()), (same, same.key()), "the counters do not count");
    // Kings move to and fro, but a catapult moved in the meantime, so the position is not repeated.
    let mut game = Game::new(base);
    let mut play = |texts: &str| {
        for text in texts.split(' ') {
            let mv = game.position().parse_move(text).unwrap();
            game.push(mv);
        }
        game.repetitions()
    };
    assert_eq!(play("e1e2 e8e7 e2e1 e7e8"), 1);
    assert_eq!(play("b2b3 e8e7 e1e2 e7e8 e2e1 e8e7"), 1, "since the catapult moved");
    assert_eq!(play("b3b2 e7e8"), 2, "it is back");
    assert_eq!(game.outcome(), Some(Outcome::Repetition));
}

#[test]
fn r15_positions_before_a_pawn_move_or_a_capture_are_forgotten() {
    let start = ChessPp::from_fen("4k3/p7/8/8/2n5/8/3P4/R3K3 w Q - 0 1 a2b2/-", Plain).unwrap();
    let mut game = Game::new(start);
    let mut kept = |texts: &str| {
        for text in texts.split(' ') {
            game.push(game.position().parse_move(text).unwrap());
        }
        game.repetition_keys().to_vec()
    };
    let pieces_and_catapults = kept("e1e2 e8e7 e2e1 e7e8 b2b3");
    assert_eq!((pieces_and_catapults.len(), pieces_and_catapults[0]), (5, start.key()), "these can go back");
    assert_eq!(kept("e8e7 d2d3").len(), 0, "a pawn move");
    assert_eq!(kept("c4b6").len(), 1);
    assert_eq!(kept("a1a7").len(), 0, "a capture");
    assert_eq!(kept("e7e8").len(), 1);
}

#[test]
fn promotions_alone_are_moves_too() {
    // The king can't move; a pinned pawn may only take its pinner.
    for (fen, moves) in [
        ("4k3/P7/8/8/8/8/5q2/7K w - - 0 1", ["a7a8b", "a7a8n", "a7a8q", "a7a8r"]),
        ("2b5/1P6/K7/7r/8/8/8/4k1b1 w - - 0 1", ["b7c8b", "b7c8n", "b7c8q", "b7c8r"]),
    ] {
        let report = ask("chess", fen);
        assert_eq!(report.outcome, None, "{fen}");
        assert_eq!(report.texts(), moves, "{fen}");
    }
}

#[test]
fn r16_dead_positions() {
    let outcome = |variant: &str, fen: &str| ask(variant, fen).outcome;
    let dead = Some(Outcome::Dead);
    for board in ["8/8/4k3/8/8/3K4/8/8", "8/8/4k3/8/8/3KB3/8/8", "8/8/4k3/8/8/3KN3/8/8"] {
        assert_eq!(outcome(PP, &format!("{board} w - - 0 1 -")), dead, "{board}");
        assert_eq!(outcome("chess", &format!("{board} w - - 0 1")), dead, "{board}");
    }
    // With catapults, only bare kings are dead, unless a side has three catapults.
    assert_eq!(outcome(PP, "8/8/4k3/8/8/3K4/8/8 w - - 0 1 a1b1/c1"), dead);
    assert_eq!(outcome(PP, "8/8/4k3/8/8/3KN3/8/8 w - - 0 1 a1/-"), None);
    assert_eq!(outcome(PP, "8/8/4k3/8/8/3KB3/8/8 w - - 0 1 -/a1"), None);
    assert_eq!(outcome("chesspp+third", "8/8/4k3/8/8/3K4/8/8 w - - 0 1 a1b1c1/-"), None);
    assert_eq!(outcome("chesspp+third", "8/8/4k3/8/8/3K4/8/8 w - - 0 1 a1b1/c1d1"), dead);
    // Bishops on one colour are dead, on two colours not. Two knights and a pawn are not.
    assert_eq!(outcome(PP, "8/5b2/4k3/8/8/3KB3/2B5/8 w - - 0 1"), None, "c2 is light, e3 dark");
    assert_eq!(outcome(PP, "8/4kb2/8/8/2B5/3B4/8/K7 w - - 0 1"), dead, "c4, d3 and f7 are light");
    assert_eq!(outcome(PP, "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1"), None);
    assert_eq!(outcome(PP, "8/8/4k1n1/8/8/3KN3/8/8 w - - 0 1"), None);
    assert_eq!(outcome(PP, "8/8/4k3/8/8/3KP3/8/8 w - - 0 1"), None);
    // Mate comes first: three catapults, bare kings.
    assert_eq!(outcome("chesspp+third", "k7/8/1K6/8/8/8/8/8 b - - 0 1 a8b6b8/-"), Some(Outcome::Checkmate));
}
