//! Verifies all games of a shard. Prints the shard's metadata, and the outcome and the values of
//! the first three moves of each game.
//!
//! `cargo run -p catapult-records --example read_shard -- runs/quickstart/generation-0001/games/shard-0000-HASH.parquet`

#![allow(clippy::print_stdout, clippy::print_stderr)]

use catapult_records::{read_shard, verify_record};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = PathBuf::from(std::env::args().nth(1).ok_or("read_shard FILE")?);
    // `read_shard` verifies the file's hash, `verify_record` the games against the rules.
    let shard = read_shard(&path)?;
    for (name, value) in &shard.metadata {
        println!("{name}: {value}");
    }
    for game in &shard.games {
        verify_record(game)?;
        let winner = game.winner.map_or("nobody".to_owned(), |side| format!("{side:?}"));
        println!("game {}: {} plies, {}, won by {winner}", game.game, game.moves.len(), game.outcome);
        for (mv, wdl) in game.texts()?.moves.iter().zip(&game.values).take(3) {
            println!("  {mv:8} win, draw, loss {wdl:?}");
        }
    }
    Ok(())
}
