//! The run directory: the only state of a run. What has been done is read off which files exist.
//!
//! ```text
//! runs/<name>/config.toml
//! runs/<name>/fork.json                                         where it goes on from, if it is a fork
//! runs/<name>/generation-0007/games/shard-0000-<hash>.parquet   played by the network of 0006
//! runs/<name>/generation-0007/games/_shard-0000                 says which file that is
//! runs/<name>/generation-0007/state.safetensors                 raw and averaged weights, optimiser, step
//! runs/<name>/generation-0007/network.safetensors               the averaged weights: what plays
//! runs/<name>/generation-0007/report.json                       written last
//! runs/<name>/matches/*.json                                    the matches at the end
//! runs/<name>/metrics.jsonl, tensorboard/                       derived from the reports
//! ```
//!
//! At a URL the same lies in a store of objects, but for what is derived, and for networks and states, whose names carry their hash there
//! (`network-<hash>.safetensors`): the report, created only where there is none, says which ones are the generation's.

use crate::report::GenerationReport;
use crate::{Fork, Machine, TrainConfig, TrainingError};
use catapult_network::{Learner, file_hash};
use catapult_store::{Folder, Location, StoreError, json_bytes, read_json, unfinished, write_atomically};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file that makes a folder a run.
const CONFIG: &str = "config.toml";

/// An opened run.
#[derive(Debug)]
pub struct Run {
    location: Location,
    /// Without it, the run is only looked at, and units are made that nobody else is kept from making.
    _folder: Option<Folder>,
    config: TrainConfig,
    fork: Option<Fork>,
}

impl Run {
    /// Opens a run, or begins it if there is nothing there. No other process of this machine, or of those that share its folder, has
    /// it open; of several that open it at a URL, the first to complete a generation is the one that all go on from.
    ///
    /// # Errors
    /// The folder belongs to something else or to another config (the keys are named), or is in use.
    pub fn open(location: impl Into<Location>, config: &TrainConfig) -> Result<Run, TrainingError> {
        let location = location.into();
        let dir = location.dir();
        let config_path = dir.join(CONFIG);
        let is_begun = location.has(&config_path)?;
        if !is_begun {
            config
                .check_considered()
                .map_err(|bad| TrainingError::Config { file: dir.to_owned(), reason: bad.into() })?;
        }
        let folder = Folder::open(dir, CONFIG, &[]).map_err(|error| match error {
            StoreError::Foreign { dir, .. } => TrainingError::NotARun(dir),
            other => other.into(),
        })?;
        let run = Run { _folder: Some(folder), config: config.clone(), fork: Fork::of(dir)?, location };
        if is_begun {
            run.check(&config_path)?;
        }
        let text = toml::to_string(config)
            .map_err(|e| TrainingError::Config { file: config_path.clone(), reason: e.to_string() })?;
        if !run.location.is_mirror() {
            write_atomically(&config_path, text.as_bytes())
                .map_err(|e| TrainingError::file(&config_path, e))?;
        } else if !is_begun && !run.location.publish(&config_path, text.as_bytes())? {
            run.check(&config_path)?;
        }
        Ok(run)
    }

    /// Looks at a run that has been begun, by its own config, beside whoever works on it.
    ///
    /// # Errors
    /// There is none; what can't be read.
    pub fn join(location: impl Into<Location>) -> Result<Run, TrainingError> {
        let location = location.into();
        let config = location.dir().join(CONFIG);
        if !location.has(&config)? {
            return Err(TrainingError::NotBegun(location.dir().to_owned()));
        }
        let config = TrainConfig::read(&config, &[])?;
        Ok(Run { _folder: None, config, fork: Fork::of(location.dir())?, location })
    }

    /// Lets a machine be another than the config says.
    pub(crate) fn with_machine(&mut self, machine: &Machine) -> Result<(), TrainingError> {
        let config = &mut self.config.machine;
        machine.apply(&mut config.threads, &mut config.device)
    }

    /// Refuses a run that was begun with another config.
    fn check(&self, path: &Path) -> Result<(), TrainingError> {
        let conflicts: Vec<String> =
            TrainConfig::read(path, &[])?.conflicts(&self.config).iter().map(ToString::to_string).collect();
        if !conflicts.is_empty() {
            return Err(TrainingError::OtherConfig {
                dir: self.dir().to_owned(),
                keys: conflicts.join(", "),
            });
        }
        check_initial(&self.config, self)
    }

    /// The run's folder, or that which mirrors it.
    pub fn dir(&self) -> &Path {
        self.location.dir()
    }

    /// Where it lives.
    pub fn location(&self) -> &Location {
        &self.location
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
        if !self.location.has(&self.generation(generation).join(REPORT))? {
            return Ok(None);
        }
        let report = read_report(self.dir(), generation)?;
        // What was killed between its report and this.
        report.iter().try_for_each(|report| self.settle(report))?;
        Ok(report)
    }

    /// The reports of all complete generations, in order.
    pub fn reports(&self) -> Result<Vec<GenerationReport>, TrainingError> {
        let mut reports = Vec::new();
        while let Some(report) = self.report(reports.len() as u32)? {
            reports.push(report);
        }
        Ok(reports)
    }

