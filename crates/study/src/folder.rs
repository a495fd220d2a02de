//! The folder of a study, which contains all its state. Work counts as done if its files exist and
//! are whole.
//!
//! Paths are relative to `studies/<name>/`.
//!
//! ```text
//! study.toml                               the study's file
//! registered.json                          its hash and text before the first game
//! agents/<agent>-<seed>/                   runs of the agents that the study trains
//! games/<cell>/shard-0000-<hash>.parquet   games of a cell
//! matches/<match>.json                     result of a match
//! matches/<match>.games.json               its games
//! endings/<cell>.<ending>.json             games from positions of endgame tablebases
//! analyses/<cell>.json                     evaluations of a network beyond its games
//! probes/<cell>.<probe>.json               probes of a network by an exam
//! network                                  hash of the network that an exam examines
//! looks.json                               looks at the results (at a URL: looks/<number>.json)
//! *.parquet                                one row per game, use and match game; rewritten
//!                                          by each run
//! metrics.json, report.html, ...           results; rewritten by each run
//! ```

use crate::StudyError;
use crate::config::{AblationConfig, StudyConfig, StudyFile, ablation, read_text};
use catapult_measures::data::{Cell, NetworkId};
use catapult_network::file_hash;
use catapult_store::{
    Difference, Location, StoreError, differences, json_bytes, open_folder, read_json, write_atomically,
};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Keys and tables of a study's file that may change after the first game, because no game depends
/// on them.
const CHANGEABLE: &[&str] = &["title", "resampling", "machine", "endpoints", "endings.tables"];

/// Name of the study's file in the folder.
pub(crate) const STUDY_FILE: &str = "study.toml";

/// Name of an ablation's plan in the folder.
pub(crate) const PLAN_FILE: &str = "plan.toml";

/// Name of the file that marks a folder as the folder of a study.
const REGISTRATION: &str = "registered.json";

/// Name of the file that contains the path of the study's original file. Only studies on many
/// machines have it.
const ORIGIN: &str = "origin";

/// Returns the registered config, and the keys in which `now` differs from it. `before` is the
/// registered text of the study's file or of the ablation's plan. For an ablation, the returned
/// config is `now`.
fn since(before: &str, now: &StudyConfig) -> Result<(StudyConfig, Vec<Difference>), String> {
    let Some(plan) = &now.ablation else {
        // It was checked when it was registered. A later version may check more.
        let before: StudyConfig = toml::from_str(before).map_err(|error| error.to_string())?;
        let changes = differences(&before, now);
        return Ok((before, changes));
    };
    let before = AblationConfig::parse(before)?;
    // The machine is no part of the plan.
    let plan = AblationConfig { machine: before.machine.clone(), ..plan.clone() };
    Ok((now.clone(), differences(&before, &plan)))
}

/// Returns the text and the config that are registered in the folder `dir`, and the keys in which
/// `study` differs from them. `None` if nothing is registered.
///
/// # Errors
/// A key differs on which games depend. The registration cannot be read.
pub(crate) fn registered_in(
    dir: &Path,
    study: &StudyFile,
) -> Result<Option<(Registered, StudyConfig, Vec<Difference>)>, StudyError> {
    let path = dir.join(REGISTRATION);
    if !path.exists() {
        return Ok(None);
    }
    let registered: Registered = read_json(&path)?;
    let (config, changes) =
        since(&registered.text, &study.config).map_err(|reason| StoreError::damaged(&path, reason))?;
    let changeable = if study.config.ablation.is_none() { CHANGEABLE } else { ablation::CHANGEABLE };
    // Additions and changeable keys do not alter any game already played.
    let may = |change: &Difference| change.is_addition() || change.is_under(changeable);
    let refused: Vec<String> =
        changes.iter().filter(|change| !may(change)).map(ToString::to_string).collect();
    if !refused.is_empty() {
        return Err(StudyError::OtherStudy { dir: dir.to_owned(), keys: refused.join(", ") });
    }
    Ok(Some((registered, config, changes)))
}

