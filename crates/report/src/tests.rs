//! Tests of the report of a synthetic study.

use super::synthetic::study;
use super::*;
use crate::results::{HeatMap, Judgement, StudyResults};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

#[path = "page_tests.rs"]
mod on_the_page;

/// Returns the contents of all files below a folder, by path.
fn files(dir: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(
                files(&path)
                    .into_iter()
                    .map(|(name, text)| (PathBuf::from(path.file_name().unwrap()).join(name), text)),
            );
        } else {
            found.insert(path.file_name().unwrap().into(), fs::read_to_string(&path).unwrap());
        }
    }
    found
}

fn written(results: &StudyResults) -> BTreeMap<PathBuf, String> {
    let dir = tempfile::tempdir().unwrap();
    write(results, dir.path()).unwrap();
    files(dir.path())
}

fn page(results: &StudyResults) -> String {
    written(results).remove(Path::new("report.html")).unwrap()
}

/// Parses a page as XML. Browsers are more lenient, but every tool reads well-formed pages.
fn tree(page: &str) -> roxmltree::Document<'_> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    roxmltree::Document::parse_with_options(page, options).unwrap()
}

/// Returns all text of a page, markup excluded.
fn words(page: &str) -> String {
    let tree = tree(page);
    tree.descendants().filter(|node| node.is_text()).filter_map(|node| node.text()).collect()
}

#[test]
fn every_picture_and_page_is_well_formed_and_needs_nothing_else() {
    let files = written(&study());
    let mut pictures = 0;
    for (name, text) in &files {
        match name.extension().and_then(|e| e.to_str()) {
            Some("svg") => {
                let tree = roxmltree::Document::parse(text).unwrap();
                assert_eq!(tree.root_element().tag_name().name(), "svg");
                assert!(tree.descendants().filter(|n| n.tag_name().name() == "text").count() > 3, "{name:?}");
                assert!(!text.contains("NaN") && !text.contains("inf"), "{name:?}");
                pictures += 1;
            }
            Some("html") => {
                words(text);
                for outside in ["<script", "<link", "<img", "@import", "url(", "src="] {
                    assert!(!text.contains(outside), "{outside}");
                }
            }
            _ => {}
        }
    }
    assert!(pictures >= 25, "{pictures}");
}

#[test]
fn the_page_links_only_to_what_is_there() {
    let page = page(&study());
    let tree = tree(&page);
    let mut ids = BTreeSet::new();
    for id in tree.descendants().filter_map(|node| node.attribute("id")) {
        assert!(ids.insert(id), "{id} stands twice");
    }
    for link in tree.descendants().filter_map(|node| node.attribute("href")) {
        assert!(ids.contains(link.strip_prefix('#').unwrap()), "{link}");
    }
    for label in tree.descendants().filter_map(|node| node.attribute("for")) {
        assert!(ids.contains(label), "{label}");
    }
}

#[test]
fn a_judged_rule_is_the_first_chapter() {
    let rule = super::synthetic::variant("chesspp");
    let mut results = StudyResults { rule: Some(rule), ..study() };
    let is_draws = |judgement: &&Judgement| {
        (judgement.endpoint.metric.as_str(), judgement.endpoint.arm) == ("draw_rate", rule)
    };
    let draws = results.judgements.iter().find(is_draws).unwrap().effect.clone().unwrap();
    let measure = results.measures.iter().find(|it| it.metric == "draw_rate" && it.sample == draws.arm);
    let percent = |share: f64| format!("{:.1}", 100.0 * share).replace('-', "−");
    let [value, difference] = [measure.unwrap().estimate.value, draws.difference.value].map(percent);
    let [other_seeds, these] = [draws.difference.rule.unwrap()[0], draws.difference.agents[0]];
    let interval = |low: f64| format!("{difference} pp [{}", percent(low));
    let said = words(&page(&results));
    let tests = "adjusted over 3 metrics per control";
    for part in ["What Chess++ changes", "Against chess", "Draw rate", &value, "bound 5.0 pp", tests] {
        assert!(said.contains(part), "{part}");
    }
    assert!(said.contains(&interval(other_seeds)) && said.contains("other seeds of this recipe"), "{said}");
    assert!(!said.contains("Claim by claim"), "the chapter has the verdicts");
    results.judgements.iter_mut().for_each(|it| it.scheme = crate::results::Scheme::TheseNetworks);
    let said = words(&page(&results));
    assert!(said.contains(&interval(these)) && said.contains("about these networks alone"), "{said}");
}

