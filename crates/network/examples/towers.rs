//! Compares two implementations of the shipped networks: plain Rust, and libtorch on the CPU with
//! the operations of a GPU. The positions come from random games.
//!
//! Run `cargo run --release -p catapult-network --example towers` from the repository's root.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use catapult_encoding::Encode;
use catapult_mcts::{Batch, Evaluator};
use catapult_network::{
    EvaluatorSettings, Network, NetworkError, NetworkEvaluator, Precision, random_positions,
};
use catapult_rules::{Century, Chess, ChessPp, Half, Maxim, Plain, Position, Standard};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "network             libtorch     logits  win, draw, loss    plies left  best move the same where clear"
    );
    differences("family", Chess::start(Standard))?;
    differences("family", ChessPp::start(Plain))?;
    differences("century-quickstart", Century::start(()))?;
    differences("half-strong", Half::start(()))?;
    differences("maxim-small", Maxim::start(()))
}

/// Number of positions to compare per network.
const POSITIONS: usize = 10_000;
/// Maximum allowed difference between plain Rust and libtorch in `f32`, for logits, for probabilities
/// and for plies left.
const APART: [f32; 3] = [0.3, 0.03, 3.0];
/// Difference of the two best logits from which the best move counts as clear. Both implementations
/// must agree on a clear best move.
const CLEAR: f32 = 0.2;

/// Prints the largest differences between evaluations in plain Rust and in libtorch, for one
/// shipped network. Fails if the evaluations in `f32` differ too much.
fn differences<P: Encode>(name: &str, start: P) -> Result<(), Box<dyn std::error::Error>> {
    let path = format!("models/{name}.safetensors");
    let network = Network::load(Path::new(&path), &P::LAYOUT)?;
    let positions = random_positions(start, POSITIONS, 1);
    let answers = |settings: EvaluatorSettings| -> Result<Batch<P>, NetworkError> {
        let mut batch = Batch::default();
        for position in &positions {
            batch.push(*position, 0, &position.legal_moves());
        }
        let mut evaluator = NetworkEvaluator::<P>::new(&network, settings)?;
        evaluator.evaluate(&mut batch).map_err(|error| NetworkError::Queue(error.to_string()))?;
        Ok(batch)
    };
    let rust = answers(EvaluatorSettings::default())?;
    for (number, precision) in [("f32", Precision::F32), ("bfloat16", Precision::Bf16)] {
        let libtorch =
            answers(EvaluatorSettings { precision, as_device: true, ..EvaluatorSettings::default() })?;
        let most = |pairs: &mut dyn Iterator<Item = (f32, f32)>| {
            pairs.map(|(a, b)| (a - b).abs()).fold(0f32, f32::max)
        };
        let values = || libtorch.values.iter().zip(&rust.values);
        let apart = [
            most(&mut libtorch.logits.iter().copied().zip(rust.logits.iter().copied())),
            most(&mut values().flat_map(|(a, b)| a.wdl.into_iter().zip(b.wdl))),
            most(&mut values().map(|(a, b)| (a.moves_left, b.moves_left))),
        ];
        let (clear, same) = best_moves(&libtorch, &rust);
        println!(
            "{name:18}  {number:8}  {:9.1e}  {:17.1e}  {:10.1e}  {same:5} of {clear:5}",
            apart[0], apart[1], apart[2]
        );
        let is_promised = precision == Precision::F32;
        if is_promised && (apart.iter().zip(APART).any(|(&apart, most)| apart > most) || same < clear) {
            return Err(format!("{name}: further apart than {APART:?} or another best move").into());
        }
    }
    Ok(())
}

/// Returns two numbers of positions: those whose best move is clear in `first`, and those of them
/// in which `second` has the same best move.
fn best_moves<P: Encode>(first: &Batch<P>, second: &Batch<P>) -> (usize, usize) {
    let best = |logits: &[f32]| {
        let mut order: Vec<usize> = (0..logits.len()).collect();
        order.sort_by(|&a, &b| logits[b].total_cmp(&logits[a]));
        order
    };
    let (mut clear, mut same) = (0, 0);
    for leaf in &first.leaves {
        let logits = &first.logits[leaf.range()];
        let order = best(logits);
        if order.len() > 1 && logits[order[0]] - logits[order[1]] > CLEAR {
            clear += 1;
            same += usize::from(best(&second.logits[leaf.range()])[0] == order[0]);
        }
    }
    (clear, same)
}
