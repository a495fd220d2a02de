//! The command `catapult play`: plays a game in the terminal.

use crate::board::draw;
use crate::compute::ComputeArguments;
use catapult_arena::{Anchor, PLAYER_FORMS, Player, PlayerSpec, Turn, contender};
use catapult_encoding::Encode;
use catapult_rules::{Color, Drawn, Game, Variant, with_variant};
use catapult_seeds::Stream;
use clap::{Args, ValueEnum};
use std::io::{BufRead, IsTerminal, Write};

#[derive(Args)]
#[command(after_help = format!("Type {HELP}.\n\nPlayers: {PLAYER_FORMS}"))]
pub(crate) struct PlayArguments {
    /// Variant to play.
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
    #[arg(long, default_value_t = 1)]
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
    with_variant!(arguments.variant, |P, rules| play::<P>(rules, arguments))
}

fn play<P: Anchor + Encode + Drawn>(rules: P::Rules, arguments: &PlayArguments) -> anyhow::Result<()> {
    let start = match &arguments.fen {
        Some(fen) => P::from_fen(fen, rules)?,
        None => P::start(rules),
    };
    let mut opponent =
        (contender::<P>(&arguments.against, arguments.variant, &arguments.compute.compute())?.make)()?;
    let mut game = Game::new(start);
    let mut input = std::io::stdin().lock();
    let colours = std::io::stdout().is_terminal();
    let mut out = std::io::stdout();
    writeln!(out, "{} against {}; enter {HELP}", arguments.variant, arguments.against)?;
    loop {
        let position = *game.position();
        writeln!(out, "\n{}", draw(&position, colours))?;
        let check = if position.in_check() { ", check" } else { "" };
        if let Some(outcome) = game.outcome() {
            match outcome.winner(position.side_to_move()) {
                Some(winner) => writeln!(out, "{outcome}: {winner:?} wins")?,
                None => writeln!(out, "{outcome}: a draw")?,
            }
            return Ok(());
        }
        let side = position.side_to_move();
        if !arguments.color.is(side) {
            let mv = choose(opponent.as_mut(), &game, arguments.seed)?;
            writeln!(out, "{side:?}{check}: {}", position.move_text(mv))?;
            game.push(mv);
            continue;
        }
        loop {
            write!(out, "{side:?} to move{check}> ")?;
            out.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                return Ok(());
            }
            match line.trim() {
                "" => {}
                "quit" | "exit" => return Ok(()),
                "help" => writeln!(out, "{HELP}")?,
                "fen" => writeln!(out, "{position}")?,
                "moves" => {
                    let texts: Vec<String> =
                        position.legal_moves().iter().map(|&mv| position.move_text(mv)).collect();
                    writeln!(out, "{}", texts.join(" "))?;
                }
                "hint" => {
                    let mv = choose(opponent.as_mut(), &game, arguments.seed)?;
                    writeln!(out, "{} would play {}", arguments.against, position.move_text(mv))?;
                }
                "undo" => {
                    game = undone(&game, |color| arguments.color.is(color));
                    break;
                }
                text => match position.parse_move(text) {
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

fn choose<P: Anchor>(
    player: &mut dyn Player<P>,
    game: &Game<P>,
    seed: u64,
) -> anyhow::Result<catapult_rules::Move> {
    let seed = Stream::Reply(game.moves().len()).seed(seed);
    // A player returns one move per turn.
    Ok(player.choose(&[Turn::new(game, seed)])?[0])
}

/// Returns the game as it was before the user's last move. `asks` returns true for the sides that
/// the user plays. If the user has not moved yet, returns the game at its start.
fn undone<P: Anchor>(game: &Game<P>, asks: impl Fn(Color) -> bool) -> Game<P> {
    let mut shorter = Game::new(*game.start());
    let mut keep = 0;
    let mut position = *game.start();
    for (ply, &mv) in game.moves().iter().enumerate() {
        if asks(position.side_to_move()) {
            keep = ply;
        }
        position.play(mv);
    }
    for &mv in &game.moves()[..keep] {
        shorter.push(mv);
    }
    shorter
}
