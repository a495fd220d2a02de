//! Tests of runs that several machines build unit by unit, in folders and in object stores.

use super::smallest;
use super::whole_runs::{GO_ON, bytes, run};
use catapult_arena::MatchError;
use catapult_endings::EndingsError;
use catapult_mcts::EvaluationError;
use catapult_network::{Architecture, ModelError, NetworkError};
use catapult_records::{Shard, find_shards, read_shard, write_shard};
use catapult_selfplay::SelfPlayError;
use catapult_store::Location;
use catapult_training::progress::Silent;
use catapult_training::run::{Run, read_reports};
use catapult_training::units::{Kind, OpenUnit, begin, make_unit, open_units};
use catapult_training::{Machine, TrainConfig, TrainingError, VERSION, evaluate, train};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

fn config() -> TrainConfig {
    smallest(&[
        "evaluation.games=2",
        "evaluation.opponents=[\"random\"]",
        "evaluation.simulations=2",
        "evaluation.ply_cap=20",
    ])
}

fn make(location: &Location, name: &str) -> Result<bool, TrainingError> {
    make_unit(location, name, &Machine::default(), &Silent, &GO_ON).map(|made| made.is_new)
}

/// Lists and builds the units of a run, on one machine after the other, until no unit is left.
/// Returns the units in the order in which they were built.
fn make_all(machines: &[Location]) -> Vec<OpenUnit> {
    let mut made = Vec::new();
    for number in 0.. {
        let machine = &machines[number % machines.len()];
        let Some(unit) = open_units(machine).unwrap().pop() else { return made };
        assert!(make(machine, &unit.unit).unwrap(), "{}", unit.unit);
        // The next machine finds the unit.
        let other = &machines[(number + 1) % machines.len()];
        assert!(!make(other, &unit.unit).unwrap(), "{} was there", unit.unit);
        made.push(unit);
    }
    made
}

/// Returns the locations of a run on `N` machines. Each has a folder of its own for local copies of
/// one object store.
fn machines<const N: usize>(dir: &Path) -> [Location; N] {
    let url = format!("file://{}", dir.join("objects").display());
    std::array::from_fn(|number| Location::mirrored(&url, &dir.join(format!("machine {number}"))).unwrap())
}

/// Returns the hashes of the network and the training state of each generation.
fn learned(dir: &Path) -> Vec<(String, Option<String>)> {
    read_reports(dir).unwrap().into_iter().map(|report| (report.network, report.state)).collect()
}

#[test]
fn a_run_made_unit_by_unit_is_the_run_made_by_one_command() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, spread) = (dir.path().join("whole"), dir.path().join("spread"));
    run(&config(), &whole);
    let table = evaluate(&config(), &whole, &Silent, &GO_ON).unwrap();
    let location = Location::from(&spread);
    begin(&location, &config()).unwrap();
    let made = make_all(std::slice::from_ref(&location));
    let of_kind = |kind| made.iter().filter(|unit| unit.kind == kind).count();
    // Two generations of three shards, three networks, four matches.
    assert_eq!([Kind::Games, Kind::Learn, Kind::Match].map(of_kind), [6, 3, 4]);
    let games: u64 = made.iter().filter(|unit| unit.kind == Kind::Games).map(|unit| unit.expected).sum();
    assert_eq!(games, 12);
    assert!(bytes(&spread) == bytes(&whole));
    assert_eq!(learned(&spread), learned(&whole));
    assert_eq!(evaluate(&config(), &spread, &Silent, &GO_ON).unwrap(), table);
}

#[test]
fn machines_that_share_a_store_of_objects_make_the_same_run() {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole");
    run(&config(), &whole);
    let table = evaluate(&config(), &whole, &Silent, &GO_ON).unwrap();
    let machines: [Location; 3] = machines(dir.path());
    begin(&machines[0], &config()).unwrap();
    make_all(&machines);
    assert_eq!(learned(machines[1].dir()), learned(&whole));
    // A late machine that built nothing has all it needs for the table.
    let [.., late]: [Location; 4] = self::machines(dir.path());
    let reports = train(&config(), late.clone(), &Silent, &GO_ON).unwrap();
    assert_eq!(reports.len(), 3);
    assert_eq!(evaluate(&config(), late.clone(), &Silent, &GO_ON).unwrap(), table);
    let hashed: BTreeMap<PathBuf, Vec<u8>> = bytes(&dir.path().join("objects"));
    let mut found: Vec<&Vec<u8>> = hashed.values().collect();
    let whole = bytes(&whole);
    let mut expected: Vec<&Vec<u8>> = whole.values().collect();
    found.sort();
    expected.sort();
    assert!(found == expected, "the store holds each file once");
    assert!(open_units(&late).unwrap().is_empty());
}

