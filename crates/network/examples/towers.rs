//! The tower in plain Rust beside libtorch's in `f32`, interleaved: evaluations a second, medians over the rounds.
//!
//! `cargo run --release -p catapult-network --example towers [rounds]`

use catapult_encoding::{CHESS_LAYOUT, Encode, Layout};
use catapult_network::{Architecture, EvaluatorSettings, Network, NetworkError, Precision, raw_evaluations};
use catapult_rules::Half;
use std::thread;

/// Seconds that each is measured in each round.
const SLICE: f64 = 0.25;

fn main() -> Result<(), NetworkError> {
    let rounds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(7);
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

/// Medians of both rates, of all threads together, and of their ratio in the same round.
fn compare(network: &Network, threads: usize, batch: usize, rounds: usize) -> Result<[f64; 3], NetworkError> {
    let mut figures = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..rounds {
        let libtorch = rate(network, threads, batch, true)?;
        let rust = rate(network, threads, batch, false)?;
        for (figures, figure) in figures.iter_mut().zip([libtorch, rust, rust / libtorch]) {
            figures.push(figure);
        }
    }
    Ok(figures.map(|mut figures| {
        figures.sort_by(f64::total_cmp);
        figures[figures.len() / 2]
    }))
}

fn rate(network: &Network, threads: usize, batch: usize, libtorch: bool) -> Result<f64, NetworkError> {
    let settings = EvaluatorSettings { precision: Precision::F32, libtorch, ..EvaluatorSettings::default() };
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
