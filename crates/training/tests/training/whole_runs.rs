//! Tests of small whole runs. They give the same bytes on any number of threads and after
//! interruptions.

use super::{smallest, smallest_of};
use catapult_arena::{MatchFiles, MatchSettings, NamedPlayer, PlayerSpec, play_named_match};
use catapult_network::{Device, Losses};
use catapult_store::Location;
use catapult_training::progress::{Progress, Silent};
use catapult_training::report::GenerationReport;
use catapult_training::run::{generation_dir, network_path};
use catapult_training::units::begin;
use catapult_training::{TrainConfig, TrainingError, evaluate, played_matches, train};
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

pub(super) static GO_ON: AtomicBool = AtomicBool::new(false);

pub(super) fn run(config: &TrainConfig, dir: &Path) -> Vec<GenerationReport> {
    train(config, dir, &Silent, &GO_ON).unwrap()
}

/// Returns the paths and bytes of all shards, networks and training states of a run.
pub(super) fn bytes(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "parquet" || e == "safetensors") {
                found.insert(path.strip_prefix(dir).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn assert_same(found: &Path, expected: &Path, what: &str) {
    let (found, expected) = (bytes(found), bytes(expected));
    // 3 networks, 3 states, 2 x 3 shards.
    assert_eq!(expected.len(), 12);
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{what}");
    for (path, bytes) in &expected {
        assert!(found[path] == *bytes, "{what}: {} differs", path.display());
    }
}

/// Observer that collects warnings. It can stop the run at a training step of a generation or when
/// a shard is done.
#[derive(Default)]
pub(super) struct Watcher {
    warnings: Mutex<Vec<String>>,
    pub(super) stop: AtomicBool,
    stop_at_shard: bool,
    stop_at_step: Option<(u32, u64)>,
    generation: AtomicU32,
}

impl Watcher {
    /// Creates an observer that stops the run at step `step` (from 1) of generation `generation`.
    pub(super) fn stopping_at(generation: u32, step: u64) -> Watcher {
        Watcher { stop_at_step: Some((generation, step)), ..Default::default() }
    }

    /// Creates an observer that stops the run when the first shard is done.
    pub(super) fn stopping_at_shard() -> Watcher {
        Watcher { stop_at_shard: true, ..Default::default() }
    }

    fn warnings(&self) -> String {
        self.warnings.lock().unwrap().join("\n")
    }
}

impl Progress for Watcher {
    fn shard_done(&self) {
        if self.stop_at_shard {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn learning(&self, generation: u32, _steps: u64) {
        self.generation.store(generation, Ordering::Relaxed);
    }

    fn step(&self, step: u64, losses: &Losses) {
        assert!(losses.total.is_finite());
        if self.stop_at_step == Some((self.generation.load(Ordering::Relaxed), step)) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn warn(&self, message: &str) {
        self.warnings.lock().unwrap().push(message.to_owned());
    }
}

#[test]
fn the_same_bytes_however_they_came_about() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let reports = run(&smallest(&[]), &at("first"));
    assert_eq!(reports.len(), 3);
    let last = reports[2].games.as_ref().unwrap();
    assert_eq!((last.games, last.simulations), (6, 4));
    assert!(reports[2].learning.as_ref().unwrap().steps > 1);
    let networks = bytes(&at("first"));
    assert_ne!(
        networks[Path::new("generation-0001/network.safetensors")],
        networks[Path::new("generation-0002/network.safetensors")],
        "it learned something"
    );

    run(&smallest(&[]), &at("second"));
    assert_same(&at("second"), &at("first"), "a second run");
    run(&smallest(&["machine.threads=2", "machine.slots=1", "machine.learner_threads=3"]), &at("threads"));
    assert_same(&at("threads"), &at("first"), "2 threads, 1 slot");
    run(&smallest(&["machine.threads=3", "machine.slots=5"]), &at("slots"));
    assert_same(&at("slots"), &at("first"), "3 threads, 5 slots");
    run(&smallest(&["seed=4"]), &at("seed"));
    assert_ne!(bytes(&at("seed")), networks, "another seed");

    // One line of metrics per generation, even when a complete run is opened again.
    run(&smallest(&[]), &at("first"));
    let text = fs::read_to_string(at("first").join("metrics.jsonl")).unwrap();
    let read: Vec<GenerationReport> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(read, reports);
    assert_eq!(at("first").join("tensorboard").read_dir().unwrap().count(), 1);
}

#[test]
fn a_run_that_is_stopped_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    run(&smallest(&[]), &at("whole"));
    let stops = [Watcher::stopping_at_shard(), Watcher::stopping_at(1, 1), Watcher::stopping_at(2, 2)];
    for (number, watcher) in stops.iter().enumerate() {
        let error = train(&smallest(&[]), &at("stopped"), watcher, &watcher.stop).unwrap_err();
        assert!(matches!(error, TrainingError::Stopped), "stop {number}: {error}");
        assert!(bytes(&at("stopped")).len() < 12, "stop {number} came before the end");
    }
    run(&smallest(&[]), &at("stopped"));
    assert_same(&at("stopped"), &at("whole"), "stopped three times");
}

#[test]
fn a_run_of_several_variants_is_pure_and_says_how_each_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let variants = ["chess", "chesspp", "chesspp+free", "chesspp+instant+third"];
    let config =
        |settings: &[&str]| smallest_of(&variants, &[&["games.per_generation=24"], settings].concat());
    let reports = run(&config(&[]), &at("whole"));
    run(&config(&["machine.threads=2", "machine.slots=5"]), &at("threads"));
    assert_same(&at("threads"), &at("whole"), "2 threads, 5 slots");
    let stop = Watcher::stopping_at(2, 1);
    train(&config(&[]), &at("stopped"), &stop, &stop.stop).unwrap_err();
    run(&config(&[]), &at("stopped"));
    assert_same(&at("stopped"), &at("whole"), "stopped");

    for report in &reports[1..] {
        let (games, learning) = (report.games.as_ref().unwrap(), report.learning.as_ref().unwrap());
        assert_eq!(games.arms.keys().map(String::as_str).collect::<Vec<_>>(), variants);
        assert_eq!(games.arms.values().map(|arm| arm.games).sum::<u64>(), 24);
        assert_eq!(games.arms.values().map(|arm| arm.plies).sum::<u64>(), games.plies);
        assert_eq!(learning.arms.values().map(|arm| arm.rows).sum::<u64>(), learning.new_rows);
        for (arm, losses) in &learning.arms {
            // A barely trained network has about ln 3 for the value and ln 20 to ln 60 for the
            // policy.
            assert!((0.5..1.6).contains(&losses.value), "{arm}: {losses:?}");
            assert!((2.0..4.5).contains(&losses.policy), "{arm}: {losses:?}");
            let name = format!("loss/policy/{arm}");
            assert!(report.scalars().contains(&(name, f64::from(losses.policy))));
        }
    }
}

#[test]
fn a_generation_without_a_training_step_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [&["learning.batch_rows=100000"][..], &["window.start_rows=1", "window.growth_scale=0.0"]];
    for (number, settings) in cases.into_iter().enumerate() {
        let watcher = Watcher::default();
        let dir = folder.path().join(number.to_string());
        let reports = train(&smallest(settings), &dir, &watcher, &GO_ON).unwrap();
        assert!(watcher.warnings().contains("generation 2: no training step"), "{}", watcher.warnings());
        let mut scalars = reports.iter().flat_map(GenerationReport::scalars);
        // The entropy is that of the window, not of a step.
        assert!(scalars.all(|(name, _)| !name.starts_with("loss/") || name == "loss/policy_target_entropy"));
    }
}

#[test]
fn a_folder_without_tablebases_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("run");
    for (tables, reason) in [
        (folder.path().to_owned(), "this folder has no endgame tablebases"),
        (folder.path().join("none"), "this folder does not exist"),
    ] {
        let config = smallest(&[&format!("selfplay.endings={tables:?}")]);
        let error = train(&config, &dir, &Silent, &GO_ON).unwrap_err().to_string();
        let expected = format!("{}: selfplay.endings = {}: {reason}", dir.display(), tables.display());
        assert_eq!(error, expected);
        assert!(!dir.exists(), "no run was created");
    }
}

