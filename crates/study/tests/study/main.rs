//! Tests of tiny studies and of a study's file.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod ablation;
mod config;
mod exam;
mod looks;
mod spread;
mod tutorial;
mod whole;
mod without;

use std::fs;
use std::path::{Path, PathBuf};

/// Config of a training run that takes about one second.
const TRAIN: &str = r#"
name = "tiny"
variants = ["chess", "chesspp+free"]
seed = 1
generations = 2

[network]
channels = 8
blocks = 1

[games]
per_generation = 4
shards = 2

[selfplay]
simulations = 2
ply_cap = 16

[learning]
batch_rows = 16

[machine]
learner_threads = 1
"#;

/// Text of a study's file with every kind of work except endings.
const STUDY: &str = r#"
name = "tiny"
title = "A study for tests"
seed = 5
control = "chess"
arms = ["chess", "chesspp+free"]

[[agents]]
name = "both"
arms = ["chess", "chesspp+free"]
seeds = [1]
train = "train.toml"
early = 1

[[agents]]
name = "alone"
arms = ["chess"]
seeds = [1, 2]
taken = ["a.safetensors", "b.safetensors"]

[games]
simulations = [2, 4]
per_level = 5
early_simulations = 2
per_shard = 3
sampled_plies = 4
ply_cap = 40

[[games.deep]]
simulations = [8]
games = 4
arms = ["chess"]
agents = ["alone"]

[strength]
games = 2
simulations = [4]
opponents = ["half", "alphabeta:1"]
rung_games = 2
ply_cap = 24

[[strength.more]]
opponents = ["x4", "x16"]
simulations = [2]
games = 4
agents = ["both"]

[population]
games = 2
simulations = [2]

[worth]
kinds = ["teleports", "catapult-captures"]
games = 2
simulations = [4]

[analysis]
lines = 4
line_plies = 4

[resampling]
replicates = 100

[machine]
threads = 2
device = "cpu"

[[endpoints]]
claim = "fewer draws"
metric = "draw_rate"
arm = "chesspp+free"
control = "chess"
direction = "lower"
smallest_effect = 0.05
"#;

/// Returns a temporary folder with a study's file and the files that it names.
fn desk() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("train.toml"), TRAIN).unwrap();
    fs::write(dir.path().join("study.toml"), STUDY).unwrap();
    for (name, seed) in [("a", 1), ("b", 2), ("third", 3)] {
        let architecture = toml::from_str("channels = 8\nblocks = 1\n").unwrap();
        let network =
            catapult_network::Network::untrained(architecture, catapult_encoding::CHESS_LAYOUT, seed)
                .unwrap();
        network.save(&dir.path().join(format!("{name}.safetensors"))).unwrap();
    }
    dir
}

/// Returns all files below a folder.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}
