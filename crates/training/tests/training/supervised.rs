//! Tests of networks trained on existing games.

use super::smallest;
use super::whole_runs::{GO_ON, run};
use catapult_encoding::Encode;
use catapult_network::{Architecture, Network, NetworkInfo};
use catapult_rules::Century;
use catapult_training::progress::Silent;
use catapult_training::{TrainingError, learn_from};
use std::fs;
use std::sync::atomic::AtomicBool;

const SCHOLARS_MATE: &str = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#";

/// Returns PGN with `games` games that differ only in the move number at which they start, followed
/// by three unusable games. One has no result, one is of another variant and one has an illegal
/// move. The first held-out games are those that start at moves 4, 13, 24 and 29.
fn pgn(games: usize) -> String {
    let start = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0";
    let rest = format!("\"]\n[Result \"1-0\"]\n\n{SCHOLARS_MATE} 1-0\n\n");
    let mut text: String = (1..=games).map(|number| format!("{start} {number}{rest}")).collect();
    text += "[Result \"*\"]\n\n1. e4 *\n\n";
    text += "[Variant \"half\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
    text += "[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n\n";
    text
}

#[test]
fn a_network_learns_the_moves_and_results_of_games() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("games.pgn"), pgn(40)).unwrap();
    let learned = |output: &str, settings: &[&str]| {
        let steps = [
            "variant=chess",
            "learning.batch_rows=64",
            "learning.warmup_steps=5",
            "learning.learning_rate=0.02",
        ];
        let config = smallest(&[&steps, settings].concat());
        learn_from(&config, &[at("games.pgn")], None, &at(output), &Silent, &GO_ON).unwrap()
    };
    let lesson = learned("network.safetensors", &["learning.passes=30", "learning.averaging=0.9"]);
    // 40 games of 7 plies. Four games are held out.
    assert_eq!((lesson.games, lesson.skipped, lesson.rows, lesson.steps), (40, 3, 252, 118));
    let held_out = &lesson.held_out["chess"];
    assert_eq!(held_out.rows, 28);
    // Before training: about 30 moves, ln 30 = 3.4, and three results, ln 3 = 1.1.
    assert!(held_out.policy < 0.5 && held_out.value < 0.3, "{held_out:?}");
    let info = NetworkInfo::read(&at("network.safetensors")).unwrap();
    assert_eq!(info.provenance["supervised"], "252 positions; 40 games with those held out");
    learned("more.safetensors", &[format!("initial={:?}", at("network.safetensors")).as_str()]);
    let more = NetworkInfo::read(&at("more.safetensors")).unwrap();
    assert_eq!(more.provenance["initial"], lesson.network);

    let bytes = |settings: &[&str]| {
        let _ = fs::remove_file(at("again.safetensors"));
        learned("again.safetensors", settings);
        fs::read(at("again.safetensors")).unwrap()
    };
    // A batch has two parts of 64 rows, which are learned at the same time on two threads.
    let with = |setting| bytes(&["learning.passes=1", "learning.batch_rows=128", setting]);
    let once = with("machine.learner_threads=1");
    assert!(once == with("machine.learner_threads=2"), "the same on any number of threads");
    assert!(once != with("seed=8"));
}

#[test]
fn a_game_that_occurs_twice_is_on_one_side() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("games.pgn"), pgn(30)).unwrap();
    let config = smallest(&["variant=chess", "learning.passes=0"]);
    let sides = |times: usize, output: &str| {
        let sources = vec![at("games.pgn"); times];
        let lesson = learn_from(&config, &sources, None, &at(output), &Silent, &GO_ON).unwrap();
        [lesson.rows, lesson.held_out["chess"].rows]
    };
    let once = sides(1, "once");
    assert_eq!(once.iter().sum::<u64>(), 30 * 7);
    assert_eq!(sides(2, "twice"), once.map(|rows| 2 * rows));
}

