//! A study's folder, which holds all its state. Progress is derived from the files that exist and
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
//! looks.json                               looks at the results
//! *.parquet                                one row per game, use and match game; rewritten
//!                                          by each run
//! metrics.json, report.html, ...           results; rewritten by each run
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

/// Keys and tables of a study's file that may change after the first game, because no game depends
/// on them.
const CHANGEABLE: &[&str] = &["title", "resampling", "machine", "endpoints", "endings.tables"];

/// Name of the study's file in the folder.
pub(crate) const STUDY_FILE: &str = "study.toml";

/// Name of an ablation's plan in the folder.
pub(crate) const PLAN_FILE: &str = "plan.toml";

/// Name of the file that marks a folder as the folder of a study.
const REGISTRATION: &str = "registered.json";

/// Name of the file that contains the path of the study's original file. It exists in studies on
/// many machines.
const ORIGIN: &str = "origin";

pub(crate) fn read_text(path: &Path) -> Result<String, StudyError> {
    std::fs::read_to_string(path).map_err(|error| StudyError::file(path, error))
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
    location: Location,
    /// Lock of the folder. `None` after [`join`](Folder::join), so that several processes can work
    /// in the folder.
    _folder: Option<catapult_store::Folder>,
    registered: Registered,
    registered_config: StudyConfig,
    hash: String,
    changes: Vec<Difference>,
}

impl Folder {
    /// Opens and locks the folder of a study, creates it if needed, and stores the study's file in
    /// it.
    ///
    /// # Errors
    /// The folder belongs to something else, holds a study with other games (the error names the
    /// keys), or is in use. The operating system or the store fails.
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
                    // The machine is no part of the plan.
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

    /// Does the work of [`open`](Folder::open) for a study's file or an ablation's plan.
    ///
    /// `file` and `text` are the name in the folder and the text. `changeable` are the keys that
    /// may change. `read` parses the registered text. It returns the registered config and the
    /// differences from it.
    fn open_as(
        location: Location,
        (file, text): (&str, &str),
        config: &StudyConfig,
        changeable: &[&str],
        read: impl FnOnce(&str) -> Result<(StudyConfig, Vec<Difference>), String>,
    ) -> Result<Folder, StudyError> {
        // Trained agents may have been put there before. A study killed before its registration
        // leaves its file.
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
            // Additions and changeable keys do not alter any game already played.
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

    /// Opens a study that [`begin`](crate::spread::begin) has registered, without locking it. Other
    /// processes may work on the study at the same time.
    ///
    /// # Errors
    /// No study has been registered there, or a file cannot be read.
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

    /// Registers the study and records the path of its original file. Other paths in that file are
    /// relative to its folder.
    pub(crate) fn begin(&self, study: &StudyFile) -> Result<(), StudyError> {
        let path = self.dir().join(ORIGIN);
        let origin =
            std::path::absolute(&study.path).map_err(|error| StudyError::file(&study.path, error))?;
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

    /// Returns the location of the folder, which may be at a URL.
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// Returns the local path of the folder.
    pub fn dir(&self) -> &Path {
        self.location.dir()
    }

    /// Returns the BLAKE3 hash (hex) of the study's file as registered before the first game.
    pub fn registered_hash(&self) -> &str {
        &self.registered.hash
    }

    /// Returns the config that was registered before the first game. For an ablation this is the
    /// current config.
    pub fn registered_config(&self) -> &StudyConfig {
        &self.registered_config
    }

    /// Returns the path of the list of looks at the results.
    pub(crate) fn looks(&self) -> PathBuf {
        self.dir().join("looks.json")
    }

    /// Returns the BLAKE3 hash (hex) of the study's file as it is now.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Returns the keys that have changed since the registration, with both values.
    pub fn changes(&self) -> &[Difference] {
        &self.changes
    }

    /// Returns the run folder of a network that the study trains.
    pub fn agent(&self, network: &NetworkId) -> PathBuf {
        agent_dir(self.dir(), &network.to_string())
    }

    /// Returns the folder of a cell's games.
    pub fn games(&self, cell: &Cell) -> PathBuf {
        games_dir(self.dir(), cell)
    }
}

/// Returns the run folder of a network in a study's folder.
pub(crate) fn agent_dir(study: &Path, network: &str) -> PathBuf {
    study.join("agents").join(network)
}

/// Returns the folder of a cell's games in a study's folder.
pub(crate) fn games_dir(study: &Path, cell: &Cell) -> PathBuf {
    study.join("games").join(cell.to_string())
}

/// Returns the path of a match's result in a study's folder. Characters of `name` that are unsafe
/// in file names become `-`.
pub(crate) fn match_path(study: &Path, name: &str) -> PathBuf {
    let name = name.replace(|c: char| !c.is_ascii_alphanumeric() && !"-_.+".contains(c), "-");
    study.join("matches").join(format!("{name}.json"))
}

/// Returns the path of a match's games in a study's folder.
pub(crate) fn match_games_path(study: &Path, name: &str) -> PathBuf {
    match_path(study, &format!("{name}.games"))
}

/// Returns the path of a network's games of an ending in a study's folder. `name` is the file name
/// without the extension.
pub(crate) fn ending_path(study: &Path, name: &str) -> PathBuf {
    study.join("endings").join(format!("{name}.json"))
}

/// Returns the path of a cell's analysis in a study's folder.
pub(crate) fn analysis_path(study: &Path, cell: &Cell) -> PathBuf {
    study.join("analyses").join(format!("{cell}.json"))
}

/// The file of a probe in a study's folder.
pub(crate) fn probe_path(study: &Path, name: &str) -> PathBuf {
    study.join("probes").join(format!("{name}.json"))
}