#[test]
fn two_learners_at_one_place_learn_one_run() {
    let dir = tempfile::tempdir().unwrap();
    let (config, machines) = (smallest(&[]), machines::<2>(dir.path()));
    std::thread::scope(|scope| {
        for machine in &machines {
            scope.spawn(|| train(&config, machine.clone(), &Silent, &GO_ON).unwrap());
        }
    });
    let whole = dir.path().join("whole");
    run(&config, &whole);
    for machine in &machines {
        assert_eq!(learned(machine.dir()), learned(&whole));
        // Both machines have the same reports, including the times in them.
        assert_eq!(read_reports(machine.dir()).unwrap(), read_reports(machines[0].dir()).unwrap());
    }
}

/// Checks that a run at a URL rejects changed keys that its machines would not see, because they
/// read the config that is stored there.
#[test]
fn a_run_at_a_url_keeps_its_generations_and_its_matches() {
    let dir = tempfile::tempdir().unwrap();
    let [first, second] = machines(dir.path());
    begin(&first, &config()).unwrap();
    for (key, value, told) in
        [("generations", "3", "(was 2, is 3)"), ("evaluation.games", "4", "(was 2, is 4)")]
    {
        let other = TrainConfig::parse(&toml_of(&config()), &[format!("{key}={value}")]).unwrap();
        for machine in [&first, &second] {
            let refused = begin(machine, &other).unwrap_err().to_string();
            assert!(refused.contains(&format!("{key} {told}")), "{refused}");
            assert!(refused.starts_with(&format!("{machine} contains")), "{refused}");
            assert!(refused.starts_with("file://"), "{refused}");
        }
    }
    let threads = TrainConfig::parse(&toml_of(&config()), &["machine.threads=2".to_owned()]).unwrap();
    begin(&second, &threads).unwrap();
}

/// Checks learners with different numeric kernels, which train different networks. Both continue
/// from the network that is published first.
#[test]
fn learners_of_two_kinds_go_on_from_the_same_networks() {
    let dir = tempfile::tempdir().unwrap();
    let [first, second] = machines(dir.path());
    // Different seeds stand in for different kernels.
    let [one, other] = [1, 2].map(|seed| smallest(&[&format!("seed={seed}")]));
    begin(&first, &one).unwrap();
    let refused = begin(&second, &other).unwrap_err().to_string();
    assert!(refused.contains("seed (was 1, is 2)"), "{refused}");
    train(&one, first.clone(), &Silent, &GO_ON).unwrap();

    // A learner that began before the other one finished publishes its report too late.
    let late = Run::open(second.clone(), &one).unwrap();
    let mut report = late.report(2).unwrap().unwrap();
    let published = report.clone();
    report.network = "f".repeat(64);
    let file = second.dir().join("generation-0002").join(format!("network-{}.safetensors", "f".repeat(16)));
    fs::write(&file, "another network").unwrap();
    assert_eq!(late.write_report(&report).unwrap(), published);
    assert!(!file.exists(), "nobody will read it");
    assert_eq!(late.report(2).unwrap().unwrap(), published);
    let network = late.bring_network(2).unwrap();
    assert_eq!(catapult_network::file_hash(&network).unwrap(), published.network);
}

#[test]
fn what_a_network_file_is_not_is_told_and_fetched_again() {
    let dir = tempfile::tempdir().unwrap();
    let [first, second] = machines(dir.path());
    train(&smallest(&["generations=1"]), first, &Silent, &GO_ON).unwrap();
    let hash = read_reports(&dir.path().join("machine 0")).unwrap()[1].network.clone();
    let object = dir.path().join(format!("objects/generation-0001/network-{}.safetensors", &hash[..16]));
    let whole = fs::read(&object).unwrap();
    fs::write(&object, "cut short").unwrap();
    let run = Run::join(second).unwrap();
    let refused = run.bring_network(1).unwrap_err().to_string();
    assert!(refused.contains("generation-0001/network.safetensors"), "{refused}");
    fs::write(&object, whole).unwrap();
    let brought = || catapult_network::file_hash(&run.bring_network(1).unwrap()).unwrap();
    assert_eq!(brought(), hash);
    // Now only the mirror's copy is damaged.
    fs::write(run.generation(1).join("network.safetensors"), "cut short").unwrap();
    assert_eq!(brought(), hash);
}

