//! ARCHITECTURE.md's table of crates is the truth: `cargo metadata` has the same crates with the same uses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

type Uses = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows "`name` | what it is | uses" in their order; `all` stands for every row above.
fn documented() -> (Vec<String>, Uses) {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md can be read");
    let (mut order, mut table) = (Vec::new(), Uses::new());
    let rows = text
        .lines()
        .skip_while(|line| !line.starts_with("| crate |"))
        .take_while(|line| line.starts_with('|'));
    for row in rows.skip(2) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let &[name, _, uses] = cells.as_slice() else { panic!("a row that is not three cells: {row}") };
        let uses: BTreeSet<String> = match uses {
            "-" => BTreeSet::new(),
            "all" => order.iter().cloned().collect(),
            _ => uses.split(", ").map(str::to_owned).collect(),
        };
        let name = name.trim_matches('`').to_owned();
        table.insert(name.clone(), uses);
        order.push(name);
    }
    (order, table)
}

/// The same of the workspace's crates, dependencies for tests left out.
fn actual() -> Uses {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("cargo metadata writes JSON");
    let ours =
        |name: &serde_json::Value| name.as_str().and_then(|n| n.strip_prefix("catapult-")).map(str::to_owned);
    let packages = metadata["packages"].as_array().expect("metadata lists packages");
    packages
        .iter()
        .map(|package| {
            let name = ours(&package["name"]).expect("crates are named catapult-<folder>");
            let manifest = package["manifest_path"].as_str().expect("a package has a manifest");
            assert!(manifest.ends_with(&format!("crates/{name}/Cargo.toml")), "{name} lies in {manifest}");
            let dependencies = package["dependencies"].as_array().expect("a package lists dependencies");
            let built = dependencies.iter().filter(|dependency| dependency["kind"] != "dev");
            (name, built.filter_map(|dependency| ours(&dependency["name"])).collect())
        })
        .collect()
}

#[test]
fn crates_use_what_the_table_allows() {
    let (_, documented) = documented();
    let actual = actual();
    let names = |table: &Uses| table.keys().cloned().collect::<Vec<_>>();
    assert!(documented.len() > 1, "the table was found");
    assert_eq!(names(&actual), names(&documented), "the same crates");
    for (name, uses) in &actual {
        let extra: Vec<_> = uses.difference(&documented[name]).collect();
        assert!(extra.is_empty(), "{name} uses {extra:?}, which the table does not list");
    }
}

/// The arrows point upwards in the table, so there is no circle and each crate can be read after those above it.
#[test]
fn the_table_is_in_order_of_use() {
    let (order, table) = documented();
    for (row, name) in order.iter().enumerate() {
        for used in &table[name] {
            assert!(order[..row].contains(used), "{name} uses {used}, which does not stand above it");
        }
    }
}

/// What plays needs no libtorch: without the feature `torch` nothing that the binary is built of has to do with it.
#[test]
fn without_its_feature_libtorch_is_not_in_the_tree() {
    let tree = |features: &[&str]| {
        let output = Command::new(env!("CARGO"))
            .args([
                "tree",
                "--package",
                "catapult-cli",
                "--edges",
                "normal,build",
                "--prefix",
                "none",
                "--offline",
            ])
            .args(features)
            .current_dir(root())
            .output()
            .expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("names are UTF-8");
        text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let (with, without) = (tree(&[]), tree(&["--no-default-features"]));
    // Nor a server, which is another thing that playing does not need.
    for name in ["tch", "torch-sys", "catapult-server", "rusqlite"] {
        assert!(with.contains(name) && !without.contains(name), "{name}");
    }
    assert!(without.contains("catapult-arena") && without.contains("catapult-study"), "{without:?}");
    assert!(!without.contains("catapult-training"), "what only plays builds in minutes: {without:?}");
    let lab = tree(&["--no-default-features", "--features", "lab"]);
    assert!(lab.contains("catapult-training") && !lab.contains("tch"), "{lab:?}");
}
