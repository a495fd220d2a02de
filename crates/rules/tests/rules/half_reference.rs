//! Checks every example of the rules page (`src/games/half/rules.md`) with the engine, and draws
//! every board again from the FEN of an example.

use crate::common::reference::{boards, check_examples, examples, quoted, refusals};
use crate::common::{refused, report};
use catapult_rules::half::Square;
use catapult_rules::{Half, HalfMove, Position};

const REFERENCE: &str = include_str!("../../src/games/half/rules.md");

fn read(fen: &str) -> Half {
    Half::from_fen(fen, ()).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn examples_hold() {
    let (examples, claims) = check_examples(REFERENCE, |variant, fen| {
        assert_eq!(variant, "half");
        report(&read(fen))
    });
    assert!(examples >= 15 && claims >= 70, "{examples} examples, {claims} claims were found");
}

#[test]
fn refusals_hold() {
    let refusals = refusals(REFERENCE, "half");
    for (variant, fen) in &refusals {
        assert!(refused(variant, fen).starts_with("FEN field "), "{fen}");
    }
    assert_eq!(refusals.len(), 6);
}

/// Draws the board as the rules page does. `o` marks empty squares that the pieces on `from` reach.
fn drawn(position: &Half, from: &[Square]) -> String {
    let moves = position.legal_moves();
    let reached = |square: Square| {
        let ways = moves.iter().map(|mv| HalfMove::of(*mv));
        ways.into_iter().any(|way| way.to == square && from.contains(&way.from))
    };
    let mut text = String::from("```text\n");
    for rank in (0..12).rev() {
        text += &format!("  {:>2} ", rank + 1);
        for file in 0..12 {
            let square = Square::at(file, rank).expect("on the board");
            let cell = match position.piece_at(square) {
                Some((side, kind)) => side.cased(kind.letter()),
                None if reached(square) => 'o',
                None => '.',
            };
            text += &format!(" {cell}");
        }
        text += "\n";
    }
    text + "      a b c d e f g h i j k l\n```"
}

#[test]
fn drawn_boards_are_their_positions() {
    let positions: Vec<Half> =
        examples(REFERENCE).iter().map(|paragraph| read(&quoted(paragraph)[0].1)).collect();
    let boards = boards(REFERENCE);
    assert_eq!(boards.len(), 4);
    for board in boards {
        let found = positions.iter().any(|position| {
            let jumpers: Vec<Square> = ["c3", "f6"].iter().filter_map(|name| name.parse().ok()).collect();
            drawn(position, &[]) == board || drawn(position, &jumpers) == board
        });
        assert!(found, "no example has this board:\n{board}");
    }
}
