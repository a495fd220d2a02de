//! Tests of invariants of the encoding of Maxim chess, on test vectors and random games.

use crate::common::grid::{Encoded, random_games, read, vectors};
use crate::common::indices;
use catapult_encoding::Encode;
use catapult_rules::{Color, Maxim, Phase, PieceKind, Position, Square};

/// Returns the positions of the test vectors, every position one decision later, and all positions
/// of some random games.
fn positions() -> Vec<Maxim> {
    let mut found = Vec::new();
    assert_eq!(vectors("maxim", |position| found.push(*position)), 54);
    random_games(20, 300, |position| found.push(*position));
    found
}

/// If `colors` is true, flips the ranks of a FEN and swaps its colors. Otherwise flips its files.
fn turned(fen: &str, colors: bool) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let square = |name: &str| {
        let square: Square = name.parse().unwrap_or_else(|()| panic!("`{name}` in {fen}"));
        (if colors { square.flip_ranks() } else { square.flip_files() }).to_string()
    };
    let case = |letter: char| match letter {
        _ if !colors => letter,
        upper if upper.is_ascii_uppercase() => upper.to_ascii_lowercase(),
        lower => lower.to_ascii_uppercase(),
    };
    let rank = |text: &str| {
        let mut tokens: Vec<String> = Vec::new();
        let mut open = false;
        for letter in text.chars() {
            if open {
                tokens.last_mut().expect("a bracket").push(case(letter));
            } else {
                tokens.push(case(letter).to_string());
            }
            open = letter == '(' || open && letter != ')';
        }
        if !colors {
            tokens.reverse();
        }
        tokens.concat()
    };
    let mut ranks: Vec<String> = fields[0].split('/').map(rank).collect();
    let mut portals: Vec<String> = fields[6]
        .split('/')
        .map(|list| if list == "-" { "-".into() } else { square(&list[..2]) + &square(&list[2..]) })
        .collect();
    let mut side = fields[1];
    if colors {
        ranks.reverse();
        portals.reverse();
        side = if side == "w" { "b" } else { "w" };
    }
    let en_passant = if fields[3] == "-" { "-".into() } else { square(fields[3]) };
    let (ranks, portals) = (ranks.join("/"), portals.join("/"));
    format!("{ranks} {side} - {en_passant} {} {} {portals} {}", fields[4], fields[5], fields[7])
}

#[test]
fn legal_decisions_have_their_own_indices() {
    let mut decisions = 0;
    for position in positions() {
        for mirror in [false, true] {
            let all = indices(&position, mirror);
            for &(plane, square, to) in &all {
                assert!(usize::from(plane) < Maxim::LAYOUT.policy_planes && square < 64 && to < 64);
            }
            for pair in all.windows(2) {
                let same = pair[0].0 == pair[1].0 && pair[0].1 == pair[1].1;
                assert!(!same, "{position}: two decisions share {:?}", pair[0]);
            }
            decisions += all.len();
        }
    }
    assert!(decisions > 100_000, "{decisions} decisions");
}

#[test]
fn black_sees_what_white_sees_and_mirrors_show_the_mirrored() {
    let mut seen = 0;
    for position in positions() {
        assert_eq!(position.can_mirror(), position.phase() == Phase::Move);
        if position.phase() != Phase::Move {
            continue;
        }
        seen += 1;
        let swapped = read(&turned(&position.to_string(), true));
        assert_eq!(Encoded::new(&position, false), Encoded::new(&swapped, false), "{position}");
        assert_eq!(indices(&position, false), indices(&swapped, false), "{position}");
        let mirrored = read(&turned(&position.to_string(), false));
        assert_eq!(Encoded::new(&position, true), Encoded::new(&mirrored, false), "{position}");
        assert_eq!(indices(&position, true), indices(&mirrored, false), "{position}");
        for side in Color::ALL {
            let there = |position: &Maxim, mirror| {
                let mut out = vec![7; 128];
                position.occupancy(side, mirror, &mut out);
                out
            };
            assert_eq!(there(&position, true), there(&mirrored, false), "{position}");
        }
    }
    assert!(seen > 1_000, "{seen} positions");
}

/// Checks that planes and globals determine the position except its half-move clock and move
/// number.
#[test]
fn planes_tell_the_whole_position() {
    let derived = ["attacks", "hanging", "checkers", "choices", "board", "rank"];
    let planes: Vec<(usize, String)> = Maxim::plane_names()
        .into_iter()
        .enumerate()
        .filter(|(_, plane)| !derived.iter().any(|word| plane.ends_with(word)))
        .collect();
    for position in positions() {
        let encoded = Encoded::new(&position, false);
        let us = position.side_to_move();
        let view = |square: Square| if us == Color::White { square } else { square.flip_ranks() };
        for square in Square::all() {
            let at = view(square).index();
            let mut expected = Vec::new();
            if let Some((side, earlier, later)) = position.pieces_at(square) {
                let whose = if side == us { "own" } else { "enemy" };
                expected.push(format!("{whose} {}s", name(earlier)));
                if let Some(later) = later {
                    expected.push(format!("{whose} {}s", name(later)));
                    expected.push(format!("{whose} later {}s", name(later)));
                }
            }
            for (side, whose) in [(us, "own"), (!us, "enemy")] {
                if position.portals(side).has(square) {
                    expected.push(format!("{whose} portals"));
                }
            }
            if position.en_passant() == Some(square) {
                expected.push("en passant".into());
            }
            if position.phase() == Phase::Second(square) {
                expected.push("first portal".into());
            }
            expected.sort();
            expected.dedup();
            let shown = planes.iter().filter(|(plane, _)| encoded.has(*plane, at));
            let mut shown: Vec<&str> = shown.map(|(_, name)| name.as_str()).collect();
            shown.sort();
            assert_eq!(shown, expected, "{square} of {position}");
        }
        let phase = [encoded.global("phase ?"), encoded.global("phase @")];
        let expected = match position.phase() {
            Phase::Move => [0.0, 0.0],
            Phase::First => [1.0, 0.0],
            Phase::Second(_) => [0.0, 1.0],
        };
        assert_eq!(phase, expected, "{position}");
        assert_eq!(encoded.global("in check") == 1.0, position.in_check());
    }
}

fn name(kind: PieceKind) -> &'static str {
    Maxim::PIECES[kind as usize].name
}

#[test]
fn choices_are_the_legal_portals() {
    let choosing = read::<Maxim>("4k3/8/8/8/8/8/8/4K3 w - - 1 1 -/- @g8");
    assert_eq!(Encoded::new(&choosing, false).squares("portal choices"), "h8");
}
