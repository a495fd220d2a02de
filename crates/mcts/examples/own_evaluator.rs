//! A search with a custom evaluator that prefers moves that give check.
//!
//! `cargo run -p catapult-mcts --example own_evaluator -- 'FEN of chess' 4000`

#![allow(clippy::print_stdout, clippy::print_stderr)]

use catapult_mcts::{Batch, EvaluationError, Evaluator, Search, SearchConfig, SearchResult, Value, run};
use catapult_rules::{Chess, Game, Position, Standard};

/// Anderssen's Evergreen game (1852), before the mate in four with Qxd7+.
const EVERGREEN: &str = "1r2k1r1/pbppnp1p/1b3P2/8/Q7/B1PB1q2/P4PPP/3R2K1 w - - 0 1";

struct LikesChecks;

impl<P: Position> Evaluator<P> for LikesChecks {
    /// Writes one logit per legal move of each leaf, in order, and one value per leaf.
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
        batch.logits.clear();
        batch.values.clear();
        for leaf in &batch.leaves {
            for &mv in &batch.moves[leaf.range()] {
                let mut after = leaf.position;
                after.play(mv);
                batch.logits.push(if after.in_check() { 2.0 } else { 0.0 });
            }
            batch.values.push(Value { wdl: [0.3, 0.4, 0.3], moves_left: 60.0 });
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let fen = arguments.next().unwrap_or(EVERGREEN.to_owned());
    let simulations = arguments.next().map_or(Ok(4000), |text| text.parse())?;
    let game = Game::new(Chess::from_fen(&fen, Standard)?);
    let result = search(&game, simulations)?;
    for (stats, (mv, probability)) in result.moves.iter().zip(&result.policy) {
        println!("{:8} {:5} visits  {:5.1} %", game.position().san(*mv), stats.visits, 100.0 * probability);
    }
    match result.best {
        Some(best) => println!("plays {}, proven: {:?}", game.position().san(best), result.proven),
        None => println!("no legal move"),
    }
    Ok(())
}

fn search(game: &Game<Chess>, simulations: u32) -> Result<SearchResult, EvaluationError> {
    let mut search = Search::new(SearchConfig::default());
    search.start(game, simulations, 1);
    run(&mut search, &mut LikesChecks)
}

#[test]
fn it_finds_the_mate_of_the_evergreen_game() -> Result<(), Box<dyn std::error::Error>> {
    let game = Game::new(Chess::from_fen(EVERGREEN, Standard)?);
    let result = search(&game, 4000)?;
    assert_eq!(result.best.map(|best| game.position().san(best)).as_deref(), Some("Qxd7+"));
    assert_eq!(result.proven.map(|proven| proven.plies), Some(7));
    Ok(())
}