#[test]
fn a_shard_of_another_version_is_used_unless_its_search_defaults_differ() {
    let dir = tempfile::tempdir().unwrap();
    let location = Location::from(dir.path());
    let shard = "generation-0001/shard-0000";
    begin(&location, &smallest(&["search.considered=2"])).unwrap();
    assert!(make(&location, "generation-0000/learn").unwrap() && make(&location, shard).unwrap());
    let games = dir.path().join("generation-0001/games");
    let Shard { games: played, mut metadata } = read_shard(&find_shards(&games).unwrap()[0].path).unwrap();
    for (key, is_played_again) in [(VERSION, false), ("search_defaults", true)] {
        assert!(metadata.insert(key.to_owned(), "another".to_owned()).is_some());
        fs::remove_dir_all(&games).unwrap();
        write_shard(&games, "shard-0000", &played, &metadata).unwrap();
        assert_eq!(make(&location, shard).unwrap(), is_played_again, "{key}");
    }
}

#[test]
fn what_is_not_there_yet_may_come_and_what_is_no_unit_never_will() {
    let dir = tempfile::tempdir().unwrap();
    let location = Location::from(dir.path());
    let nothing = open_units(&location).unwrap_err();
    assert!(matches!(nothing, TrainingError::NotBegun(_)) && !nothing.is_transient(), "{nothing}");
    begin(&location, &config()).unwrap();
    begin(&location, &config()).unwrap();
    for name in ["generation-0001/shard-0000", "generation-0001/learn", "matches/trained-2-random"] {
        let error = make(&location, name).unwrap_err();
        assert!(matches!(error, TrainingError::NotYet(_)) && error.is_transient(), "{name}: {error}");
        assert!(
            error.to_string().contains(name) && error.to_string().ends_with("try again later"),
            "{error}"
        );
    }
    assert!(make(&location, "generation-0000/learn").unwrap());
    assert!(
        matches!(make(&location, "generation-0001/learn"), Err(TrainingError::NotYet(_))),
        "no games yet"
    );
    for (name, reason) in [
        ("generation-0000/shard-0000", "generation 0 has none"),
        ("generation-0001/shard-0003", "3 shards per generation"),
        ("generation-0003/learn", "the run has 2 generations"),
        ("generation-x/learn", "its generation is not a number"),
        ("generation-0001/ponder", "shard-NNNN and learn"),
        ("shard-0001", "the units of a run are"),
        ("../../etc", "the units of a run are"),
    ] {
        let error = make(&location, name).unwrap_err();
        assert!(!error.is_transient() && error.to_string().contains(reason), "{name}: {error}");
        assert!(error.to_string().starts_with(name), "{error}");
    }
    // Another process trains here.
    let held = Run::open(&dir.path().to_owned(), &config()).unwrap();
    for shard in 0..3 {
        assert!(make(&location, &format!("generation-0001/shard-{shard:04}")).unwrap(), "games need no lock");
    }
    assert!(make(&location, "generation-0001/learn").unwrap_err().is_transient());
    drop(held);
    assert!(make(&location, "generation-0001/learn").unwrap());
}

#[test]
fn a_generation_after_the_budget_is_no_unit() {
    let dir = tempfile::tempdir().unwrap();
    let location = Location::from(dir.path());
    begin(&location, &smallest(&["generations=3", "budget={work=1}"])).unwrap();
    make_all(std::slice::from_ref(&location));
    for name in ["generation-0002/shard-0000", "generation-0002/learn"] {
        let error = make(&location, name).unwrap_err();
        let expected = format!("{name}: the run ended with generation 1, which spent its budget");
        assert_eq!(error.to_string(), expected);
        assert!(!error.is_transient());
    }
    assert!(!dir.path().join("generation-0002").exists());
}

#[test]
fn a_disk_that_fails_may_work_again() {
    let cases = [
        (ErrorKind::StorageFull, true),
        (ErrorKind::StaleNetworkFileHandle, true),
        (ErrorKind::NotFound, false),
        (ErrorKind::IsADirectory, false),
    ];
    for (kind, is_transient) in cases {
        let failed = || ModelError::Io { path: "state.safetensors".into(), source: kind.into() };
        assert_eq!(TrainingError::from(failed()).is_transient(), is_transient, "{kind}");
        assert_eq!(TrainingError::from(NetworkError::from(failed())).is_transient(), is_transient, "{kind}");
        let no_player = MatchError::Player { name: Some("a".to_owned()), error: failed().into() };
        assert_eq!(TrainingError::from(no_player).is_transient(), is_transient, "{kind}");
        let no_table = || EndingsError::File { file: "KRvK.mate".into(), source: kind.into() };
        assert_eq!(TrainingError::from(no_table()).is_transient(), is_transient, "{kind}");
        assert_eq!(
            TrainingError::from(SelfPlayError::from(no_table())).is_transient(),
            is_transient,
            "{kind}"
        );
    }
    let no_memory = || "CUDA out of memory".to_owned();
    assert!(TrainingError::from(NetworkError::Torch(no_memory())).is_transient());
    assert!(TrainingError::from(SelfPlayError::from(EvaluationError(no_memory()))).is_transient());
    let broken = MatchError::Player { name: None, error: EvaluationError(no_memory()).into() };
    assert!(TrainingError::from(broken).is_transient());
    let damaged = ModelError::BadFile { path: "state.safetensors".into(), reason: "damaged".into() };
    assert!(!TrainingError::from(damaged).is_transient());
}

