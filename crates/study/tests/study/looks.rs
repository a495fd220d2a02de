//! Tests of registrations and of looks at the results.

use super::{STUDY, desk};
use catapult_report::results::{LookTaken, StudyResults, Verdict, Withheld};
use catapult_study::StudyError;
use catapult_study::config::StudyFile;
use catapult_study::progress::StudyProgress;
use catapult_study::run::{run, variances};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

struct Silent;
impl catapult_training::progress::Progress for Silent {}
impl StudyProgress for Silent {}

/// Returns the text of a quick study: one agent with two taken networks, and one arm compared with
/// a fixed value.
fn small() -> String {
    let games = &STUDY[STUDY.find("[games]").unwrap()..STUDY.find("[strength]").unwrap()];
    let rest = &STUDY[STUDY.find("[analysis]").unwrap()..];
    let rest =
        rest.replacen("arm = \"chesspp+free\"\ncontrol = \"chess\"", "arm = \"chess\"\nagainst = 0.5", 1);
    format!(
        "name = \"small\"\ntitle = \"A study for tests\"\nseed = 5\ncontrol = \"chess\"\narms = [\"chess\"]\n\n\
         [[agents]]\nname = \"alone\"\narms = [\"chess\"]\nseeds = [1, 2]\n\
         taken = [\"a.safetensors\", \"b.safetensors\"]\n\n{games}{rest}"
    )
}

fn with(text: &str, desk: &Path) -> StudyFile {
    fs::write(desk.join("study.toml"), text).unwrap();
    StudyFile::read(&desk.join("study.toml")).unwrap()
}

fn look(text: &str, desk: &Path) -> Result<StudyResults, StudyError> {
    run(&with(text, desk), &desk.join("out"), "the command", &Silent, &AtomicBool::new(false))
}

fn looks(desk: &Path) -> Vec<LookTaken> {
    serde_json::from_slice(&fs::read(desk.join("out/looks.json")).unwrap()).unwrap()
}

/// Returns the warnings of a study as they are printed.
fn said(results: &StudyResults) -> Vec<String> {
    results.warnings.iter().map(catapult_report::warnings::warning).collect()
}

#[test]
fn every_look_at_effects_is_counted_once() {
    let desk = desk();
    let desk = desk.path();
    let text = small();
    // A look at the scatter spends nothing and writes no report.
    let file = with(&text, desk);
    let seen = variances(&file, &desk.join("out"), &Silent, &AtomicBool::new(false)).unwrap();
    assert!(!desk.join("out/report.html").exists() && !desk.join("out/metrics.json").exists());
    assert!(seen.measures.is_empty() && seen.contrasts.is_empty() && seen.judgements[0].effect.is_none());
    assert!(looks(desk)[0].variances_only);

    let first = look(&text, desk).unwrap().registration;
    assert_eq!(first.alpha, 0.025);
    assert_eq!(looks(desk).len(), 2);
    assert_eq!(looks(desk)[1].networks, ["alone-1", "alone-2"]);
    assert_eq!(looks(desk)[1].levels, [2, 4]);
    // The same look again, also with another title, claim, thread count and comment, changes nothing.
    let bytes = fs::read(desk.join("out/looks.json")).unwrap();
    let other = text
        .replacen("A study for tests", "A study", 1)
        .replacen("fewer draws", "Fewer draws", 1)
        .replacen("threads = 2", "threads = 1 # one", 1);
    for text in [&text, &other] {
        let again = look(text, desk).unwrap();
        assert_eq!((again.registration.alpha, &again.registration.looks), (0.025, &first.looks));
        assert!(!said(&again).iter().any(|warning| warning.contains("looked at")), "{:?}", again.warnings);
        assert_eq!(fs::read(desk.join("out/looks.json")).unwrap(), bytes);
    }
    // Another level is another look, and a warning reports it.
    let more = text.replacen("simulations = [2, 4]", "simulations = [2, 4, 6]", 1);
    let second = look(&more, desk).unwrap();
    assert!((second.registration.alpha - 0.05 / 6.0).abs() < 1e-12);
    let warnings = said(&second);
    let told = warnings.iter().find(|warning| warning.contains("looked at once before")).unwrap();
    assert!(told.contains("level 6"), "{told}");
    assert_eq!(second.registration.looks.len(), 3);
    // The first look keeps its significance level, also if an earlier version recorded it.
    assert_eq!(look(&text, desk).unwrap().registration.alpha, 0.025);
    let mut recorded = looks(desk);
    recorded.iter_mut().for_each(|look| look.hashes.clear());
    fs::write(desk.join("out/looks.json"), serde_json::to_vec(&recorded).unwrap()).unwrap();
    let again = look(&text, desk).unwrap().registration;
    assert_eq!((again.alpha, again.looks.last()), (0.025, first.looks.last()));
    // Another network under the same name is another look.
    fs::copy(desk.join("third.safetensors"), desk.join("a.safetensors")).unwrap();
    let replaced = look(&text, desk).unwrap().registration;
    assert!((replaced.alpha - 0.05 / 12.0).abs() < 1e-12, "{}", replaced.alpha);
    // Two seeds cannot be one network.
    fs::copy(desk.join("b.safetensors"), desk.join("a.safetensors")).unwrap();
    let error = look(&text, desk).unwrap_err().to_string();
    assert!(error.contains("agents.alone.taken: a.safetensors and b.safetensors are the same"), "{error}");
}

