//! The run directory: the only state of a run. What has been done is read off which files exist.
//!
//! ```text
//! runs/<name>/config.toml
//! runs/<name>/fork.json                                         where it goes on from, if it is a fork
//! runs/<name>/generation-0007/games/shard-0000-<hash>.parquet   played by the network of 0006
//! runs/<name>/generation-0007/state.safetensors                 raw and averaged weights, optimiser, step
//! runs/<name>/generation-0007/network.safetensors               the averaged weights: what plays
//! runs/<name>/generation-0007/report.json                       written last
//! runs/<name>/matches/*.json                                    the matches at the end
//! runs/<name>/metrics.jsonl, tensorboard/                       derived from the reports
//! ```

use crate::report::GenerationReport;
use crate::{Fork, TrainConfig, TrainingError};
use catapult_network::file_hash;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

pub use catapult_store::UNFINISHED;

/// An opened run directory; no other process has it open.
#[derive(Debug)]
pub struct Run {
    dir: PathBuf,
    config: TrainConfig,
    fork: Option<Fork>,
    _lock: File,
}

impl Run {
    /// Opens a run, or begins it if there is nothing there.
    ///
    /// # Errors
    /// The folder belongs to something else or to another config (the keys are named), or is in use.
    pub fn open(dir: &Path, config: &TrainConfig) -> Result<Run, TrainingError> {
        let config_path = dir.join("config.toml");
        if !config_path.exists() {
            config
                .check_considered()
                .map_err(|reason| TrainingError::Config { file: dir.to_owned(), reason })?;
        }
        fs::create_dir_all(dir).map_err(|e| TrainingError::file(dir, e))?;
        if !config_path.exists() && holds_something_else(dir)? {
            return Err(TrainingError::NotARun(dir.to_owned()));
        }
        let lock = lock(dir)?;
        if config_path.exists() {
            let found = TrainConfig::read(&config_path, &[])?;
            let conflicts = found.conflicts(config);
            if !conflicts.is_empty() {
                return Err(TrainingError::OtherConfig { dir: dir.to_owned(), keys: conflicts.join(", ") });
            }
            check_initial(dir, config)?;
        }
        let text = toml::to_string(config)
            .map_err(|e| TrainingError::Config { file: config_path.clone(), reason: e.to_string() })?;
        write_atomically(&config_path, text.as_bytes())?;
        Ok(Run { dir: dir.to_owned(), config: config.clone(), fork: Fork::of(dir)?, _lock: lock })
    }

    /// The run's folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The run's config.
    pub fn config(&self) -> &TrainConfig {
        &self.config
    }

    /// Where the run goes on from, if it is a fork.
    pub fn fork(&self) -> Option<&Fork> {
        self.fork.as_ref()
    }

    /// A generation's folder.
    pub fn generation(&self, generation: u32) -> PathBuf {
        generation_dir(&self.dir, generation)
    }

    /// A generation's games.
    pub fn games(&self, generation: u32) -> PathBuf {
        self.generation(generation).join("games")
    }

    /// A generation's network.
    pub fn network(&self, generation: u32) -> PathBuf {
        network_path(&self.dir, generation)
    }

    /// A generation's learner.
    pub fn state(&self, generation: u32) -> PathBuf {
        self.generation(generation).join("state.safetensors")
    }

    /// The report of a generation, if it is complete.
    pub fn report(&self, generation: u32) -> Result<Option<GenerationReport>, TrainingError> {
        read_report(&self.dir, generation)
    }

    /// Writes a generation's report: the generation is complete.
    pub fn write_report(&self, report: &GenerationReport) -> Result<(), TrainingError> {
        write_json(&self.generation(report.generation).join("report.json"), report)
    }
}

