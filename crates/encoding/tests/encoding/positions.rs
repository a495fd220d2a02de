//! Tests of planes, globals and policy indices that were computed by hand.

use crate::common::Encoded;
use catapult_encoding::{Encode, PolicyIndex};
use catapult_rules::{AnyChess, AnyRules, Chess, ChessPp, ChessPpProposals, Position, Proposals, Standard};

fn chesspp(fen: &str) -> ChessPp {
    ChessPp::from_fen(fen, Default::default()).expect("a legal FEN")
}

fn index<P: Encode>(position: &P, text: &str) -> PolicyIndex {
    position.policy_index(position.parse_move(text).expect("a legal move"), false)
}

fn square(name: &str) -> u16 {
    let name = name.as_bytes();
    u16::from(name[1] - b'1') * 8 + u16::from(name[0] - b'a')
}

#[test]
fn the_start_of_chesspp() {
    let start = Encoded::new(&ChessPp::start(Default::default()), 0, false);
    let planes = [
        ("own pawns", "a2 b2 c2 d2 e2 f2 g2 h2"),
        ("own king", "e1"),
        ("enemy queens", "d8"),
        ("own catapults", "b1 f1"),
        ("enemy catapults", "b8 f8"),
        ("own fresh catapults", "b1 f1"),
        ("enemy fresh catapults", "b8 f8"),
        ("en passant", ""),
        // Knight b1 and bishop f1 each occupy the other's destination.
        ("own teleports", ""),
        ("own pawn attacks", "a3 b3 c3 d3 e3 f3 g3 h3"),
        // All of the first rank except a1 and h1; b1 and f1 by teleport too.
        ("own attacks", "b1 c1 d1 e1 f1 g1 a2 b2 c2 d2 e2 f2 g2 h2 a3 b3 c3 d3 e3 f3 g3 h3"),
        ("own catapult steps", ""),
        ("checkers", ""),
        ("own hanging", ""),
        ("enemy threatened", ""),
    ];
    for (plane, squares) in planes {
        assert_eq!(start.squares(plane), squares, "{plane}");
    }
    assert!((0..64).all(|square| start.value("board", square) == 1.0));
    for (square, rank) in [(0, 0.0), (7, 0.0), (56, 1.0), (24, 3.0 / 7.0)] {
        assert!((start.value("rank", square) - rank).abs() < 0.002, "{square}");
    }
    let ones = ["own castling, king's side", "enemy castling, queen's side", "rule catapults", "material"];
    for (name, &value) in std::iter::zip(Chess::global_names(), &start.globals) {
        let one = ones.contains(&name.as_str()) || name.contains("castling");
        assert_eq!(value, f32::from(u8::from(one)), "{name}");
    }
}

#[test]
fn a_middle_game_of_chesspp() {
    // White: king g1, queen d1, rook a1, knight f3 on catapult f3, pawn e5; catapults f3 and c6
    // (fresh, below an enemy knight). Black: king g8, rook f8, knight c6, pawns d5 (just
    // double-stepped), f7, g7; catapults h2 and b8 (fresh).
    let position = chesspp("5rk1/5pp1/2n5/3pP3/8/5N2/8/R2Q2K1 w - d6 14 30 c6*f3/b8*h2");
    let white = Encoded::new(&position, 0, false);
    let planes = [
        ("own catapults", "f3 c6"),
        ("own fresh catapults", "c6"),
        ("enemy catapults", "h2 b8"),
        ("enemy fresh catapults", "b8"),
        ("en passant", "d6"),
        // The knight on f3 teleports to c6 and takes the knight there.
        ("own teleports", "c6"),
        ("enemy teleports", ""),
        // The catapult on c6 is under a knight, that on f3 under the own one.
        ("own catapult steps", ""),
        // From b8 within two squares, leaping, but not onto the knight c6; from h2 one step, but
        // not onto the king.
        ("enemy catapult steps", "h1 g2 g3 h3 a6 b6 d6 a7 b7 c7 d7 a8 c8 d8"),
        // The queen attacks d5, which nothing defends. c6 is attacked by teleport and not defended.
        ("enemy hanging", "d5 c6"),
        // e5 is attacked by the knight c6 and defended by the knight f3.
        ("own hanging", ""),
        ("enemy threatened", ""),
        ("own threatened", ""),
        ("checkers", ""),
        ("own pawn attacks", "d6 f6"),
        ("enemy pawn attacks", "c4 e4 e6 f6 g6 h6"),
    ];
    for (plane, squares) in planes {
        assert_eq!(white.squares(plane), squares, "{plane}");
    }
    let globals = [
        ("clock", 0.14),
        ("pawns ahead", -0.5),
        ("knights ahead", 0.0),
        ("rooks ahead", 0.0),
        ("queens ahead", 1.0),
        ("catapults ahead", 0.0),
        // White 900 + 500 + 300 + 100, Black 500 + 300 + 300.
        ("material", 2900.0 / 7800.0),
        ("own catapults held", 0.5),
        ("enemy catapults held", 0.0),
        ("in check", 0.0),
        ("own castling, king's side", 0.0),
    ];
    for (name, value) in globals {
        assert!((white.global(name) - value).abs() < 1e-6, "{name}: {}", white.global(name));
    }
}

