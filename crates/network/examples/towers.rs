//! The tower in plain Rust beside libtorch's in `f32`: how far the answers of the shipped networks are apart, on positions
//! of random games, and evaluations a second, interleaved, medians over the rounds.
//!
//! `cargo run --release -p catapult-network --example towers [rounds]`, from the repository's root

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
    println!("network    logits: most    mean   win, draw, loss: most    mean");
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

/// Prints the largest and the mean difference of a shipped network's answers.
fn differences<P: Encode>(name: &str, start: P) -> Result<(), Box<dyn std::error::Error>> {
    let path = format!("models/{name}-quickstart.safetensors");
    let network = Network::load(Path::new(&path), &P::LAYOUT)?;
    let mut batches = [Batch::default(), Batch::default()];
    for position in random_positions(start, 1000, 1) {
        for batch in &mut batches {
            batch.push(position, 0, &position.legal_moves());
        }
    }
    for (batch, backend) in batches.iter_mut().zip([BackendChoice::Torch, BackendChoice::Portable]) {
        let settings =
            EvaluatorSettings { precision: Precision::F32, backend, ..EvaluatorSettings::default() };
        NetworkEvaluator::<P>::new(&network, settings)?.evaluate(batch)?;
    }
    let [libtorch, rust] = batches;
    let apart = |a: &mut dyn Iterator<Item = f32>, b: &mut dyn Iterator<Item = f32>| {
        let all: Vec<f32> = a.zip(b).map(|(a, b)| (a - b).abs()).collect();
        let most = all.iter().fold(0f32, |most, &x| most.max(x));
        format!("{most:7.1e} {:7.1e}", all.iter().sum::<f32>() / all.len() as f32)
    };
    let wdl = |batch: &Batch<P>| batch.values.iter().flat_map(|value| value.wdl).collect::<Vec<f32>>();
    println!(
        "{name:9}  {:>21}  {:>30}",
        apart(&mut libtorch.logits.iter().copied(), &mut rust.logits.iter().copied()),
        apart(&mut wdl(&libtorch).into_iter(), &mut wdl(&rust).into_iter()),
    );
    Ok(())
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
