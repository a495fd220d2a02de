//! Tests of whole exams of tiny networks, with few games and simulations.

use super::whole::{Watcher, bytes};
use catapult_network::Network;
use catapult_report::exam::results::{ExamResults, Item, LeftOut, Line, Reason};
use catapult_rules::Variant;
use catapult_study::StudyError;
use catapult_study::exam::{self, Exam, Size};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// Tactical test suite of one position, in Chess++. A rook mates in one move.
const SUITE: &str =
    "6k1/5ppp/8/8/8/8/8/R3K3 w - - variant \"chesspp\"; fields \"-/-\"; bm a1a8; id \"back rank\";\n";

const MAXIM: catapult_encoding::Layout = <catapult_rules::Maxim as catapult_encoding::Encode>::LAYOUT;

fn size() -> Size {
    Size {
        quick: true,
        simulations: 4,
        worth_games: 4,
        endings: vec!["KQvK", "KRvK"],
        positions: 4,
        gates: (2, 6),
        common: (3, 5),
        deep: (4, 4),
        probed: 5,
        suite: [2, 4],
        replicates: 100,
    }
}

/// Returns a folder with a suite and an untrained network. The network's provenance names `variant`
/// as the games that it has learned.
fn desk<'a>(variant: impl Into<Option<&'a str>>, layout: catapult_encoding::Layout) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let architecture = toml::from_str("channels = 8\nblocks = 1\n").unwrap();
    let mut network = Network::untrained(architecture, layout, 1).unwrap();
    if let Some(variant) = variant.into() {
        network.provenance.insert("variant".to_owned(), variant.to_owned());
    }
    network.save(&dir.path().join("tiny.safetensors")).unwrap();
    fs::write(dir.path().join("suite.epd"), SUITE).unwrap();
    dir
}

fn exam_in(dir: &Path) -> Exam {
    Exam {
        network: dir.join("tiny.safetensors"),
        tables: tables().to_owned(),
        suite: dir.join("suite.epd"),
        size: size(),
        threads: 2,
    }
}

/// Returns the folder of solved tablebases, which the tests share.
fn tables() -> &'static Path {
    static SOLVED: OnceLock<tempfile::TempDir> = OnceLock::new();
    SOLVED.get_or_init(|| tempfile::tempdir().unwrap()).path()
}

fn run(dir: &Path, watcher: &Watcher) -> Result<ExamResults, StudyError> {
    exam::run(&exam_in(dir), &dir.join("out"), "catapult exam", watcher, &watcher.stop)
}

/// Adds every string in a JSON value to `found`. Keys of objects are not included.
fn strings(value: &serde_json::Value, found: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text) => found.push(text.clone()),
        serde_json::Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
        serde_json::Value::Object(items) => items.values().for_each(|item| strings(item, found)),
        _ => {}
    }
}

