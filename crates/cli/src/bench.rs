//! `catapult bench`: what the parts reach, measured in one run.

use anyhow::Context;
use catapult_encoding::Encode;
use catapult_mcts::evaluators::Uniform;
use catapult_mcts::{Search, SearchConfig};
use catapult_network::{Architecture, NetworkEvaluator, RawBench};
use catapult_rules::{Chess, ChessPp, Game, MoveList, Position, Variant};
use catapult_selfplay::{Counters, SelfPlayConfig, ShardSettings, play_shard, shard_seed};
use clap::Args;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[derive(Args)]
pub struct BenchArguments {
    /// Print one JSON object instead of lines.
    #[arg(long)]
    json: bool,
    /// Width and depth of the network that is measured.
    #[arg(long, default_value = "64x6")]
    network: String,
    /// Simulations a move in self-play.
    #[arg(long, default_value_t = 32)]
    simulations: u32,
    /// Games of the self-play shard.
    #[arg(long, default_value_t = 48)]
    games: u64,
    /// Games under way at once in the shard.
    #[arg(long, default_value_t = 32)]
    slots: usize,
    /// Times each part is measured, in turn; medians are printed.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
}

/// Everything measured; rates are a second, on one thread.
#[derive(Default, Serialize)]
struct Report {
    /// Plies of random games, the legal moves listed at each.
    random_chess_plies: f64,
    random_chesspp_plies: f64,
    /// Simulations without a network from the start position of chess, by visits.
    search_800: f64,
    search_10000: f64,
    search_100000: f64,
    network: String,
    /// Positions of the folded network on an input that stays in place, outputs read back, by batch.
    raw: Vec<(usize, f64)>,
    raw_best: f64,
    /// Positions that the network answered in a whole self-play shard, its tail included.
    selfplay_evaluations: f64,
    selfplay_mean_batch: f64,
    selfplay_plies: f64,
    /// Median over the rounds of self-play against the best raw rate of the same round.
    selfplay_to_raw: f64,
}

pub fn run(arguments: &BenchArguments) -> anyhow::Result<()> {
    let architecture = architecture(&arguments.network)?;
    catapult_network::set_threads(1);
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("network.safetensors");
    catapult_network::save_random(&file, &ChessPp::LAYOUT, &architecture, 1)?;
    let device = catapult_network::device("cpu")?;

    let mut rounds = Vec::new();
    for round in 0..arguments.rounds.max(1) {
        if !arguments.json {
            eprintln!("round {} of {}", round + 1, arguments.rounds.max(1));
        }
        let mut report = Report { network: arguments.network.clone(), ..Report::default() };
        report.random_chess_plies = random_games::<Chess>(Chess::start(Default::default()));
        report.random_chesspp_plies = random_games::<ChessPp>(ChessPp::start(Default::default()));
        report.search_800 = search(800);
        report.search_10000 = search(10_000);
        report.search_100000 = search(100_000);
        let before = raw(&file, device)?;
        selfplay(&file, device, arguments, &mut report)?;
        // Raw before and after, so that a drifting clock speed touches both sides of the ratio alike.
        let after = raw(&file, device)?;
        report.raw = before.iter().zip(&after).map(|(a, b)| (a.0, (a.1 + b.1) / 2.0)).collect();
        report.raw_best = report.raw.iter().map(|&(_, rate)| rate).fold(0.0, f64::max);
        report.selfplay_to_raw = report.selfplay_evaluations / report.raw_best;
        rounds.push(report);
    }
    let report = median(rounds);
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print(&report);
    }
    Ok(())
}
