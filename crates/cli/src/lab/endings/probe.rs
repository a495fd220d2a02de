//! The command `catapult endings probe`: the value of a position and of its moves, and best play.

use super::Folder;
use anyhow::{Context, bail};
use catapult_endings::{Tables, Value};
use catapult_rules::{AnyChess, AnyRules, Color, Position, Variant};
use clap::Args;

#[derive(Args)]
pub(crate) struct ProbeArguments {
    /// Position (FEN).
    fen: String,
    /// Variant.
    #[arg(long, default_value = "chesspp", value_parser = crate::variant)]
    variant: Variant,
    #[command(flatten)]
    folder: Folder,
}

pub(super) fn read(fen: &str, variant: Variant) -> anyhow::Result<AnyChess> {
    let rules = AnyRules::of(variant);
    let rules =
        rules.with_context(|| format!("variant `{variant}`: endings are solved for chess and Chess++"))?;
    Ok(AnyChess::from_fen(fen, rules)?)
}

/// Returns best play from a position to mate, in algebraic notation with move numbers. The tables
/// ignore the fifty-move rule.
pub(super) fn line(position: &AnyChess, tables: &Tables) -> anyhow::Result<String> {
    let mut at = *position;
    let mut text = Vec::new();
    for mv in tables.best_line(position)? {
        let san = at.san(mv);
        match (at.side_to_move(), text.is_empty()) {
            (Color::White, _) => text.push(format!("{}. {san}", at.fullmove_number())),
            (Color::Black, true) => text.push(format!("{}... {san}", at.fullmove_number())),
            (Color::Black, false) => text.push(san),
        }
        at.play(mv);
    }
    Ok(text.join(" "))
}

pub(super) fn run(arguments: &ProbeArguments) -> anyhow::Result<()> {
    let position = read(&arguments.fen, arguments.variant)?;
    let tables = Tables::new(&arguments.folder.dir);
    if let Some(outcome) = position.outcome() {
        say!("over: {outcome}");
        return Ok(());
    }
    let Some(probe) = tables.probe(&position)? else {
        bail!(
            "{position}: no table covers it; tables cover a king and at most one piece against a king, with \
             the catapults of one side, all moved or a single unmoved one, and no castling rights; allowed \
             options: the five proposals and +bare"
        );
    };
    let side = position.side_to_move();
    say!("{side:?} to move, table {}", probe.key);
    say!("DTM (plies to mate, without the fifty-move rule): {}", probe.dtm);
    say!("DTZ (plies to the next reset of the half-move clock, from clock 0): {}", probe.dtz);
    let won = probe.winner(side).map_or("drawn".to_owned(), |winner| format!("{winner:?} wins"));
    say!("at half-move clock {}: {won}", position.halfmove_clock());
    let mut moves = Vec::new();
    for mv in position.legal_moves() {
        let mut after = position;
        after.play(mv);
        let (mate, result) = match after.outcome() {
            Some(outcome) if outcome.winner(after.side_to_move()).is_some() => {
                (Value::Lost(0), Value::Lost(0))
            }
            _ => {
                tables.probe(&after)?.map_or((Value::Drawn, Value::Drawn), |probe| (probe.dtm, probe.result))
            }
        };
        moves.push((result.rank().signum(), mate.rank(), position.san(mv), mate));
    }
    // The move after which the other side's value is worst comes first.
    moves.sort();
    for (result, _, san, mate) in moves {
        let text = match mate {
            Value::Drawn => "draws".to_owned(),
            _ if result == 0 => "draws by the fifty-move rule".to_owned(),
            Value::Lost(plies) => format!("wins in {}", plies + 1),
            Value::Won(plies) => format!("loses in {}", plies + 1),
        };
        say!("  {san}: {text}");
    }
    let best = line(&position, &tables)?;
    if !best.is_empty() {
        say!("best play without the fifty-move rule: {best}");
    }
    Ok(())
}
