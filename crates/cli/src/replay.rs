//! The command `catapult replay`: replays games of chess under the rules of Chess++.

use anyhow::{Context, bail, ensure};
use catapult_rules::{
    Break, BreakReason, ChessReplay, Outcome, PgnError, PgnGame, PgnReader, Variant, replay_chess,
};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct ReplayArguments {
    /// Games of chess (PGN), or `-` for standard input. Catapults are added to each at their start squares.
    file: PathBuf,
    /// Variant under whose rules the games are replayed.
    #[arg(long, default_value = "chesspp", value_parser = crate::variant)]
    variant: Variant,
    /// Print a JSON object instead of a table, with every game that differs.
    #[arg(long)]
    json: bool,
    /// Number of differing games that the table lists.
    #[arg(long, default_value_t = 20)]
    list: usize,
}

/// Summary of all games of a file.
#[derive(Serialize, Default)]
struct Summary {
    variant: String,
    /// Number of chess games that could be read. All other counts of games count a part of these
    /// games.
    games: usize,
    plies: usize,
    /// Number of plies that are legal under the variant's rules. In each game, plies count up to
    /// the first illegal move.
    legal_plies: usize,
    /// Number of games without an illegal move.
    legal: usize,
    /// Number of games without an illegal move that end as they do in chess.
    same_end: usize,
    /// Number of games with an illegal move, by the reason why the move is illegal.
    broken: BTreeMap<&'static str, usize>,
    /// Number of games without an illegal move that end otherwise than in chess. The key contains
    /// both ends, such as `checkmate -> not over`.
    other_ends: BTreeMap<String, usize>,
    /// Number of games in which catapults are captured.
    with_catapults_captured: usize,
    /// Number of games with a check that is given only by a teleport.
    with_checks_by_teleport: usize,
    /// Games with an illegal move, or with another end than in chess.
    differing: Vec<Differing>,
    /// Messages about games that could not be read as chess.
    unreadable: Vec<String>,
}

#[derive(Serialize)]
struct Differing {
    game: usize,
    line: usize,
    white: String,
    black: String,
    date: String,
    #[serde(flatten)]
    replay: ChessReplay,
}

pub(crate) fn run(arguments: &ReplayArguments) -> anyhow::Result<()> {
    let input = crate::convert::open(&arguments.file)?;
    let summary = replay_all(PgnReader::new(input), arguments.variant)
        .with_context(|| arguments.file.display().to_string())?;
    let text = if arguments.json {
        serde_json::to_string_pretty(&summary)? + "\n"
    } else {
        table(&summary, arguments.list)
    };
    std::io::stdout().lock().write_all(text.as_bytes())?;
    let (file, count) = (arguments.file.display(), summary.unreadable.len());
    ensure!(summary.games > 0, "{file}: no game of chess could be read");
    ensure!(count == 0, "{file}: {count} games could not be read as chess");
    Ok(())
}

fn replay_all(
    games: impl Iterator<Item = Result<PgnGame, PgnError>>,
    variant: Variant,
) -> anyhow::Result<Summary> {
    let mut summary = Summary { variant: variant.to_string(), ..Summary::default() };
    for game in games {
        let game = match game {
            Ok(game) => game,
            Err(error @ PgnError::Io { .. }) => return Err(error.into()),
            Err(error) => {
                summary.unreadable.push(error.to_string());
                continue;
            }
        };
        if !matches!(game.variant(), Ok(Variant::Chess)) {
            let name = game.tag("Variant").unwrap_or_default();
            let reason = format!("game {}, line {}: `{name}` is not chess", game.number, game.line);
            summary.unreadable.push(reason);
            continue;
        }
        match replay_chess(&game, variant) {
            None => bail!(
                "`{variant}` is not played with the pieces of chess; allowed are chess and chesspp with options"
            ),
            Some(Ok(replay)) => summary.add(&game, replay),
            Some(Err(error)) => summary.unreadable.push(error.to_string()),
        }
    }
    Ok(summary)
}

impl Summary {
    fn add(&mut self, game: &PgnGame, replay: ChessReplay) {
        self.games += 1;
        self.plies += replay.plies;
        self.legal_plies += replay.legal;
        self.with_catapults_captured += !replay.catapults_captured.is_empty() as usize;
        self.with_checks_by_teleport += !replay.checks_by_teleport.is_empty() as usize;
        match &replay.broken {
            Some(broken) => *self.broken.entry(broken.reason.name()).or_default() += 1,
            None => {
                self.legal += 1;
                if replay.is_same() {
                    self.same_end += 1;
                } else {
                    *self.other_ends.entry(ends(&replay)).or_default() += 1;
                }
            }
        }
        if !replay.is_same() {
            let tag = |name: &str| game.tag(name).unwrap_or("?").to_owned();
            self.differing.push(Differing {
                game: game.number,
                line: game.line,
                white: tag("White"),
                black: tag("Black"),
                date: tag("Date"),
                replay,
            });
        }
    }
}

