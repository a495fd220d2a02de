//! Tests of packing a run and continuing it in another folder.

use super::smallest;
use super::whole_runs::{GO_ON, Watcher, bytes, run};
use catapult_store::{Location, StoreError};
use catapult_training::progress::Silent;
use catapult_training::run::{Run, generation_dir, network_path};
use catapult_training::units::{begin, make_unit};
use catapult_training::{Machine, TrainConfig, TrainingError, learn_from, pack, train, unpack};
use std::fs;
use std::path::Path;

/// Returns the config of a run with a small replay window, which soon drops generation 1.
fn config() -> TrainConfig {
    smallest(&["generations=5", "window.start_rows=150", "window.growth_scale=0.1"])
}

/// Trains the run of [`config`] in `dir` and stops it during the training of generation 4.
fn stopped(dir: &Path) {
    let watcher = Watcher::stopping_at(4, 1);
    let error = train(&config(), dir, &watcher, &watcher.stop).unwrap_err();
    assert!(matches!(error, TrainingError::Stopped), "{error}");
}

#[test]
fn an_unpacked_run_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    run(&config(), &at("whole"));
    stopped(&at("stopped"));
    fs::create_dir(at("stopped").join("matches")).unwrap();
    fs::write(at("stopped/matches/kept.json"), "{}").unwrap();

    // A process was killed before it renamed the last network.
    let network = network_path(&at("stopped"), 3);
    let hash = catapult_network::file_hash(&network).unwrap();
    fs::rename(&network, network.with_file_name(format!("network-{}.safetensors", &hash[..16]))).unwrap();
    let packed = pack(&at("stopped"), &at("run.tar.zst")).unwrap();
    assert_eq!(packed.generation, 3);
    assert!(packed.games_from > 1, "early games are left out: {packed:?}");
    let unpacked = unpack(&at("run.tar.zst"), &at("elsewhere")).unwrap();
    assert_eq!(unpacked, packed);
    assert_eq!(fs::read(at("elsewhere/matches/kept.json")).unwrap(), b"{}");
    assert!(!generation_dir(&at("elsewhere"), 1).join("games").exists());
    assert!(!generation_dir(&at("elsewhere"), 2).join("network.safetensors").exists());
    // Its games can be learned from, although the first generation has none.
    let lesson = learn_from(&config(), &[at("elsewhere")], None, &at("learned"), &Silent, &GO_ON).unwrap();
    assert!(lesson.games > 0);
    let before = bytes(&at("elsewhere"));
    let begun = |path: &&std::path::PathBuf| path.starts_with("generation-0004/games");
    assert_eq!(
        before.keys().filter(begun).count(),
        3,
        "what has been played of the next generation is there"
    );

    run(&config(), &at("elsewhere"));
    let (found, expected) = (bytes(&at("elsewhere")), bytes(&at("whole")));
    assert!(found.len() > before.len() && found.len() < expected.len());
    for generation in ["generation-0004", "generation-0005"] {
        for file in ["network.safetensors", "state.safetensors"] {
            assert!(found.contains_key(&Path::new(generation).join(file)));
        }
    }
    for (path, bytes) in &found {
        assert!(expected[path] == *bytes, "{} differs", path.display());
    }
    // The unpacked run can be packed again.
    assert_eq!(pack(&at("elsewhere"), &at("again.tar.zst")).unwrap().generation, 5);
}

#[test]
fn games_ahead_of_the_learner_are_packed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let location = Location::from(&at("run"));
    begin(&location, &smallest(&["games.lag=1"])).unwrap();
    for unit in ["generation-0000/learn", "generation-0001/shard-0000", "generation-0002/shard-0000"] {
        make_unit(&location, unit, &Machine::default(), &Silent, &GO_ON).unwrap();
    }
    pack(&at("run"), &at("run.pack")).unwrap();
    unpack(&at("run.pack"), &at("elsewhere")).unwrap();
    let (packed, whole) = (bytes(&at("elsewhere")), bytes(&at("run")));
    for games in ["generation-0001/games", "generation-0002/games"] {
        assert!(packed.keys().any(|path| path.starts_with(games)), "{games}: {:?}", packed.keys());
    }
    assert!(packed == whole);
}

#[test]
fn damaged_packs_and_runs_are_noticed_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let error = pack(&at("nothing"), &at("run.pack")).unwrap_err().to_string();
    assert!(error.contains("nothing"), "{error}");
    drop(Run::open(&at("begun"), &config()).unwrap());
    let error = pack(&at("begun"), &at("run.pack")).unwrap_err().to_string();
    assert!(error.contains("no generation is complete"), "{error}");

    stopped(&at("run"));
    pack(&at("run"), &at("run.pack")).unwrap();
    let held = Run::open(&at("run"), &config()).unwrap();
    assert!(matches!(pack(&at("run"), &at("other.pack")), Err(TrainingError::Store(StoreError::InUse(_)))));
    drop(held);

    for inside in ["run/inside.pack", "run/new/deep/inside.pack"] {
        let error = pack(&at("run"), &at(inside)).unwrap_err().to_string();
        assert!(error.contains("inside.pack: it is inside the run"), "{error}");
    }
    assert!(!at("run/new").exists());

    // An earlier pack is replaced. A file that is not compressed with zstd is kept.
    pack(&at("run"), &at("run.pack")).unwrap();
    fs::write(at("notes"), "notes").unwrap();
    let error = pack(&at("run"), &at("notes")).unwrap_err().to_string();
    assert!(error.contains("notes: it exists and is not an archive"), "{error}");
    assert_eq!(fs::read(at("notes")).unwrap(), b"notes");

    // A flipped byte anywhere, or a missing end.
    let whole = fs::read(at("run.pack")).unwrap();
    let flipped = |place: usize| {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        bytes
    };
    let length = whole.len();
    for bytes in [flipped(length / 2), flipped(length - 1), whole[..length - 3].to_vec(), b"no pack".to_vec()]
    {
        fs::write(at("bad.pack"), bytes).unwrap();
        let error = unpack(&at("bad.pack"), &at("new")).unwrap_err().to_string();
        assert!(error.contains("bad.pack"), "{error}");
        assert!(!at("new").exists(), "nothing is left of a pack that is damaged");
    }
    let error = unpack(&at("run.pack"), &at("run")).unwrap_err().to_string();
    assert!(error.contains("is not empty"), "{error}");

    // A record of the window is missing, and so is the network that played it.
    unpack(&at("run.pack"), &at("new")).unwrap();
    let games = generation_dir(&at("new"), 3).join("games");
    let shard = games.read_dir().unwrap().next().unwrap().unwrap().path();
    fs::remove_file(&shard).unwrap();
    let error = pack(&at("new"), &at("new.pack")).unwrap_err().to_string();
    assert!(error.contains("generation-0003") && error.contains("is missing; resume"), "{error}");
    assert!(!at("new.pack").exists());
    let error = train(&config(), &at("new"), &Silent, &GO_ON).unwrap_err().to_string();
    assert!(error.contains("generation-0003") && error.contains("copy the shard"), "{error}");

    // A run whose last state is damaged or of another generation is not packed.
    let [before, state] = [2, 3].map(|of| generation_dir(&at("run"), of).join("state.safetensors"));
    let mut flipped = fs::read(&state).unwrap();
    *flipped.last_mut().unwrap() ^= 1;
    for bytes in [flipped, fs::read(before).unwrap()] {
        fs::write(&state, bytes).unwrap();
        let error = pack(&at("run"), &at("other.pack")).unwrap_err().to_string();
        assert!(error.contains(&state.display().to_string()), "{error}");
    }
    assert!(!at("other.pack").exists());
}
