//! Tests of archives of studies.

use super::desk;
use super::whole::{Watcher, bytes, run_in};
use catapult_study::StudyError;
use catapult_study::pack::{pack, unpack};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the contents of a study's files, by path. The lock and the runs of agents are left out,
/// because an archive lacks the games of runs.
fn found(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let is_left = |path: &Path| path.starts_with("agents") || path.starts_with("lock");
    bytes(dir).into_iter().filter(|(path, _)| !is_left(path)).collect()
}

#[test]
fn an_unpacked_study_goes_on_to_the_same_bytes() {
    let desk = desk();
    let at = |name: &str| desk.path().join(name);
    run_in(desk.path(), "whole", &Watcher::default()).unwrap();
    let expected = found(&at("whole"));

    // Packed during the training of the first agent, and once all networks and games exist.
    for (stage, agents) in [("training", [0, 1]), ("strength (matches)", [1, 0])] {
        let stopped = run_in(desk.path(), stage, &Watcher::stopping_at(stage));
        assert!(matches!(stopped, Err(StudyError::Stopped)));
        let packed = pack(&at(stage), &at("with.pack"), true).unwrap();
        assert_eq!(packed.agents, agents, "{stage}");
        let lean = pack(&at(stage), &at("without.pack"), false).unwrap();
        assert_eq!((lean.agents, lean.shards), (agents, 0));
        assert_eq!(packed.shards > 0, stage != "training");
        for (file, packed) in [("with.pack", packed), ("without.pack", lean)] {
            let elsewhere = format!("{stage} of {file}");
            assert_eq!(unpack(&at(file), &at(&elsewhere)).unwrap(), packed);
            run_in(desk.path(), &elsewhere, &Watcher::default()).unwrap();
            assert!(found(&at(&elsewhere)) == expected, "{elsewhere}");
        }
    }
    // The archive of a finished study contains its report.
    let packed = pack(&at("whole"), &at("whole.pack"), true).unwrap();
    assert_eq!(unpack(&at("whole.pack"), &at("again")).unwrap(), packed);
    assert!(found(&at("again")) == expected);
}

#[test]
fn what_is_damaged_is_not_packed() {
    let desk = desk();
    let at = |name: &str| desk.path().join(name);
    let told = |found: Result<_, StudyError>| found.unwrap_err().to_string();
    fs::create_dir(at("empty")).unwrap();
    assert!(told(pack(&at("empty"), &at("file"), true)).contains("study.toml"));

    let stopped = run_in(desk.path(), "out", &Watcher::stopping_at("strength (matches)"));
    assert!(matches!(stopped, Err(StudyError::Stopped)));
    pack(&at("out"), &at("good.pack"), true).unwrap();
    assert!(told(unpack(&at("good.pack"), &at("out"))).contains("not empty"));
    let mut whole = fs::read(at("good.pack")).unwrap();
    let middle = whole.len() / 2;
    whole[middle] ^= 1;
    fs::write(at("bad.pack"), whole).unwrap();
    assert!(told(unpack(&at("bad.pack"), &at("new"))).contains("bad.pack"));
    assert!(!at("new").exists());

    let files = bytes(&at("out"));
    for kind in ["parquet", "safetensors"] {
        let of_kind = |path: &&PathBuf| {
            let is_network = path.file_name().is_some_and(|name| name == "network.safetensors");
            path.extension().is_some_and(|e| e == kind)
                && (is_network || path.starts_with("games"))
                // The last generation's network.
                && !path.to_string_lossy().contains("generation-0000")
        };
        let name = files.keys().rfind(of_kind).unwrap();
        let path = at("out").join(name);
        let good = fs::read(&path).unwrap();
        let mut bad = good.clone();
        let last = bad.len() - 9;
        bad[last] ^= 1;
        fs::write(&path, bad).unwrap();
        let error = told(pack(&at("out"), &at("other.pack"), true));
        assert!(error.contains(&*path.file_name().unwrap().to_string_lossy()), "{error}");
        assert!(!at("other.pack").exists());
        fs::write(&path, good).unwrap();
    }
}
