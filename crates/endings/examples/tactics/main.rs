//! Finds positions of Chess++ in which only teleports or catapult moves win, or save the draw.
//!
//! ```text
//! cargo run --release -p catapult-endings --example tactics -- SEED GAMES.pgn TABLES NAME[:COUNT]..
//! ```
//!
//! Mates come from the games, by exhaustive search; `-` omits them. Endings come from the named
//! tables, by random placements: COUNT per kind of move, by default 4. The seed determines which of
//! the qualifying positions are chosen. The list is printed to standard output and the counts to
//! standard error.

#![allow(clippy::print_stdout, clippy::print_stderr)]

mod endings;
mod mates;

use catapult_endings::Tables;
use catapult_rules::{ChessMove, ChessMoveKind, ChessPp, Epd, Move, Position, Proposals, Variant};

pub(crate) type Failure = Box<dyn std::error::Error>;

/// Maximum number of moves that keep the result.
pub(crate) const MOST_BEST: usize = 4;

/// A position with the moves that keep its result, all of one kind.
pub(crate) struct Puzzle {
    pub position: ChessPp,
    pub best: Vec<Move>,
    /// Number of the game in the PGN file, from 0. Always 0 for an ending.
    pub game: usize,
    /// Operand of the EPD opcode `c0`: the kind of the moves, and the number of turns to mate or
    /// the name of the table.
    pub theme: String,
    /// Operand of the EPD opcode `c1`: what the search or the table proves.
    pub proof: String,
}

/// Returns the name of the move's kind for teleports and catapult moves. Returns `None` for other
/// moves.
pub(crate) fn kind_of(mv: Move) -> Option<&'static str> {
    match ChessMove::of(mv).kind {
        ChessMoveKind::Teleport => Some("teleport"),
        ChessMoveKind::Catapult => Some("catapult move"),
        _ => None,
    }
}

/// Returns the common kind of the moves: teleports or catapult moves. Returns `None` if they are of
/// several kinds, ordinary, or more than [`MOST_BEST`].
pub(crate) fn only_kind(moves: &[Move]) -> Option<&'static str> {
    let kind = kind_of(*moves.first()?)?;
    (moves.len() <= MOST_BEST && moves.iter().all(|mv| kind_of(*mv) == Some(kind))).then_some(kind)
}

pub(crate) fn after(position: &ChessPp, mv: Move) -> ChessPp {
    let mut after = *position;
    after.play(mv);
    after
}

fn line(number: usize, puzzle: &Puzzle) -> String {
    let best: Vec<String> = puzzle.best.iter().map(|mv| puzzle.position.move_text(*mv)).collect();
    let epd = Epd::of(&puzzle.position.to_string(), Variant::ChessPp(Proposals::NONE));
    let Puzzle { theme, proof, .. } = puzzle;
    format!("{epd} bm {}; id \"tactics {number:02}\"; c0 \"{theme}\"; c1 \"{proof}\";", best.join(" "))
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seed, games, tables, names @ ..] = arguments.as_slice() else {
        return Err("SEED GAMES.pgn TABLES NAME[:COUNT]..".into());
    };
    let (seed, tables): (u64, _) = (seed.parse()?, Tables::new(tables.as_ref()));
    let mut chosen = if games == "-" { Vec::new() } else { mates::choose(games, seed)? };
    for (number, name) in names.iter().enumerate() {
        let (name, count) = name.split_once(':').unwrap_or((name, "4"));
        let seed = seed + 1 + number as u64;
        chosen.extend(endings::choose(&tables, name.parse()?, count.parse()?, seed)?);
    }
    for (number, puzzle) in chosen.iter().enumerate() {
        println!("{}", line(number + 1, puzzle));
    }
    Ok(())
}
