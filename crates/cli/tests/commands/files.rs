//! Tests of `inspect`, `selfplay`, `chart` and other commands on the files of a tiny run.

use super::{catapult, fail, fail_in_a_line, path, root, succeed, text};
use std::fs;
use std::path::{Path, PathBuf};

fn tiny() -> String {
    path(&root().join("configs/test/tiny.toml")).to_owned()
}

/// Trains two generations of configs/test/tiny.toml in the folder `run` and plays the final matches.
/// Returns the printed table.
fn train(run: &Path) -> String {
    let tiny = tiny();
    let settings = [
        "generations=2",
        "machine.device=cpu",
        "evaluation={games=2, simulations=2, ply_cap=16, opponents=[\"random\"]}",
    ];
    let mut arguments = vec!["train", &tiny, "--run", path(run)];
    for setting in &settings {
        arguments.extend(["--set", setting]);
    }
    let output = catapult(&arguments);
    let log = text(&output.stderr);
    assert!(output.status.success(), "{log}");
    for generation in ["generation 0/2", "generation 1/2", "generation 2/2"] {
        assert!(log.contains(generation), "{log}");
    }
    text(&output.stdout)
}

fn shards(folder: &Path) -> Vec<PathBuf> {
    let mut shards: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    shards.retain(|path| path.extension().is_some_and(|extension| extension == "parquet"));
    shards.sort();
    shards
}

fn flip(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(file, bytes).unwrap();
}

#[test]
fn a_run_and_everything_in_it_can_be_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let table = train(&run);
    assert_eq!(table.lines().count(), 5, "a heading and four matches: {table}");
    assert!(table.contains("trained:2") && table.contains("search:uniform:2"), "{table}");
    assert_eq!(train(&run), table, "a complete run is only read");

    let network = run.join("generation-0002/network.safetensors");
    let state = run.join("generation-0002/state.safetensors");
    let games = run.join("generation-0001/games");
    let shard = shards(&games)[0].clone();

    // A process was killed before it renamed the network.
    let hash = catapult_network::file_hash(&network).unwrap();
    fs::rename(&network, network.with_file_name(format!("network-{}.safetensors", &hash[..16]))).unwrap();
    let told = succeed(&["inspect", path(&run)]);
    assert!(told.contains("2 of 2 generations complete") && told.contains("are intact"), "{told}");
    let told = succeed(&["inspect", path(&network), path(&state)]);
    assert!(told.contains("architecture  16x1") && told.contains("generation    2"), "{told}");
    let told = succeed(&["inspect", path(&shard)]);
    assert!(told.contains("games         6") && told.contains("simulations   8"), "{told}");
    let told = succeed(&["inspect", path(&games)]);
    assert_eq!(told.matches(": shard, hash verified").count(), 4);
    fail_in_a_line(&["inspect", path(folder.path())], &[path(folder.path()), "no run"]);
    fail_in_a_line(&["inspect"], &["nothing to inspect"]);

    // A shard of a generation in progress is read, too.
    let begun = run.join("generation-0003/games");
    fs::create_dir_all(&begun).unwrap();
    let damaged = begun.join(shard.file_name().unwrap());
    fs::copy(&shard, &damaged).unwrap();
    flip(&damaged);
    fail_in_a_line(&["inspect", path(&run)], &["generation-0003"]);
    fs::remove_dir_all(run.join("generation-0003")).unwrap();

    // A pack does not contain an earlier one.
    let inside = run.join("run.tar.zst");
    fail_in_a_line(&["cluster", "pack", path(&run), "-o", path(&inside)], &["it is inside the run"]);

    // A match does not go on with another network under the same name.
    let player = folder.path().join("player.safetensors");
    let kept = folder.path().join("match");
    fs::copy(&network, &player).unwrap();
    let spec = format!("{}:2", player.display());
    let play = ["match", &spec, "random", "--games", "2", "--ply-cap", "20", "-o", path(&kept)];
    assert_eq!(succeed(&play), succeed(&play));
    fs::copy(run.join("generation-0000/network.safetensors"), &player).unwrap();
    fail_in_a_line(&play, &["the folder contains another match: player_network (was"]);

    // The chart.
    let picture = folder.path().join("run.svg");
    succeed(&["chart", path(&run), "-o", path(&picture)]);
    let svg = fs::read_to_string(&picture).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("trained:2 against random"), "{svg}");
    fail_in_a_line(&["chart", "no/run", "-o", path(&picture)], &["no/run"]);
    let config = run.join("config.toml");
    fail_in_a_line(&["chart", path(&run), "-o", path(&config)], &[path(&config), "not an SVG file"]);
    if cfg!(target_os = "linux") {
        fail_in_a_line(&["chart", path(&run), "-o", "/dev/full"], &["/dev/full"]);
    }

    // A flipped byte gives an error with the file's name, for the file and for the run.
    for file in [&network, &state, &shard] {
        let whole = fs::read(file).unwrap();
        flip(file);
        fail_in_a_line(&["inspect", path(file)], &[path(file)]);
        fail_in_a_line(&["inspect", path(&run)], &[path(file)]);
        // Without a reader of standard output, nothing counts as verified.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut inspect = std::process::Command::new(env!("CARGO_BIN_EXE_catapult"));
        let status = inspect.args(["inspect", path(&player), path(file)]).stdout(writer).status().unwrap();
        assert_eq!(status.code(), Some(141));
        fs::write(file, whole).unwrap();
    }
    // Another network with the expected file name.
    let whole = fs::read(&network).unwrap();
    fs::copy(run.join("generation-0001/network.safetensors"), &network).unwrap();
    fail_in_a_line(&["inspect", path(&run)], &[path(&network)]);
    fs::write(&network, whole).unwrap();
    succeed(&["inspect", path(&run)]);
}