#[test]
fn the_same_results_make_the_same_bytes() {
    assert_eq!(written(&study()), written(&study()));
}

#[test]
fn results_read_back_as_they_were() {
    let dir = tempfile::tempdir().unwrap();
    write(&study(), dir.path()).unwrap();
    assert_eq!(read(dir.path()).unwrap(), study());
    let error = read(&dir.path().join("figures")).unwrap_err().to_string();
    assert!(error.contains("metrics.json"), "{error}");
    fs::write(dir.path().join(METRICS_FILE), "{}").unwrap();
    let error = read(dir.path()).unwrap_err().to_string();
    assert!(error.contains("has format 1; this version reads format 2"), "{error}");
    fs::write(dir.path().join(METRICS_FILE), "{\"format\": 3}").unwrap();
    assert!(read(dir.path()).unwrap_err().to_string().contains("has format 3"));
    fs::write(dir.path().join(METRICS_FILE), "{\"format\": 2}").unwrap();
    assert!(matches!(read(dir.path()), Err(StoreError::Damaged { .. })));
}

/// Adds every string that contains a space to `found`, as `key: text`. Keys whose values are free
/// text, such as `title`, are skipped.
fn phrases(value: &serde_json::Value, key: &str, found: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text) if text.contains(' ') => found.push(format!("{key}: {text}")),
        serde_json::Value::Array(items) => items.iter().for_each(|item| phrases(item, key, found)),
        serde_json::Value::Object(items) => {
            const WORDS: [&str; 5] = ["claim", "title", "question", "start", "command"];
            let others = items.iter().filter(|(key, _)| !WORDS.contains(&key.as_str()));
            others.for_each(|(key, item)| phrases(item, key, found));
        }
        _ => {}
    }
}

/// A file that is overwritten in place would be lost if the disk is full. Its second name would then
/// show the new bytes.
#[test]
fn files_are_replaced_whole() {
    let dir = tempfile::tempdir().unwrap();
    let (file, second) = (dir.path().join(METRICS_FILE), dir.path().join("second"));
    fs::write(&file, "before").unwrap();
    fs::hard_link(&file, &second).unwrap();
    write(&study(), dir.path()).unwrap();
    assert_eq!(fs::read_to_string(second).unwrap(), "before");
    assert!(read(dir.path()).is_ok());
}

