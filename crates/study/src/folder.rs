//! A study's folder: its only state. What has been done is read off which files exist and are whole.
//!
//! ```text
//! studies/<name>/study.toml                             the study's file
//! studies/<name>/registered.json                        its hash and text before the first game
//! studies/<name>/agents/<agent>-<seed>/                 runs of the agents it trains
//! studies/<name>/games/<cell>/shard-0000-<hash>.parquet a cell's games
//! studies/<name>/matches/<match>.json                   results of matches; <match>.games.json has one entry per game
//! studies/<name>/endings/<cell>.<ending>.json           exact endings as they were played
//! studies/<name>/analyses/<cell>.json                   what was asked of networks beside games
//! studies/<name>/looks.json                             when the results were looked at
//! studies/<name>/games.parquet, uses.parquet, match-games.parquet
//!                                                       one row per game, use and match game, written anew each time
//! studies/<name>/metrics.json, report.html, ...         results, written anew each time
//! ```

use crate::StudyError;
use crate::config::{AblationConfig, StudyConfig, StudyFile, ablation};
use catapult_measures::data::{Cell, NetworkId};
use catapult_network::file_hash;
use catapult_store::{
    Difference, Location, StoreError, differences, json_bytes, read_json, write_atomically,
};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Keys (and tables) that may change when there are games: they touch none of them.
const CHANGEABLE: &[&str] = &["title", "resampling", "machine", "endpoints", "endings.tables"];

/// The study's own file, as it is in the folder.
pub const STUDY_FILE: &str = "study.toml";

/// An ablation's own file, as it is in the folder.
const PLAN_FILE: &str = "plan.toml";

/// The file that makes a folder a study's.
const REGISTRATION: &str = "registered.json";

/// The file that says where the study's own file lies, in studies that are spread over machines.
const ORIGIN: &str = "origin";

fn read_text(path: &Path) -> Result<String, StudyError> {
    std::fs::read_to_string(path).map_err(|error| StudyError::file(path, error))
}

/// What was registered before the first game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Registered {
    /// BLAKE3 of the study's file, hexadecimal.
    pub hash: String,
    /// Its text.
    pub text: String,
}

/// An opened study's folder.
#[derive(Debug)]
pub struct Folder {
    location: Location,
    /// While it is held, no other process has the folder open. Without it units are made that nobody else is kept from making.
    _folder: Option<catapult_store::Folder>,
    registered: Registered,
    registered_config: StudyConfig,
    hash: String,
    changes: Vec<Difference>,
}

impl Folder {
    /// Opens a study's folder, or begins it if there is nothing there.
    ///
    /// # Errors
    /// The folder belongs to something else, to a study of other games (the keys are named), or is in use.
    pub fn open(location: impl Into<Location>, study: &StudyFile) -> Result<Folder, StudyError> {
        let now = &study.config;
        if let Some(plan) = &now.ablation {
            return Folder::open_as(
                location.into(),
                (PLAN_FILE, &study.text),
                now,
                ablation::CHANGEABLE,
                |before| {
                    let before = AblationConfig::parse(before)?;
                    // What it runs on is no part of the plan.
                    let plan = AblationConfig { machine: before.machine.clone(), ..plan.clone() };
                    Ok((now.clone(), differences(&before, &plan)))
                },
            );
        }
        Folder::open_as(location.into(), (STUDY_FILE, &study.text), now, CHANGEABLE, |before| {
            let before = StudyConfig::parse(before)?;
            let changes = differences(&before, now);
            Ok((before, changes))
        })
    }

