//! Who may write into a folder.

use super::smallest;
use catapult_training::TrainingError;
use catapult_training::report::GenerationReport;
use catapult_training::run::{Run, read_reports};
use std::fs;

#[test]
fn a_folder_of_something_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lock"), "mine").unwrap();
    fs::write(folder.path().join("letter.txt"), "dear").unwrap();
    let error = Run::open(folder.path(), &smallest(&[])).unwrap_err();
    assert!(matches!(error, TrainingError::NotARun(_)), "{error}");
    assert!(error.to_string().contains(&folder.path().display().to_string()), "{error}");
    assert_eq!(fs::read_to_string(folder.path().join("lock")).unwrap(), "mine");
    assert_eq!(folder.path().read_dir().unwrap().count(), 2, "nothing was added");
}

#[test]
fn what_a_killed_start_leaves_is_no_obstacle() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lock"), "").unwrap();
    fs::write(folder.path().join(".unfinished-a1b2c3"), "name = ").unwrap();
    Run::open(folder.path(), &smallest(&[])).unwrap();
}

#[test]
fn another_config_is_refused_with_its_keys() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("deep/run");
    drop(Run::open(&dir, &smallest(&[])).unwrap());
    let before = fs::read(dir.join("config.toml")).unwrap();
    let other = smallest(&["learning.batch_rows=8", "generations=5"]);
    let error = Run::open(&dir, &other).unwrap_err().to_string();
    assert!(error.contains("learning.batch_rows (the run has 16, the config 8)"), "{error}");
    assert!(!error.contains("generations"), "{error}");
    assert_eq!(fs::read(dir.join("config.toml")).unwrap(), before, "and nothing is changed");

    // What may change is taken over.
    drop(Run::open(&dir, &smallest(&["generations=5"])).unwrap());
    assert!(fs::read_to_string(dir.join("config.toml")).unwrap().contains("generations = 5"));
}

#[test]
fn a_run_is_open_once() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::open(folder.path(), &smallest(&[])).unwrap();
    let error = Run::open(folder.path(), &smallest(&[])).unwrap_err();
    assert!(matches!(error, TrainingError::InUse(_)), "{error}");
    drop(run);
    Run::open(folder.path(), &smallest(&[])).unwrap();
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let dir = file.join("run");
    let error = Run::open(&dir, &smallest(&[])).unwrap_err().to_string();
    assert!(error.starts_with(&dir.display().to_string()), "{error}");
}

#[test]
fn reports_are_read_up_to_the_first_gap() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::open(folder.path(), &smallest(&[])).unwrap();
    let report =
        |generation| GenerationReport { generation, network: "ab".into(), games: None, learning: None };
    for generation in [0, 1, 3] {
        run.write_report(&report(generation)).unwrap();
    }
    assert_eq!(read_reports(folder.path()).unwrap(), [report(0), report(1)]);
    assert_eq!(run.report(2).unwrap(), None);
    assert_eq!(run.report(3).unwrap(), Some(report(3)));
    let path = run.generation(1).join("report.json");
    fs::write(&path, "{\"generation\":").unwrap();
    let error = read_reports(folder.path()).unwrap_err().to_string();
    assert!(error.contains(&path.display().to_string()) && error.contains("damaged"), "{error}");
}