#[test]
fn several_variants_have_matches_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("run");
    let settings =
        ["generations=1", "evaluation={games=2, simulations=2, ply_cap=16, opponents=[\"random\"]}"];
    let config = smallest_of(&["chess", "chesspp+free"], &settings);
    run(&config, &dir);
    let results = evaluate(&config, &dir, &Silent, &GO_ON).unwrap();
    let variants: Vec<&str> = results.iter().map(|row| row.variant.as_str()).collect();
    assert_eq!(variants, [["chess"; 4], ["chesspp+free"; 4]].concat());
    assert_eq!(played_matches(&config, &dir).unwrap(), results);
}

#[test]
fn old_training_states_are_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("run");
    let states = || {
        let kept = |g: &u32| generation_dir(&dir, *g).join("state.safetensors").exists();
        (0..=11).filter(kept).collect::<Vec<_>>()
    };
    let few = ["generations=11", "games.per_generation=1", "games.shards=1", "window.start_rows=20"];
    let config = smallest(&few);
    run(&config, &dir);
    assert_eq!(states(), [0, 9, 10, 11]);
    let whole = bytes(&dir);

    // A process that was killed before it deleted left a state. The last generation is made again.
    let left = generation_dir(&dir, 8).join("state.safetensors");
    fs::copy(generation_dir(&dir, 10).join("state.safetensors"), left).unwrap();
    fs::remove_dir_all(generation_dir(&dir, 11)).unwrap();
    run(&config, &dir);
    assert_eq!(states(), [0, 9, 10, 11]);
    assert!(bytes(&dir) == whole);
}

