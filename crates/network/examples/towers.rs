//! The tower in plain Rust beside libtorch's in `f32`: how far the answers of the shipped networks are apart, on positions
//! of random games, and evaluations a second, interleaved, medians over the rounds.
//!
//! `cargo run --release -p catapult-network --example towers [rounds]`, from the repository's root

#![allow(clippy::print_stdout, clippy::print_stderr)]

use catapult_encoding::{CHESS_LAYOUT, Encode, Layout};
use catapult_mcts::{Batch, Evaluator};
use catapult_network::{
    Architecture, BackendChoice, EvaluatorSettings, Network, NetworkError, NetworkEvaluator, Precision,
    random_positions, raw_evaluations,
};
use catapult_rules::{Century, Chess, ChessPp, Half, Maxim, Plain, Position, Standard};
use std::path::Path;
use std::thread;

/// Seconds that each is measured in each round.
const SLICE: f64 = 0.25;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rounds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(7);
    println!("network    libtorch     logits  win, draw, loss    plies left  best move the same where clear");
    differences("chess", Chess::start(Standard))?;
    differences("chesspp", ChessPp::start(Plain))?;
    differences("century", Century::start(()))?;
    differences("half", Half::start(()))?;
    differences("maxim", Maxim::start(()))?;
    println!();
    println!("network  board  threads  batch  libtorch f32  plain Rust  ratio");
    for (channels, blocks, layout) in
        [(32, 4, CHESS_LAYOUT), (64, 6, CHESS_LAYOUT), (32, 4, <Half as Encode>::LAYOUT)]
    {
        let network = Network::untrained(Architecture::new(channels, blocks), layout, 1)?;
        for threads in [1, 2] {
            for batch in [16, 32, 64, 128] {
                let [libtorch, rust, ratio] = compare(&network, threads, batch, rounds)?;
                let Layout { ranks, files, .. } = layout;
                println!(
                    "{:7}  {:5}  {threads:7}  {batch:5}  {libtorch:12.0}  {rust:10.0}  {ratio:5.2}",
                    format!("{channels}x{blocks}"),
                    format!("{ranks}x{files}"),
                );
            }
        }
    }
    Ok(())
}

/// Positions that answers are compared on, in each layout.
const POSITIONS: usize = 10_000;
/// The most by which plain Rust may differ from libtorch's `f32`: logits, probabilities, plies left.
const APART: f32 = 1e-3;
/// Two best logits that lie further apart than this have the same order in both.
const CLEAR: f32 = 2e-3;

/// Prints how far a shipped network's answers in plain Rust are from those in libtorch; fails where they are further apart from `f32` than
/// is promised.
fn differences<P: Encode>(name: &str, start: P) -> Result<(), Box<dyn std::error::Error>> {
    let path = format!("models/{name}-quickstart.safetensors");
    let network = Network::load(Path::new(&path), &P::LAYOUT)?;
    let positions = random_positions(start, POSITIONS, 1);
    let answers = |precision, backend| -> Result<Batch<P>, NetworkError> {
        let mut batch = Batch::default();
        for position in &positions {
            batch.push(*position, 0, &position.legal_moves());
        }
        let settings = EvaluatorSettings { precision, backend, ..EvaluatorSettings::default() };
        let mut evaluator = NetworkEvaluator::<P>::new(&network, settings)?;
        evaluator.evaluate(&mut batch).map_err(|error| NetworkError::Queue(error.to_string()))?;
        Ok(batch)
    };
    let rust = answers(Precision::F32, BackendChoice::Portable)?;
    for (number, precision) in [("f32", Precision::F32), ("bfloat16", Precision::Bf16)] {
        let libtorch = answers(precision, BackendChoice::Torch)?;
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
            "{name:9}  {number:8}  {:9.1e}  {:17.1e}  {:10.1e}  {same:5} of {clear:5}",
            apart[0], apart[1], apart[2]
        );
        let is_promised = precision == Precision::F32;
        if is_promised && (apart.iter().any(|&apart| apart > APART) || same < clear) {
            return Err(format!("{name}: further apart than {APART} or another best move").into());
        }
    }
    Ok(())
}

/// Positions whose best move is clear in the first batch, and those of them in which the second has the same.
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

/// Medians of both rates, of all threads together, and of their ratio in the same round.
fn compare(network: &Network, threads: usize, batch: usize, rounds: usize) -> Result<[f64; 3], NetworkError> {
    let mut figures = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..rounds {
        let libtorch = rate(network, threads, batch, BackendChoice::Torch)?;
        let rust = rate(network, threads, batch, BackendChoice::Portable)?;
        for (figures, figure) in figures.iter_mut().zip([libtorch, rust, rust / libtorch]) {
            figures.push(figure);
        }
    }
    Ok(figures.map(|mut figures| {
        figures.sort_by(f64::total_cmp);
        figures[figures.len() / 2]
    }))
}

fn rate(
    network: &Network,
    threads: usize,
    batch: usize,
    backend: BackendChoice,
) -> Result<f64, NetworkError> {
    let settings = EvaluatorSettings { precision: Precision::F32, backend, ..EvaluatorSettings::default() };
    let work = || raw_evaluations(network, settings, batch, SLICE);
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut sum = work()?;
        for other in others {
            sum += other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        }
        Ok(sum)
    })
}