/// Refuses a config that starts from another network than the run did. A file that is no longer there is not missed:
/// generation 0 is in the run.
fn check_initial(dir: &Path, config: &TrainConfig) -> Result<(), TrainingError> {
    let Some(report) = read_report(dir, 0)? else { return Ok(()) };
    let (file, now) = match &config.initial {
        None => ("nothing".to_owned(), None),
        Some(file) if file.exists() => (file.display().to_string(), Some(file_hash(file)?)),
        Some(_) if report.initial.is_some() => return Ok(()),
        Some(file) => (file.display().to_string(), None),
    };
    if now == report.initial && (now.is_some() || config.initial.is_none()) {
        return Ok(());
    }
    let of = |hash: Option<String>| hash.map_or("none".to_owned(), |hash| format!("BLAKE3 {hash}"));
    let keys =
        format!("initial (the run began with {}, the config names {file}: {})", of(report.initial), of(now));
    Err(TrainingError::OtherConfig { dir: dir.to_owned(), keys })
}

/// Whether a folder holds anything but what a run that was killed at once leaves: a lock and unfinished files.
fn holds_something_else(dir: &Path) -> Result<bool, TrainingError> {
    let entries = dir.read_dir().map_err(|e| TrainingError::file(dir, e))?;
    let mut names = entries.flatten().map(|entry| entry.file_name());
    Ok(names.any(|name| name != "lock" && !name.to_string_lossy().starts_with(UNFINISHED)))
}

/// Takes a folder for this process, until the file that is given is dropped.
///
/// # Errors
/// Another process has it.
pub fn lock(dir: &Path) -> Result<File, TrainingError> {
    let path = dir.join("lock");
    let file = File::options().create(true).append(true).open(&path);
    let file = file.map_err(|e| TrainingError::file(&path, e))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(TrainingError::InUse(dir.to_owned())),
        Err(TryLockError::Error(error)) => Err(TrainingError::file(&path, error)),
    }
}

/// A generation's folder in a run directory.
pub fn generation_dir(run: &Path, generation: u32) -> PathBuf {
    run.join(format!("generation-{generation:04}"))
}

/// A generation's network in a run directory.
pub fn network_path(run: &Path, generation: u32) -> PathBuf {
    generation_dir(run, generation).join("network.safetensors")
}

/// The report of a generation in a run directory, if it is complete.
pub fn read_report(run: &Path, generation: u32) -> Result<Option<GenerationReport>, TrainingError> {
    let path = generation_dir(run, generation).join("report.json");
    if path.exists() { read_json(&path).map(Some) } else { Ok(None) }
}

/// The reports of all complete generations, in order.
pub fn read_reports(run: &Path) -> Result<Vec<GenerationReport>, TrainingError> {
    let mut reports = Vec::new();
    while let Some(report) = read_report(run, reports.len() as u32)? {
        reports.push(report);
    }
    Ok(reports)
}

/// Reads a JSON file; the error names it.
pub fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, TrainingError> {
    let text = fs::read_to_string(path).map_err(|e| TrainingError::file(path, e))?;
    serde_json::from_str(&text)
        .map_err(|e| TrainingError::Damaged { file: path.to_owned(), reason: e.to_string() })
}

/// Writes a JSON file whole or not at all.
pub fn write_json<T: serde::Serialize>(path: &Path, value: &T) -> Result<(), TrainingError> {
    let mut text = serde_json::to_string_pretty(value)
        .map_err(|e| TrainingError::Damaged { file: path.to_owned(), reason: e.to_string() })?;
    text.push('\n');
    write_atomically(path, text.as_bytes())
}

/// Writes a file whole or not at all; the error names it.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), TrainingError> {
    catapult_store::write_atomically(path, bytes).map_err(|e| TrainingError::file(path, e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_kill_leaves_is_overwritten_and_no_reason_to_refuse_a_folder() {
        let dir = tempfile::tempdir().unwrap();
        let left = dir.path().join(".unfinished-config.toml");
        fs::write(&left, "more than will be written").unwrap();
        assert!(!holds_something_else(dir.path()).unwrap());
        write_atomically(&dir.path().join("config.toml"), b"whole").unwrap();
        assert_eq!(fs::read(dir.path().join("config.toml")).unwrap(), b"whole");
        assert!(!left.exists());
    }

    #[test]
    fn an_unwritten_file_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("taken");
        fs::create_dir(&path).unwrap();
        assert!(write_atomically(&path, b"text").unwrap_err().to_string().contains("taken"));
        assert_eq!(dir.path().read_dir().unwrap().count(), 1);
    }
}