#[test]
fn what_is_unfinished_or_damaged_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    run(&smallest(&[]), &at("whole"));
    run(&smallest(&[]), &at("broken"));
    let last = at("broken").join("generation-0002");

    // Half-written: no report and a truncated network.
    fs::remove_file(last.join("report.json")).unwrap();
    let network = last.join("network.safetensors");
    let half = fs::read(&network).unwrap();
    fs::write(&network, &half[..half.len() / 2]).unwrap();
    run(&smallest(&[]), &at("broken"));
    assert_same(&at("broken"), &at("whole"), "half-written");

    // A flipped byte in a record of the last generation and in one that its window reaches.
    fs::remove_file(last.join("report.json")).unwrap();
    let mut damaged = Vec::new();
    for generation in ["generation-0001", "generation-0002"] {
        let games = at("broken").join(generation).join("games");
        let mut shards: Vec<PathBuf> = games.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
        shards.retain(|path| path.extension().is_some_and(|extension| extension == "parquet"));
        shards.sort();
        let mut bytes = fs::read(&shards[1]).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&shards[1], bytes).unwrap();
        damaged.push(shards[1].clone());
    }
    let watcher = Watcher::default();
    train(&smallest(&[]), &at("broken"), &watcher, &GO_ON).unwrap();
    for path in &damaged {
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(watcher.warnings().contains(name), "{name} is not named in: {}", watcher.warnings());
        assert!(path.with_file_name(format!("{name}.damaged")).exists(), "{name} is set aside");
    }
    assert_same(&at("broken"), &at("whole"), "damaged records");

    // A damaged or wrong state or network that the next step needs cannot be rebuilt. The error
    // names it.
    for (file, needs_games) in [("state.safetensors", false), ("network.safetensors", true)] {
        fs::remove_file(last.join("report.json")).unwrap();
        if needs_games {
            fs::remove_dir_all(last.join("games")).unwrap();
        }
        let path = at("broken").join("generation-0001").join(file);
        let whole = fs::read(&path).unwrap();
        let mut flipped = whole.clone();
        *flipped.last_mut().unwrap() ^= 1;
        let of_another = fs::read(at("broken").join("generation-0000").join(file)).unwrap();
        for bytes in [flipped, of_another] {
            fs::write(&path, bytes).unwrap();
            let error = train(&smallest(&[]), &at("broken"), &Silent, &GO_ON).unwrap_err().to_string();
            assert!(error.contains(&path.display().to_string()), "{error}");
        }
        fs::write(&path, whole).unwrap();
        run(&smallest(&[]), &at("broken"));
    }
    assert_same(&at("broken"), &at("whole"), "after all that");
}

