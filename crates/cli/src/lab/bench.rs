//! The command `catapult system bench`: measures the speed of rules, search, network and self-play.

use super::device::k;
use catapult_encoding::Encode;
use catapult_mcts::evaluators::Uniform;
use catapult_mcts::{Search, SearchConfig};
use catapult_network::{Architecture, EvaluatorSettings, Network, NetworkEvaluator, raw_evaluations};
use catapult_rules::{Chess, ChessPp, MoveList, Plain, Position, Proposals, Standard, Variant};
use catapult_seeds::Stream;
use catapult_selfplay::{Counters, SelfPlayConfig, ShardSettings, play_shard};
use clap::Args;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[derive(Args)]
pub(crate) struct BenchArguments {
    /// Print one JSON object instead of lines.
    #[arg(long)]
    json: bool,
    /// Network: a tower of CHANNELSxBLOCKS, or sparse-WIDTH.
    #[arg(long, default_value = "64x6")]
    network: Architecture,
    /// Simulations per move in self-play.
    #[arg(long, default_value_t = 32)]
    simulations: u32,
    /// Games of the self-play shard.
    #[arg(long, default_value_t = 48)]
    games: u64,
    /// Concurrent games of the shard.
    #[arg(long, default_value_t = 32)]
    slots: usize,
    /// Number of measurements of each part. The output has their medians.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
}

/// Results of all measurements. Rates are per second, on one thread.
#[derive(Default, Serialize)]
struct Report {
    /// Plies per second of random games. The legal moves of each position are generated.
    random_chess_plies: f64,
    random_chesspp_plies: f64,
    /// Simulations per second without a network, from the start position of chess. The number in
    /// the field's name is the number of simulations per search.
    search_800: f64,
    search_10000: f64,
    search_100000: f64,
    network: String,
    /// Evaluations per second of the network alone, as pairs `(batch size, rate)`. The encoded
    /// input is in memory. Reading the output is included.
    raw: Vec<(usize, f64)>,
    raw_best: f64,
    /// Evaluations per second of a whole self-play shard. The last part of the shard, when few
    /// games are left, is included.
    selfplay_evaluations: f64,
    selfplay_mean_batch: f64,
    selfplay_plies: f64,
    /// Ratio of self-play's evaluations per second to the best rate of the network alone, in the
    /// same round. The printed value is the median over the rounds.
    selfplay_to_raw: f64,
}

pub(crate) fn run(arguments: &BenchArguments) -> anyhow::Result<()> {
    let network = Network::untrained(arguments.network.clone(), ChessPp::LAYOUT, 1)?;
    let mut rounds = Vec::new();
    for round in 1..=arguments.rounds.max(1) {
        if !arguments.json {
            note!("round {round} of {}", arguments.rounds.max(1));
        }
        rounds.push(measure(&network, arguments)?);
    }
    let report = median(rounds);
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print(&report)?;
    }
    Ok(())
}

/// Runs one round of all measurements.
fn measure(network: &Network, arguments: &BenchArguments) -> anyhow::Result<Report> {
    let mut report = Report { network: arguments.network.to_string(), ..Report::default() };
    report.random_chess_plies = random_games(Chess::start(Standard));
    report.random_chesspp_plies = random_games(ChessPp::start(Plain));
    report.search_800 = search(800)?;
    report.search_10000 = search(10_000)?;
    report.search_100000 = search(100_000)?;
    let before = raw(network)?;
    selfplay(network, arguments, &mut report)?;
    // The raw rate is measured before and after, so that a drifting clock speed affects both sides
    // of the ratio alike.
    let after = raw(network)?;
    report.raw = before.iter().zip(&after).map(|(a, b)| (a.0, (a.1 + b.1) / 2.0)).collect();
    report.raw_best = report.raw.iter().map(|&(_, rate)| rate).fold(0.0, f64::max);
    report.selfplay_to_raw = report.selfplay_evaluations / report.raw_best;
    Ok(report)
}

/// Plays random games for half a second and returns the plies per second. The legal moves of each
/// position are generated.
fn random_games<P: Position>(start: P) -> f64 {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut moves = MoveList::new();
    let (began, mut plies) = (Instant::now(), 0u64);
    while began.elapsed() < Duration::from_millis(500) {
        for _ in 0..100 {
            let mut position = start;
            loop {
                moves.clear();
                position.legal_moves_into(&mut moves);
                if moves.is_empty() || position.halfmove_clock() >= 100 {
                    break;
                }
                position.play(moves[rng.random_range(0..moves.len())]);
                plies += 1;
            }
        }
    }
    plies as f64 / began.elapsed().as_secs_f64()
}