    /// The same of any file that a study is made of: its name in the folder and its text, the study, the keys that may change, and how
    /// what was registered is read, with the keys in which the file differs from it.
    fn open_as(
        location: Location,
        (file, text): (&str, &str),
        config: &StudyConfig,
        changeable: &[&str],
        read: impl FnOnce(&str) -> Result<(StudyConfig, Vec<Difference>), String>,
    ) -> Result<Folder, StudyError> {
        // Trained agents may have been put there beforehand; the file is what a study that was killed at once leaves.
        let dir = location.dir();
        let (copy, registration) = (dir.join(file), dir.join(REGISTRATION));
        let is_registered = location.has(&registration)?;
        let folder = catapult_store::Folder::open(dir, REGISTRATION, &["agents", file]);
        let folder = folder.map_err(|error| match error {
            StoreError::Foreign { dir, marker } => {
                let reason = format!(
                    "is not empty and holds no {marker}, so it is no study's; choose another --out folder"
                );
                StudyError::NotAStudy { dir, reason }
            }
            other => other.into(),
        })?;
        let mut changes = Vec::new();
        let mut registered_config = config.clone();
        if is_registered {
            let registered: Registered = read_json(&registration)?;
            let (before, found) =
                read(&registered.text).map_err(|reason| StudyError::damaged(&registration, reason))?;
            // No game that has been played is another game by what is added, or by keys that touch none.
            let may = |change: &Difference| change.is_addition() || change.is_under(changeable);
            let refused: Vec<String> =
                found.iter().filter(|change| !may(change)).map(ToString::to_string).collect();
            if !refused.is_empty() {
                return Err(StudyError::OtherStudy { dir: dir.to_owned(), keys: refused.join(", ") });
            }
            changes = found;
            registered_config = before;
        }
        if location.is_mirror() {
            if location.has(&copy)? || !location.publish(&copy, text.as_bytes())? {
                let published = read_text(&copy)?;
                if published != text {
                    let keys = format!("{file} can't change at a URL");
                    return Err(StudyError::OtherStudy { dir: dir.to_owned(), keys });
                }
            }
        } else {
            write_atomically(&copy, text.as_bytes()).map_err(|error| StudyError::file(&copy, error))?;
        }
        let hash = file_hash(&copy)?;
        let registered = match is_registered {
            true => read_json(&registration)?,
            false => Registered { hash: hash.clone(), text: text.to_owned() },
        };
        Ok(Folder { _folder: Some(folder), registered, registered_config, hash, changes, location })
    }

    /// Looks at a study that has been begun ([`begin`](crate::spread::begin)), beside whoever works on it.
    ///
    /// # Errors
    /// There is none; what can't be read.
    pub(crate) fn join(location: Location) -> Result<(StudyFile, Folder), StudyError> {
        let dir = location.dir();
        let [copy, registration, origin] = [STUDY_FILE, REGISTRATION, ORIGIN].map(|name| dir.join(name));
        for path in [&registration, &copy, &origin] {
            if !location.has(path)? {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let reason =
                    format!("holds no {name}, so no study has been begun there for several machines");
                return Err(StudyError::NotAStudy { dir: dir.to_owned(), reason });
            }
        }
        let registered: Registered = read_json(&registration)?;
        let parse = |path: &Path, text: &str| {
            StudyConfig::parse(text).map_err(|reason| StudyError::damaged(path, reason))
        };
        let registered_config = parse(&registration, &registered.text)?;
        let (text, hash) = (read_text(&copy)?, file_hash(&copy)?);
        let study = StudyFile { path: read_text(&origin)?.trim().into(), config: parse(&copy, &text)?, text };
        Ok((
            study,
            Folder { _folder: None, registered, registered_config, hash, changes: Vec::new(), location },
        ))
    }

    /// Registers the study, and says where its file lies, by which the paths in it are read.
    pub(crate) fn begin(&self, study: &StudyFile) -> Result<(), StudyError> {
        let path = self.dir().join(ORIGIN);
        let origin =
            std::path::absolute(&study.path).map_err(|error| StudyError::file(&study.path, error))?;
        if !self.location.has(&path)? {
            self.location.publish(&path, format!("{}\n", origin.display()).as_bytes())?;
        }
        self.register()
    }

    /// Registers the study's file, if it is not: from now on it is told what changes in it. Before the first game.
    ///
    /// # Errors
    /// The registration can't be written.
    pub fn register(&self) -> Result<(), StudyError> {
        let path = self.dir().join(REGISTRATION);
        if !self.location.has(&path)? {
            self.location.publish(&path, &json_bytes(&path, &self.registered)?)?;
        }
        Ok(())
    }

    /// Where it lives.
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// The folder itself.
    pub fn dir(&self) -> &Path {
        self.location.dir()
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
        self.dir().join("looks.json")
    }

    /// BLAKE3 of the study's file as it is now.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Keys that have changed since the registration, with both values.
    pub fn changes(&self) -> &[Difference] {
        &self.changes
    }

    /// The run folder of a network that the study trains.
    pub fn agent(&self, network: &NetworkId) -> PathBuf {
        agent_dir(self.dir(), &network.to_string())
    }

    /// The folder of a cell's games.
    pub fn games(&self, cell: &Cell) -> PathBuf {
        games_dir(self.dir(), cell)
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

/// The file of a match's games in a study's folder.
pub(crate) fn match_games_path(study: &Path, name: &str) -> PathBuf {
    match_path(study, &format!("{name}.games"))
}

/// The file of a network's games of an ending in a study's folder.
pub(crate) fn ending_path(study: &Path, name: &str) -> PathBuf {
    study.join("endings").join(format!("{name}.json"))
}

/// The file of a cell's analysis in a study's folder.
pub(crate) fn analysis_path(study: &Path, cell: &Cell) -> PathBuf {
    study.join("analyses").join(format!("{cell}.json"))
}
