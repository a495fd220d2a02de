//! The command `catapult system device profile`: shows where self-play on a device spends its time.

use super::{Common, ShardArguments, k, untrained};
use catapult_mcts::{Batch, Evaluator};
use catapult_network::{NetworkEvaluator, Precision, Stage};
use catapult_rules::{ChessPp, Plain, Position};
use catapult_selfplay::Counters;
use clap::Args;
use serde::Serialize;
use std::sync::atomic::Ordering;

#[derive(Args)]
pub(crate) struct ProfileArguments {
    #[command(flatten)]
    common: Common,
    /// Channels and blocks of the network.
    #[arg(long, default_value = "64x6")]
    network: String,
    #[command(flatten)]
    shard: ShardArguments,
    /// Number of batches whose stages are timed one by one.
    #[arg(long, default_value_t = 50)]
    batches: u32,
}

#[derive(Serialize)]
struct Report {
    network: String,
    seconds: f64,
    evaluations: u64,
    batches: u64,
    /// Seconds that the leading thread spent on each of its tasks. This thread submits batches to
    /// the device.
    leader: Vec<(&'static str, f64)>,
    /// Batch size for `stages`: the mean batch size of the shard. `stages` contains the
    /// milliseconds of each stage of one batch. Each stage ends before the next begins.
    stages_of: usize,
    stages: Vec<(&'static str, f64)>,
}

pub(super) fn run(arguments: &ProfileArguments) -> anyhow::Result<()> {
    let settings = arguments.common.settings(Precision::Auto);
    let mut evaluator = NetworkEvaluator::<ChessPp>::new(&untrained(&arguments.network)?, settings)?;
    let counters = Counters::default();
    let seconds = arguments.shard.play(&mut evaluator, &counters)?;
    let times = evaluator.take_times();
    let [evaluations, batches] =
        [&counters.evaluations, &counters.batches].map(|count| count.load(Ordering::Relaxed));
    let [growing, asking, waiting] = [&counters.growing, &counters.asking, &counters.waiting]
        .map(|nanoseconds| nanoseconds.load(Ordering::Relaxed) as f64 * 1e-9);
    let [encode, wait] = [Stage::Encode, Stage::Wait].map(|stage| times.of(stage));
    let leader = vec![
        ("trees, memory, games", growing),
        ("encode", encode),
        ("queue the network's work", asking - encode),
        ("wait for the device", wait),
        ("copy out the evaluations", waiting - wait),
        ("other", seconds - growing - asking - waiting),
    ];

    let size = (evaluations / batches.max(1)).max(1) as usize;
    let stages = stages(&mut evaluator, size, arguments.batches.max(1))?;
    let network = arguments.network.clone();
    let report = Report { network, seconds, evaluations, batches, leader, stages_of: size, stages };
    arguments.common.write(&report)?;
    let rate = k(evaluations as f64 / seconds);
    say!("{}: {evaluations} evaluations in {seconds:.2} s, {rate}", arguments.network);
    say!("the leading thread (all threads share trees, encoding and evaluations)");
    for (name, spent) in &report.leader {
        say!("  {name:26} {spent:9.3} s  {:5.1} %", 100.0 * spent / seconds);
    }
    say!("one batch of {size} positions (the mean size), each stage timed alone");
    for (name, milliseconds) in &report.stages {
        say!("  {name:26} {milliseconds:9.3} ms");
    }
    Ok(())
}

/// Returns the milliseconds of each stage of one batch of `size` positions, as means over `batches`
/// batches.
fn stages(
    evaluator: &mut NetworkEvaluator<ChessPp>,
    size: usize,
    batches: u32,
) -> anyhow::Result<Vec<(&'static str, f64)>> {
    let mut batch = Batch::of(&catapult_network::random_positions(ChessPp::start(Plain), size, 2));
    evaluator.time_stages(true);
    evaluator.evaluate(&mut batch)?;
    evaluator.take_times();
    for _ in 0..batches {
        evaluator.evaluate(&mut batch)?;
    }
    evaluator.time_stages(false);
    let times = evaluator.take_times();
    let waited = Stage::ALL.into_iter().filter(|&stage| stage != Stage::Wait);
    Ok(waited.map(|stage| (stage.name(), 1e3 * times.of(stage) / f64::from(batches))).collect())
}
