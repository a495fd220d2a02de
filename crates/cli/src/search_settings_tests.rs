//! Tests that every search setting is in every interface and in the reference. The Python package
//! has a test of its own (`python/tests/test_engine.py`).
#![allow(clippy::unwrap_used)]

use catapult_arena::SearchSettings;
use catapult_engine::uci::{EngineFactory, NewEngine, Options, Uci};
use catapult_engine::{Limits, Settings, Snapshot, Thinker};
use catapult_mcts::{Algorithm, EvaluationError, SearchConfig, SettingRow, SettingValues};
use catapult_rules::{AnyGame, Move, Variant};
use catapult_training::TrainConfig;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Line of the page that separates the part written by hand from the generated part.
const GENERATED: &str =
    "<!-- Generated from here on: run the tests of catapult-cli with UPDATE_EXPECT=1 after a change. -->\n";

/// Engine that records its settings.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Settings>>);

impl Thinker for Recorder {
    fn set_game(&mut self, _: &dyn AnyGame) -> Result<(), String> {
        Ok(())
    }

    fn set_settings(&mut self, settings: Settings) {
        *self.0.lock().unwrap() = settings;
    }

    fn start(&mut self, _: Limits, _: Duration) {}

    fn step(&mut self, _: &dyn Fn() -> Duration) -> Result<bool, EvaluationError> {
        Ok(false)
    }

    fn ponder_hit(&mut self, _: Duration) {}

    fn stop(&mut self) {}

    fn forget(&mut self) {}

    fn is_thinking(&self) -> bool {
        false
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot::default()
    }

    fn sample_move(&self, _: f32, _: u64) -> Option<(Move, Option<Move>)> {
        None
    }

    fn simulations(&self) -> u32 {
        0
    }
}

impl EngineFactory for Recorder {
    fn create(&self, _: Variant, _: &Options) -> Result<NewEngine, String> {
        Ok(NewEngine { engine: Box::new(self.clone()), description: String::new(), ladder: None })
    }
}

/// Settings of a search as key and value.
type Pairs<'a> = [(&'a str, &'a str)];

/// Function that reads settings through an interface.
type Reader = fn(&Pairs) -> Result<SearchConfig, String>;

/// Returns the name of the UCI option of a setting. Two settings have options in other units.
fn option_name(key: &str) -> &str {
    match key {
        "draw_score" => "DrawScore",
        "memory_limit" => "Hash",
        key => key,
    }
}

fn from_uci(pairs: &Pairs) -> Result<SearchConfig, String> {
    let recorder = Recorder::default();
    let mut uci = Uci::new(recorder.clone());
    let mut lines = uci.line("isready", Duration::ZERO);
    let declared = uci.line("uci", Duration::ZERO).join("\n");
    for (key, value) in pairs {
        let value = match *key {
            "draw_score" => (value.parse::<f64>().unwrap() * 100.0).to_string(),
            "memory_limit" => (value.parse::<u64>().unwrap() >> 19).to_string(),
            _ => (*value).to_owned(),
        };
        let name = option_name(key);
        if !declared.contains(&format!("option name {name} type ")) {
            return Err(format!("`uci` does not list {name}"));
        }
        lines.extend(uci.line(&format!("setoption name {name} value {value}"), Duration::ZERO));
    }
    match lines.iter().find(|line| line.contains("error")) {
        Some(error) => Err(error.clone()),
        None => Ok(recorder.0.lock().unwrap().search),
    }
}

fn from_list(pairs: &Pairs) -> Result<SearchConfig, String> {
    let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
    pairs.join(",").parse::<SearchSettings>()?.config(64)
}

fn from_toml(pairs: &Pairs) -> Result<SearchConfig, String> {
    let quickstart = include_str!("../../../configs/quickstart.toml");
    let mut text = quickstart.split("[search]\n").next().unwrap().to_owned() + "[search]\n";
    for (key, value) in pairs {
        let is_name = value.parse::<f64>().is_err() && value.parse::<bool>().is_err();
        let quote = if is_name { "\"" } else { "" };
        _ = writeln!(text, "{key} = {quote}{value}{quote}");
    }
    Ok(TrainConfig::parse(&text, &[])?.search)
}