#[test]
fn check_by_teleport_and_threats() {
    // The white rook a1 could teleport to e8, where the black king stands on a white catapult. The
    // pawn c3 and the knight e2 attack Black's queen d4; the bishop g4 attacks Black's rook h5.
    let position = chesspp("4k3/8/8/7r/3q2B1/2P5/4N3/RK6 b - - 0 1 a1e8/-");
    let black = Encoded::new(&position, 2, false);
    assert_eq!(black.squares("checkers"), "a8");
    assert_eq!(black.global("in check"), 1.0);
    assert_eq!((black.global("seen once"), black.global("seen twice")), (1.0, 1.0));
    assert_eq!(black.squares("own threatened"), "h4 d5");
    // Seen from Black the rook h5 is on h4, the queen d4 on d5.
    assert_eq!(black.squares("own king"), "e1");
    assert_eq!(black.squares("enemy teleports"), "e1");
}

#[test]
fn repetitions_set_their_flags() {
    let start = Chess::start(Standard);
    for (repetitions, flags) in [(0, (0.0, 0.0)), (1, (1.0, 0.0)), (2, (1.0, 1.0)), (3, (1.0, 1.0))] {
        let encoded = Encoded::new(&start, repetitions, false);
        assert_eq!((encoded.global("seen once"), encoded.global("seen twice")), flags);
    }
    assert_eq!(Encoded::new(&start, 0, false).global("rule catapults"), 0.0);
}

#[test]
fn rule_flags_name_their_rules() {
    for proposal in Proposals::ALL {
        let encoded = Encoded::new(&ChessPpProposals::start(proposal.set), 0, false);
        for other in Proposals::ALL {
            let flag = encoded.global(&format!("rule {}", other.name));
            assert_eq!(flag == 1.0, other == proposal, "{}, {}", proposal.name, other.name);
        }
        assert_eq!(encoded.global("rule catapults"), 1.0);
    }
    let free = Encoded::new(&ChessPpProposals::start(Proposals::FREE.with(Proposals::THIRD)), 0, false);
    assert_eq!(free.global("own catapults to place"), 1.0);
}

/// Returns the globals of a position that the layout added after the first 25 globals, if they are
/// not 0.
fn options(variant: &str, fen: &str) -> Vec<(String, f32)> {
    let rules = AnyRules::of(variant.parse().unwrap()).unwrap();
    let position = AnyChess::from_fen(fen, rules).unwrap();
    let encoded = Encoded::new(&position, 0, false);
    let all = std::iter::zip(Chess::global_names(), encoded.globals).skip(25);
    all.filter(|(_, value)| *value != 0.0).collect()
}

#[test]
fn of_four_catapults_some_teleports_share_a_plane() {
    let rules = AnyRules::of("chesspp+catapults=b1c1f1g1".parse().unwrap()).unwrap();
    let position = AnyChess::from_fen("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1 b1d4e5g4/-", rules).unwrap();
    let planes = ["b1d4t", "b1g4t", "b1e5t"].map(|text| index(&position, text).plane);
    assert_eq!(planes, [100, 101, 101]);
}

#[test]
fn options_have_globals() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 30 9 a3/h5";
    for (option, name, value) in [
        ("bare", "rule bare", 1.0),
        ("block", "rule block", 1.0),
        ("castle", "rule castle", 1.0),
        ("peaceful", "rule peaceful", 1.0),
        ("restart", "rule restart", 1.0),
        ("safe", "rule safe", 1.0),
        ("still", "rule still", 1.0),
        ("catapults=b1", "catapults at most", -0.5),
        ("catapults=b1c1f1", "catapults at most", 0.5),
        ("catapults=b1c1f1g1", "catapults at most", 1.0),
        ("first=0", "first catapult move", -2.0),
        ("first=1", "first catapult move", -1.0),
        ("later=0", "later catapult moves", -1.0),
        ("later=2", "later catapult moves", 1.0),
        ("teleport=BRQK", "no knight teleports", 1.0),
        ("teleport=NBRQ", "no king teleports", 1.0),
    ] {
        // Under `+bare` only White has pawns and so catapults.
        let fen = if option == "bare" { "4k3/8/8/8/8/8/4P3/4K3 b - - 30 9 a3/-" } else { fen };
        let found = options(&format!("chesspp+{option}"), fen);
        assert_eq!(found, [(name.to_owned(), value)], "{option}");
    }
    // -40 / 160, and 30 / 60 - 30 / 100.
    let expected = [("half-move limit".to_owned(), -0.25), ("clock of the limit".to_owned(), 0.2)];
    let found = options("chesspp+fifty=60", fen);
    assert!(
        std::iter::zip(&found, &expected).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-6),
        "{found:?}"
    );
    assert_eq!(found.len(), 2);
    assert_eq!(options("chesspp+teleport=-", fen).len(), 5);
    // Black is to move: White's catapults rest.
    let rest = options("chesspp+still", &format!("{fen} w"));
    assert_eq!(rest, [("rule still".to_owned(), 1.0), ("enemy catapults rest".to_owned(), 1.0)]);
    let rest = options("chesspp+still", &format!("{fen} b"));
    assert_eq!(rest[1], ("own catapults rest".to_owned(), 1.0));
    // Black is to move and has 3 catapult moves left, White none.
    let left = options("chesspp+moves=5", &format!("{fen} 0/3"));
    let expected = [("own catapult moves used up", 0.25), ("enemy catapult moves used up", 1.0)];
    assert_eq!(left, expected.map(|(name, value)| (name.to_owned(), value)));
    for variant in ["chess", "chesspp", "chesspp+free+instant+pawns+promote+third"] {
        assert_eq!(options(variant, "4k3/8/8/8/8/8/4P3/4K3 b - - 130 99"), [], "{variant}");
    }
}