/// Text of a study's file before the first game. This is the content of `registered.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Registered {
    /// BLAKE3 hash (hex) of the study's file.
    pub hash: String,
    /// Text of the study's file.
    pub text: String,
}

/// The opened folder of a study.
#[derive(Debug)]
pub struct Folder {
    /// Location of the folder: a local path or a URL.
    pub(crate) location: Location,
    /// Lock of the folder. `None` after [`join`](Folder::join), so that several processes can work
    /// in the folder.
    _lock: Option<File>,
    /// The study's file as registered before the first game.
    pub(crate) registered: Registered,
    /// The config that was registered before the first game. For an ablation this is the current
    /// config.
    pub(crate) registered_config: StudyConfig,
    /// BLAKE3 hash (hex) of the study's file as it is now.
    pub(crate) hash: String,
    /// The keys that have changed since the registration, with both values.
    pub(crate) changes: Vec<Difference>,
}

impl Folder {
    /// Opens and locks the folder of a study, creates it if needed, and stores the study's file in
    /// it.
    ///
    /// # Errors
    /// The folder is not a study's, contains a study with other games (the error names the keys),
    /// or is in use. The operating system or the store fails.
    pub fn open(location: impl Into<Location>, study: &StudyFile) -> Result<Folder, StudyError> {
        let StudyFile { text, config, .. } = study;
        let file = if config.ablation.is_none() { STUDY_FILE } else { PLAN_FILE };
        // Trained agents may have been put there before. A study killed before its registration
        // leaves its file and the path of the original.
        let location = location.into();
        let dir = location.dir();
        let copy = dir.join(file);
        // Downloads the registration, if the location is a URL.
        location.has(&dir.join(REGISTRATION))?;
        let lock = open_folder(dir, REGISTRATION, &["agents", file, ORIGIN]);
        let lock = lock.map_err(|error| match error {
            StoreError::Foreign { dir, marker } => {
                let reason = format!(
                    "is not empty and contains no {marker}, so it is not a study's folder; choose another folder"
                );
                StudyError::Config { file: dir, reason }
            }
            other => other.into(),
        })?;
        let registered = registered_in(dir, study)?;
        if location.is_mirror() {
            if location.has(&copy)? || !location.publish(&copy, text.as_bytes())? {
                let published = read_text(&copy)?;
                if published != *text {
                    let keys = format!("{file} can't change at a URL");
                    return Err(StudyError::OtherStudy { dir: dir.to_owned(), keys });
                }
            }
        } else {
            write_atomically(&copy, text.as_bytes()).map_err(|error| StoreError::file(&copy, error))?;
        }
        let hash = file_hash(&copy)?;
        let first = || (Registered { hash: hash.clone(), text: text.to_owned() }, config.clone(), Vec::new());
        let (registered, registered_config, changes) = registered.unwrap_or_else(first);
        Ok(Folder { _lock: Some(lock), registered, registered_config, hash, changes, location })
    }

    /// Opens a study that [`begin`](crate::spread::begin) has registered, without locking it.
    /// Meanwhile, other processes may work on the study.
    ///
    /// # Errors
    /// No study has been registered there, or a file cannot be read.
    pub(crate) fn join(location: Location) -> Result<(StudyFile, Folder), StudyError> {
        let dir = location.dir();
        let [copy, registration, origin] = [STUDY_FILE, REGISTRATION, ORIGIN].map(|name| dir.join(name));
        for path in [&registration, &copy, &origin] {
            if !location.has(path)? {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let reason = format!("contains no {name}, so it is not a study for several machines");
                return Err(StudyError::Config { file: dir.to_owned(), reason });
            }
        }
        let registered: Registered = read_json(&registration)?;
        // Both texts were checked when the study was begun. A later version may check more.
        let parse = |path: &Path, text: &str| {
            toml::from_str::<StudyConfig>(text).map_err(|reason| StoreError::damaged(path, reason))
        };
        let registered_config = parse(&registration, &registered.text)?;
        let (text, hash) = (read_text(&copy)?, file_hash(&copy)?);
        let study = StudyFile { path: read_text(&origin)?.trim().into(), config: parse(&copy, &text)?, text };
        Ok((
            study,
            Folder { _lock: None, registered, registered_config, hash, changes: Vec::new(), location },
        ))
    }

