//! Measures how many training samples per second a learner processes, and how many evaluations cost
//! as much as one sample.
//!
//! ```text
//! cargo run --release -p catapult-network --example learner_rate -- [NETWORK] [THREADS] [SECONDS]
//! ```
//!
//! Learner and evaluator take turns, so that other programs slow down both equally. The output has
//! medians over several rounds.
//!
//! The evaluator has as many threads as the learner. Each thread runs its own evaluations,
//! including the encoding and the heads.
//!
//! The program prints two rates: per second, and on Linux also per second of processor time. Other
//! programs affect the second rate less.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use catapult_encoding::{Encode, PolicyIndex};
use catapult_mcts::{Batch, Evaluator};
use catapult_network::device::Device;
use catapult_network::{
    Architecture, EvaluatorSettings, Learner, Network, NetworkEvaluator, TrainingBatch, TrainingRow,
    TrainingSettings, random_positions,
};
use catapult_rules::{ChessPp, Plain, Position};
use half::bf16;
use std::time::Instant;

type AnyError = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), AnyError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let size = arguments.first().map_or("32x4", String::as_str);
    let threads: usize = arguments.get(1).map_or(Ok(2), |text| text.parse())?;
    let seconds: f64 = arguments.get(2).map_or(Ok(2.0), |text| text.parse())?;
    let architecture: Architecture = size.parse()?;
    let network = Network::untrained(architecture, ChessPp::LAYOUT, 1)?;
    let positions = random_positions(ChessPp::start(Plain), 2048, 1);
    let batches: Vec<TrainingBatch> = positions.chunks_exact(256).map(lessons).collect::<Result<_, _>>()?;
    let settings = TrainingSettings { threads, ..TrainingSettings::default() };
    let mut learner = Learner::new(network.clone(), settings, Device::Cpu)?;

    let mut rounds = Vec::new();
    for _ in 0..7 {
        let learned = timed(|| rows(&mut learner, &batches, seconds))?;
        let evaluated = timed(|| evaluations(&network, &positions, threads, seconds))?;
        rounds.push([learned, evaluated]);
    }
    for (clock, what) in ["by the clock", "by processor time"].into_iter().enumerate() {
        let median = |figure: &dyn Fn(&[[f64; 2]; 2]) -> f64| {
            let mut values: Vec<f64> = rounds.iter().map(figure).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        println!(
            "{size}, {threads} threads, {what}: {:.0} rows/s, {:.0} evaluations/s, {:.2} evaluations a row",
            median(&|round| round[0][clock]),
            median(&|round| round[1][clock]),
            median(&|round| round[1][clock] / round[0][clock])
        );
    }
    Ok(())
}

/// Returns the amount of work per second, and per second of processor time. The second rate is NaN
/// except on Linux.
fn timed(work: impl FnOnce() -> Result<usize, AnyError>) -> Result<[f64; 2], AnyError> {
    let (began, processor) = (Instant::now(), processor_seconds());
    let done = work()? as f64;
    let spent = processor_seconds().zip(processor).map(|(now, then)| now - then);
    Ok([done / began.elapsed().as_secs_f64(), spent.map_or(f64::NAN, |spent| done / spent)])
}

/// Returns the processor time of this process so far in seconds, in steps of 0.01. Returns `None`
/// except on Linux.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name ends with the last parenthesis. After it, user and system time are the 12th and 13th
    // fields.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / 100.0)
}

/// Trains for about `seconds` and returns the number of training samples.
fn rows(learner: &mut Learner, batches: &[TrainingBatch], seconds: f64) -> Result<usize, AnyError> {
    let (began, mut rows) = (Instant::now(), 0);
    for batch in batches.iter().cycle() {
        learner.step(batch, 1e-3)?;
        rows += batch.rows();
        if began.elapsed().as_secs_f64() >= seconds {
            break;
        }
    }
    Ok(rows)
}

/// Evaluates on `threads` threads for about `seconds` and returns the number of evaluations.
fn evaluations(
    network: &Network,
    positions: &[ChessPp],
    threads: usize,
    seconds: f64,
) -> Result<usize, AnyError> {
    let one = || -> Result<usize, AnyError> {
        let mut evaluator = NetworkEvaluator::<ChessPp>::new(network, EvaluatorSettings::default())?;
        let mut batch = Batch::of(positions);
        let (began, mut done) = (Instant::now(), 0);
        while began.elapsed().as_secs_f64() < seconds {
            evaluator.evaluate(&mut batch)?;
            done += positions.len();
        }
        Ok(done)
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        threads.into_iter().map(|thread| thread.join().map_err(|_| "a thread panicked")?).sum()
    })
}

/// Returns training samples with a uniform policy and a draw as targets. The future occupancy is
/// the current one.
fn lessons(positions: &[ChessPp]) -> Result<TrainingBatch, AnyError> {
    let layout = ChessPp::LAYOUT;
    let mut batch = TrainingBatch::new(layout);
    let mut planes = vec![bf16::ZERO; layout.squares() * layout.planes];
    let mut globals = vec![0.0; layout.globals];
    let mut occupancy = vec![0; layout.squares() * layout.future_planes];
    for position in positions {
        position.encode(0, false, &mut planes, &mut globals);
        position.occupancy(position.side_to_move(), false, &mut occupancy);
        let squares = occupancy.chunks_exact(layout.future_planes);
        let future: Vec<u8> = squares.flat_map(|square| [square, square].concat()).collect();
        let moves: Vec<PolicyIndex> =
            position.legal_moves().iter().map(|&mv| position.policy_index(mv, false)).collect();
        batch.push(&TrainingRow {
            planes: &planes,
            globals: &globals,
            moves: &moves,
            policy: &vec![1.0 / moves.len() as f32; moves.len()],
            wdl: [0.0, 1.0, 0.0],
            value_weight: 1.0,
            moves_left: Some(50.0),
            future: &future,
            future_weight: [1.0; 2],
        })?;
    }
    Ok(batch)
}