#[test]
fn a_registered_set_of_seeds_is_judged_once_it_is_there() {
    let desk = desk();
    let desk = desk.path();
    let registered = small().replacen("[games]", "[registered]\nseeds = 2\n\n[games]", 1);
    let one = registered.replacen("seeds = [1, 2]", "seeds = [1]", 1).replacen(
        "taken = [\"a.safetensors\", \"b.safetensors\"]",
        "taken = [\"a.safetensors\"]",
        1,
    );
    let early = look(&one, desk).unwrap();
    let judgement = &early.judgements[0];
    assert_eq!((judgement.verdict, &judgement.effect), (Verdict::Open, &None));
    let missing = Withheld::MissingSeeds { agent: "alone".to_owned(), present: 1, registered: 2 };
    assert_eq!(judgement.withheld, Some(missing));
    assert!(early.measures.is_empty() && !desk.join("out/report.html").exists());
    assert!(looks(desk)[0].variances_only);

    let complete = look(&registered, desk).unwrap();
    assert_eq!(complete.registration.alpha, 0.05, "all that there is");
    assert!(complete.judgements[0].effect.is_some() && desk.join("out/report.html").exists());

    // The registered number cannot change. Seeds beyond it give a warning and no significance
    // level.
    let error = look(&registered.replacen("seeds = 2\n\n", "seeds = 1\n\n", 1), desk).unwrap_err();
    assert!(matches!(&error, StudyError::OtherStudy { keys, .. } if keys.contains("registered")), "{error}");
    let error = look(&small(), desk).unwrap_err();
    assert!(matches!(&error, StudyError::OtherStudy { keys, .. } if keys.contains("registered")), "{error}");
    let more = registered.replacen("seeds = [1, 2]", "seeds = [1, 2, 3]", 1).replacen(
        "\"b.safetensors\"]",
        "\"b.safetensors\", \"third.safetensors\"]",
        1,
    );
    let beyond = look(&more, desk).unwrap();
    assert!(said(&beyond).iter().any(|warning| warning.contains("1 beyond the 2")), "{:?}", beyond.warnings);
    assert_eq!(beyond.registration.alpha, 0.0);
}

#[test]
fn what_is_registered_after_the_first_game_registers_nothing() {
    let desk = desk();
    let desk = desk.path();
    look(&small(), desk).unwrap();
    let late = small().replacen("[games]", "[registered]\nseeds = 12\n\n[games]", 1);
    let results = look(&late, desk).unwrap();
    assert!(results.judgements[0].effect.is_some());
    assert!(
        said(&results).iter().any(|w| w.contains("does not count as registered")),
        "{:?}",
        results.warnings
    );
}