#[test]
fn a_device_that_is_not_here_may_be_elsewhere() {
    let dir = tempfile::tempdir().unwrap();
    let location = Location::from(dir.path());
    begin(&location, &config()).unwrap();
    let machine = |device: &str| Machine { device: Some(device.parse().unwrap()), threads: Some(1) };
    let make =
        |device: &str| make_unit(&location, "generation-0000/learn", &machine(device), &Silent, &GO_ON);
    if catapult_network::device::cuda_devices() == 0 {
        assert!(make("cuda").unwrap_err().is_transient());
    }
    let config = dir.path().join("config.toml");
    let shared = fs::read_to_string(&config).unwrap();
    let made = make("cpu").unwrap();
    assert!(made.is_new && !made.kernel.contains("CUDA"), "{made:?}");
    // One machine's settings must not become those of the others.
    assert_eq!(fs::read_to_string(&config).unwrap(), shared);
}

#[test]
fn a_learner_has_a_thread_per_part_of_a_batch() {
    let dir = tempfile::tempdir().unwrap();
    let mut config = smallest(&["learning.batch_rows=256"]);
    for (network, threads) in [(config.network.clone(), 4u32), (Architecture::sparse(64), 2)] {
        config.network = network;
        let location = Location::from(&dir.path().join(threads.to_string()));
        begin(&location, &config).unwrap();
        assert_eq!(open_units(&location).unwrap()[0].threads, threads);
    }
}

#[test]
fn a_report_counts_shards_by_kernel() {
    let dir = tempfile::tempdir().unwrap();
    let reports = run(&smallest(&[]), dir.path());
    for report in &reports[1..] {
        let games = report.games.as_ref().unwrap();
        assert_eq!(games.kernels.values().sum::<u32>(), 3);
        assert!(games.kernels.keys().all(|kind| kind.starts_with("integers in plain Rust")));
    }
}

#[test]
fn where_games_lag_they_are_played_while_an_earlier_network_learns() {
    let dir = tempfile::tempdir().unwrap();
    let config = smallest(&["games.lag=1", "generations=3"]);
    assert_eq!([1, 2, 3].map(|generation| config.player(generation)), [0, 0, 1]);
    let (whole, spread) = (dir.path().join("whole"), dir.path().join("spread"));
    run(&config, &whole);
    let location = Location::from(&spread);
    begin(&location, &config).unwrap();
    assert!(make(&location, "generation-0000/learn").unwrap());
    let open = || open_units(&location).unwrap().into_iter().map(|unit| unit.unit).collect::<Vec<_>>();
    let shards =
        |generation: u32| (0..3).map(move |shard| format!("generation-{generation:04}/shard-{shard:04}"));
    assert_eq!(open(), shards(1).chain(shards(2)).collect::<Vec<_>>());
    for shard in shards(2).chain(shards(1)) {
        assert!(make(&location, &shard).unwrap());
    }
    assert_eq!(open(), ["generation-0001/learn"]);
    assert!(make(&location, "generation-0001/learn").unwrap());
    // The network of generation 1 plays generation 3 while generation 2 can be trained.
    assert_eq!(open(), ["generation-0002/learn".to_owned()].into_iter().chain(shards(3)).collect::<Vec<_>>());
    make_all(std::slice::from_ref(&location));
    assert!(bytes(&spread) == bytes(&whole));
    // The games differ from those of a run without a lag.
    let waiting = dir.path().join("waiting");
    run(&smallest(&["generations=3"]), &waiting);
    assert!(bytes(&waiting) != bytes(&whole));
    let refused = TrainConfig::parse(&toml_of(&config), &["budget.work=1000".to_owned()]).unwrap_err();
    assert!(refused.contains("games.lag"), "{refused}");
}

fn toml_of(config: &TrainConfig) -> String {
    toml::to_string(config).unwrap()
}