#[test]
fn a_run_is_rated_plays_teaches_and_moves() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let table = train(&run);
    let network = run.join("generation-0002/network.safetensors");

    // Its rating, which its metrics and its chart contain afterwards.
    let picture = folder.path().join("run.svg");
    let rate = ["rate", path(&run), "--simulations", "2,4", "--every", "1", "--gauntlet"];
    let rate =
        [&rate[..], &["--anchors", "random", "alphabeta:1~0.5", "--zero", "random", "--ply-cap", "40"]]
            .concat();
    let rate = [&rate[..], &["--budget-games", "160", "--device", "cpu"]].concat();
    let told = succeed(&rate);
    assert!(told.starts_with("player") && told.contains("generation-0002"), "{told}");
    assert!(told.contains("160 games of"), "{told}");
    assert_eq!(succeed(&rate), told, "what has been played is only read");
    assert!(fs::read_to_string(run.join("metrics.jsonl")).unwrap().contains("\"strength\""));
    succeed(&["chart", path(&run), "-o", path(&picture)]);
    let svg = fs::read_to_string(&picture).unwrap();
    assert!(svg.contains("Strength (Elo above random") && svg.contains("4 simulations"), "{svg}");
    fail_in_a_line(&["rate", path(&run), "--variant", "chess"], &["--variant chess", "chesspp"]);
    fail_in_a_line(&["rate", path(folder.path())], &[path(folder.path()), "no run"]);
    fail_in_a_line(&["rate", "random", "--zero", "nobody"], &["nobody", "random"]);
    let with_clock = ["rate", "alphabeta:material:clock", "--variant", "chess"];
    fail_in_a_line(&with_clock, &["alphabeta:material:clock", "no clock"]);
    fail(&["rate"], &["RUN|FILE|PLAYER"]);
    fail(&["rate", "random", "--budget-games", "19"], &["--budget-games", "20"]);
    fail(&["rate", "random", "--games-a-pairing", "2"], &["games-per-pairing", "20"]);

    // The trained network plays.
    let player = format!("{}:2", path(&network));
    let json = folder.path().join("match.json");
    let arguments = ["match", &player, "random", "--games", "2", "--ply-cap", "16", "--json", path(&json)];
    succeed(&arguments);
    let result: serde_json::Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!((&result["games"], &result["player"]), (&2.into(), &player.as_str().into()));
    fail(&["match", &player, "random", "--variant", "chess", "--device", "tpu"], &["tpu"]);

    // Another network learns from its games.
    let taught = folder.path().join("taught.safetensors");
    let learn = ["learn", &tiny(), "--from", path(&run), "-o", path(&taught), "--set", "learning.passes=1"];
    let told = succeed(&learn);
    assert!(told.starts_with("48 games (0 unusable") && told.contains("held-out losses (chesspp,"), "{told}");
    assert!(succeed(&["inspect", path(&taught)]).contains("supervised"), "{told}");
    fail_in_a_line(&learn, &[path(&taught), "already"]);

    // The unpacked archive is the same run without the files that it does not need to resume.
    let (pack, elsewhere) = (folder.path().join("run.tar.zst"), folder.path().join("elsewhere"));
    let told = succeed(&["cluster", "pack", path(&run), "-o", path(&pack)]);
    assert!(told.contains("2 generations complete"), "{told}");
    succeed(&["cluster", "unpack", path(&pack), path(&elsewhere)]);
    let told = succeed(&["inspect", path(&elsewhere)]);
    assert!(told.contains("networks of 1 generations are missing") && told.contains("are intact"), "{told}");
    assert_eq!(train(&elsewhere), table, "it is only read");
    fail_in_a_line(&["cluster", "unpack", path(&pack), path(&run)], &[path(&run), "not empty"]);
    // A limit on file sizes has the effect of a full disk.
    if cfg!(target_os = "linux") {
        let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" cluster unpack \"$1\" \"$2\"";
        let full = folder.path().join("full");
        let words = ["-c", script, env!("CARGO_BIN_EXE_catapult"), path(&pack), path(&full)];
        let told = text(&std::process::Command::new("sh").args(words).output().unwrap().stderr);
        assert!(told.contains("File too large") && !told.contains("damaged"), "{told}");
    }
    fail_in_a_line(&["cluster", "unpack", path(&json), path(&folder.path().join("new"))], &[path(&json)]);
    fail_in_a_line(
        &["cluster", "pack", path(folder.path()), "-o", path(&pack)],
        &[path(folder.path()), "not a run"],
    );
}

