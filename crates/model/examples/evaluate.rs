//! Prints a network's evaluation of a position, without a search. Without a FEN, it evaluates the
//! start position.
//!
//! `cargo run --release -p catapult-model --example evaluate --
//! models/opponents/chesspp-quickstart.safetensors chesspp 'FEN'`

#![allow(clippy::print_stdout, clippy::print_stderr)]

use catapult_mcts::{Batch, Evaluator};
use catapult_model::{CpuEvaluator, Network};
use catapult_rules::{Position, Variant, with_variant};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("evaluate NETWORK VARIANT [FEN]")?;
    let variant: Variant = arguments.next().ok_or("evaluate NETWORK VARIANT [FEN]")?.parse()?;
    let fen = arguments.next();
    with_variant!(variant, |P, rules| {
        let position = fen.map_or(Ok(P::start(rules)), |fen| P::from_fen(&fen, rules))?;
        let network = Network::load(Path::new(&file), &<P as catapult_encoding::Encode>::LAYOUT)?;
        let mut evaluator = CpuEvaluator::<P>::portable(&network)?;
        let mut batch = Batch::default();
        batch.push(position, 0, &position.legal_moves());
        evaluator.evaluate(&mut batch)?;
        let [win, draw, loss] = batch.values[0].wdl.map(|p| 100.0 * p);
        println!("{position}\nwin {win:.1} %, draw {draw:.1} %, loss {loss:.1} % of the side to move");
        // Softmax over the legal moves.
        let highest = batch.logits.iter().copied().fold(f32::MIN, f32::max);
        let sum: f32 = batch.logits.iter().map(|logit| (logit - highest).exp()).sum();
        let mut moves: Vec<_> = batch.moves.iter().zip(&batch.logits).collect();
        moves.sort_by(|a, b| b.1.total_cmp(a.1));
        for (&mv, logit) in moves.into_iter().take(10) {
            println!("{:8} {:5.1} %", position.san(mv), 100.0 * (logit - highest).exp() / sum);
        }
    });
    Ok(())
}
