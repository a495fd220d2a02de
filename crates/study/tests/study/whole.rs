//! Tests that a study gives the same bytes after stops, with other threads and after damage.

use super::{STUDY, TRAIN, desk, files};
use catapult_arena::{
    MatchFiles, MatchResult, MatchSettings, NamedPlayer, PlayerSpec, breaking_ties, play_named_match,
};
use catapult_encoding::layout;
use catapult_mcts::SearchConfig;
use catapult_measures::data::NetworkId;
use catapult_network::{Device, Network, file_hash};
use catapult_records::{GameRecord, Shard, read_shard, write_shard};
use catapult_report as report;
use catapult_report::results::StudyResults;
use catapult_rules::Variant;
use catapult_selfplay::{Counters, SelfPlayConfig, ShardSettings};
use catapult_study::StudyError;
use catapult_study::config::StudyFile;
use catapult_study::progress::{StudyProgress, Work};
use catapult_study::run::run;
use catapult_training::run::network_path;
use catapult_training::{VERSION, play_shard_of};
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Observer that collects warnings. It stops the study at the start of the stage `stop_at`, or
/// during the training of an agent.
#[derive(Default)]
pub(super) struct Watcher {
    pub(super) warnings: Mutex<Vec<String>>,
    pub(super) stop: AtomicBool,
    stop_at: Option<&'static str>,
}

impl Watcher {
    /// Creates an observer that stops the study at the start of `stage`. The stage `training`
    /// stands for the training of an agent.
    pub(super) fn stopping_at(stage: &'static str) -> Watcher {
        Watcher { stop_at: Some(stage), ..Default::default() }
    }
}

