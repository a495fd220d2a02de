//! The command `catapult endings`: solves, shows, probes and verifies endgame tablebases.

mod probe;

use crate::progress::{Bars, clock};
use anyhow::{Context, bail, ensure};
use catapult_endings::{
    Catapults, Checked, Counts, EndingsError, Material, Metric, Plan, Sample, Solved, TableKey, Tables, Wave,
    parse_catapults,
};
use catapult_rules::{Color, Variant};
use clap::{Args, Subcommand};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

#[derive(Subcommand)]
pub(crate) enum EndingsCommand {
    /// Solve an ending and all endings that it needs. Rerun the command to resume at the unfinished table.
    Solve(SolveArguments),
    /// List the tables of a folder with their counts, and the longest wins of named tables.
    Show(ShowArguments),
    /// Print the value of a position and of each move, and best play to mate.
    Probe(probe::ProbeArguments),
    /// Verify tables: their hashes, and that values agree with the rules' moves.
    Verify(VerifyArguments),
}

#[derive(Args)]
struct Folder {
    /// Folder of the tables.
    #[arg(short = 'o', long = "out", alias = "output", visible_alias = "dir", default_value = "endings")]
    #[arg(value_parser = crate::folder())]
    dir: PathBuf,
}

#[derive(Args)]
pub(crate) struct SolveArguments {
    /// Variant: `chess`, `chesspp`, or `chesspp` with proposals or `+bare`.
    #[arg(value_parser = crate::variant)]
    variant: Variant,
    /// Ending: KQvK, KRvK, KBvK, KNvK, KPvK or KvK.
    ending: Material,
    /// Catapults on the board: `none`, or all of the `attacker` or `defender`. Append `-one`, `-two` or `-three` for a
    /// number. All of them have moved, except the one of `-one-fresh`.
    #[arg(long, default_value = "none", value_parser = parse_catapults)]
    catapults: ChosenCatapults,
    #[command(flatten)]
    folder: Folder,
    /// Print bytes and minutes, and exit.
    #[arg(long)]
    plan: bool,
    /// Number of threads; 0 takes all.
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

/// Parsed `--catapults`. `None` stands for the text `none`: no catapults on the board. The alias
/// hides the `Option` from clap, which would treat it as an optional argument.
type ChosenCatapults = std::option::Option<Catapults>;

#[derive(Args)]
pub(crate) struct ShowArguments {
    /// Names of tables. Without names, all tables are listed.
    names: Vec<TableKey>,
    #[command(flatten)]
    folder: Folder,
    /// Print everything as JSON, with the number of positions for every distance.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(crate) struct VerifyArguments {
    /// Names of tables. The default is all tables of the folder.
    names: Vec<TableKey>,
    #[command(flatten)]
    folder: Folder,
    /// Number of random positions per side to move.
    #[arg(long, default_value_t = 20_000)]
    positions: u64,
    /// Verify every position instead, and count the legal ones.
    #[arg(long, conflicts_with_all = ["positions", "seed"])]
    all: bool,
    /// Seed of the random positions.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// Number of threads; 0 takes all.
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

pub(crate) fn run(command: &EndingsCommand) -> anyhow::Result<()> {
    match command {
        EndingsCommand::Solve(arguments) => solve(arguments),
        EndingsCommand::Show(arguments) => show(arguments),
        EndingsCommand::Probe(arguments) => probe::run(arguments),
        EndingsCommand::Verify(arguments) => verify(arguments),
    }
}

pub(super) fn pool(threads: usize) -> anyhow::Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("threads")
}

fn solve(arguments: &SolveArguments) -> anyhow::Result<()> {
    let key = TableKey::of(arguments.variant, arguments.ending, arguments.catapults)?;
    let tables = Tables::new(&arguments.folder.dir);
    if arguments.plan {
        return plan(key, &tables);
    }
    let (stop, bars) = (crate::stop::on_signal()?, Bars::of_share());
    let began = Instant::now();
    let mut report = |key: TableKey, wave: &Wave| {
        let share = wave.known as f64 / wave.legal.max(1) as f64;
        let round = if wave.round > 1 { format!(", round {}", wave.round) } else { String::new() };
        let aim = if wave.metric == Metric::Dtm { "mate" } else { "the reset of the clock" };
        let (plies, decided, time) = (wave.plies, 100.0 * share, clock(began.elapsed().as_secs_f64()));
        let message = format!("{key}, plies to {aim}{round}: {plies} plies, {decided:.1} % decided, {time}");
        bars.show(share, message);
        !stop.load(Ordering::Relaxed)
    };
    pool(arguments.threads)?.install(|| tables.solve(key, &mut report))?;
    drop(bars);
    for metric in Metric::ALL.into_iter().rev() {
        let solved = tables.solved(key, metric)?;
        describe(&solved)?;
        if metric == Metric::Dtm {
            say!("{}", solved.counts.line());
        }
    }
    Ok(())
}

fn plan(key: TableKey, tables: &Tables) -> anyhow::Result<()> {
    const MB: f64 = 1e6;
    let (mut minutes, mut memory, mut disk) = (0.0, 0u64, 0u64);
    for key in key.with_needs() {
        let plan = Plan::of(key);
        let there = Metric::ALL.into_iter().all(|metric| tables.has(key, metric));
        say!(
            "{key}: 2 x {} positions, {:.0} MB of memory, at most {:.0} MB on disk, {}",
            plan.positions,
            plan.memory as f64 / MB,
            plan.disk as f64 / MB,
            if there { "solved".to_owned() } else { format!("{:.1} minutes on one core", plan.minutes) }
        );
        if !there {
            minutes += plan.minutes;
            memory = memory.max(plan.memory);
            disk += plan.disk;
        }
    }
    let [memory, disk] = [memory, disk].map(|bytes| bytes as f64 / MB);
    say!("in total {memory:.0} MB of memory, at most {disk:.0} MB on disk, {minutes:.1} minutes on one core");
    Ok(())
}

fn describe(solved: &Solved) -> anyhow::Result<()> {
    let Solved { key, metric, counts, hash, bytes, .. } = solved;
    say!("{key} by {}: {} ({} bytes, {})", metric.name(), counts.line(), bytes, &hash[..16]);
    if counts.longest_of_black() > 0 {
        let (won, lost, longest) = (counts.black.won(), counts.white.lost(), counts.longest_of_black());
        let (black, white) = (counts.black.legal, counts.white.legal);
        say!(
            "  Black wins {won} of {black} to move, White loses {lost} of {white} to move, longest {longest} plies"
        );
    }
    Ok(())
}

/// A table in the output of `catapult endings show --json`.
#[derive(Serialize)]
struct Shown {
    bytes: u64,
    hash: String,
    counts: Counts,
}

/// Returns the tables with these names. Without names, returns all tables of the folder.
fn chosen(tables: &Tables, names: &[TableKey]) -> anyhow::Result<Vec<Solved>> {
    let mut all = tables.list()?;
    if let Some(missing) = names.iter().find(|name| all.iter().all(|table| table.key != **name)) {
        bail!("no table {missing} in {}", tables.dir().display());
    }
    ensure!(!all.is_empty(), "{}: no tables; `catapult endings solve` writes them", tables.dir().display());
    all.retain(|table| names.is_empty() || names.contains(&table.key));
    Ok(all)
}

fn show(arguments: &ShowArguments) -> anyhow::Result<()> {
    let tables = Tables::new(&arguments.folder.dir);
    let all = chosen(&tables, &arguments.names)?;
    if arguments.json {
        let shown: BTreeMap<String, Shown> = all
            .into_iter()
            .map(|Solved { key, metric, counts, hash, bytes, .. }| {
                (format!("{key}.{}", metric.name()), Shown { bytes, hash, counts })
            })
            .collect();
        say!("{}", serde_json::to_string_pretty(&shown)?);
        return Ok(());
    }
    all.iter().try_for_each(describe)?;
    for key in &arguments.names {
        for winner in Color::ALL {
            let Some((fen, plies)) = tables.longest(*key, winner)? else { continue };
            say!("{key}: longest mate by {winner:?}, {plies} plies");
            say!("{fen}");
            let position = probe::read(&fen, key.variant())?;
            let game = key.variant().game(Some(&fen))?;
            say!("{}", crate::board::draw(&*game, std::io::stdout().is_terminal()).trim_end());
            say!("{}", probe::line(&position, &tables)?);
        }
    }
    Ok(())
}

fn verify(arguments: &VerifyArguments) -> anyhow::Result<()> {
    let tables = Tables::new(&arguments.folder.dir);
    let all = chosen(&tables, &arguments.names)?;
    let sample = if arguments.all {
        Sample::All
    } else {
        Sample::Random { positions: arguments.positions, seed: arguments.seed }
    };
    let stop = crate::stop::on_signal()?;
    for Solved { key, metric, .. } in all {
        let name = format!("{key} by {}", metric.name());
        let bars = Bars::of_share();
        let report = |share: f64| {
            bars.show(share, name.clone());
            !stop.load(Ordering::Relaxed)
        };
        let checked =
            pool(arguments.threads)?.install(|| tables.verify(key, key.variant(), metric, sample, &report));
        drop(bars);
        let checked = checked.map_err(|error| match error {
            EndingsError::Stopped => {
                anyhow::Error::new(error).context("verification does not resume; rerun the command")
            }
            error => error.into(),
        });
        let Checked { positions, moves, refused, wrong } = checked?;
        say!(
            "{name}: hash verified; {positions} positions and {moves} moves compared with the rules, \
             {refused} illegal placements skipped"
        );
        if let Some(wrong) = wrong {
            bail!("{name}: {wrong}");
        }
    }
    Ok(())
}