/// Returns the simulations per second without a network. Each search begins with an empty tree and
/// makes `simulations` simulations.
fn search(simulations: u32) -> anyhow::Result<f64> {
    let mut search = Search::new(SearchConfig::default());
    let (began, mut done) = (Instant::now(), 0u64);
    while began.elapsed() < Duration::from_millis(500) {
        search.start_at(Chess::start(Standard), 0, &[], simulations, 0);
        done += u64::from(catapult_mcts::run(&mut search, &mut Uniform)?.simulations);
    }
    Ok(done as f64 / began.elapsed().as_secs_f64())
}

/// Returns the evaluations per second of the network alone, as pairs `(batch size, rate)`. The
/// encoded input is in memory.
fn raw(network: &Network) -> anyhow::Result<Vec<(usize, f64)>> {
    let rate = |batch| Ok((batch, raw_evaluations(network, EvaluatorSettings::default(), batch, 0.7)?));
    [16, 32, 64, 128, 256].into_iter().map(rate).collect()
}

/// Plays a whole self-play shard on this thread and writes its rates to `report`. The last part of
/// the shard, when few games are left, is included.
fn selfplay(network: &Network, arguments: &BenchArguments, report: &mut Report) -> anyhow::Result<()> {
    let mut evaluator = NetworkEvaluator::<ChessPp>::new(network, EvaluatorSettings::default())?;
    let selfplay = SelfPlayConfig { simulations: arguments.simulations, ply_cap: 80, ..Default::default() };
    // Fixed settings, so that rates are comparable across versions with other defaults.
    let search = SearchConfig { gumbel_scale: 1.0, considered: Some(16), ..SearchConfig::default() };
    let settings = ShardSettings {
        selfplay: &selfplay,
        search: &search,
        games: arguments.games,
        slots: arguments.slots,
        seed: Stream::Shard { generation: 1, number: 0 }.seed(1),
        network: "bench",
        endings: None,
    };
    let counters = Counters::default();
    let began = Instant::now();
    let arms = [(Variant::ChessPp(Proposals::default()), Plain)];
    play_shard(&arms, &settings, &mut evaluator, &counters, &AtomicBool::new(false))?;
    let seconds = began.elapsed().as_secs_f64();
    report.selfplay_evaluations = counters.evaluations.load(Ordering::Relaxed) as f64 / seconds;
    report.selfplay_plies = counters.plies.load(Ordering::Relaxed) as f64 / seconds;
    report.selfplay_mean_batch = counters.evaluations.load(Ordering::Relaxed) as f64
        / counters.batches.load(Ordering::Relaxed).max(1) as f64;
    Ok(())
}

/// Returns a report with the median of each rate over the rounds.
fn median(rounds: Vec<Report>) -> Report {
    let of = |figure: &dyn Fn(&Report) -> f64| {
        let mut values: Vec<f64> = rounds.iter().map(figure).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    Report {
        random_chess_plies: of(&|r| r.random_chess_plies),
        random_chesspp_plies: of(&|r| r.random_chesspp_plies),
        search_800: of(&|r| r.search_800),
        search_10000: of(&|r| r.search_10000),
        search_100000: of(&|r| r.search_100000),
        network: rounds[0].network.clone(),
        raw: rounds[0].raw.iter().enumerate().map(|(i, &(batch, _))| (batch, of(&|r| r.raw[i].1))).collect(),
        raw_best: of(&|r| r.raw_best),
        selfplay_evaluations: of(&|r| r.selfplay_evaluations),
        selfplay_mean_batch: of(&|r| r.selfplay_mean_batch),
        selfplay_plies: of(&|r| r.selfplay_plies),
        selfplay_to_raw: of(&|r| r.selfplay_to_raw),
    }
}

fn print(report: &Report) -> anyhow::Result<()> {
    say!("one thread, medians over the rounds");
    let [chess, chesspp] = [report.random_chess_plies, report.random_chesspp_plies].map(k);
    say!("random games, moves listed    chess {chess} plies, chesspp {chesspp}");
    let [few, more, most] = [report.search_800, report.search_10000, report.search_100000].map(k);
    say!(
        "search without a network      {few} simulations at 800 visits, {more} at 10,000, {most} at 100,000"
    );
    let raw: Vec<String> =
        report.raw.iter().map(|&(batch, rate)| format!("{} at {batch}", k(rate))).collect();
    say!("network {:<6} alone          {}", report.network, raw.join(", "));
    let (evaluations, plies) = (k(report.selfplay_evaluations), report.selfplay_plies);
    let batch = report.selfplay_mean_batch;
    say!(
        "self-play, a whole shard      {evaluations} evaluations, {plies:.0} plies/s, mean batch {batch:.0}"
    );
    say!("self-play to network alone    {:.3}", report.selfplay_to_raw);
    Ok(())
}