impl catapult_training::progress::Progress for Watcher {
    fn shard_done(&self) {
        if self.stop_at == Some("training") {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn warn(&self, message: &str) {
        self.warnings.lock().unwrap().push(message.to_owned());
    }
}

impl StudyProgress for Watcher {
    fn stage(&self, work: &Work) {
        if self.stop_at == Some(work.name.as_str()) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

pub(super) fn study_in(desk: &Path) -> StudyFile {
    StudyFile::read(&desk.join("study.toml")).unwrap()
}

pub(super) fn run_in(desk: &Path, out: &str, watcher: &Watcher) -> Result<StudyResults, StudyError> {
    run(&study_in(desk), &desk.join(out), "the command", watcher, &watcher.stop)
}

/// Returns the contents of a study's files, by path. Most files of runs are left out, because they
/// contain training times.
pub(super) fn bytes(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let name = |path: &Path| path.strip_prefix(dir).unwrap().to_owned();
    let kept = |path: &PathBuf| {
        let of_run = name(path).starts_with("agents") || name(path).starts_with("trunks");
        let is_made = path.extension().is_some_and(|e| e == "parquet" || e == "safetensors");
        !of_run || is_made || path.file_name().unwrap() == "fork.json"
    };
    files(dir).into_iter().filter(kept).map(|path| (name(&path), fs::read(path).unwrap())).collect()
}

/// Checks that two studies have the same files with the same bytes. Most files of runs are left
/// out, as by [`bytes`].
pub(super) fn assert_same(found: &Path, expected: &Path, what: &str) {
    let (found, expected) = (bytes(found), bytes(expected));
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{what}");
    for (path, bytes) in &expected {
        assert!(found[path] == *bytes, "{what}: {} differs", path.display());
    }
}

/// Returns the Parquet files below a folder.
fn parquet(dir: &Path) -> Vec<PathBuf> {
    files(dir).into_iter().filter(|path| path.extension().is_some_and(|e| e == "parquet")).collect()
}

fn count(dir: &Path, part: &str, extension: &str) -> usize {
    let of_part = |path: &PathBuf| path.strip_prefix(dir).unwrap().starts_with(part);
    files(dir).iter().filter(|path| of_part(path) && path.extension().is_some_and(|e| e == extension)).count()
}

/// Rule set in which games end early and differ in length.
const ARM: &str = "chesspp+fifty=8+free";

/// Replaces the zeros in an untrained network. With them, it would evaluate every position alike.
fn perturb(network: &Path, seed: f32) {
    let mut found = Network::load(network, &catapult_encoding::CHESS_LAYOUT).unwrap();
    for (i, value) in (0u16..).zip(&mut found.parameters.values).filter(|(_, value)| **value == 0.0) {
        *value = (f32::from(i) * seed).sin();
    }
    found.save(network).unwrap();
}

/// Plays games and matches of the agent `alone` again, with the networks and simulations that their
/// names give. `taken` are the files of the agent's networks.
fn assert_as_named(study: &Path, results: &StudyResults, taken: &[PathBuf; 2]) {
    let rules: Variant = ARM.parse().unwrap();
    for simulations in [2, 4, 8] {
        let shards = parquet(&study.join(format!("games/{ARM}.alone-2.last.{simulations}")));
        let shard = read_shard(shards.iter().min().unwrap()).unwrap();
        let selfplay = SelfPlayConfig {
            simulations,
            // Both sides place two catapults before the sampled plies.
            sampled_plies: 4 + 4,
            fork_share: 0.0,
            ply_cap: 40,
            ..Default::default()
        };
        let settings = ShardSettings {
            selfplay: &selfplay,
            search: &breaking_ties(SearchConfig::default()),
            games: 3,
            slots: 3,
            seed: shard.metadata["seed"].parse().unwrap(),
            network: "",
            endings: None,
        };
        let (counters, never) = (Counters::default(), AtomicBool::new(false));
        let network = Network::load(&taken[1], &layout(rules)).unwrap();
        let again = play_shard_of(&[rules], &settings, &network, Device::Cpu, &counters, &never).unwrap();
        let moves = |games: &[GameRecord]| -> Vec<_> { games.iter().map(|it| it.moves.clone()).collect() };
        assert!(moves(&again.games) == moves(&shard.games), "{simulations}");
    }

    let of = |id: &NetworkId, level: u32, opponent: &str, found: &MatchResult| {
        let name = id.to_string();
        let (other, simulations) = match opponent {
            "half" => (name.as_str(), level / 2),
            "x4" => (name.as_str(), 4 * level),
            "x16" => (name.as_str(), 16 * level),
            "alone-1" | "alone-2" => (opponent, level),
            without if without.starts_with("without-") => (name.as_str(), level),
            "alphabeta:1" | "random" => return,
            other => panic!("{other}"),
        };
        let file = |name: &str| taken[usize::from(name == "alone-2")].clone();
        let one = PlayerSpec::network(file(&name), level);
        let two = PlayerSpec::network(file(other), simulations);
        let player = format!("{name}:{level}");
        let players = [(player.as_str(), &one), (opponent, &two)];
        let players = players.map(|(name, spec)| (Some(name), NamedPlayer::Spec(spec)));
        let settings = MatchSettings {
            games: found.games,
            seed: found.seed,
            ply_cap: 60,
            forbidden: opponent.strip_prefix("without-").map(|kind| kind.parse().unwrap()),
            ..Default::default()
        };
        let (files, go_on) = (MatchFiles::default(), |_| ControlFlow::Continue(()));
        let again = play_named_match(rules, &players, Device::Cpu, &settings, files, &go_on).unwrap();
        assert_eq!(again.result, *found);
    };
    let strengths = results.strengths.iter().chain(&results.worth);
    for it in strengths.filter(|it| it.network.agent == "alone") {
        of(&it.network, it.simulations, &it.opponent, &it.result);
    }
    for it in &results.population {
        of(&it.network, it.simulations, &it.opponent.to_string(), &it.result);
    }
}

#[test]
fn a_study_that_is_stopped_anywhere_goes_on_to_the_same_bytes() {
    let desk = desk();
    let whole = desk.path().join("whole");
    let study = STUDY
        .replace("chesspp+free", ARM)
        .replace("arms = [\"chess\"]", &format!("arms = [\"{ARM}\"]"))
        .replace("ply_cap = 24", "ply_cap = 60")
        .replace("agents = [\"both\"]", "agents = [\"alone\"]");
    fs::write(desk.path().join("study.toml"), &study).unwrap();
    fs::write(desk.path().join("train.toml"), TRAIN.replace("chesspp+free", ARM)).unwrap();
    let taken = ["a", "b"].map(|name| desk.path().join(format!("{name}.safetensors")));
    taken.iter().zip([1.0, 2.0]).for_each(|(network, seed)| perturb(network, seed));
    let results = run_in(desk.path(), "whole", &Watcher::default()).unwrap();
    assert_as_named(&whole, &results, &taken);
    for (checkpoint, generation) in [("early.2", 1), ("last.4", 2)] {
        let shard = read_shard(&parquet(&whole.join(format!("games/chess.both-1.{checkpoint}")))[0]).unwrap();
        let network = network_path(&whole.join("agents/both-1"), generation);
        assert_eq!(shard.metadata["network"], file_hash(&network).unwrap());
    }

    // `both` has 2 arms x (2 levels + early). `alone` has 2 networks x 1 arm x (2 levels + a deep
    // one). 5 games are shards of 3 and 2 games, 4 games are shards of 3 and 1.
    assert_eq!(count(&whole, "games", "parquet"), 2 * (2 * 3 + 2 * 3));
    // * At level 4 each of the 4 pairs of network and arm plays `half` and `alphabeta:1`. From
    //   level 2 down it plays `half` and `random`.
    // * The networks of `alone` play `x4` and `x16`, themselves and each other.
    // * Three networks have two kinds of moves to lose in the arm with catapults.
    // * Each match has a second file with its games.
    assert_eq!(count(&whole, "matches", "json"), 2 * (4 * (2 + 2) + 2 * 2 + 3 + 3 * 2));
    // The strongest level of each pair, and the early networks.
    assert_eq!(count(&whole, "analyses", "json"), 4 + 2);
    assert_eq!(results.strengths.len(), 16 + 4);
    assert_eq!(results.population.len(), 3);
    let kinds = results.worth.iter().map(|found| found.result.forbidden.unwrap().kind.name());
    assert_eq!(kinds.collect::<Vec<_>>(), ["teleports", "catapult-captures"].repeat(3));
    assert_eq!(results.deep_levels, [8]);
    let deep =
        results.measures.iter().find(|m| m.metric == "draw_rate" && m.sample.simulations == 8).unwrap();
    assert_eq!((deep.observations, deep.sample.agent.as_str()), (8, "alone"));
    assert_eq!(results.judgements.len(), 1);
    let samples: std::collections::BTreeSet<_> = results.measures.iter().map(|m| m.sample.clone()).collect();
    assert!(samples.len() >= 8, "{samples:?}");
    for file in ["metrics.json", "metrics.csv", "report.html"] {
        assert!(whole.join(file).is_file(), "{file}");
    }
    assert_eq!(report::read(&whole).unwrap().name, "tiny");

    let stages = [
        "training",
        "games (shards)",
        "strength (matches)",
        "population (matches)",
        "worth (matches)",
        "analyses",
    ];
    for stage in stages {
        let watcher = Watcher::stopping_at(stage);
        let error = run_in(desk.path(), "stopped", &watcher).unwrap_err();
        assert!(matches!(error, StudyError::Stopped), "{stage}: {error}");
        assert!(!desk.path().join("stopped/report.html").exists(), "{stage}");
    }
    run_in(desk.path(), "stopped", &Watcher::default()).unwrap();
    assert_same(&desk.path().join("stopped"), &whole, "stopped six times");

    // One thread builds the units in another order.
    fs::write(desk.path().join("study.toml"), study.replace("threads = 2", "threads = 1")).unwrap();
    run_in(desk.path(), "alone", &Watcher::default()).unwrap();
    // Shards contain the hash of the registered file, so only their games are equal.
    let games = |dir: &str| -> BTreeMap<String, Vec<_>> {
        let shards = parquet(&desk.path().join(dir).join("games")).into_iter();
        let shards = shards.map(|path| read_shard(&path).unwrap());
        shards.map(|s| (format!("{} {}", s.metadata["seed"], s.metadata["shard"]), s.games)).collect()
    };
    assert!(games("alone") == games("whole"), "one thread");
    for part in ["matches", "analyses"] {
        assert_same(&desk.path().join("alone").join(part), &whole.join(part), "one thread");
    }
}

#[test]
fn what_is_damaged_or_lost_is_made_again() {
    let desk = desk();
    let dir = desk.path().join("out");
    run_in(desk.path(), "out", &Watcher::default()).unwrap();
    let mut shards = parquet(&dir.join("games"));
    shards.sort();
    let [shard, other, .., lost] = &shards[..] else { panic!("{shards:?}") };
    // Another version of the program played one shard.
    let Shard { games, mut metadata } = read_shard(other).unwrap();
    assert!(metadata.insert(VERSION.to_owned(), "another".to_owned()).is_some());
    fs::remove_file(other).unwrap();
    let other = write_shard(other.parent().unwrap(), "shard-0001", &games, &metadata).unwrap();
    let name = other.file_name().unwrap().to_str().unwrap();
    fs::write(other.with_file_name("_shard-0001"), format!("{name}\n")).unwrap();
    let before = bytes(&dir);

    let of = |part: &str| files(&dir.join(part)).into_iter().min().unwrap();
    let mut broken = fs::read(shard).unwrap();
    let middle = broken.len() / 2;
    broken[middle] ^= 1;
    fs::write(shard, broken).unwrap();
    fs::remove_file(lost).unwrap();
    fs::write(of("matches"), "{").unwrap();
    fs::remove_file(of("analyses")).unwrap();
    fs::remove_file(dir.join("metrics.json")).unwrap();

    let watcher = Watcher::default();
    run_in(desk.path(), "out", &watcher).unwrap();
    let warnings = watcher.warnings.lock().unwrap().join("\n");
    assert!(warnings.contains(&shard.display().to_string()), "{warnings}");
    assert!(warnings.contains(&of("matches").display().to_string()), "{warnings}");
    let mut after = bytes(&dir);
    after.retain(|path, _| path.extension().is_none_or(|extension| extension != "damaged"));
    assert!(after == before, "the same bytes again");

    // The last network is overwritten with that of another generation.
    let network = |generation: u32| network_path(&dir.join("agents/both-1"), generation);
    fs::copy(network(1), network(2)).unwrap();
    let trained = "train = \"train.toml\"";
    for (out, agent) in [("out", trained), ("other", "taken = [\"out/agents/both-1\"]")] {
        fs::write(desk.path().join("study.toml"), STUDY.replace(trained, agent)).unwrap();
        let error = run_in(desk.path(), out, &Watcher::default()).unwrap_err().to_string();
        assert!(error.contains(&network(2).display().to_string()), "{error}");
    }
}

/// Observer that replaces a taken network when the games begin. The value is the study's folder.
struct Replacing(PathBuf);

impl catapult_training::progress::Progress for Replacing {}

impl StudyProgress for Replacing {
    fn stage(&self, work: &Work) {
        if work.name == "games (shards)" {
            fs::copy(self.0.join("b.safetensors"), self.0.join("a.safetensors")).unwrap();
        }
    }
}

#[test]
fn a_network_that_is_replaced_meanwhile_ends_the_study() {
    let desk = desk();
    let (dir, stop) = (desk.path().join("out"), AtomicBool::new(false));
    let replacing = Replacing(desk.path().to_owned());
    let error = run(&study_in(desk.path()), &dir, "the command", &replacing, &stop).unwrap_err().to_string();
    assert!(error.contains("a.safetensors was replaced during the study"), "{error}");
    let shards: Vec<String> = parquet(&dir).iter().map(|path| path.display().to_string()).collect();
    assert!(!shards.iter().any(|shard| shard.contains("alone-1")), "{shards:?}");
}

#[test]
fn a_folder_of_another_study_is_refused_by_key_and_later_endpoints_are_told() {
    let desk = desk();
    run_in(desk.path(), "out", &Watcher::default()).unwrap();
    let path = desk.path().join("study.toml");
    for (old, new, key) in [
        ("seed = 5", "seed = 6", "seed"),
        ("sampled_plies = 4", "sampled_plies = 5", "games.sampled_plies"),
        (
            "control = \"chess\"\narms = [\"chess\", \"chesspp+free\"]",
            "control = \"chess\"\narms = [\"chesspp+free\", \"chess\"]",
            "arms",
        ),
        ("early = 1", "", "agents.both.early"),
    ] {
        fs::write(&path, STUDY.replacen(old, new, 1)).unwrap();
        let error = run_in(desk.path(), "out", &Watcher::default()).unwrap_err();
        assert!(
            matches!(&error, StudyError::OtherStudy { keys, .. } if keys.contains(key)),
            "{key}: {error}"
        );
    }

    // The training config is a file of its own.
    fs::write(&path, STUDY).unwrap();
    let train = desk.path().join("train.toml");
    fs::write(&train, TRAIN.replacen("generations = 2", "generations = 3", 1)).unwrap();
    let error = run_in(desk.path(), "out", &Watcher::default()).unwrap_err().to_string();
    let words = "agents/both-1: it started with generations = 2, but its training config now has 3";
    assert!(error.contains(words), "{error}");
    fs::write(&train, TRAIN).unwrap();

    let registered = fs::read(desk.path().join("out/registered.json")).unwrap();
    fs::write(&path, STUDY.replacen("direction = \"lower\"", "direction = \"higher\"", 1)).unwrap();
    let results = run_in(desk.path(), "out", &Watcher::default()).unwrap();
    let warnings: Vec<String> = results.warnings.iter().map(report::warnings::warning).collect();
    let told = warnings.iter().find(|warning| warning.contains("has changed since")).unwrap();
    assert!(told.contains("endpoints") && told.contains("higher"), "{told}");
    assert_eq!(fs::read(desk.path().join("out/registered.json")).unwrap(), registered);

    // Additional levels, deep games and matches do not change anything already played.
    let more = STUDY.replacen("simulations = [2, 4]", "simulations = [2, 4, 6]", 1).replacen(
        "[strength]",
        "[[games.deep]]\nsimulations = [10]\ngames = 2\nagents = [\"both\"]\n\n[strength]",
        1,
    );
    let matches = "[[strength.more]]\nopponents = [\"half\"]\nsimulations = [6]\ngames = 2\n\n[population]";
    let more = more.replacen("[population]", matches, 1);
    fs::write(&path, more).unwrap();
    let before = bytes(&desk.path().join("out"));
    let shards = count(&desk.path().join("out"), "games", "parquet");
    run_in(desk.path(), "out", &Watcher::default()).unwrap();
    assert_eq!(count(&desk.path().join("out"), "games", "parquet"), shards + 4 * 2 + 2);
    let after = bytes(&desk.path().join("out"));
    let played = before.iter().filter(|(path, _)| path.starts_with("games") || path.starts_with("matches"));
    assert!(played.clone().count() > 30);
    for (path, bytes) in played {
        assert!(after[path] == *bytes, "{}", path.display());
    }

    fs::create_dir(desk.path().join("other")).unwrap();
    fs::write(desk.path().join("other/thesis.txt"), "text").unwrap();
    let error = run_in(desk.path(), "other", &Watcher::default()).unwrap_err();
    assert!(error.to_string().contains("so it is not a study's folder"), "{error}");
}

#[test]
fn taken_networks_that_are_not_there_are_named() {
    let desk = desk();
    let path = desk.path().join("study.toml");
    let refused = |old: &str, new: &str| {
        fs::write(&path, STUDY.replacen(old, new, 1)).unwrap();
        run_in(desk.path(), "out", &Watcher::default()).unwrap_err().to_string()
    };
    let error = refused("\"b.safetensors\"", "\"c.safetensors\"");
    assert!(error.contains("agents.alone.taken") && error.contains("c.safetensors"), "{error}");
    let error = refused("taken = [", "early = 3\ntaken = [");
    assert!(error.contains("agents.alone.taken") && error.contains("generation 3"), "{error}");
}

#[test]
fn an_early_network_is_older_than_the_last_one() {
    let desk = desk();
    // The budget ends the run after its first generation.
    let settings = "early = 1\nsettings = [\"generations=3\", \"budget.work=1\"]";
    fs::write(desk.path().join("study.toml"), STUDY.replacen("early = 1", settings, 1)).unwrap();
    let error = run_in(desk.path(), "out", &Watcher::default()).unwrap_err().to_string();
    assert!(error.contains("agents.both.early = 1: must be below 1,"), "{error}");
}

#[test]
fn endings_are_played_where_their_tables_are() {
    let desk = desk();
    let endings = "[endings]\ntables = \"tables\"\nendings = [\"KRvK\"]\npositions = 3\nsimulations = 2\nagents = [\"alone\"]";
    fs::write(desk.path().join("study.toml"), format!("{STUDY}\n{endings}\n")).unwrap();
    // A missing tablebase is reported before any game.
    let error = run_in(desk.path(), "out", &Watcher::default()).unwrap_err().to_string();
    assert!(error.contains("KRvK") && error.contains("tables"), "{error}");
    assert!(!desk.path().join("out/games").exists());

    let tables = catapult_endings::Tables::new(&desk.path().join("tables"));
    let rook = catapult_endings::TableKey::of(catapult_rules::Variant::Chess, "KRvK".parse().unwrap(), None);
    tables.solve(rook.unwrap(), &mut |_, _| true).unwrap();
    let results = run_in(desk.path(), "out", &Watcher::default()).unwrap();
    assert_eq!(count(&desk.path().join("out"), "endings", "json"), 2, "two networks that play chess only");
    let [one, other] = &results.endings[..] else { panic!("{:?}", results.endings) };
    let distances = |games: &[catapult_report::results::PlayedEnding]| -> Vec<u16> {
        games.iter().map(|game| game.distance).collect()
    };
    for network in [one, other] {
        assert_eq!(distances(&network.best), distances(&network.itself));
        assert_eq!(network.best.len(), 3);
    }
    assert_ne!(distances(&one.best), distances(&other.best), "each network has starts of its own");
    assert!(results.measures.iter().any(|found| found.metric == "ending_moves_kept"));
    let before = bytes(&desk.path().join("out"));
    run_in(desk.path(), "out", &Watcher::default()).unwrap();
    assert!(bytes(&desk.path().join("out")) == before, "nothing is played again");
}
