//! The command `catapult play`: plays a game in the terminal.

use crate::board::{draw, ending};
use crate::compute::ComputeArguments;
use catapult_arena::{PLAYER_FORMS, PlayerSpec, choose_move};
use catapult_rules::{AnyGame, Color, Variant};
use catapult_seeds::Stream;
use clap::{Args, ValueEnum};
use std::io::{BufRead, IsTerminal, Write};

#[derive(Args)]
#[command(after_help = format!("Type {HELP}.\n\nPlayers:\n{PLAYER_FORMS}"))]
pub(crate) struct PlayArguments {
    /// Variant to play.
    #[arg(value_parser = crate::variant)]
    variant: Variant,
    /// Opponent.
    #[arg(long, default_value = "search:material:400")]
    against: PlayerSpec,
    /// Your colour.
    #[arg(long, value_enum, default_value_t = Side::White)]
    color: Side,
    /// Position to begin with. The default is the start position.
    #[arg(long)]
    fen: Option<String>,
    /// Seed of the opponent's random choices.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    compute: ComputeArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    White,
    Black,
    /// Watch the computer play both sides.
    None,
}

impl Side {
    fn is(self, color: Color) -> bool {
        matches!((self, color), (Side::White, Color::White) | (Side::Black, Color::Black))
    }
}

const HELP: &str =
    "a move as it is listed (e2e4, e7e8q, catapults f1d3, teleports b1f1t), or: moves, undo, hint, fen, quit";

pub(crate) fn run(arguments: &PlayArguments) -> anyhow::Result<()> {
    let against = &arguments.against;
    if against.needs_clock() {
        anyhow::bail!("--against {against}: `play` has no clock; write a number instead of `clock`");
    }
    let mut game = arguments.variant.game(arguments.fen.as_deref())?;
    let mut choose = choose_move(&arguments.against, arguments.variant, arguments.compute.device)?;
    let mut choose =
        |game: &dyn AnyGame| choose(game, Stream::Reply(game.moves().len()).seed(arguments.seed));
    let mut input = std::io::stdin().lock();
    let colours = std::io::stdout().is_terminal();
    let mut out = std::io::stdout();
    writeln!(out, "{} against {}; enter {HELP}", arguments.variant, arguments.against)?;
    loop {
        writeln!(out, "\n{}", draw(&*game, colours))?;
        let check = if game.in_check() { ", check" } else { "" };
        let side = game.side_to_move();
        if let Some(ending) = ending(&*game) {
            writeln!(out, "{ending}")?;
            return Ok(());
        }
        if !arguments.color.is(side) {
            let mv = choose(&*game)?;
            writeln!(out, "{side:?}{check}: {}", game.move_text(mv))?;
            game.push(mv);
            continue;
        }
        loop {
            write!(out, "{side:?} to move{check}> ")?;
            out.flush()?;
            let mut line = Vec::new();
            if input.read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            match String::from_utf8_lossy(&line).trim() {
                "" => {}
                "quit" | "exit" => return Ok(()),
                "help" => writeln!(out, "{HELP}")?,
                "fen" => writeln!(out, "{}", game.fen())?,
                "moves" => {
                    let texts: Vec<String> =
                        game.legal_moves().iter().map(|&mv| game.move_text(mv)).collect();
                    writeln!(out, "{}", texts.join(" "))?;
                }
                "hint" => {
                    let mv = choose(&*game)?;
                    writeln!(out, "{} would play {}", arguments.against, game.move_text(mv))?;
                }
                "undo" => {
                    // Back to the user's last decision, or to the start.
                    while game.pop().is_some() && !arguments.color.is(game.side_to_move()) {}
                    break;
                }
                text => match game.parse_move(text) {
                    Ok(mv) => {
                        game.push(mv);
                        break;
                    }
                    Err(error) => writeln!(out, "{error}")?,
                },
            }
        }
    }
}
