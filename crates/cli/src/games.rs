//! The command `catapult games`: lists all games.

use catapult_rules::{AnyGame, Color, Proposal, Role, Variant};
use clap::Args;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write as _;

#[derive(Args)]
pub(crate) struct GamesArguments {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct GameInfo {
    variant: Variant,
    files: usize,
    ranks: usize,
    about: &'static str,
    start: String,
    pieces: Vec<Piece>,
    options: Vec<OptionInfo>,
}

#[derive(Serialize)]
struct Piece {
    letter: char,
    name: &'static str,
    /// Conventional value of the piece in centipawns. 0 for the king and for pieces without a
    /// value.
    centipawns: i32,
}

#[derive(Serialize)]
struct OptionInfo {
    option: String,
    about: &'static str,
}

pub(crate) fn run(arguments: &GamesArguments) -> anyhow::Result<()> {
    let games: Vec<GameInfo> = Variant::games().map(info).collect();
    let text = if arguments.json {
        serde_json::to_string_pretty(&games)? + "\n"
    } else {
        games.iter().map(described).collect::<Vec<_>>().join("\n")
    };
    std::io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}

fn info(variant: Variant) -> GameInfo {
    let option = |option: &Proposal| OptionInfo { option: format!("+{}", option.name), about: option.about };
    let game = variant.start();
    GameInfo {
        variant,
        files: game.files(),
        ranks: game.ranks(),
        about: game.about(),
        start: game.fen(),
        pieces: pieces(&*game),
        options: variant.proposals().iter().map(option).collect(),
    }
}

/// Returns the kinds of pieces of a game. A catapult is listed only if the game starts with
/// catapults.
fn pieces(start: &dyn AnyGame) -> Vec<Piece> {
    let all = start.pieces().iter().zip(start.count_pieces(Color::White));
    let on_board = all.filter(|(piece, count)| piece.role != Role::Marker || *count > 0);
    on_board
        .map(|(piece, _)| Piece { letter: piece.letter, name: piece.name, centipawns: piece.centipawns })
        .collect()
}

fn described(game: &GameInfo) -> String {
    let worth = |piece: &Piece| match piece.centipawns {
        0 => format!("{} {}", piece.letter, piece.name),
        worth => format!("{} {} {worth}", piece.letter, piece.name),
    };
    let pieces: Vec<String> = game.pieces.iter().map(worth).collect();
    let GameInfo { variant, files, ranks, about, start, options, .. } = game;
    let mut text = format!(
        "{variant} ({files}x{ranks})\n  {about}\n  pieces  {}\n  start   {start}\n",
        pieces.join(", ")
    );
    for OptionInfo { option, about } in options {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {option:<9} {about}");
    }
    if let [first, .., last] = &options[..] {
        let both = format!("{variant}{}{}", first.option, last.option);
        let _ = writeln!(text, "  options combine: {both}; docs/own-rule.md lists more");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_described() {
        let games: Vec<GameInfo> = Variant::games().map(info).collect();
        let find = |name: &str| games.iter().find(|game| game.variant.to_string() == name).expect("a game");
        assert_eq!((find("century").files, find("century").ranks), (10, 8));
        assert!(described(find("century")).contains("A Baron 875, S Sorcerer 1250, J Jester 150"));
        assert!(!described(find("chess")).contains("catapult"));
        let plusplus = described(find("chesspp"));
        assert!(plusplus.contains("* catapult\n") && plusplus.contains("+third    three catapults per side"));
        for game in &games {
            assert!(game.about.ends_with('.') && game.pieces.iter().any(|piece| piece.letter == 'K'));
            assert!(game.variant.game(Some(&game.start)).is_ok());
        }
    }
}
