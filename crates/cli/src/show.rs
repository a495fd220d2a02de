//! The command `catapult show`: draws a position in the terminal.

use crate::board::draw;
use catapult_rules::{Drawn, Position, Variant, with_variant};
use clap::Args;
use std::io::{IsTerminal, Write};

#[derive(Args)]
pub(crate) struct ShowArguments {
    /// Variant, e.g. `chess`, `chesspp`.
    variant: Variant,
    /// Position to draw. The default is the start position.
    #[arg(long)]
    fen: Option<String>,
    /// List the legal moves, in algebraic notation.
    #[arg(long)]
    moves: bool,
}

pub(crate) fn run(arguments: &ShowArguments) -> anyhow::Result<()> {
    let colours = std::io::stdout().is_terminal();
    let text = with_variant!(arguments.variant, |P, rules| {
        let position = match &arguments.fen {
            Some(fen) => P::from_fen(fen, rules)?,
            None => P::start(rules),
        };
        describe(&position, arguments.moves, colours)
    });
    std::io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}

fn describe<P: Drawn>(position: &P, list: bool, colours: bool) -> String {
    let side = position.side_to_move();
    let moves = position.legal_moves();
    let check = if position.in_check() { ", in check" } else { "" };
    let mut text = format!("{}\n{position}\n{side:?} to move{check}\n", draw(position, colours));
    match position.outcome() {
        Some(outcome) => match outcome.winner(side) {
            Some(winner) => text += &format!("{outcome}: {winner:?} wins\n"),
            None => text += &format!("{outcome}: a draw\n"),
        },
        None => text += "not over\n",
    }
    text += &format!("{} legal moves\n", moves.len());
    if list {
        let mut texts: Vec<String> = moves.iter().map(|mv| position.san(*mv)).collect();
        texts.sort();
        text += &(texts.join(" ") + "\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_rules::{ChessPp, Plain};

    #[test]
    fn what_is_shown_of_a_position() {
        let shown = |fen: &str| describe(&ChessPp::from_fen(fen, Plain).unwrap(), true, false);
        let mate = shown("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
        assert!(mate.contains("\nBlack to move, in check\ncheckmate: White wins\n0 legal moves\n"), "{mate}");
        let start = describe(&ChessPp::start(Plain), true, false);
        assert!(
            start.contains("b1*f1*/b8*f8*\nWhite to move\nnot over\n20 legal moves\nNa3 Nc3 "),
            "{start}"
        );
        let dead = shown("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert!(dead.contains("White to move\ndead: a draw\n5 legal moves\n"), "{dead}");
    }
}
