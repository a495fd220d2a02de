//! Rows a second of the learner, and what a row costs in evaluations.
//!
//! ```text
//! cargo run --release -p catapult-network --example learner_rate -- [CHANNELSxBLOCKS] [THREADS] [SECONDS]
//! ```
//!
//! Learner and evaluator take turns, so that whatever else the machine does touches both; medians are printed. The
//! evaluator runs on as many threads as the learner has, one evaluation a thread, positions encoded and moves answered.

use catapult_encoding::{Encode, PolicyIndex};
use catapult_mcts::{Batch, Evaluator};
use catapult_network::device::Device;
use catapult_network::{
    Architecture, EvaluatorSettings, Learner, Network, NetworkEvaluator, TrainingBatch, TrainingRow,
    TrainingSettings,
};
use catapult_rules::{ChessPp, Plain, Position};
use half::bf16;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::time::Instant;

type AnyError = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), AnyError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let size = arguments.first().map_or("32x4", String::as_str);
    let (channels, blocks) = size.split_once('x').ok_or("a size is written CHANNELSxBLOCKS")?;
    let threads: usize = arguments.get(1).map_or(Ok(2), |text| text.parse())?;
    let seconds: f64 = arguments.get(2).map_or(Ok(2.0), |text| text.parse())?;
    let architecture = Architecture::new(channels.parse()?, blocks.parse()?);
    let network = Network::untrained(architecture, ChessPp::LAYOUT, 1)?;
    let positions = positions(2048);
    let batches: Vec<TrainingBatch> = positions.chunks_exact(256).map(lessons).collect::<Result<_, _>>()?;
    let settings = TrainingSettings { threads, ..TrainingSettings::default() };
    let mut learner = Learner::new(network.clone(), settings, Device::Cpu)?;

    let mut rounds = Vec::new();
    for _ in 0..7 {
        let (learned, evaluated) =
            (rows(&mut learner, &batches, seconds)?, evaluations(&network, &positions, threads, seconds)?);
        rounds.push([learned, evaluated, evaluated / learned]);
        println!(
            "{learned:8.0} rows/s {evaluated:8.0} evaluations/s {:6.2} evaluations a row",
            evaluated / learned
        );
    }
    let median = |figure: usize| {
        let mut values: Vec<f64> = rounds.iter().map(|round| round[figure]).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    println!(
        "{size}, {threads} threads: {:.0} rows/s, {:.0} evaluations/s, {:.2} evaluations a row",
        median(0),
        median(1),
        median(2)
    );
    Ok(())
}

/// Rows a second of steps.
fn rows(learner: &mut Learner, batches: &[TrainingBatch], seconds: f64) -> Result<f64, AnyError> {
    learner.step(&batches[0], 1e-3)?;
    let (began, mut rows) = (Instant::now(), 0);
    for batch in batches.iter().cycle() {
        learner.step(batch, 1e-3)?;
        rows += batch.rows();
        if began.elapsed().as_secs_f64() >= seconds {
            break;
        }
    }
    Ok(rows as f64 / began.elapsed().as_secs_f64())
}

/// Evaluations a second of all threads.
fn evaluations(
    network: &Network,
    positions: &[ChessPp],
    threads: usize,
    seconds: f64,
) -> Result<f64, AnyError> {
    let one = || -> Result<f64, AnyError> {
        let mut evaluator = NetworkEvaluator::<ChessPp>::new(network, EvaluatorSettings::default())?;
        let mut batch = Batch::default();
        for position in positions {
            batch.push(*position, 0, &position.legal_moves());
        }
        evaluator.evaluate(&mut batch)?;
        let (began, mut done) = (Instant::now(), 0);
        while began.elapsed().as_secs_f64() < seconds {
            evaluator.evaluate(&mut batch)?;
            done += positions.len();
        }
        Ok(done as f64 / began.elapsed().as_secs_f64())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        threads.into_iter().map(|thread| thread.join().map_err(|_| "a thread panicked")?).sum()
    })
}

/// Positions of random games.
fn positions(count: usize) -> Vec<ChessPp> {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let (mut found, mut position) = (Vec::new(), ChessPp::start(Plain));
    while found.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || position.outcome().is_some() {
            position = ChessPp::start(Plain);
            continue;
        }
        found.push(position);
        position.play(moves[random.random_range(0..moves.len())]);
    }
    found
}

/// Positions with a uniform policy, a draw, and what stands now as the future.
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
            policy_weight: 1.0,
            wdl: [0.0, 1.0, 0.0],
            value_weight: 1.0,
            moves_left: Some(50.0),
            future: &future,
            future_weight: [1.0; 2],
        })?;
    }
    Ok(batch)
}
