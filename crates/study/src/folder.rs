//! A study's folder: its only state. What has been done is read off which files exist and are whole.
//!
//! ```text
//! studies/<name>/study.toml                             the study's file
//! studies/<name>/registered.json                        its hash and text before the first game
//! studies/<name>/agents/<agent>-<seed>/                 runs of the agents it trains
//! studies/<name>/games/<cell>/shard-0000-<hash>.parquet a cell's games
//! studies/<name>/matches/<match>.json                   strength and equivalence
//! studies/<name>/endings/<cell>.<ending>.json           exact endings as they were played
//! studies/<name>/analyses/<cell>.json                   what was asked of networks beside games
//! studies/<name>/looks.json                             when the results were looked at
//! studies/<name>/metrics.json, report.html, ...         what has been found, made anew each time
//! ```

use crate::StudyError;
use crate::config::{StudyConfig, StudyFile};
use crate::data::{Cell, NetworkId};
use catapult_network::file_hash;
use catapult_training::TrainingError;
use catapult_training::run::{UNFINISHED, lock, read_json, write_atomically, write_json};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Keys (and tables) that may change when there are games: they touch none of them.
const CHANGEABLE: &[&str] = &["title", "resampling", "machine", "endpoints", "endings.tables"];

/// What was registered before the first game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Registered {
    /// BLAKE3 of the study's file, hexadecimal.
    pub hash: String,
    /// Its text.
    pub text: String,
}

/// An opened study's folder; no other process has it open.
#[derive(Debug)]
pub struct Folder {
    dir: PathBuf,
    registered: Registered,
    registered_config: StudyConfig,
    hash: String,
    changes: Vec<String>,
    _lock: File,
}

impl Folder {
    /// Opens a study's folder, or begins it if there is nothing there.
    ///
    /// # Errors
    /// The folder belongs to something else, to a study of other games (the keys are named), or is in use.
    pub fn open(dir: &Path, study: &StudyFile) -> Result<Folder, StudyError> {
        let now = &study.config;
        Folder::open_as(dir, "study.toml", &study.text, now, |before| {
            let before = StudyConfig::parse(before)?;
            let changes = changed_keys(&before, now, "agents", CHANGEABLE);
            Ok((before, changes))
        })
    }

    /// The same of any file that a study is made of: its name in the folder, its text, the study, and how what was registered is read,
    /// with the keys in which the file differs from it.
    pub(crate) fn open_as(
        dir: &Path,
        file: &str,
        text: &str,
        config: &StudyConfig,
        read: impl FnOnce(&str) -> Result<(StudyConfig, Vec<Change>), String>,
    ) -> Result<Folder, StudyError> {
        std::fs::create_dir_all(dir).map_err(|e| StudyError::file(dir, e))?;
        let (copy, registration) = (dir.join(file), dir.join("registered.json"));
        if !registration.exists() && holds_something_else(dir, file)? {
            let reason =
                "is not empty and holds no registered.json, so it is no study's; choose another --out folder";
            return Err(StudyError::NotAStudy { dir: dir.to_owned(), reason: reason.into() });
        }
        let lock = lock(dir)?;
        let mut changes = Vec::new();
        let mut registered_config = config.clone();
        if registration.exists() {
            let registered: Registered = read_json(&registration)?;
            let (before, found) = read(&registered.text)
                .map_err(|reason| StudyError::Damaged { file: registration.clone(), reason })?;
            let refused: Vec<&str> =
                found.iter().filter(|c| !c.is_allowed).map(|c| c.text.as_str()).collect();
            if !refused.is_empty() {
                return Err(StudyError::OtherStudy { dir: dir.to_owned(), keys: refused.join(", ") });
            }
            changes = found.into_iter().map(|change| change.text).collect();
            registered_config = before;
        }
        write_atomically(&copy, text.as_bytes())?;
        let hash = file_hash(&copy)?;
        let registered = match registration.exists() {
            true => read_json(&registration)?,
            false => Registered { hash: hash.clone(), text: text.to_owned() },
        };
        Ok(Folder { dir: dir.to_owned(), registered, registered_config, hash, changes, _lock: lock })
    }

    /// Registers the study's file, if it is not: from now on it is told what changes in it. Before the first game.
    ///
    /// # Errors
    /// The registration can't be written.
    pub fn register(&self) -> Result<(), StudyError> {
        let path = self.dir.join("registered.json");
        if !path.exists() {
            write_json(&path, &self.registered)?;
        }
        Ok(())
    }

    /// The folder itself.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// BLAKE3 of the study's file as it was registered before the first game.
    pub fn registered_hash(&self) -> &str {
        &self.registered.hash
    }

    /// What the study's file said before the first game.
    pub fn registered_config(&self) -> &StudyConfig {
        &self.registered_config
    }

    /// The file that says when the results were looked at.
    pub(crate) fn looks(&self) -> PathBuf {
        self.dir.join("looks.json")
    }

    /// BLAKE3 of the study's file as it is now.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Keys that have changed since the registration, with both values.
    pub fn changes(&self) -> &[String] {
        &self.changes
    }

    /// The run folder of a network that the study trains.
    pub fn agent(&self, network: &NetworkId) -> PathBuf {
        agent_dir(&self.dir, &network.to_string())
    }

