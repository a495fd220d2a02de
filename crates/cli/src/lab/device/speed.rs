//! The command `catapult system device speed`: evaluations per second of a device, alone and in
//! self-play.

use super::{Common, ShardArguments, k, untrained};
use anyhow::ensure;
use catapult_mcts::{Batch, QueuedEvaluator};
use catapult_network::{EvaluatorSettings, Network, NetworkEvaluator, Precision, raw_evaluations};
use catapult_rules::{ChessPp, Plain, Position};
use catapult_selfplay::Counters;
use clap::Args;
use serde::Serialize;
use std::sync::atomic::Ordering;
use std::time::Instant;

#[derive(Args)]
pub(crate) struct SpeedArguments {
    #[command(flatten)]
    common: Common,
    /// Channels and blocks of the networks.
    #[arg(long, value_delimiter = ',', default_value = "64x6,128x10,256x20")]
    networks: Vec<String>,
    /// Positions per batch.
    #[arg(long, value_delimiter = ',', default_value = "256,512,1024,2048,4096,8192")]
    #[arg(value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    batches: Vec<usize>,
    /// Seconds per measurement.
    #[arg(long, default_value_t = 2.0, value_parser = parse_seconds, allow_negative_numbers = true)]
    seconds: f64,
    /// Networks that also play a shard.
    #[arg(long, value_delimiter = ',', default_value = "64x6,128x10")]
    selfplay: Vec<String>,
    #[command(flatten)]
    shard: ShardArguments,
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.01..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "must be a number from 0.01 to 3600".to_owned())
}

/// Evaluations per second of a network at one batch size.
#[derive(Serialize)]
struct Rates {
    network: String,
    batch: usize,
    /// Rate of the network alone. Its encoded inputs are already on the device.
    raw: f64,
    /// Rate as in `raw`, but without cuDNN's fused convolutions.
    raw_unfused: f64,
    /// Rate including encoding and copying to and from the device.
    whole: f64,
}

#[derive(Serialize)]
struct SelfPlay {
    network: String,
    games: u64,
    seconds: f64,
    evaluations: f64,
    #[serde(rename = "remembered_share")]
    hit_share: f64,
    mean_batch: f64,
    /// Ratio of `evaluations` to the network's best raw rate.
    share_of_raw: f64,
}

#[derive(Serialize)]
struct Report {
    device: String,
    precision: &'static str,
    /// True if the evaluator uses cuDNN's fused convolutions.
    fused: bool,
    rates: Vec<Rates>,
    selfplay: Vec<SelfPlay>,
}

pub(super) fn run(arguments: &SpeedArguments) -> anyhow::Result<()> {
    let settings = arguments.common.settings(Precision::Auto);
    ensure!(!arguments.batches.is_empty(), "--batches: at least one size is needed");
    let most = arguments.batches.iter().copied().max().unwrap_or(1);
    let precision = if settings.precision.is_bf16(settings.device) { "bf16" } else { "f32" };
    let mut report = Report {
        device: settings.device.to_string(),
        precision,
        fused: false,
        rates: Vec::new(),
        selfplay: Vec::new(),
    };
    say!("network   batch   raw         without fusing  whole       whole to raw   ({precision})");
    for size in &arguments.networks {
        let network = untrained(size)?;
        for &batch in &arguments.batches {
            // Each batch is one call of the network's tower.
            let settings = EvaluatorSettings { max_batch: most, ..settings };
            let raw = raw_evaluations(&network, settings, batch, arguments.seconds)?;
            let unfused = EvaluatorSettings { fused: false, ..settings };
            let raw_unfused = raw_evaluations(&network, unfused, batch, arguments.seconds)?;
            let mut evaluator = NetworkEvaluator::<ChessPp>::new(&network, settings)?;
            report.fused = evaluator.is_fused();
            let whole = whole_rate(&mut evaluator, batch, arguments.seconds)?;
            let [alone, unfused, all] = [raw, raw_unfused, whole].map(k);
            say!("{size:9} {batch:<7} {alone:11} {unfused:15} {all:11} {:.3}", whole / raw);
            report.rates.push(Rates { network: size.clone(), batch, raw, raw_unfused, whole });
        }
    }
    // Written before the shards, in case one takes too long.
    arguments.common.write(&report)?;
    for size in arguments.selfplay.iter().filter(|_| arguments.shard.games > 0) {
        let played = selfplay(arguments, size, &untrained(size)?, settings, &report.rates)?;
        let SelfPlay { games, seconds, mean_batch, share_of_raw, .. } = played;
        let (rate, cache_hits) = (k(played.evaluations), 100.0 * played.hit_share);
        say!(
            "{size}: self-play {rate} evaluations ({seconds:.0} s, {games} games, mean batch {mean_batch:.0}, \
             {cache_hits:.0} % cache hits), {share_of_raw:.3} of raw"
        );
        report.selfplay.push(played);
        arguments.common.write(&report)?;
    }
    Ok(())
}

/// Number of parts that form one batch. In self-play, each worker group submits one part.
const PARTS: usize = 64;

fn whole_rate(evaluator: &mut NetworkEvaluator<ChessPp>, size: usize, seconds: f64) -> anyhow::Result<f64> {
    let positions = catapult_network::random_positions(ChessPp::start(Plain), size, 2);
    let parts: Vec<_> = positions.chunks(size.div_ceil(PARTS).max(1)).map(Batch::of).collect();
    let mut calls = [parts.clone(), parts];
    let ask = |evaluator: &mut NetworkEvaluator<ChessPp>, call: &[Batch<ChessPp>]| {
        evaluator.submit(&call.iter().collect::<Vec<_>>())
    };
    // The first calls plan and allocate, so they are not timed.
    for call in &mut calls {
        ask(evaluator, call)?;
        evaluator.collect(&mut call.iter_mut().collect::<Vec<_>>())?;
    }
    let (began, mut done) = (Instant::now(), 0);
    ask(evaluator, &calls[0])?;
    while began.elapsed().as_secs_f64() < seconds {
        ask(evaluator, &calls[(done + 1) % 2])?;
        evaluator.collect(&mut calls[done % 2].iter_mut().collect::<Vec<_>>())?;
        done += 1;
    }
    let rate = (done * size) as f64 / began.elapsed().as_secs_f64();
    evaluator.collect(&mut calls[done % 2].iter_mut().collect::<Vec<_>>())?;
    Ok(rate)
}

fn selfplay(
    arguments: &SpeedArguments,
    size: &str,
    network: &Network,
    settings: EvaluatorSettings,
    rates: &[Rates],
) -> anyhow::Result<SelfPlay> {
    let mut evaluator = NetworkEvaluator::<ChessPp>::new(network, settings)?;
    let counters = Counters::default();
    let seconds = arguments.shard.play(&mut evaluator, &counters)?;
    let [evaluations, cache_hits, batches] = [&counters.evaluations, &counters.cache_hits, &counters.batches]
        .map(|n| n.load(Ordering::Relaxed) as f64);
    let of_network = rates.iter().filter(|rates| rates.network == size).map(|rates| rates.raw);
    let best = match of_network.fold(0.0, f64::max) {
        0.0 => raw_evaluations(network, settings, settings.max_batch, arguments.seconds)?,
        best => best,
    };
    Ok(SelfPlay {
        network: size.to_owned(),
        games: arguments.shard.games,
        seconds,
        evaluations: evaluations / seconds,
        hit_share: cache_hits / (evaluations + cache_hits).max(1.0),
        mean_batch: evaluations / batches.max(1.0),
        share_of_raw: evaluations / seconds / best,
    })
}
