//! Tests of the encoding of Chess and a Half: inputs and indices computed by hand, and invariants.

use crate::common::grid::{Encoded, random_games, read, vectors};
use crate::common::indices;
use catapult_encoding::{Encode, PolicyIndex};
use catapult_rules::half::Square;
use catapult_rules::{Color, Half, Position};

fn index(position: &Half, text: &str) -> (u16, String, String) {
    let mv = position.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
    let PolicyIndex { plane, square, to } = position.policy_index(mv, false);
    let name = |index: u16| Square::new(index.into()).expect("a square").to_string();
    (plane, name(square), name(to))
}

/// Calls `visit` with the positions of the test vectors, every position one move later, and the
/// positions of random games.
fn everywhere(mut visit: impl FnMut(&Half)) {
    assert_eq!(vectors("half", &mut visit), 65);
    random_games(6, 150, visit);
}

/// Maps every square (file, rank) of a FEN with `square`. If `swap` is true, also swaps the colors.
fn mapped(fen: &str, square: impl Fn(usize, usize) -> (usize, usize), swap: bool) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let letter = |c: char| match (swap, c.is_ascii_lowercase()) {
        (false, _) => c,
        (true, true) => c.to_ascii_uppercase(),
        (true, false) => c.to_ascii_lowercase(),
    };
    let mut cells = [['.'; 12]; 12];
    for (row, line) in fields[0].split('/').enumerate() {
        let (mut file, mut gap) = (0, 0);
        for c in line.chars() {
            match c.to_digit(10) {
                Some(digit) => gap = gap * 10 + digit as usize,
                None => {
                    file += gap;
                    gap = 0;
                    let (to_file, to_rank) = square(file, 11 - row);
                    cells[to_rank][to_file] = letter(c);
                    file += 1;
                }
            }
        }
    }
    // Counts runs of empty squares.
    let rank = |cells: &[char; 12]| {
        let line: String = cells.iter().collect();
        let runs = (1..=12).rev().fold(line, |line, n| line.replace(&".".repeat(n), &format!("{n}|")));
        runs.replace('|', "")
    };
    let list = |text: &str| {
        let mut out: Vec<(usize, usize)> = Vec::new();
        let mut rest = text;
        while let Some((at, after)) = Square::split_from(rest) {
            out.push(square(at.file(), at.rank()));
            rest = after;
        }
        if out.is_empty() {
            return "-".to_owned();
        }
        out.iter().map(|&(file, rank)| Square::at(file, rank).expect("a square").to_string()).collect()
    };
    let side = if swap { ["b", "w"][usize::from(fields[1] == "b")] } else { fields[1] };
    let castling: String = fields[2].chars().map(letter).collect();
    let placement: Vec<String> = cells.iter().rev().map(rank).collect();
    let unmoved = list(fields[6]);
    let number = fields[5];
    format!("{} {side} {castling} {} {} {number} {unmoved}", placement.join("/"), list(fields[3]), fields[4])
}

#[test]
fn the_start() {
    let start = Encoded::new(&Half::start(()), false);
    for (plane, expected) in [
        ("own pawns", "a2 b2 c2 e2 f2 g2 h2 j2 k2 l2"),
        ("own Guards", "d2 i2"),
        ("own Cats", "e1 h1"),
        ("enemy Star Cats", "d12 i12"),
        ("own Nightriders", ""),
        ("enemy kings", "g12"),
        ("own unmoved knights", "b1 k1"),
        ("enemy unmoved knights", "b12 k12"),
        ("en passant", ""),
        ("own pawn attacks", "a3 b3 c3 d3 e3 f3 g3 h3 i3 j3 k3 l3"),
        ("checkers", ""),
        ("own hanging", ""),
        ("enemy threatened", ""),
    ] {
        assert_eq!(start.squares(plane), expected, "{plane}");
    }
    // Beyond the third rank Star Cats reach a4, d4, g4 (from d1) and f4, i4, l4 (from i1). The
    // knights reach d5 and i5 by their second leaps. To the sides the Star Cats guard the corners.
    let attacked = start.squares("own attacks");
    let beyond: Vec<&str> = attacked.split(' ').filter(|name| name.ends_with(['4', '5'])).collect();
    assert_eq!(beyond, ["a4", "d4", "f4", "g4", "i4", "l4", "d5", "i5"]);
    assert!(attacked.starts_with("a1 ") && attacked.contains(" l1 "));
}