#[test]
fn indices_of_ordinary_moves() {
    let white = Chess::start(Standard);
    assert_eq!(index(&white, "e2e4"), PolicyIndex { plane: 1, square: square("e2"), to: square("e4") });
    assert_eq!(index(&white, "g1f3"), PolicyIndex { plane: 63, square: square("g1"), to: square("f3") });
    assert_eq!(index(&white, "g1h3"), PolicyIndex { plane: 56, square: square("g1"), to: square("h3") });
    let mut black = white;
    black.play(white.parse_move("e2e4").unwrap());
    assert_eq!(index(&black, "e7e5"), index(&white, "e2e4"));
    assert_eq!(index(&black, "g8f6"), index(&white, "g1f3"));
    let mirrored = black.policy_index(black.parse_move("e7e5").unwrap(), true);
    assert_eq!(mirrored, PolicyIndex { plane: 1, square: square("d2"), to: square("d4") });
}

#[test]
fn indices_of_promotions() {
    let position = Chess::from_fen("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", Standard).unwrap();
    // Straight on by one square: direction 0; diagonally to the right: direction 1.
    for (text, plane) in [
        ("a7a8q", 0),
        ("a7b8q", 7),
        ("a7a8n", 64 + 3),
        ("a7a8b", 64 + 4),
        ("a7a8r", 64 + 5),
        ("a7b8n", 64 + 6),
        ("a7b8r", 64 + 8),
    ] {
        assert_eq!(index(&position, text).plane, plane, "{text}");
        assert_eq!(index(&position, text).square, square("a7"));
    }
}

#[test]
fn indices_of_castling_catapults_and_teleports() {
    let position = chesspp("rn1qkbnr/pppppppp/8/8/8/N7/PPPPPPPP/R1BQK2R w KQkq - 0 1 b1*f1*/b8*f8*");
    // Two squares to the right: direction 2, distance 2.
    assert_eq!(index(&position, "e1g1").plane, 2 * 7 + 1);
    // The catapult f1 moves two files left and two ranks up: the last row of offsets, first column.
    assert_eq!(
        index(&position, "f1d3"),
        PolicyIndex { plane: 76 + 19, square: square("f1"), to: square("d3") }
    );
    assert_eq!(index(&position, "f1h3").plane, 76 + 23);
    assert_eq!(index(&position, "b1b3").plane, 76 + 21);
    let teleport = chesspp("rn1qkbnr/pppppppp/8/8/8/N7/PPPPPPPP/R1BQKB1R w KQkq - 0 1 b1*f1*/b8*f8*");
    assert_eq!(index(&teleport, "f1b1t"), PolicyIndex { plane: 100, square: square("f1"), to: square("b1") });
}

#[test]
fn the_longest_lines_have_their_planes() {
    let position = Chess::from_fen("8/2k5/8/8/8/8/8/Q6K w - - 0 1", Standard).unwrap();
    assert_eq!(index(&position, "a1h8").plane, 7 + 6);
    let position = Chess::from_fen("7Q/8/8/8/8/1k6/8/7K w - - 0 1", Standard).unwrap();
    assert_eq!(index(&position, "h8a1").plane, 5 * 7 + 6);
    assert_eq!(index(&position, "h8a8").plane, 6 * 7 + 6);
    assert_eq!(index(&position, "h8h2").plane, 4 * 7 + 5);
}

#[test]
#[should_panic(expected = "room for the planes")]
fn a_slice_of_another_length_is_refused() {
    let mut planes = vec![half::bf16::ZERO; 64 * 31];
    Chess::start(Standard).encode(0, false, &mut planes, &mut [0.0; 40]);
}

#[test]
fn the_clock_never_exceeds_one() {
    for (clock, expected) in [(0, 0.0), (50, 0.5), (100, 1.0), (101, 1.0), (65535, 1.0)] {
        let fen = format!("8/2k5/8/8/8/8/8/Q6K w - - {clock} 1");
        let position = Chess::from_fen(&fen, Standard).unwrap();
        assert_eq!(Encoded::new(&position, 0, false).global("clock"), expected, "{clock}");
    }
}
