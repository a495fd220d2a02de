//! Checks every example of the rules page (`src/games/chess/rules.md`) with the engine, and draws
//! every board again from the FEN of the example that follows it.

use crate::common::reference::{boards, check_examples, examples, quoted, refusals};
use crate::common::{ask, refused};
use catapult_rules::{ChessMove, ChessPpProposals, Color, Position, Proposals, Square, Variant};

const REFERENCE: &str = include_str!("../../src/games/chess/rules.md");

#[test]
fn examples_hold() {
    let (examples, claims) = check_examples(REFERENCE, ask);
    assert!(examples >= 40 && claims >= 70, "{examples} examples, {claims} claims were found");
}

#[test]
fn refusals_hold() {
    let refusals = refusals(REFERENCE, "chesspp");
    for (variant, fen) in &refusals {
        assert!(refused(variant, fen).starts_with("FEN field "), "{fen}");
    }
    assert_eq!(refusals.len(), 14);
}

/// Draws the pieces and the catapults of a position on two boards, as the rules page does. `o`
/// marks the destinations of the catapult on `from`.
fn drawn(position: &ChessPpProposals, from: Option<Square>) -> String {
    let reached: Vec<Square> = position
        .legal_moves()
        .into_iter()
        .map(ChessMove::of)
        .filter(|parts| Some(parts.from) == from)
        .map(|parts| parts.to)
        .collect();
    let piece = |square: Square| match position.piece_at(square) {
        None => '.',
        Some((Color::White, kind)) => kind.letter().to_ascii_uppercase(),
        Some((Color::Black, kind)) => kind.letter(),
    };
    let catapult = |square: Square| {
        let side = Color::ALL.into_iter().find(|side| position.catapults(*side).has(square));
        match side {
            None if reached.contains(&square) => 'o',
            None => '.',
            Some(side) => {
                let letter = if side == Color::White { 'w' } else { 'b' };
                let fresh = position.fresh_catapults(side).has(square);
                if fresh { letter.to_ascii_uppercase() } else { letter }
            }
        }
    };
    let row = |rank: usize, letter: &dyn Fn(Square) -> char| {
        let letters: Vec<String> =
            (0..8).map(|file| letter(Square::at(file, rank).unwrap()).to_string()).collect();
        format!("{}  {}", rank + 1, letters.join(" "))
    };
    let mut text = String::from("```text\n");
    for rank in (0..8).rev() {
        text += &format!("   {}          {}\n", row(rank, &piece), row(rank, &catapult));
    }
    text + "      a b c d e f g h             a b c d e f g h\n```"
}

#[test]
fn drawn_boards_are_their_positions() {
    let examples: Vec<String> = examples(REFERENCE)
        .iter()
        .map(|paragraph| {
            let quotes = quoted(paragraph);
            let Variant::ChessPp(rules) = quotes[1].1.parse().unwrap() else { panic!("{paragraph}") };
            let position = ChessPpProposals::from_fen(&quotes[0].1, rules).unwrap();
            let marked = (rules == Proposals::default()).then(|| position.fresh_catapults(Color::White));
            let lone = marked.filter(|set| set.count() == 1).and_then(|set| set.into_iter().next());
            drawn(&position, lone)
        })
        .collect();
    let boards = boards(REFERENCE);
    assert!(boards.len() >= 8, "{} boards were found", boards.len());
    for board in boards {
        assert!(examples.contains(&board), "no example has this board:\n{board}");
    }
}
