//! Boards in the terminal, both layers drawn.

use catapult_rules::{ChessPosition, ChessRules, Color, Position, Square};
use std::fmt::Write;

/// A position that can be drawn.
pub trait Drawn: Position {
    /// Draws the board from White's side; `colours` adds terminal colours to what the text already says.
    fn draw(&self, colours: bool) -> String;
}

impl<R: ChessRules> Drawn for ChessPosition<R> {
    fn draw(&self, colours: bool) -> String {
        let mut text = String::new();
        for rank in (0..8).rev() {
            // Writing to a string can't fail.
            let _ = write!(text, "{} ", rank + 1);
            for file in 0..8 {
                text.push_str(&cell(self, Square::at(file, rank), colours));
            }
            text.push('\n');
        }
        text.push_str("   a  b  c  d  e  f  g  h\n");
        if Color::ALL.iter().any(|&side| self.catapults(side).0 != 0) {
            text.push_str("[ ] White's catapult, ( ) Black's; { } and < > while their first move is left\n");
        }
        text
    }
}

/// Three characters: what stands on a square, between the brackets of the catapult that lies there.
fn cell<R: ChessRules>(position: &ChessPosition<R>, square: Square, colours: bool) -> String {
    let dark = (square.file() + square.rank()).is_multiple_of(2);
    let piece = match position.piece_at(square) {
        Some((Color::White, kind)) => kind.letter().to_ascii_uppercase(),
        Some((Color::Black, kind)) => kind.letter(),
        None if dark => '.',
        None => ' ',
    };
    let owner = Color::ALL.into_iter().find(|&side| position.catapults(side).has(square));
    let fresh = owner.is_some_and(|side| position.fresh_catapults(side).has(square));
    let [left, right] = match (owner, fresh) {
        (None, _) => [' ', ' '],
        (Some(Color::White), true) => ['{', '}'],
        (Some(Color::White), false) => ['[', ']'],
        (Some(Color::Black), true) => ['<', '>'],
        (Some(Color::Black), false) => ['(', ')'],
    };
    if !colours {
        return format!("{left}{piece}{right}");
    }
    let background = if dark { "48;5;65" } else { "48;5;187" };
    let frame = if owner == Some(Color::White) { "1;38;5;231" } else { "1;38;5;16" };
    let figure = if piece.is_ascii_uppercase() { "1;38;5;231" } else { "1;38;5;16" };
    format!("\x1b[{background};{frame}m{left}\x1b[{figure}m{piece}\x1b[{frame}m{right}\x1b[0m")
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_rules::{ChessPp, Plain};

    #[test]
    fn both_layers_are_drawn() {
        let fen = "4k3/8/8/8/3N4/8/8/4K3 w - - 0 1 d4h1*/a8*e8";
        let drawn = ChessPp::from_fen(fen, Plain).unwrap().draw(false);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines[0], ["8 ", "< >", " . ", "   ", " . ", "(k)", " . ", "   ", " . "].concat());
        assert_eq!(lines[4], ["4 ", "   ", " . ", "   ", "[N]", "   ", " . ", "   ", " . "].concat());
        assert_eq!(lines[7], ["1 ", " . ", "   ", " . ", "   ", " K ", "   ", " . ", "{ }"].concat());
    }
}