#[test]
fn a_shard_can_be_played_anywhere_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let tiny = tiny();
    let cpu = ["--set", "machine.device=cpu"];
    let train = ["train", &tiny, "--run", path(&run), "--set", "generations=1", cpu[0], cpu[1]];
    assert!(catapult(&train).status.success());
    let network = run.join("generation-0000/network.safetensors");
    let out = folder.path().join("elsewhere");
    let arguments = |shard: &'static str| -> Vec<String> {
        let all = [
            "cluster",
            "selfplay",
            &tiny,
            "--network",
            path(&network),
            "--generation",
            "1",
            "--shard",
            shard,
        ];
        let mut all: Vec<String> = all.iter().map(ToString::to_string).collect();
        all.extend(["--out".into(), path(&out).into(), cpu[0].into(), cpu[1].into()]);
        all
    };
    let with = |arguments: &[String], more: &[&str]| -> Vec<String> {
        arguments.iter().cloned().chain(more.iter().map(ToString::to_string)).collect()
    };
    fn refs(arguments: &[String]) -> Vec<&str> {
        arguments.iter().map(String::as_str).collect()
    }

    let told = succeed(&refs(&arguments("2")));
    assert!(told.contains("6 games"), "{told}");
    let shard = shards(&out)[0].clone();
    let original = shards(&run.join("generation-0001/games"))[2].clone();
    assert_eq!(shard.file_name(), original.file_name(), "the run's own bytes");
    assert_eq!(fs::read(&shard).unwrap(), fs::read(&original).unwrap());

    let told = succeed(&refs(&arguments("2")));
    assert!(told.contains("hash verified") && told.contains("byte-identical"), "{told}");
    // The number of concurrent games makes no difference.
    succeed(&refs(&with(&arguments("2"), &["--set", "machine.slots=1"])));
    // Another config rejects the shard.
    let other = with(&arguments("2"), &["--set", "selfplay.simulations=6"]);
    fail_in_a_line(&refs(&other), &[path(&shard), "the config, network"]);
    let mut later = arguments("2");
    later[6] = "2".into();
    fail_in_a_line(&refs(&later), &[path(&shard), "is of generation 1"]);
    later[6] = "7".into();
    fail_in_a_line(&refs(&later), &["--generation 7", "6 generations"]);
    // A damaged shard is rejected.
    flip(&shard);
    fail_in_a_line(&refs(&arguments("2")), &[path(&shard), "damaged"]);
    fail_in_a_line(&refs(&arguments("4")), &["--shard 4", "4 shards"]);
    let mut zero = arguments("0");
    zero[6] = "0".into();
    fail_in_a_line(&refs(&zero), &["--generation 0"]);
}

/// Follows the instructions of experiments/chesspp/README.md for using the published networks.
#[test]
fn the_networks_of_the_study_of_chesspp_need_no_training() {
    let folder = tempfile::tempdir().unwrap();
    let (study, agents) = (folder.path().join("study"), folder.path().join("study/agents"));
    fs::create_dir_all(&agents).unwrap();
    let packs: Vec<_> = root().join("experiments/chesspp/agents").read_dir().unwrap().collect();
    assert!(packs.len() == 12, "{packs:?}");
    for pack in &packs {
        let pack = pack.as_ref().unwrap().path();
        let tar = std::process::Command::new("tar").args(["-xzf", path(&pack), "-C", path(&agents)]).status();
        assert!(tar.unwrap().success(), "{}", pack.display());
    }
    let config = root().join("configs/study/chesspp.toml");
    let plan = succeed(&["study", "run", path(&config), "--plan", "--out", path(&study)]);
    let training = plan.lines().find(|line| line.starts_with("training")).unwrap();
    let counts: Vec<usize> = training.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert_eq!(counts[..2], [12 * 80, 80 * packs.len()], "units and those done: {plan}");
}

#[test]
fn the_citation_is_of_this_version() {
    let citation = fs::read_to_string(root().join("CITATION.cff")).unwrap();
    let cited = citation.lines().find_map(|line| line.strip_prefix("version: ")).unwrap();
    let version = succeed(&["--version"]);
    assert_eq!(version.split_whitespace().nth(1), Some(cited), "CITATION.cff, --version");
}
