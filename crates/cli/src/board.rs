//! Draws boards of any game in the terminal, and describes how a game ended.

use catapult_rules::{AnyGame, Color};
use std::fmt::Write;

/// Returns a drawing of the board from White's side, with coordinates. If `colours` is true, the
/// drawing contains terminal colours.
pub(crate) fn draw(game: &dyn AnyGame, colours: bool) -> String {
    let mut text = String::new();
    let margin = game.ranks().to_string().len();
    for rank in (0..game.ranks()).rev() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{:>margin$} ", rank + 1);
        for file in 0..game.files() {
            text.push_str(&cell(game, file, rank, colours));
        }
        text.push('\n');
    }
    let _ = write!(text, "{:margin$}", "");
    let width = game.pieces_per_square() + 1;
    for file in 0..game.files() {
        let before = if file == 0 { 2 } else { width };
        let _ = write!(text, "{:before$}{}", "", (b'a' + file as u8) as char);
    }
    text.push('\n');
    if let Some(legend) = game.legend() {
        text.push_str(legend);
        text.push('\n');
    }
    text
}

/// Describes how a game ended. Returns `None` if it is not over.
pub(crate) fn ending(game: &dyn AnyGame) -> Option<String> {
    let outcome = game.outcome()?;
    Some(match outcome.winner(game.side_to_move()) {
        Some(winner) => format!("{outcome}: {winner:?} wins"),
        None => format!("{outcome}: a draw"),
    })
}

/// Returns a drawing of one square: its pieces between two characters. These characters show a
/// marker below the pieces, such as a catapult. All squares have the same width.
fn cell(game: &dyn AnyGame, file: usize, rank: usize, colours: bool) -> String {
    let dark = (file + rank).is_multiple_of(2);
    let shown = game.shown(rank * game.files() + file);
    let [left, right] = shown.frame.map_or([' ', ' '], |(_, signs)| signs);
    let empty = if dark { "." } else { "" };
    let pieces = if shown.pieces.is_empty() { empty } else { shown.pieces.as_str() };
    let width = game.pieces_per_square();
    if !colours {
        return format!("{left}{pieces:width$}{right}");
    }
    let ink = |side| if side == Color::White { "1;38;5;231" } else { "1;38;5;16" };
    let background = if dark { "48;5;65" } else { "48;5;187" };
    let frame = ink(shown.frame.map_or(Color::Black, |(side, _)| side));
    let figure = ink(shown.pieces.chars().next().map_or(Color::Black, Color::of_case));
    format!("\x1b[{background};{frame}m{left}\x1b[{figure}m{pieces:width$}\x1b[{frame}m{right}\x1b[0m")
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_rules::Variant;

    #[test]
    fn both_layers_are_drawn() {
        let fen = "4k3/8/8/8/3N4/8/8/4K3 w - - 0 1 d4h1*/a8*e8";
        let chesspp: Variant = "chesspp".parse().unwrap();
        let drawn = draw(&*chesspp.game(Some(fen)).unwrap(), false);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines[0], ["8 ", "< >", " . ", "   ", " . ", "(k)", " . ", "   ", " . "].concat());
        assert_eq!(lines[4], ["4 ", "   ", " . ", "   ", "[N]", "   ", " . ", "   ", " . "].concat());
        assert_eq!(lines[7], ["1 ", " . ", "   ", " . ", "   ", " K ", "   ", " . ", "{ }"].concat());
        assert_eq!(lines[8], "   a  b  c  d  e  f  g  h");
        assert!(lines[9].starts_with("[ ] White's catapult"));
    }
}