#[test]
fn results_hold_no_free_text() {
    let results = study();
    assert!(!results.warnings.is_empty() && !results.placebos.is_empty() && !results.examples.is_empty());
    let mut found = Vec::new();
    phrases(&serde_json::to_value(&results).unwrap(), "", &mut found);
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn numbers_of_the_results_stand_on_the_page_and_in_the_table() {
    let mut results = study();
    results.measures.truncate(1);
    let measure = &mut results.measures[0];
    (measure.estimate.value, measure.estimate.agents) = (0.123_45, [0.111, 0.222]);
    measure.estimate.rule = Some([0.0101, 0.303]);
    measure.observations = 98_765;
    let network = &mut measure.networks[0];
    (network.value, network.error, network.without) = (0.25, 0.5, Some(0.75));
    let judgement = &mut results.judgements[0];
    judgement.adjusted_p = Some(0.0314);
    let last = judgement.effect.as_mut().unwrap();
    last.difference.value = -0.0717;
    last.difference.agents = [-0.0919, -0.0518];
    last.difference.rule = None;
    let files = written(&results);
    let said = words(&files[Path::new("report.html")]);
    // The draw rate is a share, so values are in per cent and differences in percentage points.
    for number in ["12.3", "[11.1, 22.2]", "[1.0, 30.3]", "98\u{202f}765"] {
        assert!(said.contains(number), "{number}");
    }
    let found = "Chess++ is drawn 7.2 points less often than chess [unknown for other seeds], with 3 networks per rule set.";
    for number in ["−7.2 pp", "[−9.2, −5.2]", "for other seeds open", found, "p = 0.03, adjusted"] {
        assert!(said.contains(number), "{number}");
    }
    let table: Vec<&str> = files[Path::new("metrics.csv")].lines().collect();
    assert_eq!(table[0], csv::HEAD);
    assert_eq!(
        table[1],
        "made-up,draw_rate,share,chess,chess,early,64,98765,0.12345,0.111,0.222,0.0101,0.303,"
    );
    assert_eq!(table.len(), 2);
    let networks: Vec<&str> = files[Path::new("networks.csv")].lines().collect();
    assert_eq!((networks[0], networks.len()), (csv::NETWORKS_HEAD, 1 + results.measures[0].networks.len()));
    assert_eq!(networks[1], "made-up,draw_rate,chess,chess,early,64,1,0.25,0.5,0.75");
}

#[test]
fn names_from_outside_are_escaped_everywhere() {
    let mut results = study();
    let bad = "<img src=x onerror=alert(1)>&\"'\u{7}";
    results.name = bad.to_owned();
    results.title = bad.to_owned();
    results.warnings = vec![crate::results::Warning::LateSeeds { agent: bad.to_owned() }];
    (results.provenance.command, results.provenance.file) = (bad.to_owned(), bad.to_owned());
    results.placebos[0].rule = bad.to_owned();
    for curve in &mut results.curves {
        curve.series = bad.to_owned();
    }
    for measure in results.measures.iter_mut().filter(|m| m.metric == "knowledge_needed") {
        (measure.metric, measure.sample.agent) = (bad.to_owned(), bad.to_owned());
    }
    for table in &mut results.tables {
        table.rows[0].0 = bad.to_owned();
        let doubt = crate::results::Doubt::Unfitted;
        table.notes = vec![crate::results::Note::PieceValues { fit: bad.to_owned(), doubt }];
    }
    for map in &mut results.heat_maps {
        map.map = bad.to_owned();
    }
    for strength in &mut results.strengths {
        strength.opponent = bad.to_owned();
    }
    let judgement = &mut results.judgements[0];
    (judgement.endpoint.claim, judgement.endpoint.metric) = (bad.to_owned(), bad.to_owned());
    let unmatched =
        Some(crate::results::Unmatched::NoMatches { arm: judgement.endpoint.arm, agent: bad.to_owned() });
    let mut gate = results.judgements[3].gates[3].clone();
    gate.kind = crate::results::GateKind::EqualStrength { unmatched };
    results.judgements[0].gates = vec![gate];
    let files = written(&results);
    for (name, text) in &files {
        let path = name.to_str().unwrap();
        assert!(path.chars().all(|c| c.is_ascii_alphanumeric() || "-./".contains(c)), "{path}");
        if path.ends_with("html") || path.ends_with("svg") {
            assert!(!text.contains("<img") && !text.contains('\u{7}'), "{path}");
            words(text);
        }
    }
    assert!(words(&files[Path::new("report.html")]).contains("<img src=x onerror=alert(1)>&\"'\u{fffd}"));
}

#[test]
fn an_empty_study_says_why_there_is_nothing() {
    let empty = StudyResults { name: "empty".to_owned(), title: "Nothing".to_owned(), ..Default::default() };
    let files = written(&empty);
    assert!(!files.keys().any(|name| name.starts_with("figures")));
    let said = words(&files[Path::new("report.html")]);
    for reason in ["No claim was registered", "Nothing was measured"] {
        assert!(said.contains(reason), "{reason}");
    }
    assert!(!files[Path::new("report.html")].contains("<svg"));
}

#[test]
fn what_is_no_number_is_left_out_and_the_rest_is_kept() {
    let mut results = study();
    let measures = results.measures.len();
    results.measures[3].estimate.value = f64::NAN;
    results.measures[4].estimate.rule = Some([f64::NEG_INFINITY, 1.0]);
    results.curves[0].points[2].1.agents[1] = f64::INFINITY;
    results.heat_maps.push(HeatMap { values: vec![f64::NAN; 64], ..results.heat_maps[0].clone() });
    let dir = tempfile::tempdir().unwrap();
    write(&results, dir.path()).unwrap();
    let read = read(dir.path()).unwrap();
    assert_eq!(read.measures.len(), measures - 1);
    assert_eq!(read.measures[3].estimate.rule, None);
    assert_eq!(read.curves[0].points.len(), study().curves[0].points.len() - 1);
    assert!(read.heat_maps.last().unwrap().values.iter().all(|v| *v == 0.0));
}
