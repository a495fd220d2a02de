//! The commands `catapult perft` and `catapult moves`.

use crate::convert::BYTE_ORDER_MARK;
use anyhow::Context;
use catapult_rules::{AnyGame, Outcome, Variant};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{BufRead, Write};

#[derive(Args)]
pub(crate) struct PerftArguments {
    /// Variant, e.g. `chess`, `chesspp`.
    #[arg(value_parser = crate::variant)]
    variant: Variant,
    /// Depth in plies, at most 32.
    #[arg(value_parser = clap::value_parser!(u32).range(..=32))]
    depth: u32,
    /// Position to begin with. The default is the start position.
    #[arg(long)]
    fen: Option<String>,
    /// Also print the count below each legal move.
    #[arg(long)]
    divide: bool,
}

pub(crate) fn perft(arguments: &PerftArguments) -> anyhow::Result<()> {
    let game = arguments.variant.game(arguments.fen.as_deref())?;
    let mut out = std::io::stdout().lock();
    if arguments.divide && arguments.depth > 0 {
        let counts = game.divide(arguments.depth).into_iter();
        let lines: BTreeMap<String, u64> = counts.map(|(mv, count)| (game.move_text(mv), count)).collect();
        for (text, count) in &lines {
            writeln!(out, "{text}: {count}")?;
        }
        writeln!(out, "{}", lines.values().sum::<u64>())?;
    } else {
        writeln!(out, "{}", game.perft(arguments.depth))?;
    }
    Ok(())
}

#[derive(Args)]
pub(crate) struct MovesArguments {
    /// Variant, e.g. `chess`, `chesspp`.
    #[arg(value_parser = crate::variant)]
    variant: Variant,
}

#[derive(Serialize)]
struct Moves {
    fen: String,
    check: bool,
    outcome: Option<Outcome>,
    moves: BTreeMap<String, String>,
}

pub(crate) fn moves(arguments: &MovesArguments) -> anyhow::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        // Reads bytes, so that a line that is not UTF-8 does not stop the lines after it.
        if input.read_until(b'\n', &mut line).context("standard input")? == 0 {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&line);
        let answer = match arguments.variant.game(Some(text.trim_start_matches(BYTE_ORDER_MARK).trim())) {
            Ok(game) => serde_json::to_string(&legal_moves(&*game))?,
            Err(error) => serde_json::json!({ "error": error.to_string() }).to_string(),
        };
        writeln!(out, "{answer}")?;
        // A client may wait for each result before it sends the next line.
        out.flush()?;
    }
}

fn legal_moves(game: &dyn AnyGame) -> Moves {
    let after = |mv| (game.move_text(mv), game.after(mv).fen());
    Moves {
        fen: game.fen(),
        check: game.in_check(),
        outcome: game.outcome(),
        moves: game.legal_moves().into_iter().map(after).collect(),
    }
}
