//! Test of a study with an arm in which neither side moves catapults.

use super::whole::{Watcher, bytes, run_in, study_in};
use super::{desk, files};
use catapult_records::{Shard, read_shard, verify_record};
use catapult_report as report;
use catapult_report::results::Verdict;
use catapult_rules::{ChessMove, ChessMoveKind, ChessPp, Plain, Position};
use catapult_study::StudyError;
use catapult_study::config::StudyConfig;
use std::fs;
use std::path::Path;

const WITHOUT: &str = "chesspp-without-catapult-moves";

/// A study in which taken networks play both arms. It has every kind of work that depends on the
/// arm.
const STUDY: &str = r#"
name = "without"
title = "A study for tests"
seed = 5
control = "chesspp"
arms = ["chesspp", "chesspp-without-catapult-moves"]

[[agents]]
name = "taken"
arms = ["chesspp", "chesspp-without-catapult-moves"]
seeds = [1, 2]
taken = ["a.safetensors", "b.safetensors"]

[games]
simulations = [2, 4]
per_level = 4
early_simulations = 2
per_shard = 2
sampled_plies = 4
ply_cap = 40

[strength]
games = 2
simulations = [4]
opponents = ["half", "alphabeta:1"]
ply_cap = 24

[worth]
kinds = ["teleports", "catapult-moves"]
games = 2
simulations = [4]

[analysis]
lines = 4
line_plies = 4

[resampling]
replicates = 100

[machine]
threads = 2
device = "cpu"

[[endpoints]]
claim = "fewer draws without catapult moves"
metric = "draw_rate"
arm = "chesspp-without-catapult-moves"
control = "chesspp"
levels = [2, 4]
direction = "lower"
smallest_effect = 0.05
"#;

/// Returns the shards of an arm's games.
fn shards(study: &Path, arm: &str) -> Vec<Shard> {
    let is_of_arm = |path: &Path| path.to_string_lossy().contains(&format!("/{arm}.taken-"));
    let paths = files(&study.join("games")).into_iter().filter(|path| is_of_arm(path));
    paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "parquet"))
        .map(|path| read_shard(&path).unwrap())
        .collect()
}

/// Returns the number of catapult moves played, and the number of plies at which one was legal.
/// Plies at which only catapult moves are legal do not count.
fn catapult_moves(shards: &[Shard]) -> [usize; 2] {
    let is_catapults = |mv| ChessMove::of(mv).kind == ChessMoveKind::Catapult;
    let mut counts = [0; 2];
    for game in shards.iter().flat_map(|shard| &shard.games) {
        verify_record(game).unwrap();
        let mut position = ChessPp::from_fen(&game.start_fen, Plain).unwrap();
        for &mv in &game.moves {
            let legal = position.legal_moves();
            let other = legal.iter().any(|&mv| !is_catapults(mv));
            counts[0] += usize::from(is_catapults(mv) && other);
            counts[1] += usize::from(legal.iter().any(|&mv| is_catapults(mv)) && other);
            position.play(mv);
        }
    }
    counts
}

