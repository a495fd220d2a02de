//! Tests of tiny ablations, and of the checks of an ablation's plan.

use super::TRAIN;
use super::whole::{assert_same, bytes};
use catapult_measures::results::{Measure, Warning};
use catapult_report::results::{StudyResults, TrainedRun};
use catapult_study::StudyError;
use catapult_study::config::StudyFile;
use catapult_study::plan::plan;
use catapult_study::progress::{StudyProgress, Work};
use catapult_study::run::run;
use catapult_training::Fork;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

const PLAN: &str = r#"
name = "switches"
question = "Which of two switches helps?"
base = "train.toml"
set = { variants = ["chess"], generations = 6, games.per_generation = 4 }
seeds = [1, 2, 3]
fork = 1
control = "plain"

[budget]
work = 400
row_cost = 1.0

[matches]
games = 4
simulations = 2
ply_cap = 24
opponents = ["random"]

[machine]
threads = 2
device = "cpu"

[[arm]]
name = "plain"

[[arm]]
name = "same"

[[arm]]
name = "passes"
set = { learning.passes = 4.0 }
"#;

/// Observer that stops the study at the start of the stage `at_stage`, or in a shard of the
/// `at_run`-th trained run.
#[derive(Default)]
struct Watcher {
    stop: AtomicBool,
    at_stage: Option<&'static str>,
    at_run: Option<u32>,
    runs: AtomicU32,
}

