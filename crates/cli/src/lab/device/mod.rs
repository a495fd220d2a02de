//! The command `catapult system device`: correctness, speed and profile of a device.

mod check;
mod profile;
mod speed;

use catapult_encoding::{Encode, Layout};
use catapult_network::{Device, EvaluatorSettings, Network, NetworkEvaluator, Precision, shaken_network};
use catapult_rules::{ChessPp, Plain, Proposals, Variant};
use catapult_seeds::Stream;
use catapult_selfplay::{Counters, SelfPlayConfig, ShardSettings, play_shard_overlapped};
use clap::{Args, Subcommand};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

#[derive(Subcommand)]
pub(crate) enum DeviceCommand {
    /// Compare evaluations of the device with the CPU's, in every layout. Fails beyond stated bounds.
    Check(check::CheckArguments),
    /// Measure evaluations per second: network alone, with encoding and copying, and in self-play.
    Speed(speed::SpeedArguments),
    /// Show where the time of self-play on the device goes.
    Profile(profile::ProfileArguments),
}

/// Arguments that `check`, `speed` and `profile` share.
#[derive(Args)]
struct Common {
    /// Device: cuda, cuda:N, or cpu, which then follows the code path of a GPU.
    #[arg(long, default_value = "cuda")]
    device: Device,
    /// Also write the result to this JSON file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(crate) fn run(command: &DeviceCommand) -> anyhow::Result<()> {
    match command {
        DeviceCommand::Check(arguments) => check::run(arguments),
        DeviceCommand::Speed(arguments) => speed::run(arguments),
        DeviceCommand::Profile(arguments) => profile::run(arguments),
    }
}

impl Common {
    fn settings(&self, precision: Precision) -> EvaluatorSettings {
        let device = self.device;
        EvaluatorSettings { precision, as_device: device == Device::Cpu, ..EvaluatorSettings::on(device) }
    }

    fn write(&self, report: &impl Serialize) -> anyhow::Result<()> {
        self.json.as_ref().map_or(Ok(()), |file| crate::write_json(file, report))
    }
}

/// Creates an untrained tower whose parameters are all slightly changed, so that each affects the
/// output. Larger changes would make win, draw and loss nearly 0 or 1. Sparse networks are refused,
/// because they never run on a device.
fn shaken(architecture: &str, layout: Layout) -> anyhow::Result<Network> {
    let network = shaken_network(architecture.parse()?, layout, [0.02, 0.2], 1)?;
    network.tower()?;
    Ok(network)
}

/// A shard of self-play on the device.
#[derive(Args)]
struct ShardArguments {
    /// Number of games of the shard.
    #[arg(long, default_value_t = 4096)]
    games: u64,
    /// Concurrent games.
    #[arg(long, default_value_t = 2048)]
    slots: usize,
    /// Simulations per move.
    #[arg(long, default_value_t = 32)]
    simulations: u32,
}

impl ShardArguments {
    /// Plays the shard, adds its counts to `counters` and returns the duration in seconds.
    fn play(&self, evaluator: &mut NetworkEvaluator<ChessPp>, counters: &Counters) -> anyhow::Result<f64> {
        let selfplay = SelfPlayConfig { simulations: self.simulations, ply_cap: 80, ..Default::default() };
        let search = catapult_mcts::SearchConfig { gumbel_scale: 1.0, ..Default::default() };
        let settings = ShardSettings {
            selfplay: &selfplay,
            search: &search,
            games: self.games,
            slots: self.slots,
            seed: Stream::Shard { generation: 1, number: 0 }.seed(1),
            network: "device",
            endings: None,
        };
        let arms = [(Variant::ChessPp(Proposals::default()), Plain)];
        let began = Instant::now();
        play_shard_overlapped(&arms, &settings, evaluator, counters, &AtomicBool::new(false))?;
        Ok(began.elapsed().as_secs_f64())
    }
}

fn untrained(architecture: &str) -> anyhow::Result<Network> {
    Ok(Network::untrained(architecture.parse()?, ChessPp::LAYOUT, 1)?)
}

/// Formats a rate per second in thousands, such as `12.3 k/s`.
pub(super) fn k(rate: f64) -> String {
    format!("{:.1} k/s", rate / 1000.0)
}