#[test]
fn in_an_arm_without_catapult_moves_neither_side_makes_one() {
    let desk = desk();
    let file = desk.path().join("study.toml");
    // The arm is added after the first games.
    let both = "[\"chesspp\", \"chesspp-without-catapult-moves\"]";
    let before = STUDY.replace(both, "[\"chesspp\"]").split("[[endpoints]]").next().unwrap().to_owned();
    fs::write(&file, before).unwrap();
    run_in(desk.path(), "out", &Watcher::default()).unwrap();
    let out = desk.path().join("out");
    let played = bytes(&out);
    fs::write(&file, STUDY).unwrap();
    for stage in ["games (shards)", "strength (matches)"] {
        let error = run_in(desk.path(), "out", &Watcher::stopping_at(stage)).unwrap_err();
        assert!(matches!(error, StudyError::Stopped), "{stage}: {error}");
    }
    let results = run_in(desk.path(), "out", &Watcher::default()).unwrap();
    let after = bytes(&out);
    for part in ["games", "matches", "analyses"] {
        let of_part: Vec<_> = played.iter().filter(|(path, _)| path.starts_with(part)).collect();
        assert!(of_part.iter().all(|(path, bytes)| after[*path] == **bytes), "{part} stay as they are");
        assert!(!of_part.is_empty(), "{part}");
    }

    let [with, without] = ["chesspp", WITHOUT].map(|arm| shards(&out, arm));
    assert_eq!([with.len(), without.len()], [8, 8]);
    let forbidden = |shards: &[Shard]| -> Vec<Option<String>> {
        shards.iter().map(|shard| shard.metadata.get("forbidden").cloned()).collect()
    };
    assert_eq!(forbidden(&with), vec![None; 8]);
    assert_eq!(forbidden(&without), vec![Some("catapult-moves".to_owned()); 8]);
    let [made, legal] = catapult_moves(&without);
    assert!(made == 0 && legal > 100, "{made} of {legal}");
    assert!(catapult_moves(&with)[0] > 10);

    // Both sides go without these moves in the arm's matches, and no player loses a second kind.
    for strength in &results.strengths {
        let both = strength.result.forbidden.map(|forbidden| forbidden.both);
        assert_eq!(both, (strength.arm.to_string() == WITHOUT).then_some(true));
    }
    assert!(results.strengths.iter().any(|strength| strength.arm.without.is_some()));
    assert_eq!(results.worth.len(), 2 * 2);
    assert!(results.worth.iter().all(|strength| strength.arm.without.is_none()));
    let analysed = |path: &&std::path::PathBuf| path.starts_with("analyses");
    assert_eq!(after.keys().filter(analysed).count(), 2, "the networks in the arm with all moves");

    let value = |arm: &str| {
        let its = |m: &&report::results::Measure| {
            m.metric == "catapult_moves" && m.sample.arm.to_string() == arm && m.sample.simulations == 4
        };
        results.measures.iter().find(its).map(|measure| measure.estimate.value)
    };
    assert_eq!(value(WITHOUT), Some(0.0));
    assert!(value("chesspp").unwrap() > 0.0);
    let judgement = &results.judgements[0];
    assert_eq!((judgement.seeds.len(), judgement.networks), (2, 2), "each network plays both arms");
    assert_eq!(judgement.verdict, Verdict::NotSettled);
    assert!(judgement.effect.is_some());
    let read = report::read(&out).unwrap();
    assert_eq!(read.arms.iter().map(ToString::to_string).collect::<Vec<_>>(), ["chesspp", WITHOUT]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("Chess++ (neither side moves catapults)"), "the sentence of the claim");
    assert!(
        page.contains("neither side moves catapults unless no other move is legal"),
        "the words of the arm"
    );

    // Nothing is played again.
    run_in(desk.path(), "out", &Watcher::default()).unwrap();
    assert!(bytes(&out) == after);
    assert_eq!(study_in(desk.path()).config.cells().len(), 2 * 2 * 2);
}

#[test]
fn arms_that_cannot_be_are_refused_by_name() {
    let refused = |from: &str, to: &str| {
        let text = STUDY.replace(from, to);
        assert!(text != STUDY, "{from}");
        StudyConfig::parse(&text).unwrap_err()
    };
    let error = refused("without-catapult-moves", "without-castling");
    assert!(
        error.contains("`castling`") && error.contains("teleports, catapult-moves, catapult-captures"),
        "{error}"
    );
    let error = refused("chesspp-without-catapult-moves", "chess-without-teleports");
    assert!(error.contains("`chess` has no teleports"), "{error}");
    let error = refused("metric = \"draw_rate\"\n", "metric = \"opening_entropy_share\"\n");
    assert!(error.contains("opening_entropy_share") && error.contains(WITHOUT), "{error}");
    let worth = "kinds = [\"teleports\", \"catapult-moves\"]\n";
    let error = refused(worth, &format!("{worth}arms = [\"{WITHOUT}\"]\n"));
    assert!(error.contains("worth.arms") && error.contains(WITHOUT), "{error}");
}
