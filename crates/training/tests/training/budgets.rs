//! Tests of runs with a budget, and of forks.

use super::smallest;
use super::whole_runs::{GO_ON, Watcher, bytes, run};
use catapult_training::progress::Silent;
use catapult_training::{Fork, TrainConfig, TrainingError, fork, train, train_until};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const ROW_COST: f64 = 2.0;

/// Returns the config [`SMALLEST`](super::SMALLEST) with a budget of `work` evaluations. The config
/// has nine generations, more than the budget allows.
fn with_budget(work: u64, settings: &[&str]) -> TrainConfig {
    let budget = format!("budget={{work={work}, row_cost={ROW_COST}}}");
    smallest(&[&["generations=9", budget.as_str()], settings].concat())
}

/// Returns a budget in evaluations that the run of [`with_budget`] reaches in generation 3. It is
/// measured on a longer run in `dir`.
fn three_generations(dir: &Path) -> u64 {
    let reports = train_until(&with_budget(1 << 40, &[]), dir.into(), 3, &Silent, &GO_ON).unwrap();
    let work = |report: &catapult_training::report::GenerationReport| report.work.unwrap();
    let costs: Vec<f64> =
        reports[1..].iter().map(|r| work(r).asked as f64 + ROW_COST * work(r).rows as f64).collect();
    ((costs[0] + costs[1] + costs.iter().sum::<f64>()) / 2.0) as u64
}

#[test]
fn a_run_with_a_budget_ends_with_it_however_it_came_about() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let work = three_generations(&at("long"));
    let reports = run(&with_budget(work, &[]), &at("whole"));
    assert_eq!(reports.len(), 4, "generations 0 to 3");
    assert!(reports[0].work.is_none());
    for report in &reports[1..] {
        let (found, games, learning) =
            (report.work.unwrap(), report.games.as_ref().unwrap(), report.learning.as_ref().unwrap());
        // One process played all games, so its counters have all requests.
        assert_eq!(found.asked, games.evaluations + games.cache_hits);
        assert_eq!(found.rows, 16 * learning.steps);
    }
    // There are more requests than plies, and per ply at most the simulations and the root.
    let (asked, plies) = (reports[1].work.unwrap().asked, reports[1].games.as_ref().unwrap().plies);
    assert!(asked > plies && asked <= 5 * plies, "{asked} of {plies} plies");

    let expected = bytes(&at("whole"));
    let same = |name: &str| {
        let found = bytes(&at(name));
        assert!(found == expected, "{name}: {:?}", found.keys().collect::<Vec<_>>());
    };
    run(&with_budget(work, &["machine.threads=3", "machine.slots=5"]), &at("threads"));
    same("threads");
    run(&with_budget(work, &["generations=90"]), &at("more"));
    same("more");
    for watcher in [Watcher::stopping_at_shard(), Watcher::stopping_at(2, 1), Watcher::stopping_at(3, 2)] {
        let error = train(&with_budget(work, &[]), &at("stopped"), &watcher, &watcher.stop).unwrap_err();
        assert!(matches!(error, TrainingError::Stopped), "{error}");
    }
    let stopped = run(&with_budget(work, &[]), &at("stopped"));
    same("stopped");
    assert_eq!(
        stopped.iter().map(|r| r.work).collect::<Vec<_>>(),
        reports.iter().map(|r| r.work).collect::<Vec<_>>()
    );
    // The run is over, so nothing more is trained.
    assert_eq!(run(&with_budget(work, &[]), &at("stopped")).len(), 4);
    same("stopped");
}

/// Checks a window that has fewer samples than a batch. Each step then draws the whole window.
#[test]
fn a_budget_counts_the_samples_that_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let small = ["learning.batch_rows=64", "learning.passes=8.0", "window.start_rows=20"];
    let settings = [&small[..], &["window.growth_scale=0.0", "generations=2"]].concat();
    for report in &run(&with_budget(1 << 40, &settings), folder.path())[1..] {
        let learning = report.learning.as_ref().unwrap();
        assert!(learning.window_rows == 20 && learning.steps > 0, "{learning:?}");
        assert_eq!(report.work.unwrap().rows, 20 * learning.steps);
    }
}

#[test]
fn the_learning_rate_falls_with_what_is_spent() {
    let folder = tempfile::tempdir().unwrap();
    let work = three_generations(&folder.path().join("long"));
    let constant = "learning.warmup_steps=0";
    let reports = run(&with_budget(work, &[constant]), &folder.path().join("run"));
    let mut spent = 0.0;
    for report in &reports[1..] {
        let (taken, learning) = (report.work.unwrap(), report.learning.as_ref().unwrap());
        let cost = taken.asked as f64 + ROW_COST * taken.rows as f64;
        // Rate of the generation's last step: half a cosine from 1e-3 down to a tenth of it.
        let done = (learning.steps - 1) as f64 / learning.steps as f64;
        let share = ((spent + cost * done) / work as f64).min(1.0);
        let expected = 1e-3 * (0.1 + 0.9 * (1.0 + (std::f64::consts::PI * share).cos()) / 2.0);
        assert!((learning.learning_rate - expected).abs() < 1e-12, "{} {expected}", learning.learning_rate);
        spent += cost;
    }
}

/// Returns the paths and bytes of the files of all generations up to `last`.
fn up_to(dir: &Path, last: u32) -> BTreeMap<PathBuf, Vec<u8>> {
    let is_early = |path: &PathBuf| {
        let folder = path.iter().next().unwrap().to_string_lossy().into_owned();
        folder.strip_prefix("generation-").unwrap().parse::<u32>().unwrap() <= last
    };
    bytes(dir).into_iter().filter(|(path, _)| is_early(path)).collect()
}

