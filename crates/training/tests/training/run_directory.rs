//! Tests of the locks and configs of run directories.

use super::smallest;
use catapult_store::StoreError;
use catapult_training::TrainingError;
use catapult_training::report::GenerationReport;
use catapult_training::run::{Run, read_reports};
use std::fs;
use std::sync::Barrier;

#[test]
fn a_folder_of_something_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lock"), "mine").unwrap();
    fs::write(folder.path().join("letter.txt"), "dear").unwrap();
    let error = Run::open(folder.path(), &smallest(&[])).unwrap_err();
    assert!(error.to_string().contains("contains no config.toml, so it is not a run"), "{error}");
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
    assert!(error.contains("learning.batch_rows (was 16, is 8)"), "{error}");
    assert!(!error.contains("generations"), "{error}");
    assert_eq!(fs::read(dir.join("config.toml")).unwrap(), before, "and nothing is changed");

    // Changeable keys are taken over.
    drop(Run::open(&dir, &smallest(&["generations=5"])).unwrap());
    assert!(fs::read_to_string(dir.join("config.toml")).unwrap().contains("generations = 5"));
}

/// Checks the number of root moves in a resumed run. A run that began with more root moves than new
/// runs may have resumes with that number. With another number it is rejected.
#[test]
fn a_run_goes_on_with_the_root_moves_it_began_with() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("run");
    let explicit = smallest(&["search.considered=16"]);
    let error = Run::open(&dir, &explicit).unwrap_err().to_string();
    assert!(
        error.contains("search.considered = 16") && error.contains("selfplay.simulations = 4"),
        "{error}"
    );
    assert!(error.contains("must be at most 2, half of"), "{error}");
    assert!(!dir.exists(), "a run does not begin so");

    fs::create_dir(&dir).unwrap();
    fs::write(dir.join("config.toml"), toml::to_string(&explicit).unwrap()).unwrap();
    let error = Run::open(&dir, &smallest(&[])).unwrap_err().to_string();
    assert!(error.contains("search.considered (was 16, is nothing)"), "{error}");
    let run = Run::open(&dir, &explicit).unwrap();
    assert_eq!(run.config().search.considered, Some(16));
    drop(run);
    assert!(fs::read_to_string(dir.join("config.toml")).unwrap().contains("considered = 16"));
}

#[test]
fn more_root_moves_than_half_the_simulations_are_refused_where_they_are_used() {
    let refused = |settings: &[&str]| {
        let error = smallest(settings).check_considered().unwrap_err().to_string();
        assert!(error.contains("search.considered = 8"), "{settings:?}: {error}");
        assert!(error.contains("must be at most"), "{error}");
        error
    };
    let of = "search.considered=8";
    for simulations in [2, 8, 15] {
        let key = format!("selfplay.simulations={simulations}");
        assert!(refused(&[of, &key]).contains(&key.replace('=', " = ")));
    }
    let later = [of, "selfplay.simulations=32", "games.simulations_from=[[1, 8], [2, 16]]"];
    assert!(refused(&later).contains("games.simulations_from = 8"));
    let fast = [of, "selfplay.simulations=32", "selfplay.full_search_share=0.5"];
    assert!(refused(&fast).contains("selfplay.fast_simulations = 8"));
    let begun = [of, "selfplay.simulations=32", "selfplay.begun_turn_share=0.25"];
    assert!(refused(&begun).contains("selfplay.fast_simulations = 8"));
    for settings in [
        &["selfplay.simulations=8"][..],
        &[of, "selfplay.simulations=16"],
        &[of, "selfplay.simulations=1"],
        &[of, "selfplay.simulations=8", "search.algorithm=puct"],
    ] {
        assert_eq!(smallest(settings).check_considered(), Ok(()), "{settings:?}");
    }
}

#[test]
fn a_run_is_open_once() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::open(folder.path(), &smallest(&[])).unwrap();
    let error = Run::open(folder.path(), &smallest(&[])).unwrap_err();
    assert!(matches!(error, TrainingError::Store(StoreError::InUse(_))), "{error}");
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
fn a_new_report_can_be_read_by_several_processes_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::open(folder.path(), &smallest(&[])).unwrap();
    let report = GenerationReport { network: "ab".repeat(32), ..Default::default() };
    run.write_report(&report).unwrap();
    let hashed = run.generation(0).join(format!("network-{}.safetensors", &report.network[..16]));
    let settled = run.generation(0).join("network.safetensors");
    fs::write(&settled, "").unwrap();
    // Threads stand in for processes.
    let threads = 4;
    for _ in 0..300 {
        fs::rename(&settled, &hashed).unwrap();
        let together = Barrier::new(threads);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    together.wait();
                    assert_eq!(run.report(0).unwrap().as_ref(), Some(&report));
                });
            }
        });
        assert!(settled.exists() && !hashed.exists());
    }
}

/// Learners on equal machines write equal files, and reports with different times.
#[test]
fn a_late_learner_keeps_the_files_of_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::open(folder.path(), &smallest(&[])).unwrap();
    let report = GenerationReport { network: "ab".repeat(32), ..Default::default() };
    run.write_report(&report).unwrap();
    fs::write(run.generation(0).join(format!("network-{}.safetensors", &report.network[..16])), "").unwrap();
    let late = GenerationReport { initial: Some("later".to_owned()), ..report.clone() };
    assert_eq!(run.write_report(&late).unwrap(), report);
    assert!(run.generation(0).join("network.safetensors").exists());
}

#[test]
fn reports_are_read_up_to_the_first_gap() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::open(folder.path(), &smallest(&[])).unwrap();
    let report = |generation| GenerationReport { generation, ..GenerationReport::default() };
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