/// Returns a valid value that is not the default. It is a multiple of the units of all interfaces.
fn other_value(row: &SettingRow) -> &'static str {
    match &row.values {
        SettingValues::Number(..) => "0.75",
        SettingValues::Flag if row.get(&SearchConfig::default()) == "false" => "true",
        SettingValues::Flag => "false",
        SettingValues::Bytes(_) => "1048576",
        SettingValues::Whole(..) | SettingValues::WholeOrNone => "3",
        SettingValues::Names(names) => names.last().unwrap(),
    }
}

#[test]
fn every_search_setting_is_in_every_interface_and_in_the_reference() {
    let quickstart = include_str!("../../../configs/quickstart.toml");
    let mut missing = Vec::new();
    for row in SearchConfig::rows() {
        let (key, value) = (row.key, other_value(&row));
        let algorithm = ("algorithm", row.algorithm.map_or("gumbel", Algorithm::name));
        let mut pairs = vec![(key, value)];
        pairs.extend((key != "algorithm").then_some(algorithm));
        let readers: [(&str, Reader); 3] =
            [("TOML", from_toml), ("UCI", from_uci), ("a player's name", from_list)];
        for (interface, read) in readers {
            let found = read(&pairs).map(|table| row.get(&table));
            let expected = row.in_matches || interface == "TOML";
            // Self-play's noise and temperature are in configs alone.
            if found.as_ref().is_ok_and(|found| found == value) != expected {
                missing.push(format!("{interface}: {key} = {value}: {found:?}"));
            }
        }
        if !quickstart.lines().any(|line| line.trim_start_matches("# ").starts_with(&format!("{key} = "))) {
            missing.push(format!("configs/quickstart.toml: {key}"));
        }
        if row.meaning.len() < 20 || !row.meaning.ends_with('.') {
            missing.push(format!("meaning of {key}: {}", row.meaning));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Returns the generated part of the page: one row per setting.
fn reference() -> String {
    let mut page =
        "\n| setting | default | allowed | used by | meaning |\n|---|---|---|---|---|\n".to_owned();
    for row in SearchConfig::rows() {
        let default = match row.get(&SearchConfig::default()) {
            none if none.is_empty() => "none".to_owned(),
            value => format!("`{value}`"),
        };
        let algorithm = row.algorithm.map_or(String::new(), |name| format!("`{}`", name.name()));
        let place = if row.in_matches { "" } else { "self-play" };
        let place =
            [algorithm.as_str(), place].iter().filter(|it| !it.is_empty()).copied().collect::<Vec<_>>();
        let meaning = row.meaning.replace('|', "\\|");
        _ = writeln!(
            page,
            "| `{}` | {default} | {} | {} | {meaning} |",
            row.key,
            row.values,
            place.join(", ")
        );
    }
    page
}

#[test]
fn the_committed_page_of_search_settings_is_the_generated_one() {
    let page = include_str!("../../../docs/search.md");
    let (by_hand, _) = page.split_once(GENERATED).expect("the page has the line that ends the part by hand");
    expect_test::expect_file!["../../../docs/search.md"]
        .assert_eq(&format!("{by_hand}{GENERATED}{}", reference()));
}

/// The table of options in `docs/uci.md` has the engine's own options, with their bounds and
/// defaults.
#[test]
fn the_page_lists_the_options_of_the_engine() {
    let page = include_str!("../../../docs/uci.md");
    let rows: Vec<Vec<&str>> = page.lines().map(|line| line.split(" | ").collect()).collect();
    for line in Options::default().declarations() {
        let (name, rest) = line.strip_prefix("option name ").unwrap().split_once(" type ").unwrap();
        if SearchConfig::row(name).is_some() {
            continue;
        }
        let row = rows.iter().find(|row| row[0] == format!("| `{name}`"));
        let values = row.unwrap_or_else(|| panic!("docs/uci.md: no row of {name}"))[1];
        let words: Vec<&str> = rest.split(' ').collect();
        let expected = match words[..] {
            ["spin", "default", now, "min", low, "max", high] => {
                vec![format!("{low} to {high}"), format!("; {now}")]
            }
            ["check", "default", now] => vec![format!("true, false; {now}")],
            _ => Vec::new(),
        };
        assert!(
            expected.iter().all(|part| values.contains(part.as_str())),
            "{name}: {values}, not {expected:?}"
        );
    }
}
