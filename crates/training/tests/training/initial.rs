//! Tests of runs that start from a network file.

use super::smallest;
use super::whole_runs::{GO_ON, bytes, run};
use catapult_network::{NetworkInfo, file_hash};
use catapult_training::progress::Silent;
use catapult_training::run::network_path;
use catapult_training::units::begin;
use catapult_training::{TrainConfig, evaluate, train};
use std::fs;
use std::path::Path;

/// Returns the config [`SMALLEST`](super::SMALLEST) with `settings`. The run starts from the
/// network in `file`.
fn from(file: &Path, settings: &[&str]) -> TrainConfig {
    let initial = format!("initial={:?}", file.display().to_string());
    smallest(&[&[initial.as_str(), "name=second"], settings].concat())
}

#[test]
fn a_run_starts_from_a_network_of_its_size_or_smaller() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    run(&smallest(&[]), &at("first"));
    let file = network_path(&at("first"), 2);
    let hash = file_hash(&file).unwrap();
    // The same layout with other rules.
    let config = from(&file, &["variant=chesspp+instant", "generations=1"]);
    let reports = run(&config, &at("second"));
    assert_eq!(reports[0].initial.as_ref(), Some(&hash));
    let info = |dir: &str, generation: u32| NetworkInfo::read(&network_path(&at(dir), generation)).unwrap();
    for generation in [0, 1] {
        assert_eq!(info("second", generation).provenance["initial"], hash);
    }
    assert_eq!(info("second", 0).provenance["run"], "second");

    // Growing a network is deterministic.
    let config = from(&file, &["generations=1", "network.channels=12", "network.blocks=2"]);
    run(&config, &at("third"));
    run(&config, &at("fourth"));
    assert_eq!(info("third", 0).architecture.to_string(), "12x2");
    assert_eq!(bytes(&at("third")), bytes(&at("fourth")));

    let refused = |settings: &[&str], words: &[&str]| {
        let (config, dir) = (from(&file, settings), at("refused"));
        let trained = train(&config, &dir, &Silent, &GO_ON).unwrap_err();
        let begun = begin(&dir.as_path().into(), &config).unwrap_err();
        for error in [trained, begun].map(|error| error.to_string()) {
            assert!(words.iter().all(|word| error.contains(word)), "{error}");
            // Otherwise the config could not be corrected.
            assert!(!dir.exists(), "no run was created");
        }
    };
    refused(&["network.channels=4"], &["network.channels = 4", "at least 8", "network.safetensors"]);
    refused(&["network.value_hidden=32"], &["network.value_hidden = 32", "must be 64"]);
    refused(&["variant=century"], &["network.safetensors", "layout"]);
}

#[test]
fn a_run_goes_on_from_the_network_it_started_from_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    run(&smallest(&["generations=1"]), &at("first"));
    let file = at("start.safetensors");
    fs::copy(network_path(&at("first"), 1), &file).unwrap();
    let evaluation = "evaluation={games=2, simulations=2, ply_cap=16, opponents=[\"random\"]}";
    let config = from(&file, &["generations=1", evaluation]);
    run(&config, &at("run"));
    let whole = bytes(&at("run"));

    // A file with another name and the same content is the same network.
    fs::copy(&file, at("moved.safetensors")).unwrap();
    run(&from(&at("moved.safetensors"), &["generations=1"]), &at("run"));
    let before = fs::read(at("run/config.toml")).unwrap();
    // A file with the same name and other content is another network.
    fs::copy(network_path(&at("first"), 0), &file).unwrap();
    let refuse = |config: &TrainConfig| {
        let error = train(config, &at("run"), &Silent, &GO_ON).unwrap_err().to_string();
        assert!(error.contains("initial (the run began with"), "{error}");
        assert_eq!(fs::read(at("run/config.toml")).unwrap(), before, "and nothing is changed");
    };
    refuse(&config);
    refuse(&smallest(&["generations=1", "name=second"]));
    // A run that has begun does not need the file.
    fs::remove_file(&file).unwrap();
    run(&config, &at("run"));
    assert!(bytes(&at("run")) == whole);

    let results = evaluate(&config, &at("run"), &Silent, &GO_ON).unwrap();
    assert_eq!(results.last().unwrap().opponent, "initial:2");
    // A run that began untrained cannot get an initial network later.
    let error = train(&from(&file, &["generations=1", "name=smallest"]), &at("first"), &Silent, &GO_ON);
    assert!(error.unwrap_err().to_string().contains("the run began with none"));
}
