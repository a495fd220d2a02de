//! Tests of `catapult ablate` that train nothing. `scripts/test-resume 8 ablation` runs a tiny one.

use super::{fail, path, root, succeed};
use std::fs;

#[test]
fn a_plan_is_told_and_nothing_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let plan = root().join("configs/ablate/recipe.toml");
    let told = succeed(&["ablate", path(&plan), "--plan", "--threads", "1", "--out", path(&out)]);
    // Each of five seeds has four arms. Three play the control and each plays one opponent.
    for (stage, units) in [("control (matches)", 15), ("strength (matches)", 20)] {
        let line =
            told.lines().find(|line| line.starts_with(stage)).unwrap_or_else(|| panic!("{stage}: {told}"));
        let numbers: Vec<&str> = line[stage.len()..].split_whitespace().collect();
        assert_eq!(numbers[..2], [units.to_string(), "0".to_owned()], "{told}");
    }
    assert!(told.contains("left in all") && told.contains("trunks (generations)"), "{told}");
    assert!(!out.exists());
}

#[test]
fn mistakes_are_named() {
    let folder = tempfile::tempdir().unwrap();
    fail(&["ablate", "no/such.toml"], &["no/such.toml"]);
    let text = fs::read_to_string(root().join("configs/test/ablate-tiny.toml")).unwrap();
    let base = format!("base = \"{}\"", path(&root().join("configs/test/tiny.toml")));
    let bad = folder.path().join("bad.toml");
    fs::write(&bad, text.replace("base = \"tiny.toml\"", &base).replace("value_lambda", "lambda")).unwrap();
    fail(&["ablate", path(&bad)], &["bad.toml", "arm.lambda", "`lambda`"]);
    // A folder with unrelated files.
    fs::write(folder.path().join("thesis.txt"), "text").unwrap();
    let plan = root().join("configs/test/ablate-tiny.toml");
    fail(&["ablate", path(&plan), "--out", path(folder.path())], &["is not empty", "choose another folder"]);
}
