//! Rules files: variants of Chess++ as text.
//!
//! A rules file is TOML. `base` is `"chesspp"`. `name` and `summary` are notes for people and have
//! no effect. Every other key sets one option, and its documentation is rules 17 to 29 of the
//! [rules page](catapult_rules::chess::chesspp). The proposals are keys of their own, such as
//! `third = true`. Missing keys are as in plain Chess++.
//!
//! ```
//! let text = "base = \"chesspp\"\nthird = true\nbare_king_keeps_catapults = false";
//! let variant = catapult_records::rules_file::parse(text)?;
//! assert_eq!(variant.to_string(), "chesspp+bare+third");
//! # Ok::<(), String>(())
//! ```

use catapult_rules::{Proposals, Variant, VariantError};
use catapult_store::BadSetting;
use std::collections::BTreeSet;
use std::path::Path;
use toml::{Table, Value};

/// Config keys whose values are variants, or arms of a study.
const KEYS: [&str; 5] = ["variant", "variants", "arm", "arms", "control"];

/// Keys that are not options.
const NOTES: [&str; 3] = ["base", "name", "summary"];

fn is_path(text: &str) -> bool {
    text.ends_with(".toml")
}

/// Returns the variant with a name, or the variant of a rules file. A text that ends in `.toml` is
/// the path of a rules file, relative to `folder`.
///
/// # Errors
/// The name is unknown, or the file cannot be read or is invalid. The message says which.
pub fn variant(text: &str, folder: &Path) -> Result<Variant, String> {
    if !is_path(text) {
        return text.parse().map_err(|error: VariantError| error.to_string());
    }
    let path = folder.join(text);
    let named = |reason: String| format!("{}: {reason}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|error| named(error.to_string()))?;
    parse(&text).map_err(named)
}

/// Parses the text of a rules file.
///
/// # Errors
/// The text is not TOML, `base` is missing, a key is unknown or has an invalid value, or options
/// conflict. For a key, the message contains the value and the allowed values.
pub fn parse(text: &str) -> Result<Variant, String> {
    let table: Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
    if !table.contains_key("base") {
        return Err(BadSetting::missing("base", "must be \"chesspp\"").into());
    }
    let mut rules = Proposals::NONE;
    for (key, value) in &table {
        let option = option(key, value).map_err(|allowed| BadSetting::new(key, value, allowed))?;
        rules = rules.with(option);
    }
    if let Some(reason) = rules.conflict(table.contains_key("catapults")) {
        return Err(reason.to_owned());
    }
    Ok(Variant::ChessPp(rules))
}

/// Returns the options that a key sets. The error describes the allowed values.
fn option(key: &str, value: &Value) -> Result<Proposals, String> {
    if let Some(row) = Proposals::NAMED.iter().find(|row| row.key.0 == key) {
        let chosen = value.as_bool().ok_or("must be true or false")?;
        return Ok(if chosen == row.key.1 { row.set } else { Proposals::NONE });
    }
    let number = Proposals::NUMBERS.iter().find(|number| number.key == key).map(|number| number.name);
    let text = || Proposals::TEXTS.iter().find(|text| text.1 == key).map(|text| text.0);
    if let Some(name) = number.or_else(text) {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let option = Proposals::option(&format!("{name}={text}"));
        return option.unwrap_or_else(|| Err("is not an option".to_owned()));
    }
    match (key, value.as_str()) {
        ("base", Some("chesspp")) | ("name" | "summary", Some(_)) => Ok(Proposals::NONE),
        ("base", _) => Err("must be \"chesspp\"".to_owned()),
        ("name" | "summary", None) => Err("must be a text".to_owned()),
        _ => {
            let named = Proposals::NAMED.iter().map(|row| row.key.0);
            let numbers = Proposals::NUMBERS.map(|number| number.key);
            let texts = Proposals::TEXTS.map(|text| text.1);
            let known: Vec<&str> = NOTES.into_iter().chain(named).chain(numbers).chain(texts).collect();
            let known = known.join(", ");
            Err(format!("no such key; allowed are {known}; other rules need code: docs/own-rule.md"))
        }
    }
}

/// Returns the text of a config with the paths of rules files replaced by the names of their
/// variants. Paths are relative to `folder`. They are replaced as values of the keys `variant`,
/// `variants`, `arm`, `arms` and `control`, in every table.
///
/// The stored text of a run or study therefore names no rules file. Its original config still does.
/// A text that is not TOML is returned unchanged.
///
/// # Errors
/// A rules file cannot be read or is invalid. The message names the file.
pub fn in_config(text: &str, folder: &Path) -> Result<String, String> {
    let Ok(table) = text.parse::<Table>() else { return Ok(text.to_owned()) };
    let mut paths = BTreeSet::new();
    find_paths(&Value::Table(table), false, &mut paths);
    paths.iter().try_fold(text.to_owned(), |text, path| {
        let name = format!("\"{}\"", variant(path, folder)?);
        Ok(text.replace(&format!("\"{path}\""), &name).replace(&format!("'{path}'"), &name))
    })
}

/// Returns a setting of the form `key=value` like [`in_config`]. Its paths are relative to the
/// current folder.
///
/// # Errors
/// A rules file cannot be read or is invalid. The message names the file.
pub fn in_setting(setting: &str) -> Result<String, String> {
    let bare = setting.split_once('=').filter(|(_, value)| is_path(value));
    let text = bare.map_or(setting.to_owned(), |(key, value)| format!("{key}=\"{value}\""));
    in_config(&text, Path::new(""))
}

fn find_paths(value: &Value, is_variant: bool, paths: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if is_variant && is_path(text) => {
            paths.insert(text.clone());
        }
        Value::Array(values) => values.iter().for_each(|value| find_paths(value, is_variant, paths)),
        Value::Table(table) => {
            table.iter().for_each(|(key, value)| find_paths(value, KEYS.contains(&key.as_str()), paths));
        }
        _ => {}
    }
}
