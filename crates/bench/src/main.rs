//! Compares the CPU time of the crate `catapult-rules` with other chess crates from crates.io. Each
//! round of a run measures all crates in turn.
//!
//! Run `cargo run --release [-- --rounds N] [--json]` in this folder.
//!
//! - A figure is the median over the rounds, in millions of leaves per CPU second. For random
//!   games, it is millions of plies per CPU second.
//! - A ratio is the median over the rounds of a crate's speed divided by the speed of cozy-chess.
//! - If a crate counts a wrong number of leaves, the run ends.
//! - Random games of all crates draw the same random numbers. The crates order moves differently
//!   and therefore play different games, so these figures are less comparable.

mod engines;
mod others;

use cpu_time::ThreadTime;
use engines::{ChessCrate, Cozy, Engine, Eschac, Ours, OursPp, Owlchess, Random, Shakmaty};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const POSITION_4: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
const START_PP: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 b1*f1*/b8*f8*";

/// Position (FEN), depth in plies and known number of leaves. If a crate counts a different number,
/// the run ends.
#[derive(Clone, Copy)]
struct Leaves(&'static str, u32, u64);

const FROM_START: Leaves = Leaves(START, 5, 4_865_609);
/// Leaves below the start position of Chess++. Only `catapult-rules` has counted them at depth 5. A
/// second engine confirmed the number at depth 4 (`crates/rules/tests/data/perft.txt`).
const FROM_START_PP: Leaves = Leaves(START_PP, 5, 5_227_301);

/// Number of compared crates.
const ENGINES: usize = 6;

/// Measured task: counting leaves, playing the moves to every leaf, or playing a number of random
/// games.
#[derive(Clone, Copy)]
enum Task {
    Bulk(Leaves),
    Made(Leaves),
    Games(u64),
}

impl Task {
    /// Returns this task in Chess++ instead of chess, or `None` if it does not begin at the start
    /// position.
    fn of_chesspp(self) -> Option<Task> {
        match self {
            Task::Bulk(Leaves(START, ..)) => Some(Task::Bulk(FROM_START_PP)),
            Task::Made(Leaves(START, ..)) => Some(Task::Made(FROM_START_PP)),
            Task::Games(_) => Some(self),
            _ => None,
        }
    }
}

fn run<E: Engine>(task: Task, start: &str, round: u64) -> f64 {
    let started = ThreadTime::now();
    let done = match task {
        Task::Bulk(Leaves(fen, depth, leaves)) | Task::Made(Leaves(fen, depth, leaves)) => {
            let position = E::read(fen);
            let counted = match task {
                Task::Bulk(_) => E::bulk(&position, depth),
                _ => E::made(&position, depth),
            };
            assert_eq!(counted, leaves, "{}: leaves of `{fen}` at depth {depth}", E::NAME);
            counted
        }
        Task::Games(games) => {
            let position = E::read(start);
            let mut random = Random(round);
            (0..games).map(|_| E::random_game(&position, &mut random)).sum()
        }
    };
    done as f64 / started.elapsed().as_secs_f64() / 1e6
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

const USAGE: &str =
    "catapult-bench [--rounds N] [--json]: compares the rules crate with others (N rounds, 5 if not given)";

/// Returns the number of rounds, and true if JSON is requested.
fn arguments(mut given: impl Iterator<Item = String>) -> Result<(u64, bool), String> {
    let (mut rounds, mut json) = (5, false);
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--json" => json = true,
            "--rounds" => {
                let found = given.next().unwrap_or_default();
                let number = found.parse().ok().filter(|&rounds| rounds > 0);
                rounds = number.ok_or(format!("--rounds `{found}`: must be a whole number from 1"))?;
            }
            other => return Err(format!("`{other}`: allowed are --rounds N and --json")),
        }
    }
    Ok((rounds, json))
}

