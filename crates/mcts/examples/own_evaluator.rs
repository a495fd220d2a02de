//! A custom evaluator that prefers checks. The search finds the rest.
//!
//! `cargo run -p catapult-mcts --example own_evaluator -- 'FEN of chess' 400`

#![allow(clippy::print_stdout, clippy::print_stderr)]

use catapult_mcts::{Batch, EvaluationError, Evaluator, Search, SearchConfig, Value, run};
use catapult_rules::{Chess, Game, Position, Standard};

struct LikesChecks;

impl<P: Position> Evaluator<P> for LikesChecks {
    /// Fills one logit per legal move of each leaf, in order, and one value per leaf.
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
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
    // Anderssen's Evergreen game, before the mate in four with Qxd7+.
    let fen = arguments.next().unwrap_or("1r3kr1/pbpBBp1p/1b3P2/8/8/2P2q2/P4PPP/3R2K1 w - - 0 1".to_owned());
    let simulations = arguments.next().map_or(Ok(400), |text| text.parse())?;
    let game = Game::new(Chess::from_fen(&fen, Standard)?);
    let mut search = Search::new(SearchConfig::default());
    search.start(&game, simulations, 1);
    let result = run(&mut search, &mut LikesChecks)?;
    for (stats, (mv, probability)) in result.moves.iter().zip(&result.policy) {
        println!("{:8} {:5} visits  {:5.1} %", game.position().san(*mv), stats.visits, 100.0 * probability);
    }
    match result.best {
        Some(best) => println!("plays {}, proven: {:?}", game.position().san(best), result.proven),
        None => println!("no legal move"),
    }
    Ok(())
}
