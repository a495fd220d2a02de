//! Measures simulations per second without a network: the uniform evaluator, from the start
//! position.
//!
//! `cargo run --release -p catapult-mcts --example uniform`

#![allow(clippy::print_stdout, clippy::print_stderr)]

use catapult_mcts::{AlgorithmName, Search, SearchTable, uniform_search};
use catapult_rules::{Chess, ChessPosition, ChessPp, ChessRules, Position};
use std::time::Instant;

fn measure<R: ChessRules>(name: &str, rules: R) -> Result<(), Box<dyn std::error::Error>> {
    for algorithm in [AlgorithmName::Puct, AlgorithmName::Gumbel] {
        let config = SearchTable { algorithm, ..SearchTable::default() }.config();
        for simulations in [32, 800, 10_000, 100_000] {
            let mut search = Search::<ChessPosition<R>>::new(config.clone());
            uniform_search(&mut search, rules, &config, simulations)?;
            let start = Instant::now();
            let mut made = 0u64;
            while start.elapsed().as_secs_f64() < 1.0 {
                made += uniform_search(&mut search, rules, &config, simulations)? as u64;
            }
            let rate = made as f64 / start.elapsed().as_secs_f64();
            let bytes = search.result().bytes;
            println!("{name} {algorithm:?} {simulations:>7}: {:>6.0} k/s, {} KiB", rate / 1e3, bytes / 1024);
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    measure("chess", <Chess as Position>::Rules::default())?;
    measure("chesspp", <ChessPp as Position>::Rules::default())
}