    /// Writes what a generation made, under names that carry its hash: nothing is read before its report says that it is the
    /// generation's. Gives the hashes of network and state.
    pub(crate) fn write(
        &self,
        generation: u32,
        learner: &Learner,
        provenance: BTreeMap<String, String>,
    ) -> Result<[String; 2], TrainingError> {
        let write = |kind: &str, save: &dyn Fn(&Path) -> Result<String, TrainingError>| {
            let path = unfinished(&self.generation(generation).join(kind));
            let hash = save(&path)?;
            let hashed = self.hashed(generation, kind, &hash);
            std::fs::rename(&path, &hashed).map_err(|e| TrainingError::file(&hashed, e))?;
            Ok::<_, TrainingError>(hash)
        };
        let dir = self.generation(generation);
        std::fs::create_dir_all(&dir).map_err(|e| TrainingError::file(&dir, e))?;
        let state = write(STATE, &|path| Ok(learner.save(path)?))?;
        let averaged = learner.averaged(provenance)?;
        Ok([write(NETWORK, &|path| Ok(averaged.save(path)?))?, state])
    }

    /// Publishes a generation's report: the generation is complete. Gives the report that is published, which is another one where
    /// another learner was first.
    pub fn write_report(&self, report: &GenerationReport) -> Result<GenerationReport, TrainingError> {
        for (kind, hash) in files(report) {
            let hashed = self.hashed(report.generation, kind, hash);
            if hashed.exists() {
                self.location.share(&hashed)?;
            }
        }
        let path = self.generation(report.generation).join(REPORT);
        let published = match self.location.publish(&path, &json_bytes(&path, report)?)? {
            true => report.clone(),
            false => read_json(&path)?,
        };
        for (kind, hash) in files(report) {
            let hashed = self.hashed(report.generation, kind, hash);
            if published != *report && hashed.exists() {
                std::fs::remove_file(&hashed).map_err(|e| TrainingError::file(&hashed, e))?;
            }
        }
        self.settle(&published)?;
        Ok(published)
    }

    /// Gives a generation's files the names that people know, if they are here.
    fn settle(&self, report: &GenerationReport) -> Result<(), TrainingError> {
        for (kind, hash) in files(report) {
            let hashed = self.hashed(report.generation, kind, hash);
            let path = self.file(report.generation, kind);
            if hashed.exists() {
                std::fs::rename(&hashed, &path).map_err(|e| TrainingError::file(&path, e))?;
            }
        }
        Ok(())
    }

    /// A complete generation's network, brought here.
    ///
    /// # Errors
    /// [`TrainingError::NotYet`]; what can't be read, or is not what the report names.
    pub fn bring_network(&self, generation: u32) -> Result<PathBuf, TrainingError> {
        self.bring(generation, NETWORK)
    }

    /// Likewise its learner.
    pub(crate) fn bring_state(&self, generation: u32) -> Result<PathBuf, TrainingError> {
        self.bring(generation, STATE)
    }

    fn bring(&self, generation: u32, kind: &str) -> Result<PathBuf, TrainingError> {
        let path = self.file(generation, kind);
        let Some(report) = self.report(generation)? else {
            return Err(TrainingError::NotYet(format!("{}: generation {generation}", self.dir().display())));
        };
        if let Some((_, hash)) = files(&report).into_iter().find(|(of, _)| *of == kind && !path.exists()) {
            let hashed = self.hashed(generation, kind, hash);
            if self.location.has(&hashed)? {
                if file_hash(&hashed)? != hash {
                    // The next try fetches it again.
                    std::fs::remove_file(&hashed).map_err(|e| TrainingError::file(&hashed, e))?;
                    return Err(TrainingError::damaged(&hashed, "it is not what its name says"));
                }
                self.settle(&report)?;
            }
        }
        Ok(path)
    }

    fn file(&self, generation: u32, kind: &str) -> PathBuf {
        self.generation(generation).join(format!("{kind}.safetensors"))
    }

    fn hashed(&self, generation: u32, kind: &str, hash: &str) -> PathBuf {
        let hash = hash.get(..HASH_DIGITS).unwrap_or(hash);
        self.file(generation, &format!("{kind}-{hash}"))
    }
}

/// The last file of a generation.
const REPORT: &str = "report.json";

/// What a generation makes.
const NETWORK: &str = "network";
const STATE: &str = "state";

/// The hex digits of the hash in a file's name before its report is there.
const HASH_DIGITS: usize = 16;

/// What a report says belongs to its generation, with its BLAKE3.
fn files(report: &GenerationReport) -> Vec<(&'static str, &str)> {
    let state = report.state.iter().map(|hash| (STATE, hash.as_str()));
    state.chain([(NETWORK, report.network.as_str())]).collect()
}

/// Refuses a config that starts from another network than the run did. A file that is no longer there is not missed:
/// generation 0 is in the run.
fn check_initial(config: &TrainConfig, run: &Run) -> Result<(), TrainingError> {
    let Some(report) = run.report(0)? else { return Ok(()) };
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
    Err(TrainingError::OtherConfig { dir: run.dir().to_owned(), keys })
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