#[test]
fn an_exam_is_stopped_resumed_and_read() {
    let dir = desk("chess, chesspp", catapult_encoding::CHESS_LAYOUT);
    for stage in ["games (shards)", "endings (units)", "probes"] {
        let error = run(dir.path(), &Watcher::stopping_at(stage)).unwrap_err();
        assert!(matches!(error, StudyError::Stopped), "{stage}: {error}");
    }
    let found = run(dir.path(), &Watcher::default()).unwrap();
    let out = dir.path().join("out");
    let before = bytes(&out);
    assert_eq!(run(dir.path(), &Watcher::default()).unwrap(), found);
    assert_eq!(bytes(&out), before, "a finished exam changes nothing");

    let read: ExamResults = catapult_store::read_json(&out.join(exam::RESULTS_FILE)).unwrap();
    assert_eq!(read, found);
    let mut texts = Vec::new();
    strings(&serde_json::to_value(&found).unwrap(), &mut texts);
    let is_id = |text: &String| text.chars().all(|c| c.is_ascii_alphanumeric() || "-+._".contains(c));
    assert_eq!(texts.iter().filter(|text| !is_id(text)).collect::<Vec<_>>(), [""; 0]);

    assert_eq!((found.games.len(), found.network.as_str()), (2, "tiny"));
    let of = |item: Item| found.lines.iter().filter(|line| line.item == item).collect::<Vec<_>>();
    let parts = |item: Item| {
        let part = |line: &&Line| format!("{} {}", line.game, line.part.clone().unwrap_or_default());
        of(item).iter().map(part).collect::<Vec<_>>()
    };
    assert_eq!(parts(Item::Misuse), ["chesspp teleports", "chesspp catapult-moves"]);
    assert_eq!(parts(Item::Conversion), ["chess KQvK", "chess KRvK", "chesspp KQvK", "chesspp KRvK"]);
    assert_eq!(parts(Item::HungPieces), ["chess ", "chesspp "]);
    assert_eq!(parts(Item::Tactics), ["chesspp 2", "chesspp 4"]);
    for item in [Item::RookDraws, Item::WhiteScore, Item::Calibration] {
        let [line] = of(item)[..] else { panic!("{item:?}") };
        assert_eq!((line.observations, line.game), (6, Variant::Chess), "{item:?}");
        let (interval, gate) = (line.interval.unwrap(), line.gate.unwrap());
        assert_eq!(gate.verdict, gate.threshold.verdict(interval));
    }
    // An untrained network wins nothing against the tables, by Wilson: 0 of 4 is at most 49 %.
    let queen = of(Item::Conversion)[0];
    assert_eq!((queen.observations, queen.game, queen.value), (4, Variant::Chess, 0.0));
    let with_gate = found.lines.iter().filter(|line| line.gate.is_some()).count();
    assert_eq!(found.counts().iter().sum::<u32>() as usize, with_gate);
    let is_applicable = |left: &LeftOut| left.reason == Reason::NotMeasured && left.game.is_some();
    assert!(found.left_out.iter().all(is_applicable), "{:?}", found.left_out);
    let page = fs::read_to_string(out.join(exam::PAGE_FILE)).unwrap();
    for part in
        ["# Exam of tiny", "Quick exam", "conversion of won KQvK", "catapult tactics solved, 4 simulations"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }

    // Another suite is solved anew. Everything else stays.
    fs::write(dir.path().join("suite.epd"), SUITE.replace("back rank", "mate in one")).unwrap();
    let again = run(dir.path(), &Watcher::default()).unwrap();
    assert_eq!(again.lines.len(), found.lines.len());
    let after = bytes(&out);
    for (path, bytes) in &before {
        if ["games", "matches", "endings", "probes"].iter().any(|part| path.starts_with(part)) {
            let is_of_suite = path.to_string_lossy().contains("tactics");
            assert_eq!(after[path] != *bytes, is_of_suite, "{}", path.display());
        }
    }
}

#[test]
fn a_network_without_chess_and_tables_has_its_gates_listed_as_not_applicable() {
    let dir = desk("maxim", MAXIM);
    let found = run(dir.path(), &Watcher::default()).unwrap();
    let gates: Vec<Item> =
        found.lines.iter().filter(|line| line.gate.is_some()).map(|line| line.item).collect();
    assert_eq!(gates, [Item::Calibration]);
    let left = |item| found.left_out.iter().find(|left| left.item == item).map(|left| left.reason);
    for (item, reason) in [
        (Item::Misuse, Reason::NoCatapults),
        (Item::Conversion, Reason::NoTables),
        (Item::Clock, Reason::NoTables),
        (Item::RookDraws, Reason::NoChess),
        (Item::DrawSlope, Reason::NoChess),
        (Item::WhiteScore, Reason::NoChess),
        (Item::HungPieces, Reason::SeveralDecisions),
        (Item::MatesFound, Reason::SeveralDecisions),
        (Item::Tactics, Reason::NoCatapults),
    ] {
        assert_eq!(left(item), Some(reason), "{item:?}");
    }
}