fn main() {
    if std::env::args().any(|argument| argument == "--help") {
        println!("{USAGE}");
        return;
    }
    let (rounds, json) = arguments(std::env::args().skip(1)).unwrap_or_else(|wrong| {
        eprintln!("catapult-bench: {wrong}");
        std::process::exit(2);
    });
    let tasks = [
        ("bulk, start position, depth 5", Task::Bulk(FROM_START)),
        ("bulk, Kiwipete, depth 4", Task::Bulk(Leaves(KIWIPETE, 4, 4_085_603))),
        ("bulk, position 4, depth 5", Task::Bulk(Leaves(POSITION_4, 5, 15_833_292))),
        ("leaves made, start position, depth 5", Task::Made(FROM_START)),
        ("leaves made, Kiwipete, depth 4", Task::Made(Leaves(KIWIPETE, 4, 4_085_603))),
        ("leaves made, position 4, depth 4", Task::Made(Leaves(POSITION_4, 4, 422_333))),
        ("random games", Task::Games(500)),
    ];
    type Runner = (&'static str, &'static str, fn(Task, &str, u64) -> f64);
    let engines: [Runner; ENGINES] = [
        (Cozy::NAME, Cozy::LICENCE, run::<Cozy>),
        (Ours::NAME, Ours::LICENCE, run::<Ours>),
        (Eschac::NAME, Eschac::LICENCE, run::<Eschac>),
        (ChessCrate::NAME, ChessCrate::LICENCE, run::<ChessCrate>),
        (Shakmaty::NAME, Shakmaty::LICENCE, run::<Shakmaty>),
        (Owlchess::NAME, Owlchess::LICENCE, run::<Owlchess>),
    ];
    let mut lines = Vec::new();
    if !json {
        let names = engines.map(|(name, licence, _)| format!("{:>30}", format!("{name} ({licence})")));
        println!("{:<38}{}{:>22}", "millions a second (ratio)", names.concat(), "ours, chesspp (ratio)");
    }
    let mut geometric = [[0.0; ENGINES]; 3];
    let mut parts = [0.0; 3];
    for (name, task) in tasks {
        // One more for Chess++.
        let mut speeds = [(); ENGINES + 1].map(|()| Vec::new());
        // The first round is a warm-up and does not count.
        for round in 0..=rounds {
            for (speeds, (_, _, run)) in speeds.iter_mut().zip(engines) {
                speeds.push(run(task, START, round));
            }
            if let Some(task) = task.of_chesspp() {
                speeds[ENGINES].push(run::<OursPp>(task, START_PP, round));
            }
        }
        let ratio = |over: usize, under: usize| {
            median(speeds[over].iter().zip(&speeds[under]).skip(1).map(|(a, b)| a / b).collect())
        };
        let group = match task {
            Task::Bulk(..) => 0,
            Task::Made(..) => 1,
            Task::Games(_) => 2,
        };
        parts[group] += 1.0;
        let (mut fields, mut row) = (Vec::new(), format!("{name:<38}"));
        for (index, (engine, _, _)) in engines.into_iter().enumerate() {
            let (speed, ratio) = (median(speeds[index][1..].to_vec()), ratio(index, 0));
            geometric[group][index] += ratio.ln();
            fields.push(format!("\"{engine}\": {{\"millions\": {speed:.2}, \"to_cozy\": {ratio:.3}}}"));
            row += &format!("{:>30}", format!("{speed:.1} ({ratio:.2})"));
        }
        if !speeds[ENGINES].is_empty() {
            let (speed, ratio) = (median(speeds[ENGINES][1..].to_vec()), ratio(ENGINES, 1));
            fields.push(format!("\"chesspp\": {{\"millions\": {speed:.2}, \"to_chess\": {ratio:.3}}}"));
            row += &format!("{:>22}", format!("{speed:.1} ({ratio:.2})"));
        }
        if !json {
            println!("{row}");
        }
        lines.push(format!("  \"{name}\": {{{}}}", fields.join(", ")));
    }
    for (name, millions, ratio) in others::measure(rounds) {
        if json {
            lines.push(format!("  \"{name}\": {{\"millions\": {millions:.2}, \"to_cozy\": {ratio:.3}}}"));
        } else {
            println!("{name:<38}{:>30}", format!("{millions:.1} ({ratio:.3})"));
        }
    }
    let names = ["bulk", "leaves made", "random games"];
    for ((name, sums), parts) in names.into_iter().zip(geometric).zip(parts) {
        let means = sums.map(|sum: f64| (sum / parts).exp());
        if json {
            let fields: Vec<String> = engines
                .iter()
                .zip(means)
                .map(|((engine, _, _), mean)| format!("\"{engine}\": {mean:.3}"))
                .collect();
            lines.push(format!("  \"to_cozy {name}\": {{{}}}", fields.join(", ")));
        } else {
            let means = means.map(|mean| format!("{mean:>30.2}")).concat();
            println!("{:<38}{means}", format!("{name}, geometric mean of ratios"));
        }
    }
    if json {
        println!("{{\n{}\n}}", lines.join(",\n"));
    }
}
