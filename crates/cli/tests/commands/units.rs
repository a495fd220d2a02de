//! Tests of the output and exit codes of `catapult cluster units` and `catapult cluster unit`, on
//! which launchers rely.

use super::{catapult, fail, path, root, succeed, text};
use std::fs;
use std::path::PathBuf;

/// Returns the path of configs/test/tiny.toml.
fn tiny() -> PathBuf {
    root().join("configs/test/tiny.toml")
}

/// Runs a command that must exit with code 75, which asks for a retry. Returns its message.
fn try_again(arguments: &[&str]) -> String {
    let output = catapult(arguments);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(75), "{arguments:?}: {message}");
    assert_eq!(output.stdout, b"", "{arguments:?}");
    message
}

#[test]
fn launchers_learn_what_to_do_and_when_to_try_again() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let run = path(&run);
    fail(&["cluster", "units", run], &[run, "it is not a run"]);
    let open = succeed(&["cluster", "units", run, "--begin", path(&tiny())]);
    assert_eq!(
        open,
        "{\"unit\":\"generation-0000/learn\",\"kind\":\"learn\",\"threads\":1,\"expected\":24}\n"
    );
    assert_eq!(succeed(&["cluster", "units", run, "--begin", path(&tiny())]), open);
    assert!(
        try_again(&["cluster", "unit", run, "generation-0001/shard-0000"])
            .contains("the network of generation 0")
    );
    fail(
        &["cluster", "unit", run, "generation-0001/shard-0009"],
        &["generation-0001/shard-0009", "4 shards"],
    );
    fail(&["cluster", "unit", run, "lunch"], &["lunch", "generation-NNNN/learn"]);
    // The network needs libtorch, which some builds lack.
    if !cfg!(feature = "torch") {
        return;
    }
    let made = |unit: &str| -> serde_json::Value {
        serde_json::from_str(&succeed(&["cluster", "unit", run, unit, "--threads", "1", "--device", "cpu"]))
            .unwrap()
    };
    let learned = made("generation-0000/learn");
    assert_eq!(
        (learned["unit"].as_str(), learned["made"].as_bool()),
        (Some("generation-0000/learn"), Some(true))
    );
    assert!(learned["seconds"].as_f64().unwrap() > 0.0 && learned["arithmetic"].is_string());
    assert_eq!(made("generation-0000/learn")["made"], false);
    let open = succeed(&["cluster", "units", run]);
    let names: Vec<_> = open.lines().map(|line| line.split('"').nth(3).unwrap()).collect();
    assert_eq!(names, (0..4).map(|shard| format!("generation-0001/shard-{shard:04}")).collect::<Vec<_>>());
    assert!(
        open.lines().all(|line| line.ends_with("\"kind\":\"games\",\"threads\":1,\"expected\":6}")),
        "{open}"
    );
    if catapult_network::device::cuda_devices() == 0 {
        try_again(&["cluster", "unit", run, names[0], "--device", "cuda"]);
    }
    fail(
        &["cluster", "unit", run, names[0], "--device", "gpu"],
        &["\"gpu\"", "must be auto, cpu, cuda or cuda:N"],
    );
    assert_eq!(made(names[0])["made"], true);
    assert_eq!(succeed(&["cluster", "units", run]).lines().count(), 3);
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    succeed(&["cluster", "units", path(&run), "--begin", path(&tiny())]);
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut units = std::process::Command::new(env!("CARGO_BIN_EXE_catapult"));
    let output = units.args(["cluster", "units", path(&run)]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(75), "{}", text(&output.stderr));
}

#[test]
fn a_place_that_holds_another_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = format!("file://{}", folder.path().join("objects").display());
    let cache = folder.path().join("cache");
    let units = |arguments: &[&str]| {
        std::process::Command::new(env!("CARGO_BIN_EXE_catapult"))
            .args(["cluster", "units", &place])
            .args(arguments)
            .env("CATAPULT_CACHE", &cache)
            .output()
            .unwrap()
    };
    let refused = units(&[]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("no run or study exists there"));
    let begun = units(&["--begin", path(&tiny())]);
    assert!(begun.status.success(), "{}", text(&begun.stderr));
    let other = folder.path().join("other.toml");
    fs::write(&other, fs::read_to_string(tiny()).unwrap().replace("seed = 7", "seed = 8")).unwrap();
    let refused = units(&["--begin", path(&other)]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("seed (was 7, is 8)"), "{}", text(&refused.stderr));
    fail(&["cluster", "units", "s3://bucket/run"], &["s3://bucket/run"]);
    fail(&["cluster", "units", path(&folder.path().join("new")), "--begin", "no.toml"], &["no.toml"]);
    let neither = folder.path().join("neither.toml");
    fs::write(&neither, "lunch = 1\n").unwrap();
    fail(
        &["cluster", "units", path(&folder.path().join("new")), "--begin", path(&neither)],
        &["neither.toml", "lunch"],
    );
}

/// A study's file is known by its keys, not by its text.
#[test]
fn a_file_begins_what_its_keys_say() {
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str, config: &str| {
        let file = folder.path().join(name).with_extension("toml");
        fs::write(&file, config).unwrap();
        succeed(&["cluster", "units", path(&folder.path().join(name)), "--begin", path(&file)])
    };
    let manifest = fs::read_to_string(root().join("launchers/kubernetes/games.yaml")).unwrap();
    let (_, config) = manifest.split_once("  config.toml: |\n").unwrap();
    let lines: Vec<&str> = config.lines().map_while(|line| line.strip_prefix("    ")).collect();
    assert!(open("kubernetes", &lines.join("\n")).contains("\"generation-0000/learn\""));
    let run = fs::read_to_string(tiny()).unwrap() + "\n# As in a study: [[agents]]\n";
    assert!(open("run", &run).contains("\"generation-0000/learn\""));
    let refused = folder.path().join("study.toml");
    fs::write(&refused, "lunch = 1\nagents = []\n").unwrap();
    fail(
        &["cluster", "units", path(&folder.path().join("study")), "--begin", path(&refused)],
        &["study.toml", "unknown field `lunch`", "`title`"],
    );
}