    /// The folder of a cell's games.
    pub fn games(&self, cell: &Cell) -> PathBuf {
        games_dir(&self.dir, cell)
    }

    /// The file of a match.
    pub fn game_match(&self, name: &str) -> PathBuf {
        match_path(&self.dir, name)
    }

    /// The file of a network's games of an ending.
    pub fn ending(&self, name: &str) -> PathBuf {
        ending_path(&self.dir, name)
    }

    /// The file of a cell's analysis.
    pub fn analysis(&self, cell: &Cell) -> PathBuf {
        analysis_path(&self.dir, cell)
    }
}

/// The run folder of a network in a study's folder.
pub(crate) fn agent_dir(study: &Path, network: &str) -> PathBuf {
    study.join("agents").join(network)
}

/// The folder of a cell's games in a study's folder.
pub(crate) fn games_dir(study: &Path, cell: &Cell) -> PathBuf {
    study.join("games").join(cell.to_string())
}

/// The file of a match in a study's folder.
pub(crate) fn match_path(study: &Path, name: &str) -> PathBuf {
    let name = name.replace(|c: char| !c.is_ascii_alphanumeric() && !"-_.+".contains(c), "-");
    study.join("matches").join(format!("{name}.json"))
}

/// The file of a network's games of an ending in a study's folder.
pub(crate) fn ending_path(study: &Path, name: &str) -> PathBuf {
    study.join("endings").join(format!("{name}.json"))
}

/// The file of a cell's analysis in a study's folder.
pub(crate) fn analysis_path(study: &Path, cell: &Cell) -> PathBuf {
    study.join("analyses").join(format!("{cell}.json"))
}

/// Whether a folder holds anything but trained agents, which may have been put there beforehand, and what a study that was killed
/// at once leaves.
fn holds_something_else(dir: &Path, file: &str) -> Result<bool, StudyError> {
    let entries = dir.read_dir().map_err(|e| StudyError::file(dir, e))?;
    let mut names = entries.flatten().map(|entry| entry.file_name());
    let known = |name: &std::ffi::OsString| {
        ["agents", "lock", file].iter().any(|known| name == known)
            || name.to_string_lossy().starts_with(UNFINISHED)
    };
    Ok(names.any(|name| !known(&name)))
}

/// A key in which two studies differ.
pub(crate) struct Change {
    text: String,
    /// Whether no game that has been played is another game by it: the key touches none, or more is asked for.
    is_allowed: bool,
}

/// The keys in which two studies differ; `changeable` ones may. What stands under `named` are tables with names of their own.
pub(crate) fn changed_keys<C: Serialize>(
    before: &C,
    now: &C,
    named: &str,
    changeable: &[&str],
) -> Vec<Change> {
    // Both were read from text, so they have one; what has a name is told apart by it.
    let table = |config: &C| {
        let mut table = toml::Table::try_from(config).unwrap_or_default();
        if let Some(toml::Value::Array(agents)) = table.remove(named) {
            let name =
                |agent: &toml::Value| agent.get("name").and_then(|name| name.as_str()).map(str::to_owned);
            let by_name = agents.into_iter().filter_map(|agent| Some((name(&agent)?, agent))).collect();
            table.insert(named.into(), toml::Value::Table(by_name));
        }
        table
    };
    let mut changes = Vec::new();
    compare("", (&table(before), &table(now)), changeable, &mut changes);
    changes
}

fn compare(
    prefix: &str,
    (before, now): (&toml::Table, &toml::Table),
    changeable: &[&str],
    changes: &mut Vec<Change>,
) {
    let keys: std::collections::BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    for key in keys {
        let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        let may = changeable.iter().any(|known| path == *known || path.starts_with(&format!("{known}.")));
        match (before.get(key), now.get(key)) {
            (Some(toml::Value::Table(before)), Some(toml::Value::Table(now))) => {
                compare(&path, (before, now), changeable, changes);
            }
            (before, now) if before == now => {}
            (Some(before), Some(now)) => {
                let is_allowed = may || is_prolonged(before, now);
                changes.push(Change { text: format!("{path} (was {before}, is {now})"), is_allowed });
            }
            (Some(before), None) => {
                changes.push(Change { text: format!("{path} (was {before}, is gone)"), is_allowed: may });
            }
            (None, now) => {
                let now = now.map(ToString::to_string).unwrap_or_default();
                changes.push(Change { text: format!("{path} (was not there, is {now})"), is_allowed: true });
            }
        }
    }
}

/// Whether a list begins with the other: more arms, seeds, levels or opponents leave what has been played as it is.
fn is_prolonged(before: &toml::Value, now: &toml::Value) -> bool {
    match (before, now) {
        (toml::Value::Array(before), toml::Value::Array(now)) => now.starts_with(before),
        _ => false,
    }
}

impl From<TrainingError> for StudyError {
    fn from(error: TrainingError) -> StudyError {
        match error {
            TrainingError::Stopped => StudyError::Stopped,
            TrainingError::File { file, error } => StudyError::File { file, error },
            TrainingError::Config { file, reason } => StudyError::Config { file, reason },
            TrainingError::Damaged { file, reason } => StudyError::Damaged { file, reason },
            TrainingError::InUse(dir) => StudyError::InUse(dir),
            error => StudyError::Training(error),
        }
    }
}
