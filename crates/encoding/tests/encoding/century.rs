//! Tests of the encoding of Twenty-First Century Chess: inputs and indices computed by hand, and
//! invariants.

use crate::common::grid::{Encoded, random_games, read};
use crate::common::indices;
use catapult_encoding::Encode;
use catapult_rules::century::Square;
use catapult_rules::{Century, Color, Position};

/// Calls `visit` with all positions of 12 random games.
fn everywhere(visit: impl FnMut(&Century)) {
    random_games(12, 150, visit);
}

#[test]
fn the_start() {
    let start = Encoded::new(&Century::start(()), false);
    for (plane, expected) in [
        ("own Barons", "d1 g1"),
        ("enemy kings", "f8"),
        ("own Jesters", ""),
        ("own pawn attacks", "a3 b3 c3 d3 e3 f3 g3 h3 i3 j3"),
        ("enemy pawn attacks", "a6 b6 c6 d6 e6 f6 g6 h6 i6 j6"),
        ("checkers", ""),
        ("en passant", ""),
        ("own hanging", ""),
    ] {
        assert_eq!(start.squares(plane), expected, "{plane}");
    }
    assert_eq!(start.squares("board").split(' ').count(), 80);
    for (name, value) in [
        ("own castling, king's side", 1.0),
        ("clock", 0.0),
        ("seen once", 1.0),
        ("seen twice", 0.0),
        ("material", 1.0),
        ("Barons ahead", 0.0),
        ("own right to declare", 1.0),
    ] {
        assert_eq!(start.global(name), value, "{name}");
    }
}

#[test]
fn a_position_as_black_sees_it() {
    // Black to move can take on e3 with the Jester; its Baron on b4 hangs.
    let black = Encoded::new(&read::<Century>("5k4/10/10/10/1a1jP5/P9/10/R4K4 b Q e3 40 9 J"), false);
    for (plane, expected) in [
        ("own Jesters", "d5"),
        ("own Barons", "b5"),
        ("en passant", "e6"),
        ("enemy pawns", "e5 a6"),
        ("own hanging", "b5"),
        ("enemy kings", "f8"),
    ] {
        assert_eq!(black.squares(plane), expected, "{plane}");
    }
    assert_eq!([black.global("clock"), black.global("Barons ahead")], [0.4, 0.5]);
    assert_eq!([black.global("own right to declare"), black.global("enemy right to declare")], [0.0, 1.0]);
    assert_eq!(
        [black.global("own castling, queen's side"), black.global("enemy castling, queen's side")],
        [0.0, 1.0]
    );
}

#[test]
fn indices_worked_by_hand() {
    let start = Century::start(());
    let plane = |position: &Century, text: &str| {
        position.policy_index(position.parse_move(text).expect("a legal move"), false).plane
    };
    // Nine steps per direction; leaps from 72; declarations from 80: left, ahead, right, two ahead.
    let planes = ["e2e3", "e2e4", "b1c3", "e2d3j", "e2e3j", "e2f3j", "e2e4j"].map(|text| plane(&start, text));
    assert_eq!(planes, [0, 1, 72, 80, 81, 82, 83]);
    let castles = read("5k4/10/10/10/10/10/10/R4K3R w KQ - 0 1 -");
    // Three files to the right, four to the left.
    assert_eq!([plane(&castles, "f1i1"), plane(&castles, "f1b1")], [2 * 9 + 2, 6 * 9 + 3]);
    let promotes = read("1n3k4/2P7/10/10/10/10/10/5K4 w - - 0 1 -");
    assert_eq!([plane(&promotes, "c7c8s"), plane(&promotes, "c7b8s")], [0, 7 * 9]);
}

#[test]
fn legal_moves_have_their_own_indices() {
    everywhere(|position| {
        let all = indices(position, false);
        let apart = all.windows(2).all(|pair| (pair[0].0, pair[0].1) != (pair[1].0, pair[1].1));
        assert!(apart, "{position}");
        let inside = |&(plane, square, to): &(u16, u16, u16)| {
            usize::from(plane) < Century::LAYOUT.policy_planes && square < 80 && to < 80
        };
        assert!(all.iter().all(inside), "{position}");
    });
}

/// Maps a FEN by three functions: for the ranks of the placement (highest first), for letters and
/// for squares. If `swap` is true, also swaps the side to move.
fn mapped(
    fen: &str,
    rows: impl Fn(Vec<String>) -> Vec<String>,
    letter: fn(char) -> char,
    square: fn(Square) -> Square,
    swap: bool,
) -> String {
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let placement = fields[0].replace("10", "x").split('/').map(str::to_owned).collect();
    fields[0] = rows(placement).join("/").chars().map(letter).collect::<String>().replace(['x', 'X'], "10");
    if swap {
        fields[1] = if fields[1] == "w" { "b".into() } else { "w".into() };
    }
    fields[2] = fields[2].chars().map(letter).collect();
    fields[3] = fields[3].parse().map_or("-".into(), |at| square(at).to_string());
    fields[6] = match fields[6].chars().map(letter).collect::<String>().as_str() {
        "jJ" => "Jj".into(),
        other => other.into(),
    };
    fields.join(" ")
}

fn swap_case(c: char) -> char {
    if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
}

fn occupancy(position: &Century, side: Color, mirror: bool) -> Vec<u8> {
    let mut out = vec![7; 80 * Century::LAYOUT.future_planes];
    position.occupancy(side, mirror, &mut out);
    out
}

#[test]
fn black_sees_what_white_sees_with_colours_swapped() {
    everywhere(|position| {
        let fen = mapped(
            &position.to_string(),
            |rows| rows.into_iter().rev().collect(),
            swap_case,
            Square::flip_ranks,
            true,
        );
        let swapped = read(&fen);
        assert_eq!(Encoded::new(position, false), Encoded::new(&swapped, false), "{position}");
        assert_eq!(indices(position, false), indices(&swapped, false), "{position}");
        assert_eq!(
            occupancy(position, Color::White, false),
            occupancy(&swapped, Color::Black, false),
            "{position}"
        );
    });
}

#[test]
fn mirrored_positions_have_mirrored_moves() {
    let mut mirrored = 0;
    everywhere(|position| {
        if !Encode::can_mirror(position) {
            return;
        }
        let turn = |rows: Vec<String>| rows.iter().map(|row| row.chars().rev().collect()).collect();
        let other = read(&mapped(&position.to_string(), turn, |c| c, Square::flip_files, false));
        assert_eq!(Encoded::new(position, true), Encoded::new(&other, false), "{position}");
        assert_eq!(indices(position, true), indices(&other, false), "{position}");
        mirrored += 1;
    });
    assert!(mirrored > 100, "{mirrored}");
}