#[test]
fn a_network_of_several_games_is_examined_in_chess_and_chesspp() {
    let dir = desk("chesspp+free, chess, chesspp", catapult_encoding::CHESS_LAYOUT);
    let study = exam_in(dir.path()).study().unwrap().config;
    let names = |arms: &[catapult_measures::Arm]| arms.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(names(&study.arms), ["chess", "chesspp"]);
    assert_eq!(names(&study.games.deep[0].arms), ["chess"]);
    assert_eq!(study.endings.unwrap().endings.len(), 2);
    assert_eq!(study.worth.unwrap().kinds.len(), 2);
    assert_eq!(study.probes.unwrap().suite.as_deref(), Some(SUITE));
}

#[test]
fn mistakes_name_the_file() {
    let dir = desk(None, catapult_encoding::CHESS_LAYOUT);
    let error = |exam: &Exam| exam.study().unwrap_err().to_string();
    let exam = exam_in(dir.path());
    let said = error(&exam);
    assert!(said.contains("tiny.safetensors") && said.contains("`variant`"), "{said}");
    fs::write(dir.path().join("noise.safetensors"), "noise").unwrap();
    let said = error(&Exam { network: dir.path().join("noise.safetensors"), ..exam.clone() });
    assert!(said.contains("noise.safetensors"), "{said}");
    let dir = desk("chesspp", catapult_encoding::CHESS_LAYOUT);
    fs::write(dir.path().join("suite.epd"), "4k3/8/8/8/8/8/8/R3K3 w - - id \"x\";").unwrap();
    let said = error(&exam_in(dir.path()));
    assert!(said.contains("suite.epd") && said.contains("line 1"), "{said}");
}

/// Replaces the network of a folder by another network of Maxim chess with the same file name.
fn replace_network(dir: &Path) {
    let file = dir.join("tiny.safetensors");
    let mut network = Network::load(&file, &MAXIM).unwrap();
    network.provenance.insert("note".to_owned(), "another".to_owned());
    network.save(&file).unwrap();
}

/// Checks that an exam in the folder `out` is refused and changes no file.
#[track_caller]
fn is_refused(dir: &Path) {
    let out = dir.join("out");
    let before = bytes(&out);
    let error = run(dir, &Watcher::default()).unwrap_err().to_string();
    assert!(error.contains("another network") && error.contains(out.to_str().unwrap()), "{error}");
    assert!(exam::plan(&exam_in(dir), &out).is_err());
    assert_eq!(bytes(&out), before);
}

#[test]
fn another_network_of_the_same_name_is_refused() {
    let dir = desk("maxim", MAXIM);
    let error = run(dir.path(), &Watcher::stopping_at("games (shards)")).unwrap_err();
    assert!(matches!(error, StudyError::Stopped), "{error}");
    replace_network(dir.path());
    is_refused(dir.path());
}

#[test]
fn a_study_reports_the_exam_beside_a_network() {
    let dir = desk("maxim", MAXIM);
    let exam = run(dir.path(), &Watcher::default()).unwrap();
    let page = |dir: &Path| fs::read_to_string(dir.join("out/report.html")).unwrap();
    assert!(page(dir.path()).contains("network-1: no exam"));
    let beside = dir.path().join("tiny.exam.json");
    fs::copy(dir.path().join("out").join(exam::RESULTS_FILE), &beside).unwrap();
    run(dir.path(), &Watcher::default()).unwrap();
    let [passed, failed, unresolved] = exam.counts();
    let line =
        format!("network-1: quick exam, {passed} gates passed, {failed} failed, {unresolved} unresolved");
    assert!(page(dir.path()).contains(&line), "{line}");
    // The exam of another file is reported and ignored.
    catapult_store::write_json(&beside, &ExamResults { hash: "another".to_owned(), ..exam }).unwrap();
    let watcher = Watcher::default();
    run(dir.path(), &watcher).unwrap();
    assert!(page(dir.path()).contains("network-1: no exam"));
    assert!(watcher.warnings.lock().unwrap().iter().any(|warning| warning.contains("tiny.exam.json")));
    // The results alone show whose exam it is.
    fs::remove_file(dir.path().join("out/network")).unwrap();
    replace_network(dir.path());
    is_refused(dir.path());
}