impl catapult_training::progress::Progress for Watcher {
    fn shard_done(&self) {
        if self.at_run == Some(self.runs.load(Ordering::Relaxed)) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl StudyProgress for Watcher {
    fn agent(&self, _network: &catapult_measures::data::NetworkId, _generations: u32) {
        self.runs.fetch_add(1, Ordering::Relaxed);
    }

    fn stage(&self, work: &Work) {
        if self.at_stage == Some(work.name.as_str()) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

fn desk() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("train.toml"), TRAIN).unwrap();
    fs::write(dir.path().join("plan.toml"), PLAN).unwrap();
    dir
}

fn read(desk: &Path) -> Result<StudyFile, StudyError> {
    StudyFile::read_plan(&desk.join("plan.toml"))
}

fn run_in(desk: &Path, out: &str, watcher: &Watcher) -> Result<StudyResults, StudyError> {
    run(&read(desk)?, desk.join(out).as_path(), "the command", watcher, &watcher.stop)
}

/// Returns the measured Elo of each arm against the control.
fn effects(results: &StudyResults) -> Vec<&Measure> {
    results.measures.iter().filter(|measure| measure.metric == "elo_against_control").collect()
}

#[test]
fn an_ablation_that_is_stopped_anywhere_goes_on_to_the_same_bytes() {
    let desk = desk();
    let whole = desk.path().join("whole");
    let results = run_in(desk.path(), "whole", &Watcher::default()).unwrap();

    let told: Vec<_> =
        effects(&results).iter().map(|e| (e.sample.agent.as_str(), e.networks.len())).collect();
    assert_eq!(told, [("passes", 3), ("same", 3)]);
    assert!(effects(&results).iter().all(|effect| effect.estimate.rule.is_some()));
    let told: Vec<_> =
        results.strengths.iter().map(|s| (s.network.agent.as_str(), s.opponent.as_str())).collect();
    assert_eq!(told, ["plain", "same", "passes"].map(|arm| [(arm, "random"); 3]).concat());

    let of = |arm: &str, seed: u64| -> &TrainedRun {
        results.runs.iter().find(|r| r.network.agent == arm && r.network.seed == seed).unwrap()
    };
    let network = |arm: &str, seed: u64| {
        let mut all = results.provenance.networks.iter();
        &all.find(|file| file.network.agent == arm && file.network.seed == seed).unwrap().hash
    };
    for seed in 1..=3 {
        let [plain, same, passes] = ["plain", "same", "passes"].map(|arm| of(arm, seed));
        // An arm without changes gives the control's network. A changed arm continues from the same
        // network to another one.
        assert_eq!(network("plain", seed), network("same", seed));
        assert_eq!((plain.evaluations, plain.rows, plain.games), (same.evaluations, same.rows, same.games));
        assert_ne!(network("plain", seed), network("passes", seed));
        assert!(plain.trunk.is_some() && plain.trunk == passes.trunk);
        assert!(passes.rows > plain.rows, "{passes:?} {plain:?}");
        for (arm, run) in [("plain", plain), ("passes", passes)] {
            let dir = whole.join("agents").join(format!("{arm}-{seed}"));
            let fork = Fork::of(&dir).unwrap().unwrap();
            assert_eq!((fork.generation, Some(&fork.network)), (1, run.trunk.as_ref()));
            // The budget is spent, and training ended there.
            assert!(run.spent >= 1.0 && run.generations < 6, "{run:?}");
            for part in ["state.safetensors", "network.safetensors"] {
                let of = |run: &Path| fs::read(run.join("generation-0001").join(part)).unwrap();
                assert!(of(&dir) == of(&whole.join("trunks").join(seed.to_string())), "{part}");
            }
        }
    }
    let page = fs::read_to_string(whole.join("report.html")).unwrap();
    roxmltree::Document::parse_with_options(
        &page,
        roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() },
    )
    .unwrap();
    // A network is not stronger than itself.
    for part in ["Which of two switches helps?", "not resolved", "learning.passes=4.0", "the control"] {
        assert!(page.contains(part), "{part}");
    }
    assert_eq!(catapult_report::read(&whole).unwrap(), results);

    let stops = [
        Watcher { at_run: Some(1), ..Default::default() },
        Watcher { at_run: Some(3), ..Default::default() },
        Watcher { at_run: Some(4), ..Default::default() },
        Watcher { at_run: Some(9), ..Default::default() },
        Watcher { at_stage: Some("control (matches)"), ..Default::default() },
        Watcher { at_stage: Some("strength (matches)"), ..Default::default() },
    ];
    for (number, watcher) in stops.iter().enumerate() {
        let error = run_in(desk.path(), "stopped", watcher).unwrap_err();
        assert!(matches!(error, StudyError::Stopped), "stop {number}: {error}");
        assert!(!desk.path().join("stopped/report.html").exists(), "stop {number}");
    }
    run_in(desk.path(), "stopped", &Watcher::default()).unwrap();
    assert_same(&desk.path().join("stopped"), &whole, "stopped six times");

    // The plan shows everything as done.
    let plan = plan(&read(desk.path()).unwrap(), &whole).unwrap();
    let lines = plan.lines.iter().map(|line| (line.what.as_str(), line.units, line.games));
    let generations = results.runs.iter().map(|run| u64::from(run.generations) - 1).sum();
    let expected = [
        ("trunks (generations)", [3, 3], 0),
        ("training (generations)", [generations, generations], 0),
        ("control (matches)", [6, 6], 0),
        ("strength (matches)", [9, 9], 0),
    ];
    assert_eq!(lines.collect::<Vec<_>>(), expected);
}

#[test]
fn one_seed_resolves_nothing_and_what_is_added_leaves_the_rest() {
    let desk = desk();
    let path = desk.path().join("plan.toml");
    let one = PLAN.replacen("seeds = [1, 2, 3]", "seeds = [1]", 1).replacen("fork = 1", "fork = 0", 1);
    fs::write(&path, &one).unwrap();
    let results = run_in(desk.path(), "out", &Watcher::default()).unwrap();
    assert!(effects(&results).iter().all(|effect| effect.estimate.rule.is_none()));
    let page = fs::read_to_string(desk.path().join("out/report.html")).unwrap();
    assert!(page.contains("one seed: not resolved"));
    let before = bytes(&desk.path().join("out"));

    for (old, new, key) in [
        ("work = 400", "work = 500", "budget.work"),
        ("passes = 4.0", "passes = 3.0", "arm.passes.set"),
        ("control = \"plain\"", "control = \"same\"", "control"),
        ("games = 4\nsim", "games = 6\nsim", "matches.games"),
    ] {
        assert!(one.contains(old), "{old}");
        fs::write(&path, one.replacen(old, new, 1)).unwrap();
        let error = run_in(desk.path(), "out", &Watcher::default()).unwrap_err();
        assert!(
            matches!(&error, StudyError::OtherStudy { keys, .. } if keys.contains(key)),
            "{key}: {error}"
        );
    }
    let more = one.replacen("seeds = [1]", "seeds = [1, 2]", 1)
        + "\n[[arm]]\nname = \"fast\"\nset = { learning.learning_rate = 1e-2 }\n";
    fs::write(&path, more.replacen("threads = 2", "threads = 1", 1)).unwrap();
    let results = run_in(desk.path(), "out", &Watcher::default()).unwrap();
    assert_eq!(results.runs.len(), 8);
    let changes = results.warnings.iter().find_map(|warning| match warning {
        Warning::FileChanged { changes } => Some(changes.iter().map(ToString::to_string).collect::<String>()),
        _ => None,
    });
    let changed = changes.unwrap();
    assert!(
        changed.contains("arm.fast") && changed.contains("seeds") && !changed.contains("machine"),
        "{changed}"
    );
    let after = bytes(&desk.path().join("out"));
    let kept = before.iter().filter(|(path, _)| path.starts_with("agents") || path.starts_with("matches"));
    assert!(kept.clone().count() > 20);
    for (path, bytes) in kept {
        assert!(after[path] == *bytes, "{}", path.display());
    }
}

#[test]
fn what_a_plan_may_not_be_is_told_by_key() {
    let desk = desk();
    let refused = |old: &str, new: &str, words: &[&str]| {
        assert!(PLAN.contains(old), "{old}");
        fs::write(desk.path().join("plan.toml"), PLAN.replacen(old, new, 1)).unwrap();
        let error = read(desk.path()).map(|file| file.config).unwrap_err().to_string();
        assert!(error.contains("plan.toml") || error.contains("none.toml"), "{error}");
        assert!(words.iter().all(|word| error.contains(word)), "`{new}` gives `{error}`, not {words:?}");
    };
    refused("seeds =", "seed =", &["seed", "unknown field"]);
    refused("[matches]", "[matches]\nopponent = 1", &["opponent"]);
    refused("name = \"switches\"", "name = \"a/b\"", &["name", "a/b"]);
    refused("seeds = [1, 2, 3]", "seeds = [1, 1]", &["seeds", "twice"]);
    refused("seeds = [1, 2, 3]", "seeds = []", &["seeds", "at least one"]);
    refused("control = \"plain\"", "control = \"none\"", &["control", "none", "plain, same, passes"]);
    refused("name = \"same\"", "name = \"plain\"", &["arm", "twice"]);
    refused("base = \"train.toml\"", "base = \"none.toml\"", &["none.toml"]);
    refused("fork = 1", "fork = 6", &["fork = 6", "generations = 6"]);
    refused("work = 400", "work = 0", &["budget.work = 0", "at least 1"]);
    refused("games = 4\n", "games = 3\n", &["matches.games = 3", "even"]);
    refused("ply_cap = 24", "ply_cap = 2", &["matches.ply_cap = 2"]);
    refused("opponents = [\"random\"]", "opponents = [\"nobody\"]", &["matches.opponents", "nobody"]);
    refused("device = \"cpu\"", "device = \"tpu\"", &["device", "tpu", "cuda"]);
    refused("variants = [\"chess\"]", "seed = 1", &["set.seed = 1: `seed`"]);
    refused("variants = [\"chess\"], ", "", &["base", "one variant"]);
    let arm = "set = { learning.passes = 4.0 }";
    refused(
        arm,
        "set = { generations = 9 }",
        &["arm.passes.set.generations = 9: `generations`", "the plan's `set`"],
    );
    refused(arm, "set = { budget.work = 9 }", &["arm.passes.set.budget.work = 9: `budget`"]);
    refused(arm, "set = { learning.pass = 4.0 }", &["arm.passes", "pass"]);
    refused(arm, "set = { learning.passes = -4.0 }", &["arm.passes", "learning.passes = -4"]);
    refused(arm, "set = { network.channels = 16 }", &["arm.passes", "network", "start a new run"]);
    refused(arm, "set = { search.considered = 2 }", &["arm.passes", "search.considered = 2"]);
    // Without a fork, an arm may have another network.
    let other = PLAN.replacen("fork = 1", "fork = 0", 1).replacen(arm, "set = { network.channels = 16 }", 1);
    fs::write(desk.path().join("plan.toml"), other).unwrap();
    read(desk.path()).unwrap();
    // Quoted keys and nested tables are equivalent.
    for same in ["set = { \"learning.passes\" = 4.0 }", "set = { learning = { passes = 4.0 } }"] {
        fs::write(desk.path().join("plan.toml"), PLAN.replacen(arm, same, 1)).unwrap();
        let file = read(desk.path()).unwrap();
        let config = file.training(&file.config.agents[2], 2).unwrap().unwrap();
        assert_eq!((config.learning.passes, config.seed, config.learning.batch_rows), (4.0, 2, 16));
    }
}

#[test]
fn a_budget_that_the_common_generations_spend_is_told() {
    let desk = desk();
    fs::write(desk.path().join("plan.toml"), PLAN.replacen("work = 400", "work = 5", 1)).unwrap();
    let error = run_in(desk.path(), "out", &Watcher::default()).unwrap_err().to_string();
    assert!(error.contains("fork = 1") && error.contains("budget.work = 5"), "{error}");
}

#[test]
fn plans_that_are_shipped_can_be_read() {
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
    for name in ["test/ablate-tiny.toml", "ablate/recipe.toml", "ablate/loop.toml"] {
        StudyFile::read_plan(&configs.join(name)).unwrap();
    }
}
