//! The command `catapult show`: draws a position in the terminal.

use crate::board::{draw, ending};
use catapult_rules::{AnyGame, Variant};
use clap::Args;
use std::io::{IsTerminal, Write};

#[derive(Args)]
pub(crate) struct ShowArguments {
    /// Variant, e.g. `chess`, `chesspp`.
    #[arg(value_parser = crate::variant)]
    variant: Variant,
    /// Position to draw. The default is the start position.
    #[arg(long)]
    fen: Option<String>,
    /// List the legal moves: in algebraic notation for chess and Chess++, otherwise as squares.
    #[arg(long)]
    moves: bool,
}

pub(crate) fn run(arguments: &ShowArguments) -> anyhow::Result<()> {
    let colours = std::io::stdout().is_terminal();
    let game = arguments.variant.game(arguments.fen.as_deref())?;
    let text = describe(&*game, arguments.moves, colours);
    std::io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}

fn describe(game: &dyn AnyGame, list: bool, colours: bool) -> String {
    let side = game.side_to_move();
    let moves = game.legal_moves();
    let check = if game.in_check() { ", in check" } else { "" };
    let mut text = format!("{}\n{}\n{side:?} to move{check}\n", draw(game, colours), game.fen());
    text += &ending(game).unwrap_or_else(|| "not over".to_owned());
    text += &format!("\n{} legal moves\n", moves.len());
    if list {
        let mut texts: Vec<String> = moves.iter().map(|mv| game.san(*mv)).collect();
        texts.sort();
        text += &(texts.join(" ") + "\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_of_a_position() {
        let chesspp: Variant = "chesspp".parse().unwrap();
        let shown = |fen: &str| describe(&*chesspp.game(Some(fen)).unwrap(), true, false);
        let mate = shown("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
        assert!(mate.contains("\nBlack to move, in check\ncheckmate: White wins\n0 legal moves\n"), "{mate}");
        let start = describe(&*chesspp.start(), true, false);
        assert!(
            start.contains("b1*f1*/b8*f8*\nWhite to move\nnot over\n20 legal moves\nNa3 Nc3 "),
            "{start}"
        );
        let dead = shown("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert!(dead.contains("White to move\ndead: a draw\n5 legal moves\n"), "{dead}");
    }
}