#[test]
fn a_fork_is_the_trunk_up_to_there_and_without_a_difference_beyond() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let work = three_generations(&at("long"));
    let config = with_budget(work, &[]);
    let straight = run(&config, &at("straight"));
    let trunk = train_until(&config, at("trunk").as_path().into(), 1, &Silent, &GO_ON).unwrap();
    assert_eq!(trunk.len(), 2);

    fork(&at("trunk"), 1, &config, &at("same")).unwrap();
    assert!(bytes(&at("same")) == bytes(&at("trunk")), "the trunk, byte for byte");
    run(&config, &at("same"));
    assert!(bytes(&at("same")) == bytes(&at("straight")), "no difference, no other bytes");
    let found = Fork::of(&at("same")).unwrap().unwrap();
    assert_eq!((found.generation, &found.network, &found.trunk), (1, &straight[1].network, &config));
    // A second call keeps the existing fork.
    fork(&at("trunk"), 1, &config, &at("same")).unwrap();

    // From the next generation on, the fork plays other games in another number of games and
    // shards.
    let other =
        with_budget(work, &["games.per_generation=4", "games.shards=2", "selfplay.full_search_share=0.5"]);
    fork(&at("trunk"), 1, &other, &at("other")).unwrap();
    let to_the_next = || train_until(&other, at("other").as_path().into(), 2, &Silent, &GO_ON).unwrap();
    let reports = to_the_next();
    assert!(up_to(&at("other"), 1) == bytes(&at("trunk")));
    assert_ne!(reports[2].network, straight[2].network);
    assert_eq!(reports[2].games.as_ref().unwrap().games, 4);
    assert_eq!(reports[1].games.as_ref().unwrap().games, 6);
    // A lost shard of the trunk is played again with the trunk's config.
    let expected = bytes(&at("other"));
    let games = at("other").join("generation-0001/games");
    let lost = games.read_dir().unwrap().next().unwrap().unwrap().path();
    fs::remove_file(&lost).unwrap();
    // The next generation trains on it.
    fs::remove_file(at("other").join("generation-0002/report.json")).unwrap();
    to_the_next();
    assert!(bytes(&at("other")) == expected, "{} is there again", lost.display());

    // A fork of a fork has one trunk, by whose config it plays lost games again.
    fork(&at("other"), 1, &other, &at("first")).unwrap();
    assert_eq!(Fork::of(&at("first")).unwrap().unwrap().trunk.games.shards, 3);
    let error = fork(&at("other"), 2, &other, &at("second")).unwrap_err().to_string();
    assert!(error.contains("games.shards (was 3, is 2)") && error.contains("selfplay.full"), "{error}");
    assert!(!at("second").exists());
}

/// Checks a config with an infinite number, which the JSON of `fork.json` cannot express.
#[test]
fn a_fork_of_a_run_without_clipping_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let config = smallest(&["learning.clip_norm=inf"]);
    train_until(&config, at("trunk").as_path().into(), 1, &Silent, &GO_ON).unwrap();
    // The second call reads the file that the first one wrote.
    for _ in 0..2 {
        fork(&at("trunk"), 1, &config, &at("fork")).unwrap();
    }
    assert_eq!(Fork::of(&at("fork")).unwrap().unwrap().trunk, config);
    assert_eq!(run(&config, &at("fork")).len(), 3);
}

#[test]
fn what_no_fork_can_change_is_refused_by_key() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let config = with_budget(1 << 40, &[]);
    train_until(&config, at("trunk").as_path().into(), 1, &Silent, &GO_ON).unwrap();
    let refused = |generation: u32, settings: &[&str], words: &[&str]| {
        let error = fork(&at("trunk"), generation, &with_budget(1 << 40, settings), &at("fork"))
            .unwrap_err()
            .to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{settings:?}: {error}");
        assert!(!at("fork").exists());
    };
    refused(1, &["seed=4"], &["seed = 4: must be 3, as in the trunk", "generation 1"]);
    refused(1, &["name=other"], &["name"]);
    refused(1, &["variant=chess"], &["variant = \"chess\": must be \"chesspp\""]);
    refused(1, &["network.channels=16"], &["network.channels = 16: must be 8", "start a new run"]);
    refused(1, &["budget.work=5"], &["budget.work = 5: must be 1099511627776"]);
    refused(
        1,
        &["learning.optimizer={kind=\"sgd\"}"],
        &["learning.optimizer.kind = \"sgd\": must be \"adamw\""],
    );
    refused(1, &["search.considered=4"], &["search.considered"]);
    refused(2, &[], &["generation 2", "not complete"]);

    fork(&at("trunk"), 1, &config, &at("fork")).unwrap();
    let error = fork(&at("trunk"), 0, &config, &at("fork")).unwrap_err().to_string();
    assert!(error.contains("generation 1") && error.contains("generation 0"), "{error}");
    let error = fork(&at("trunk"), 1, &config, &at("trunk")).unwrap_err().to_string();
    assert!(error.contains("is not empty"), "{error}");
    // Files of a killed process do not count as a fork.
    fs::create_dir_all(at(".unfinished-late/generation-0001")).unwrap();
    fork(&at("trunk"), 1, &config, &at("late")).unwrap();
    assert!(up_to(&at("late"), 1) == up_to(&at("trunk"), 1) && !at(".unfinished-late").exists());
    // Without the trunk's training state, an existing fork stays, and no other can be made.
    fs::remove_file(at("trunk/generation-0001/state.safetensors")).unwrap();
    fork(&at("trunk"), 1, &config, &at("fork")).unwrap();
    let error = fork(&at("trunk"), 1, &config, &at("another")).unwrap_err().to_string();
    assert!(error.contains("generation 1 has no training state"), "{error}");
    assert!(!at("another").exists());
}
