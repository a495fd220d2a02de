//! Checks every example of the rules page (`src/games/maxim/rules.md`) with the engine, and draws
//! every board again from the FEN of an example.

use crate::common::reference::{boards, check_examples, examples, quoted, refusals};
use crate::common::{refused, report};
use catapult_rules::{Color, Maxim, MaximMove, MaximMoveKind, Position, Square};

const REFERENCE: &str = include_str!("../../src/games/maxim/rules.md");

fn read(fen: &str) -> Maxim {
    Maxim::from_fen(fen, ()).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn examples_hold() {
    let (examples, claims) = check_examples(REFERENCE, |variant, fen| {
        assert_eq!(variant, "maxim");
        report(&read(fen))
    });
    assert!(examples >= 20 && claims >= 65, "{examples} examples, {claims} claims were found");
}

#[test]
fn refusals_hold() {
    let refusals = refusals(REFERENCE, "maxim");
    for (variant, fen) in &refusals {
        assert!(refused(variant, fen).starts_with("FEN field "), "{fen}");
    }
    assert_eq!(refusals.len(), 13);
}

/// Draws the board as the rules page does. `o` marks empty squares that the piece on `from`
/// reaches.
fn drawn(position: &Maxim, from: Option<Square>) -> String {
    let reached = |square: Square| {
        position.legal_moves().into_iter().map(MaximMove::of).any(|decision| {
            let moves = matches!(decision.kind, MaximMoveKind::Piece(_));
            moves && Some(decision.from) == from && decision.to == square
        })
    };
    let cell = |square: Square| match position.pieces_at(square) {
        Some((side, first, second)) => {
            let letters = [Some(first), second].into_iter().flatten().map(|kind| match side {
                Color::White => kind.letter().to_ascii_uppercase(),
                Color::Black => kind.letter(),
            });
            letters.collect()
        }
        None if position.portals(Color::White).has(square) => "[]".to_owned(),
        None if position.portals(Color::Black).has(square) => "()".to_owned(),
        None if reached(square) => "o".to_owned(),
        None => ".".to_owned(),
    };
    let mut text = String::from("```text\n");
    for rank in (0..8).rev() {
        let cells: String =
            (0..8).map(|file| format!("{:>3}", cell(Square::at(file, rank).unwrap()))).collect();
        text += &format!("   {}{cells}\n", rank + 1);
    }
    text + "      a  b  c  d  e  f  g  h\n```"
}

#[test]
fn drawn_boards_are_their_positions() {
    let positions: Vec<Maxim> =
        examples(REFERENCE).iter().map(|paragraph| read(&quoted(paragraph)[0].1)).collect();
    let boards = boards(REFERENCE);
    assert_eq!(boards.len(), 5);
    for board in boards {
        let found = positions.iter().any(|position| {
            let origins = Square::all().map(Some).chain([None]);
            origins.into_iter().any(|from| drawn(position, from) == board)
        });
        assert!(found, "no example has this board:\n{board}");
    }
}
