//! Tests of studies on several machines, unit by unit.

use super::desk;
use super::whole::{Watcher, bytes, run_in, study_in};
use catapult_store::Location;
use catapult_study::progress::StudyProgress;
use catapult_study::run::run;
use catapult_study::spread::{begin, is_study, make_unit, open_units};
use catapult_training::Machine;
use catapult_training::progress::Silent;
use catapult_training::units::Kind;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// Builds all units, one open unit on each machine in turn. Returns the kinds of the units in the
/// order of building.
fn make_all(machines: &[Location]) -> Vec<Kind> {
    let mut kinds = Vec::new();
    for number in 0.. {
        let machine = &machines[number % machines.len()];
        let mut open = open_units(machine, &Silent, &GO_ON).unwrap();
        // Vary the choice among the open units.
        let Some(last) = open.len().checked_sub(1) else { break };
        let unit = open.swap_remove(number % (last + 1));
        let made = make_unit(machine, &unit.unit, &Machine::default(), &Silent, &GO_ON).unwrap();
        assert!(made.is_new, "{} was listed", unit.unit);
        kinds.push(unit.kind);
    }
    kinds
}

#[test]
fn a_study_made_unit_by_unit_is_the_study_made_by_one_command() {
    let desk = desk();
    let whole = desk.path().join("whole");
    run_in(desk.path(), "whole", &Watcher::default()).unwrap();
    let location = Location::from(&desk.path().join("spread"));
    assert!(!is_study(&location).unwrap());
    begin(&study_in(desk.path()), &location).unwrap();
    assert!(is_study(&location).unwrap());
    let kinds = make_all(std::slice::from_ref(&location));
    let of_kind = |kind| kinds.iter().filter(|&&one| one == kind).count();
    // The counts of `whole.rs`, and an agent's two generations of two shards and three networks.
    assert_eq!(
        [Kind::Games, Kind::Match, Kind::Analysis, Kind::Learn].map(of_kind),
        [24 + 4, 16 + 4 + 3 + 2, 6, 3]
    );
    run_in(desk.path(), "spread", &Watcher::default()).unwrap();
    let (mut spread, whole) = (bytes(location.dir()), bytes(&whole));
    // Only a study on several machines has the path of its file.
    spread.remove(std::path::Path::new("origin")).unwrap();
    assert_eq!(spread.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>());
    for (path, bytes) in &whole {
        assert!(spread[path] == *bytes, "{} differs", path.display());
    }
}

#[test]
fn a_begin_that_was_killed_before_the_registration_is_repeated() {
    let desk = desk();
    let location = Location::from(&desk.path().join("spread"));
    begin(&study_in(desk.path()), &location).unwrap();
    let registered = location.dir().join("registered.json");
    let before = std::fs::read(&registered).unwrap();
    std::fs::remove_file(&registered).unwrap();
    begin(&study_in(desk.path()), &location).unwrap();
    assert_eq!(std::fs::read(&registered).unwrap(), before);
}

#[test]
fn machines_that_share_a_store_of_objects_make_the_same_study() {
    let desk = desk();
    let results = run_in(desk.path(), "whole", &Watcher::default()).unwrap();
    let url = format!("file://{}", desk.path().join("objects").display());
    let machine =
        |number: usize| Location::mirrored(&url, &desk.path().join(format!("machine-{number}"))).unwrap();
    let machines: Vec<Location> = (0..2).map(machine).collect();
    begin(&study_in(desk.path()), &machines[0]).unwrap();
    // Only the first machine needs the training configs.
    let [train, away] = ["train.toml", "away.toml"].map(|name| desk.path().join(name));
    std::fs::rename(&train, &away).unwrap();
    make_all(&machines);
    std::fs::rename(&away, &train).unwrap();
    // A third machine writes the report and builds no unit.
    struct NothingMade;
    impl catapult_training::progress::Progress for NothingMade {
        fn learning(&self, generation: u32, _: u64) {
            panic!("generation {generation} is learned again");
        }
    }
    impl StudyProgress for NothingMade {}
    let study = study_in(desk.path());
    let found = run(&study, machine(2), "the command", &NothingMade, &GO_ON).unwrap();
    let text = |results: &catapult_report::results::StudyResults| serde_json::to_string(results).unwrap();
    assert_eq!(text(&found), text(&results));
    // The same look on another machine does not count again.
    let again = run(&study, machine(3), "the command", &NothingMade, &GO_ON).unwrap();
    assert_eq!(again.registration.looks.len(), 1);
    assert_eq!(
        machine(0).names(&desk.path().join("machine-0/looks")).unwrap(),
        BTreeSet::from(["0000.json".to_owned()])
    );
}

#[test]
fn what_is_not_there_yet_may_come_and_what_is_no_unit_never_will() {
    let desk = desk();
    let location = Location::from(&desk.path().join("spread"));
    let make = |name: &str| make_unit(&location, name, &Machine::default(), &Silent, &GO_ON).unwrap_err();
    let error = make("games/chess.both-1.last.2/shard-0000");
    assert!(
        !error.is_transient() && error.to_string().contains("so it is not a study for several machines"),
        "{error}"
    );
    begin(&study_in(desk.path()), &location).unwrap();
    let error = make("agents/both-1/generation-0001/learn");
    assert!(error.is_transient() && error.to_string().contains("does not exist yet"), "{error}");
    let error = make("games/of-nobody/shard-0000");
    assert!(error.is_transient(), "the networks are not there: {error}");
    while let Some(unit) = open_units(&location, &Silent, &GO_ON).unwrap().first() {
        if !unit.unit.starts_with("agents/") {
            break;
        }
        make_unit(&location, &unit.unit, &Machine::default(), &Silent, &GO_ON).unwrap();
    }
    let error = make("games/of-nobody/shard-0000");
    assert!(!error.is_transient() && error.to_string().contains("the study has no such unit"), "{error}");
    let analysis = "analyses/chess.both-1.last.4";
    let error = make(analysis);
    assert!(error.is_transient() && error.to_string().contains("does not exist yet"), "{error}");
}