    /// Registers the study and stores the path of its original file. Other paths in the study's
    /// file are relative to the folder of the original.
    pub(crate) fn begin(&self, study: &StudyFile) -> Result<(), StudyError> {
        let path = self.dir().join(ORIGIN);
        let origin =
            std::path::absolute(&study.path).map_err(|error| StoreError::file(&study.path, error))?;
        if !self.location.has(&path)? {
            self.location.publish(&path, format!("{}\n", origin.display()).as_bytes())?;
        }
        self.register()
    }

    /// Registers the study's file, unless it is registered already. Must be called before the first
    /// game. Later changes to the file are reported.
    ///
    /// # Errors
    /// The registration cannot be written.
    pub fn register(&self) -> Result<(), StudyError> {
        let path = self.dir().join(REGISTRATION);
        if !self.location.has(&path)? {
            self.location.publish(&path, &json_bytes(&path, &self.registered)?)?;
        }
        Ok(())
    }

    /// Returns the local path of the folder.
    pub fn dir(&self) -> &Path {
        self.location.dir()
    }

    /// Returns the path of the list of looks at the results. A study at a URL has one file per look
    /// instead.
    pub(crate) fn looks(&self) -> PathBuf {
        self.dir().join("looks.json")
    }
}

/// Returns the run folder of a network in a study's folder.
pub(crate) fn agent_dir(study: &Path, network: &NetworkId) -> PathBuf {
    study.join(format!("agents/{network}"))
}

/// Returns the folder of a cell's games in a study's folder.
pub(crate) fn games_dir(study: &Path, cell: &Cell) -> PathBuf {
    study.join(format!("games/{cell}"))
}

/// Returns the path of a unit's JSON file in a study's folder. `unit` has the form `kind/name`.
/// Characters of the name that are unsafe in file names become `-`.
pub(crate) fn unit_path(study: &Path, unit: &str) -> PathBuf {
    let (kind, name) = unit.split_once('/').unwrap_or(("", unit));
    let name = name.replace(|c: char| !c.is_ascii_alphanumeric() && !"-_.+".contains(c), "-");
    study.join(kind).join(format!("{name}.json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registered_text_is_not_checked_again() {
        let dir = tempfile::tempdir().unwrap();
        let text = std::fs::read_to_string("../../configs/study/quick.toml").unwrap();
        let both = "arms = [\"chess\", \"chesspp\"]\nagents = [\"chess\", \"chesspp\"]";
        let text = text.replacen(both, "arms = [\"chess\"]\nagents = [\"chess\"]", 1);
        let before = text.replacen("\"draw_rate\"", "\"draw_slope\"", 1);
        assert!(StudyConfig::parse(&before).unwrap_err().contains("levels, which must be equal"));
        let registered = Registered { hash: String::new(), text: before };
        let path = dir.path().join(REGISTRATION);
        std::fs::write(&path, json_bytes(&path, &registered).unwrap()).unwrap();
        let study = StudyFile { path: "study.toml".into(), config: StudyConfig::parse(&text).unwrap(), text };
        let folder = Folder::open(dir.path(), &study).unwrap();
        let keys: Vec<&str> = folder.changes.iter().map(|change| change.key.as_str()).collect();
        assert_eq!(keys, ["endpoints"]);
        folder.begin(&study).unwrap();
        let (_, joined) = Folder::join(dir.path().into()).unwrap();
        assert_eq!(joined.registered, registered);
    }
}
