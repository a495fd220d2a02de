//! Plays a random game of any variant and prints it as PGN.
//!
//! Run `cargo run -p catapult-rules --example random_game -- chesspp+instant 7`. The arguments are
//! the variant and the seed.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use catapult_rules::{Game, PgnResult, Position, Variant, with_variant, write_pgn};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let variant: Variant = arguments.next().as_deref().unwrap_or("chesspp").parse()?;
    let seed = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let tags = [("White".to_owned(), "random".to_owned()), ("Black".to_owned(), "random".to_owned())];
    // This block is compiled for every game.
    with_variant!(variant, |P, rules| {
        let mut game = Game::new(P::start(rules));
        while game.outcome().is_none() {
            let moves = game.position().legal_moves();
            let &mv = moves.choose(&mut random).ok_or("a position without moves that is not over")?;
            game.push(mv);
        }
        write_pgn(&mut std::io::stdout(), variant, &tags, &game, &[], PgnResult::of(&game))?;
    });
    Ok(())
}