#[test]
fn threats_and_hanging_pieces() {
    // The pawn d4 attacks the Guard e5. The Cat h8 attacks the undefended, more valuable queen j8,
    // and the less valuable rook h6, which the queen defends.
    let position = read::<Half>("6k5/12/12/12/7C1q2/12/7r4/4g7/3P8/r9s1/12/6K5 b - - 0 1 -");
    let black = Encoded::new(&position, false);
    // Seen from Black: ranks are flipped.
    assert_eq!(black.squares("own Guards"), "e8");
    assert_eq!(black.squares("own threatened"), "j5 e8");
    assert_eq!(black.squares("own hanging"), "j5 e8");
    assert_eq!(black.squares("own kings"), "g1");
}

#[test]
fn indices_by_hand() {
    let start = Half::start(());
    let name = |square: &str| square.to_owned();
    assert_eq!(index(&start, "e2e6"), (3, name("e2"), name("e6")));
    // The first leap of the list is one right, two forwards; twice is its second plane.
    assert_eq!(index(&start, "b1c3").0, 88);
    assert_eq!(index(&start, "b1d5").0, 89);
    assert_eq!(index(&start, "d1d4").0, 2);
    let mut black = start;
    black.play(start.parse_move("e2e6").expect("legal"));
    assert_eq!(index(&black, "b12c10"), (88, name("b1"), name("c3")));
    let promotions = read("6k5/1P10/3C8/12/12/12/12/12/12/12/12/R5K4R w KQ - 0 1 -");
    for (text, plane) in [
        ("b11b12q", 0),
        ("b11b12r", 133),
        ("b11b12b", 134),
        ("b11b12n", 135),
        ("b11b12g", 136),
        ("b11b12c", 137),
        ("d10d12", 1),
        ("d10d12s", 179),
        ("d10f12s", 182),
        ("g1b1o", 192),
        ("g1f1o", 196),
        ("g1h1o", 197),
        ("g1k1o", 200),
        ("g1h1", 22),
    ] {
        assert_eq!(index(&promotions, text).0, plane, "{text}");
    }
    let jumps = read("6k5/12/12/12/12/12/12/3p8/3p8/3S8/12/6K5 w - - 0 1 -");
    for (text, plane) in [("d3d5", 1), ("d3d5xd4", 143), ("d3d6", 2), ("d3d6xd4", 144), ("d3d6xd5", 145)] {
        assert_eq!(index(&jumps, text).0, plane, "{text}");
    }
    assert_eq!(index(&jumps, "d3d6xd4xd5").0, 146);
    let knights = read("6k5/12/3N8/12/12/12/12/12/12/12/12/6K5 w - - 0 1 -");
    assert_eq!([index(&knights, "d10c12h").0, index(&knights, "d10e12h").0], [186, 188]);
}

#[test]
fn legal_moves_have_their_own_indices() {
    let mut moves = 0;
    everywhere(|position| {
        let all = indices(position, false);
        let apart = all.windows(2).all(|pair| (pair[0].0, pair[0].1) != (pair[1].0, pair[1].1));
        assert!(apart, "{position}");
        assert!(all.iter().all(|&(plane, square, _)| plane < 201 && square < 144), "{position}");
        moves += all.len();
    });
    assert!(moves > 300_000, "{moves}");
}

#[test]
fn black_sees_what_white_sees_with_colours_swapped() {
    everywhere(|position| {
        let swapped = read(&mapped(&position.to_string(), |file, rank| (file, 11 - rank), true));
        assert_eq!(Encoded::new(position, false), Encoded::new(&swapped, false), "{position}");
        assert_eq!(indices(position, false), indices(&swapped, false), "{position}");
    });
}

#[test]
fn mirrored_positions_have_mirrored_moves() {
    let mut mirrored_positions = 0;
    everywhere(|position| {
        assert_eq!(position.can_mirror(), position.to_string().split(' ').nth(2) == Some("-"));
        if position.can_mirror() {
            let mirrored = read(&mapped(&position.to_string(), |file, rank| (11 - file, rank), false));
            assert_eq!(Encoded::new(position, true), Encoded::new(&mirrored, false), "{position}");
            assert_eq!(indices(position, true), indices(&mirrored, false), "{position}");
            mirrored_positions += 1;
        }
    });
    assert!(mirrored_positions > 1_000, "{mirrored_positions}");
}

#[test]
fn occupancy_is_what_stands_there() {
    let position = read::<Half>("6k5/12/12/12/7C1q2/12/7r4/4g7/3P8/r9s1/12/6K5 b - - 0 1 -");
    let mut out = vec![7; 144 * 2];
    position.occupancy(Color::Black, false, &mut out);
    let of = |plane: usize| {
        let set = Square::all().filter(|square| out[square.index() * 2 + plane] == 1);
        set.map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!((of(0), of(1)), ("g1 j5 h7 e8 a10 k10".to_owned(), "h5 d9 g12".to_owned()));
    assert!(out.iter().all(|value| *value < 2));
}