#[test]
fn a_teacher_replaces_the_results_of_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let config = smallest(&[
        "variant=chess",
        "learning.batch_rows=64",
        "learning.warmup_steps=5",
        "learning.learning_rate=0.02",
        "learning.passes=30",
        "learning.averaging=0.9",
    ]);
    let learned = |games: String, teacher: Option<&str>, output: &str| {
        fs::write(at("games.pgn"), games).unwrap();
        let teacher = teacher.map(at);
        let sources = [at("games.pgn")];
        let lesson = learn_from(&config, &sources, teacher.as_deref(), &at(output), &Silent, &GO_ON).unwrap();
        lesson.held_out["chess"].clone()
    };
    learned(pgn(40), None, "teacher");
    // The loser's wins: the teacher knows the moves and contradicts the results.
    let lost = pgn(40).replace("1-0", "0-1");
    let held_out = learned(lost.clone(), Some("teacher"), "pupil");
    assert!(held_out.policy < 0.7 && held_out.value > 1.2, "{held_out:?}");
    let alone = learned(lost, None, "alone");
    assert!(alone.value < 0.3, "{alone:?}");
    let teacher = NetworkInfo::read(&at("teacher")).unwrap();
    assert_eq!(NetworkInfo::read(&at("pupil")).unwrap().provenance["teacher"], teacher.hash);
}

#[test]
fn a_network_learns_from_the_records_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let reports = run(&smallest(&[]), &at("run"));
    let rows: u64 =
        reports.iter().flat_map(|report| &report.learning).map(|learning| learning.new_rows).sum();
    let games: u64 = reports.iter().flat_map(|report| &report.games).map(|games| games.games).sum();
    let lesson = learn_from(&smallest(&[]), &[at("run")], None, &at("whole"), &Silent, &GO_ON).unwrap();
    let held_out: u64 = lesson.held_out.values().map(|losses| losses.rows).sum();
    assert_eq!((lesson.games, lesson.skipped, lesson.rows + held_out), (games, 0, rows));
    let part =
        learn_from(&smallest(&[]), &[at("run/generation-0001/games")], None, &at("part"), &Silent, &GO_ON)
            .unwrap();
    assert!(part.games < games);
}

#[test]
fn what_cannot_be_learned_from_is_named_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("games.pgn"), pgn(1)).unwrap();
    fs::write(at("games.txt"), pgn(1)).unwrap();
    fs::write(at("untagged.pgn"), format!("[Result \"1-0\"]\n\n{SCHOLARS_MATE} 1-0\n")).unwrap();
    fs::write(at("short.pgn"), "[Result \"1-0\"]\n\n1. e4 1-0\n").unwrap();
    fs::write(at("taken"), "a network").unwrap();
    let refused = |settings: &[&str], source: &str, output: &str, words: &[&str]| {
        let config = smallest(settings);
        let error =
            learn_from(&config, &[at(source)], None, &at(output), &Silent, &GO_ON).unwrap_err().to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
        assert!(!at("network").exists());
    };
    refused(&["variant=century"], "games.pgn", "network", &["games.pgn", "no game of century"]);
    // It is chess, and the config's variant is Chess++.
    refused(&[], "untagged.pgn", "network", &["untagged.pgn", "no game of chesspp", "Variant"]);
    refused(&[], "nowhere.pgn", "network", &["nowhere.pgn"]);
    refused(&[], "", "network", &["no shards (*.parquet) in it"]);
    refused(&[], "games.txt", "network", &["games.txt", ".pgn", ".parquet"]);
    refused(&["variant=chess"], "short.pgn", "network", &["short.pgn", "1 training samples"]);
    refused(&["variant=chess"], "games.pgn", "taken", &["taken", "already"]);
    assert_eq!(fs::read_to_string(at("taken")).unwrap(), "a network");
    // The output is tried before anything is read.
    refused(&[], "nowhere.pgn", "taken/network", &["taken/network"]);
    // Teachers: one of another game, and a file that is no network.
    let century = Network::untrained(Architecture::tower(8, 1), Century::LAYOUT, 1).unwrap();
    century.save(&at("century.safetensors")).unwrap();
    for (teacher, words) in [("century.safetensors", "century"), ("games.txt", "games.txt")] {
        let (config, sources) = (smallest(&["variant=chess"]), [at("games.pgn")]);
        let error = learn_from(&config, &sources, Some(&at(teacher)), &at("network"), &Silent, &GO_ON);
        let error = error.unwrap_err().to_string();
        assert!(error.contains(teacher) && error.contains(words) && !at("network").exists(), "{error}");
    }
    let stopped = AtomicBool::new(true);
    let config = smallest(&["variant=chess"]);
    let error = learn_from(&config, &[at("games.pgn")], None, &at("network"), &Silent, &stopped).unwrap_err();
    assert!(matches!(error, TrainingError::Stopped) && !at("network").exists());
}