fn ends(replay: &ChessReplay) -> String {
    let name = |outcome: Option<Outcome>| outcome.map_or("not over", |outcome| outcome.name());
    format!("{} -> {}", name(replay.chess_outcome), name(replay.outcome))
}

fn table(summary: &Summary, list: usize) -> String {
    let mut text = format!("{} games of chess under {}\n\n", summary.games, summary.variant);
    let mut row = |name: &str, count: usize, of: usize| {
        let share =
            if of == 0 { String::new() } else { format!("{:6.2} %", 100.0 * count as f64 / of as f64) };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:<44} {count:>9} {share}");
    };
    row("legal to the end", summary.legal, summary.games);
    row("  and ends as in chess", summary.same_end, summary.games);
    for (ends, count) in &summary.other_ends {
        row(&format!("  and ends otherwise: {ends}"), *count, summary.games);
    }
    for reason in BreakReason::ALL {
        if let Some(count) = summary.broken.get(reason.name()) {
            row(&format!("breaks: {}", reason.name()), *count, summary.games);
        }
    }
    row("plies legal", summary.legal_plies, summary.plies);
    row("games with catapults captured", summary.with_catapults_captured, summary.games);
    row("games with a check by teleport", summary.with_checks_by_teleport, summary.games);
    if !summary.unreadable.is_empty() {
        row("games that can't be read as chess", summary.unreadable.len(), 0);
    }
    for differing in summary.differing.iter().take(list) {
        let Differing { game, line, white, black, date, replay } = differing;
        let _ = write!(text, "\ngame {game}, line {line}: {white} - {black}, {date}\n  ");
        let _ = match &replay.broken {
            Some(Break { san, reason, detail, fen, .. }) => {
                writeln!(text, "{san}: {}, {detail}\n  {fen}", reason.name())
            }
            None => writeln!(text, "{}; {}", ends(replay), replay.escapes.join(" ")),
        };
    }
    let more = summary.differing.len().saturating_sub(list);
    if more > 0 {
        let _ = writeln!(text, "\nand {more} more (--list, --json)");
    }
    for error in summary.unreadable.iter().take(list) {
        let _ = writeln!(text, "\n{error}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFFERENT: &str = "[White \"A\"]\n[FEN \"1n6/p5K1/8/8/8/8/8/k7 w - - 0 1\"]\n\n1. Kf8 a6 *\n\n\
        [FEN \"4rkr1/4ppp1/8/6N1/8/8/8/4K3 w - - 0 1\"]\n\n1. Nh7# 1-0\n\n[Variant \"chesspp\"]\n\n1. e4 *\n\n\
        1. e5 *\n\n1. e4 ) e5\n";

    #[test]
    fn files_are_summed_up() {
        let text = include_str!("../../rules/tests/data/games.pgn").to_owned() + DIFFERENT;
        let variant = "chesspp".parse().unwrap();
        let summary = replay_all(PgnReader::new(text.as_bytes()), variant).unwrap();
        assert_eq!((summary.games, summary.legal, summary.same_end), (9, 8, 7));
        assert_eq!(summary.plies, 33 + 45 + 47 + 21 + 35 + 82 + 37 + 2 + 1);
        assert_eq!(summary.legal_plies, summary.plies - 2);
        assert_eq!(summary.broken, BTreeMap::from([("king-into-teleport", 1)]));
        assert_eq!(summary.other_ends, BTreeMap::from([("checkmate -> not over".to_owned(), 1)]));
        assert_eq!(summary.unreadable.len(), 3, "{:?}", summary.unreadable);
        let shown = table(&summary, 1);
        assert!(shown.contains("legal to the end                                     8  88.89 %"), "{shown}");
        assert!(
            shown.contains("A - ?, ?\n  1. Kf8: king-into-teleport, a teleport guards f8\n  1n6/"),
            "{shown}"
        );
        assert!(shown.contains("and 1 more"), "{shown}");
        let json = serde_json::to_value(&summary).unwrap();
        assert_eq!(json["differing"][0]["broken"]["reason"], "king-into-teleport");
        assert_eq!(json["differing"][1]["escapes"][0], "Kb8t");
    }
}
