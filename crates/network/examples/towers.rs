//! Compares two implementations of the shipped networks: plain Rust, and libtorch on the CPU with
//! the operations of a GPU. The positions come from random games.
//!
//! Run `cargo run --release -p catapult-network --example towers` from the repository's root.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use catapult_encoding::Encode;
use catapult_mcts::{Batch, Evaluator, Value};
use catapult_network::{
    EvaluatorSettings, Network, NetworkError, NetworkEvaluator, Precision, random_positions,
};
use catapult_rules::{Century, Chess, ChessPp, Half, Maxim, Plain, Position, Standard};
use std::ops::Range;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "network             libtorch  KL of the policy  win minus loss, rms  plies left, rms  best move the same where clear"
    );
    differences("all-rules", Chess::start(Standard))?;
    differences("all-rules", ChessPp::start(Plain))?;
    differences("century-long", Century::start(()))?;
    differences("half-longer", Half::start(()))?;
    differences("maxim-long", Maxim::start(()))
}

/// Number of positions to compare per network.
const POSITIONS: usize = 10_000;
/// Maximum allowed difference between plain Rust and libtorch in `f32`: mean KL divergence of the
/// policies, and root mean squares of the differences in win minus loss and in plies left.
const APART: [f64; 3] = [1e-4, 0.005, 0.5];
/// Difference of the two best logits from which the best move counts as clear. Both implementations
/// must agree on a clear best move.
const CLEAR: f32 = 0.2;

/// Prints the differences between evaluations in plain Rust and in libtorch, for one
/// shipped network. Fails if the evaluations in `f32` differ too much.
fn differences<P: Encode>(name: &str, start: P) -> Result<(), Box<dyn std::error::Error>> {
    let path = format!("models/{name}.safetensors");
    let network = Network::load(Path::new(&path), &P::LAYOUT)?;
    let positions = random_positions(start, POSITIONS, 1);
    let answers = |settings: EvaluatorSettings| -> Result<Batch<P>, NetworkError> {
        let mut batch = Batch::of(&positions);
        let mut evaluator = NetworkEvaluator::<P>::new(&network, settings)?;
        evaluator.evaluate(&mut batch).map_err(|error| NetworkError::Queue(error.to_string()))?;
        Ok(batch)
    };
    let rust = answers(EvaluatorSettings::default())?;
    for (number, precision) in [("f32", Precision::F32), ("bfloat16", Precision::Bf16)] {
        let libtorch =
            answers(EvaluatorSettings { precision, as_device: true, ..EvaluatorSettings::default() })?;
        let pairs = || libtorch.values.iter().zip(&rust.values);
        let rms = |of: fn(&Value) -> f32| {
            let squares = pairs().map(|(a, b)| f64::from(of(a) - of(b)).powi(2));
            (squares.sum::<f64>() / pairs().len() as f64).sqrt()
        };
        let apart = [
            divergence(&libtorch, &rust),
            rms(|value| value.wdl[0] - value.wdl[2]),
            rms(|value| value.moves_left),
        ];
        let (clear, same) = best_moves(&libtorch, &rust);
        println!(
            "{name:18}  {number:8}  {:16.1e}  {:19.1e}  {:15.1e}  {same:5} of {clear:5}",
            apart[0], apart[1], apart[2]
        );
        let is_promised = precision == Precision::F32;
        if is_promised && (apart.iter().zip(APART).any(|(&apart, most)| apart > most) || same < clear) {
            return Err(format!("{name}: further apart than {APART:?} or another best move").into());
        }
    }
    Ok(())
}

/// Returns the mean KL divergence of the policies of `second` from those of `first`.
fn divergence<P: Position>(first: &Batch<P>, second: &Batch<P>) -> f64 {
    let log_policy = |logits: &[f32]| -> Vec<f64> {
        let sum: f64 = logits.iter().map(|&logit| f64::from(logit).exp()).sum();
        logits.iter().map(|&logit| f64::from(logit) - sum.ln()).collect()
    };
    let of = |range: Range<usize>| {
        let policies = [first, second].map(|batch| log_policy(&batch.logits[range.clone()]));
        policies[0].iter().zip(&policies[1]).map(|(p, q)| p.exp() * (p - q)).sum::<f64>()
    };
    first.leaves.iter().map(|leaf| of(leaf.range())).sum::<f64>() / first.leaves.len() as f64
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
