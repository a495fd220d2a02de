//! Tests of the training crate through its public interface: config, reports, run directory and
//! whole runs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod budgets;
mod config;
mod initial;
mod ladder;
mod packs;
mod reports;
mod run_directory;
mod supervised;
mod units;
mod whole_runs;

use catapult_training::TrainConfig;

/// Config of a run that takes about a second.
const SMALLEST: &str = r#"
name = "smallest"
variant = "chesspp"
seed = 3
generations = 2

[network]
channels = 8
blocks = 1

[games]
per_generation = 6
shards = 3

[selfplay]
simulations = 4
ply_cap = 24

[search]
gumbel_scale = 1.0

[window]
start_rows = 200
rows_per_game = 20

[learning]
batch_rows = 16

[machine]
threads = 1
slots = 2
learner_threads = 1
device = "cpu"

[evaluation]
games = 0
"#;

/// Returns the config [`SMALLEST`] with `key=value` settings.
fn smallest(settings: &[&str]) -> TrainConfig {
    let settings: Vec<String> = settings.iter().map(ToString::to_string).collect();
    TrainConfig::parse(SMALLEST, &settings).unwrap()
}

/// Returns the config [`SMALLEST`] with several variants and `key=value` settings.
fn smallest_of(variants: &[&str], settings: &[&str]) -> TrainConfig {
    let settings: Vec<String> = settings.iter().map(ToString::to_string).collect();
    let text = SMALLEST.replace("variant = \"chesspp\"", &format!("variants = {variants:?}"));
    TrainConfig::parse(&text, &settings).unwrap()
}
