//! Finds positions of Chess++ in which only teleports or catapult moves win or save.
//!
//! ```text
//! cargo run --release -p catapult-endings --example tactics -- SEED GAMES.pgn TABLES NAME..
//! ```
//!
//! Mates come from the games, by exhaustive search. Endings come from the named tables, by random
//! placements. The seed draws positions among those that qualify. The list goes to standard output
//! and the counts to standard error.

#![allow(clippy::print_stdout, clippy::print_stderr)]

mod endings;
mod mates;

use catapult_endings::Tables;
use catapult_rules::{ChessMove, ChessMoveKind, ChessPp, Epd, Move, Position, Proposals, Variant};

pub(crate) type Failure = Box<dyn std::error::Error>;

/// Maximum number of moves that keep the result.
pub(crate) const MOST_BEST: usize = 4;

/// Position with the moves that keep the result, all of one kind.
pub(crate) struct Puzzle {
    pub position: ChessPp,
    pub best: Vec<Move>,
    /// Number of its game, 0 for an ending.
    pub game: usize,
    /// Kind of the moves, and the mate or the table: `c0`.
    pub theme: String,
    /// Addition to the proof: `c1`.
    pub proof: String,
}

/// Returns the kind of a move that only Chess++ has.
pub(crate) fn kind_of(mv: Move) -> Option<&'static str> {
    match ChessMove::of(mv).kind {
        ChessMoveKind::Teleport => Some("teleport"),
        ChessMoveKind::Catapult => Some("catapult move"),
        _ => None,
    }
}

/// Returns the kind of all these moves, if it is one and they are few.
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
    let epd = Epd::of(&puzzle.position, Variant::ChessPp(Proposals::NONE));
    let Puzzle { theme, proof, .. } = puzzle;
    format!("{epd} bm {}; id \"tactics {number:02}\"; c0 \"{theme}\"; c1 \"{proof}\";", best.join(" "))
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seed, games, tables, names @ ..] = arguments.as_slice() else {
        return Err("SEED GAMES.pgn TABLES NAME..".into());
    };
    let (seed, tables): (u64, _) = (seed.parse()?, Tables::new(tables.as_ref()));
    let mut chosen = mates::choose(games, seed)?;
    for (number, name) in names.iter().enumerate() {
        chosen.extend(endings::choose(&tables, name.parse()?, seed + 1 + number as u64)?);
    }
    for (number, puzzle) in chosen.iter().enumerate() {
        println!("{}", line(number + 1, puzzle));
    }
    Ok(())
}