#[test]
fn matches_are_kept_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("run");
    // Games that are drawn after eight quiet plies differ in length, and none is truncated.
    let settings = [
        "generations=1",
        "variant=chesspp+fifty=8",
        "evaluation={games=2, simulations=2, ply_cap=100, opponents=[\"random\"]}",
    ];
    let config = smallest(&settings);
    assert!(matches!(evaluate(&config, &dir, &Silent, &GO_ON), Err(TrainingError::NotBegun(_))));
    run(&config, &dir);
    assert_eq!(played_matches(&config, &dir).unwrap(), []);
    let results = evaluate(&config, &dir, &Silent, &GO_ON).unwrap();
    let names: Vec<(&str, &str)> =
        results.iter().map(|row| (row.player.as_str(), row.opponent.as_str())).collect();
    let expected = [
        ("trained:2", "random"),
        ("untrained:2", "random"),
        ("search:uniform:2", "random"),
        ("trained:2", "untrained:2"),
    ];
    assert_eq!(names, expected);
    assert!(results.iter().all(|row| row.games == 2));
    // The networks are those that the names say.
    let network = |generation| PlayerSpec::network(network_path(&dir, generation), 2);
    let [random, untrained, trained] = [PlayerSpec::Random, network(0), network(1)];
    for (row, one, other) in [(0, &trained, &random), (1, &untrained, &random), (3, &trained, &untrained)] {
        let row = &results[row];
        let players = [(&row.player, one), (&row.opponent, other)]
            .map(|(name, spec)| (Some(name.as_str()), NamedPlayer::Spec(spec)));
        let settings = MatchSettings { games: 2, seed: 3, ply_cap: 100, ..Default::default() };
        let (variant, files) = (config.variants()[0], MatchFiles::default());
        let go_on = |_| ControlFlow::Continue(());
        let again = play_named_match(variant, &players, Device::Cpu, &settings, files, &go_on).unwrap();
        assert_eq!(again.result, *row);
    }
    assert_ne!(results[0].plies, results[1].plies, "the networks play alike");
    assert_eq!(played_matches(&config, &dir).unwrap(), results);
    assert_eq!(dir.join("matches").read_dir().unwrap().count(), 4);

    // Results are read, not played again: no match begins.
    struct NoMatch;
    impl Progress for NoMatch {
        fn match_begins(&self, name: &str, _games: u32) {
            panic!("{name} is played again");
        }
    }
    assert_eq!(evaluate(&config, &dir, &NoMatch, &GO_ON).unwrap(), results);
    // Other settings give other matches.
    let longer = smallest(&[settings[0], settings[1], &settings[2].replace("100", "101")]);
    assert_eq!(played_matches(&longer, &dir).unwrap(), []);
    // The network of another generation does not play.
    let [first, last] = [0, 1].map(|generation| network_path(&dir, generation));
    fs::copy(first, &last).unwrap();
    let error = evaluate(&longer, &dir, &Silent, &GO_ON).unwrap_err().to_string();
    assert!(error.contains(&last.display().to_string()), "{error}");
}

#[test]
fn results_are_read_without_an_opponent_whose_file_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("run");
    let of = |opponents: &str| {
        let evaluation = format!("{{games=2, simulations=2, ply_cap=16, opponents=[{opponents}]}}");
        smallest(&["generations=1", &format!("evaluation={evaluation}")])
    };
    run(&of("\"random\""), &dir);
    let file = folder.path().join("other.safetensors");
    fs::copy(dir.join("generation-0000/network.safetensors"), &file).unwrap();
    let opponent = format!("{}:3", file.display());
    let config = of(&format!("\"random\", \"{opponent}\""));
    let mut rows = evaluate(&config, &dir, &Silent, &GO_ON).unwrap();
    assert_eq!(played_matches(&config, &dir).unwrap(), rows);
    assert_eq!(rows.len(), 7);
    fs::remove_file(&file).unwrap();
    rows.retain(|row| row.opponent != opponent);
    assert_eq!(played_matches(&config, &dir).unwrap(), rows);
    assert_eq!(rows.len(), 4);
}

#[test]
fn an_opponent_that_cannot_play_is_told_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("run");
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let of_model = |name: &str, end: &str| format!("{}{end}", models.join(name).display());
    let of = |games: u32, opponent: &str| {
        smallest(&[&format!("evaluation={{games={games}, opponents=[{opponent:?}]}}")])
    };
    for (opponent, part) in [
        ("no/such.safetensors:8".to_owned(), "no/such.safetensors: "),
        ("alphabeta:no/such.safetensors:4000".to_owned(), "no/such.safetensors: "),
        ("alphabeta:material:clock".to_owned(), "`alphabeta:material:clock`: it needs a clock"),
        (of_model("family.safetensors", ":clock"), "it needs a clock"),
        (of_model("century-long.safetensors", ":64"), "layout"),
    ] {
        let config = of(2, &opponent);
        let trained = train(&config, &dir, &Silent, &GO_ON).unwrap_err();
        let begun = begin(&Location::from(&dir), &config).unwrap_err();
        for refused in [trained, begun] {
            assert!(refused.to_string().contains(part), "{opponent}: {refused}");
            assert!(!refused.is_transient() && !dir.exists(), "{opponent}: {refused}");
        }
    }
    // Without matches, no opponent plays.
    begin(&Location::from(&dir), &of(0, "no/such.safetensors:8")).unwrap();
}
