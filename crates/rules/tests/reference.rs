//! The reference of the game (`src/chess/chesspp.md`) holds what it claims: every example is asked of the engine, and
//! every drawn board is drawn again from the FEN of the example that follows it.

mod common;

use catapult_rules::{ChessPpProposals, Color, Position, Proposals, Square, Variant};
use common::{ask, refused};

const REFERENCE: &str = include_str!("../src/chess/chesspp.md");

/// Paragraphs, in order.
fn paragraphs() -> Vec<String> {
    REFERENCE.split("\n\n").map(|part| part.to_owned()).collect()
}

/// What stands between backticks, each with the words before it.
fn quoted(text: &str) -> Vec<(String, String)> {
    let parts: Vec<&str> = text.split('`').collect();
    let words = |part: &str| part.split_whitespace().collect::<Vec<_>>().join(" ");
    parts.chunks_exact(2).map(|pair| (words(pair[0]), pair[1].to_owned())).collect()
}

#[test]
fn examples_hold() {
    let (mut examples, mut claims) = (0, 0);
    for paragraph in paragraphs().iter().filter(|paragraph| paragraph.starts_with("Position `")) {
        examples += 1;
        let quotes = quoted(paragraph);
        let (fen, variant) = (&quotes[0].1, &quotes[1].1);
        let asked = ask(variant, fen);
        let prose: String = paragraph.split('`').step_by(2).collect();
        let prose = prose.split_whitespace().collect::<Vec<_>>().join(" ");
        if prose.contains("in check") {
            assert_eq!(asked.check, !prose.contains("not in check"), "{paragraph}");
            claims += 1;
        }
        // `legal` and `not legal` hold until other words come; a move that `gives` a FEN is the one quoted before.
        let mut legal = None;
        for (n, (words, quote)) in quotes.iter().enumerate().skip(2) {
            if words.ends_with("gives") {
                assert_eq!(asked.after(&quotes[n - 1].1), quote, "{paragraph}");
            } else if words.ends_with("outcome") {
                assert_eq!(asked.outcome.map(|outcome| outcome.name()), Some(quote.as_str()), "{paragraph}");
            } else {
                match words.as_str() {
                    "," => {}
                    words if words.ends_with("not legal") => legal = Some(false),
                    words if words.ends_with("legal") => legal = Some(true),
                    _ => legal = None,
                }
                let Some(legal) = legal else { continue };
                assert_eq!(asked.has(quote), legal, "{quote}: {paragraph}");
            }
            claims += 1;
        }
    }
    assert!(examples >= 40 && claims >= 70, "{examples} examples, {claims} claims were found");
}

#[test]
fn refusals_hold() {
    let mut checked = 0;
    for line in REFERENCE.lines().filter(|line| line.starts_with("* ") && line.contains(": `chesspp")) {
        let quotes = quoted(line);
        let [.., (_, variant), (_, fen)] = quotes.as_slice() else { panic!("{line}") };
        assert!(refused(variant, fen).starts_with("FEN field "), "{line}");
        checked += 1;
    }
    assert_eq!(checked, 10);
}

/// The two boards of a position; `o` marks where the catapult on `from` may go.
fn drawn(position: &ChessPpProposals, from: Option<Square>) -> String {
    let reached: Vec<Square> = position
        .legal_moves()
        .into_iter()
        .map(|mv| position.describe(mv))
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
    let row = |rank: u8, letter: &dyn Fn(Square) -> char| {
        let letters: Vec<String> = (0..8).map(|file| letter(Square::at(file, rank)).to_string()).collect();
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
    let all = paragraphs();
    let examples: Vec<String> = all
        .iter()
        .filter(|paragraph| paragraph.starts_with("Position `"))
        .map(|paragraph| {
            let quotes = quoted(paragraph);
            let Variant::ChessPp(rules) = quotes[1].1.parse().unwrap() else { panic!("{paragraph}") };
            let position = ChessPpProposals::from_fen(&quotes[0].1, rules).unwrap();
            let marked = (rules == Proposals::default()).then(|| position.fresh_catapults(Color::White));
            let lone = marked.filter(|set| set.count() == 1).and_then(|set| set.into_iter().next());
            drawn(&position, lone)
        })
        .collect();
    let boards: Vec<&String> = all.iter().filter(|paragraph| paragraph.starts_with("```text")).collect();
    assert!(boards.len() >= 8, "{} boards were found", boards.len());
    for board in boards {
        assert!(examples.contains(board), "no example has this board:\n{board}");
    }
}
