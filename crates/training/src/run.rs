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
use catapult_store::{Folder, StoreError, read_json, write_atomically, write_json};
use std::path::{Path, PathBuf};

/// The file that makes a folder a run.
const CONFIG: &str = "config.toml";

/// An opened run directory; no other process has it open.
#[derive(Debug)]
pub struct Run {
    folder: Folder,
    config: TrainConfig,
    fork: Option<Fork>,
}

impl Run {
    /// Opens a run, or begins it if there is nothing there.
    ///
    /// # Errors
    /// The folder belongs to something else or to another config (the keys are named), or is in use.
    pub fn open(dir: &Path, config: &TrainConfig) -> Result<Run, TrainingError> {
        let config_path = dir.join(CONFIG);
        if !config_path.exists() {
            config
                .check_considered()
                .map_err(|reason| TrainingError::Config { file: dir.to_owned(), reason })?;
        }
        let folder = Folder::open(dir, CONFIG, &[]).map_err(|error| match error {
            StoreError::Foreign { dir, .. } => TrainingError::NotARun(dir),
            other => other.into(),
        })?;
        if config_path.exists() {
            let found = TrainConfig::read(&config_path, &[])?;
            let conflicts: Vec<String> = found.conflicts(config).iter().map(ToString::to_string).collect();
            if !conflicts.is_empty() {
                return Err(TrainingError::OtherConfig { dir: dir.to_owned(), keys: conflicts.join(", ") });
            }
            check_initial(dir, config)?;
        }
        let text = toml::to_string(config)
            .map_err(|e| TrainingError::Config { file: config_path.clone(), reason: e.to_string() })?;
        write_atomically(&config_path, text.as_bytes()).map_err(|e| TrainingError::file(&config_path, e))?;
        Ok(Run { folder, config: config.clone(), fork: Fork::of(dir)? })
    }

    /// The run's folder.
    pub fn dir(&self) -> &Path {
        self.folder.dir()
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
        generation_dir(self.dir(), generation)
    }

    /// A generation's games.
    pub fn games(&self, generation: u32) -> PathBuf {
        self.generation(generation).join("games")
    }

    /// A generation's network.
    pub fn network(&self, generation: u32) -> PathBuf {
        network_path(self.dir(), generation)
    }

    /// A generation's learner.
    pub fn state(&self, generation: u32) -> PathBuf {
        self.generation(generation).join("state.safetensors")
    }

    /// The report of a generation, if it is complete.
    pub fn report(&self, generation: u32) -> Result<Option<GenerationReport>, TrainingError> {
        read_report(self.dir(), generation)
    }

    /// Writes a generation's report: the generation is complete.
    pub fn write_report(&self, report: &GenerationReport) -> Result<(), TrainingError> {
        Ok(write_json(&self.generation(report.generation).join("report.json"), report)?)
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
    Ok(if path.exists() { Some(read_json(&path)?) } else { None })
}

/// The reports of all complete generations, in order.
pub fn read_reports(run: &Path) -> Result<Vec<GenerationReport>, TrainingError> {
    let mut reports = Vec::new();
    while let Some(report) = read_report(run, reports.len() as u32)? {
        reports.push(report);
    }
    Ok(reports)
}
