//! Run directory, which is the only state of a run. The files in it determine how far the run has
//! come.
//!
//! ```text
//! runs/<name>/config.toml
//! runs/<name>/fork.json                                         origin, if the run is a fork
//! runs/<name>/generation-0007/games/shard-0000-<hash>.parquet   played by the network of 0006,
//!                                                               or an older one if games.lag > 0
//! runs/<name>/generation-0007/games/_shard-0000                 commit marker of the shard
//! runs/<name>/generation-0007/state.safetensors                 weights, averages, optimizer, step
//! runs/<name>/generation-0007/network.safetensors               averaged weights, which play
//! runs/<name>/generation-0007/report.json                       written last
//! runs/<name>/matches/*.json                                    final matches
//! runs/<name>/metrics.jsonl, tensorboard/                       derived from the reports
//! ```
//!
//! A run may be at a URL instead. The object store then has all files except the derived ones.
//! Names of networks and states there contain their hashes (`network-<hash>.safetensors`). A
//! generation's report names the valid ones. The report is created with put-if-absent, so only the
//! first learner's report counts.

use crate::report::GenerationReport;
use crate::{Fork, Machine, TrainConfig, TrainingError};
use catapult_network::{Learner, NetworkInfo, file_hash};
use catapult_store::{
    Difference, Location, StoreError, differences, json_bytes, open_folder, read_json, unfinished,
    write_atomically,
};
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Name of the file that identifies a folder as a run.
const CONFIG: &str = "config.toml";

/// Run that is open in this process.
#[derive(Debug)]
pub struct Run {
    location: Location,
    /// Lock of the folder. `None` for a run opened by [`Run::join`], which does not lock the
    /// folder.
    _lock: Option<File>,
    config: TrainConfig,
    fork: Option<Fork>,
}

impl Run {
    /// Opens a run for training. Creates the run if it does not exist.
    ///
    /// Until the run is dropped, no other process can open it in the same folder. At a URL, several
    /// processes can open one run, each in a folder of its own. The first process to complete a
    /// generation publishes it, and all processes continue from that generation.
    ///
    /// # Errors
    /// The folder is not empty and contains no run. It contains a run with another config (the
    /// error names the keys), or is in use.
    pub fn open(location: impl Into<Location>, config: &TrainConfig) -> Result<Run, TrainingError> {
        let location = location.into();
        let dir = location.dir();
        let config_path = dir.join(CONFIG);
        if !Run::exists(&location)? {
            config.check_considered().map_err(|bad| TrainingError::config(dir, bad))?;
        }
        let lock = open_folder(dir, CONFIG, &[]).map_err(|error| match error {
            StoreError::Foreign { .. } => {
                TrainingError::Other(format!("{error}, so it is not a run; choose another folder"))
            }
            other => other.into(),
        })?;
        // Another process may have created the run before the folder was locked.
        let is_begun = location.has(&config_path)?;
        let run = Run { _lock: Some(lock), config: config.clone(), fork: Fork::of(dir)?, location };
        if is_begun {
            run.check(&config_path)?;
        }
        let text = toml::to_string(config).map_err(|e| TrainingError::config(&config_path, e.to_string()))?;
        if !run.location.is_mirror() {
            write_atomically(&config_path, text.as_bytes()).map_err(|e| StoreError::file(&config_path, e))?;
        } else if !is_begun && !run.location.publish(&config_path, text.as_bytes())? {
            run.check(&config_path)?;
        }
        Ok(run)
    }

    /// Returns true if a run exists at a location.
    pub(crate) fn exists(location: &Location) -> Result<bool, TrainingError> {
        Ok(location.has(&location.dir().join(CONFIG))?)
    }

    /// Opens an existing run with the config in its folder. The folder is not locked, so other
    /// processes may use it.
    ///
    /// # Errors
    /// The run does not exist or cannot be read.
    pub fn join(location: impl Into<Location>) -> Result<Run, TrainingError> {
        let location = location.into();
        if !Run::exists(&location)? {
            return Err(TrainingError::NotBegun(location.to_string()));
        }
        let config = TrainConfig::read(&location.dir().join(CONFIG), &[])?;
        Ok(Run { _lock: None, config, fork: Fork::of(location.dir())?, location })
    }

    /// Opens the run again, for training, with the config that its folder has once it is locked, but
    /// with the machine settings of this run.
    ///
    /// # Errors
    /// The run is in use or cannot be read, or the file `initial` has other content.
    pub(crate) fn locked(&self) -> Result<Run, TrainingError> {
        let lock = open_folder(self.dir(), CONFIG, &[])?;
        let mut run = Run { _lock: Some(lock), ..Run::join(self.location.clone())? };
        run.config.machine.clone_from(&self.config.machine);
        check_initial(&run.config, &run)?;
        Ok(run)
    }

    /// Overwrites the machine settings of the run's config with the settings of `machine` that are
    /// not `None`. A number of threads bounds the learner, too. The settings are not written into the
    /// run.
    pub(crate) fn with_machine(&mut self, machine: &Machine) {
        let config = &mut self.config.machine;
        machine.apply(&mut config.threads, &mut config.device);
        if machine.threads.is_some() {
            config.learner_threads = 0;
        }
    }

    /// Checks that the run's `config.toml`, at `path`, differs from `self.config` only in keys that
    /// may change. Any other difference is an error. At a URL, `generations` and `evaluation` may
    /// not change either.
    fn check(&self, path: &Path) -> Result<(), TrainingError> {
        let stored = TrainConfig::read(path, &[])?;
        let mut conflicts = stored.conflicts(&self.config);
        if self.location.is_mirror() {
            // The config at a URL is never replaced, and other machines work by it.
            let fixed = |difference: &Difference| difference.is_under(&["generations", "evaluation"]);
            conflicts.extend(differences(&stored, &self.config).into_iter().filter(fixed));
        }
        let conflicts: Vec<String> = conflicts.iter().map(ToString::to_string).collect();
        if !conflicts.is_empty() {
            return Err(other_config(&self.location, &conflicts.join(", ")));
        }
        check_initial(&self.config, self)
    }

    /// Returns the local folder of the run. If the run is at a URL, this is the folder with local
    /// copies of its files.
    pub fn dir(&self) -> &Path {
        self.location.dir()
    }

    /// Returns the location of the run: a folder, or a URL with the folder of local copies.
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// Returns the config of the run.
    pub fn config(&self) -> &TrainConfig {
        &self.config
    }

    /// Returns the config that applies to a generation. In a fork, this is the trunk's config up to
    /// the generation of the fork, and the run's own config afterwards.
    pub fn config_of(&self, generation: u32) -> &TrainConfig {
        match &self.fork {
            Some(fork) if generation <= fork.generation => &fork.trunk,
            _ => &self.config,
        }
    }

    /// Returns the path of a generation's folder. The folder need not exist.
    pub fn generation(&self, generation: u32) -> PathBuf {
        generation_dir(self.dir(), generation)
    }

    /// Returns the path of the folder of a generation's games. The folder need not exist.
    pub fn games(&self, generation: u32) -> PathBuf {
        self.generation(generation).join("games")
    }

    /// Returns the report of a generation. Returns `None` if the generation is not complete.
    ///
    /// # Errors
    /// The report cannot be read.
    pub fn report(&self, generation: u32) -> Result<Option<GenerationReport>, TrainingError> {
        if !self.location.has(&self.generation(generation).join(REPORT))? {
            return Ok(None);
        }
        let report = read_report(self.dir(), generation)?;
        // A process may have been killed after it published the report.
        report.iter().try_for_each(|report| self.settle(report))?;
        Ok(report)
    }

    /// Returns the reports of all complete generations, from 0.
    ///
    /// # Errors
    /// A report cannot be read.
    pub fn reports(&self) -> Result<Vec<GenerationReport>, TrainingError> {
        (0..).map_while(|generation| self.report(generation).transpose()).collect()
    }

    /// Writes the network and the training state of a generation, under names with their hashes.
    /// The files are valid only after a report with these hashes has been written. Returns the
    /// hashes `[network, state]`. `initial` is the hash of the network file that the run began from.
    pub(crate) fn write(
        &self,
        generation: u32,
        learner: &Learner,
        initial: Option<&str>,
    ) -> Result<[String; 2], TrainingError> {
        let write = |kind: &str, save: &dyn Fn(&Path) -> Result<String, TrainingError>| {
            let path = unfinished(&self.generation(generation).join(kind));
            let hash = save(&path)?;
            let hashed = self.hashed(generation, kind, &hash);
            std::fs::rename(&path, &hashed).map_err(|e| StoreError::file(&hashed, e))?;
            Ok::<_, TrainingError>(hash)
        };
        let dir = self.generation(generation);
        std::fs::create_dir_all(&dir).map_err(|e| StoreError::file(&dir, e))?;
        let state = write(STATE, &|path| Ok(learner.save(path)?))?;
        let mut provenance = self.config.provenance(initial);
        provenance.insert("generation".into(), generation.to_string());
        let averaged = learner.averaged(provenance)?;
        Ok([write(NETWORK, &|path| Ok(averaged.save(path)?))?, state])
    }

    /// Publishes a generation's report, which completes the generation, and returns it. If another
    /// learner has published a report first, returns that report and deletes the files that only
    /// `report` names.
    ///
    /// # Errors
    /// A file cannot be read or written.
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
        for (kind, hash) in files(report).into_iter().filter(|file| !files(&published).contains(file)) {
            let hashed = self.hashed(report.generation, kind, hash);
            if hashed.exists() {
                std::fs::remove_file(&hashed).map_err(|e| StoreError::file(&hashed, e))?;
            }
        }
        self.settle(&published)?;
        Ok(published)
    }

    /// Deletes the training states of generations before `last - 2`, except every
    /// [`KEPT_STATES`]th. They are the largest files. Only a fork or a generation that is built
    /// again could need them.
    pub(crate) fn thin_states(&self, last: u32) -> Result<(), TrainingError> {
        for generation in (1..last.saturating_sub(2)).filter(|g| !g.is_multiple_of(KEPT_STATES)) {
            let path = self.file(generation, STATE);
            if path.exists() {
                std::fs::remove_file(&path).map_err(|e| StoreError::file(&path, e))?;
            }
        }
        Ok(())
    }

    /// Renames the network and state that a report names: the hashes are removed from the file
    /// names.
    fn settle(&self, report: &GenerationReport) -> Result<(), TrainingError> {
        for (kind, hash) in files(report) {
            let hashed = self.hashed(report.generation, kind, hash);
            let path = self.file(report.generation, kind);
            if hashed.exists() {
                match std::fs::rename(&hashed, &path) {
                    // Another process renamed the file meanwhile.
                    Err(error) if error.kind() == ErrorKind::NotFound && path.exists() => {}
                    renamed => renamed.map_err(|e| StoreError::file(&path, e))?,
                }
            }
        }
        Ok(())
    }

    /// Returns the path of a complete generation's network. At a URL, the network is downloaded
    /// first.
    ///
    /// # Errors
    /// [`TrainingError::NotYet`] if the generation is not complete. Another error if the network
    /// cannot be downloaded or does not match the report.
    pub fn bring_network(&self, generation: u32) -> Result<PathBuf, TrainingError> {
        self.bring(generation, NETWORK)
    }

    /// Returns the path of a complete generation's file of this `kind`, like
    /// [`bring_network`](Run::bring_network).
    pub(crate) fn bring(&self, generation: u32, kind: &str) -> Result<PathBuf, TrainingError> {
        let path = self.file(generation, kind);
        let Some(report) = self.report(generation)? else {
            return Err(TrainingError::NotYet(format!("{}: generation {generation}", self.location)));
        };
        if let Some((_, hash)) = files(&report).into_iter().find(|(of, _)| *of == kind) {
            if !path.exists() && self.location.has(&self.hashed(generation, kind, hash))? {
                self.settle(&report)?;
            }
            if path.exists()
                && let Err(error) = check_file(&path, Some(hash))
            {
                if !self.location.is_mirror() {
                    return Err(error);
                }
                // The object may be intact.
                std::fs::remove_file(&path).map_err(|e| StoreError::file(&path, e))?;
                if !self.location.has(&self.hashed(generation, kind, hash))? {
                    return Err(error);
                }
                self.settle(&report)?;
                check_file(&path, Some(hash))?;
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

/// Name of a generation's report, the file that the generation writes last.
const REPORT: &str = "report.json";

/// Kind of a generation's file: the network with averaged weights, which plays games.
const NETWORK: &str = "network";
/// Kind of a generation's file: the training state, from which training continues.
pub(crate) const STATE: &str = "state";

/// The folder of a run keeps the training states of its last three generations, and of the
/// generations that are a multiple of this number.
const KEPT_STATES: u32 = 10;

/// Number of hexadecimal digits of the hash in a file name.
const HASH_DIGITS: usize = 16;

/// Returns the kind and the BLAKE3 hash of each file that a report names.
fn files(report: &GenerationReport) -> Vec<(&'static str, &str)> {
    let state = report.state.iter().map(|hash| (STATE, hash.as_str()));
    state.chain([(NETWORK, report.network.as_str())]).collect()
}

/// Checks that the config's file `initial` has the content from which the run began. The file may
/// be missing if the run began from a file, because the run then contains generation 0.
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
    Err(other_config(&run.location, &keys))
}

/// Creates the error of a run whose config differs. `keys` are the differing keys, each with the old
/// and the new value.
fn other_config(place: &Location, keys: &str) -> TrainingError {
    let reason = "contains a run with another config; choose another folder or undo these changes";
    TrainingError::Other(format!("{place} {reason}: {keys}"))
}

/// Checks that the file of a network or training state is intact, and that a report names it.
/// `hash` is the BLAKE3 hash in the report, or `None` if the report does not record it.
///
/// # Errors
/// The file cannot be read, is damaged, or has another hash.
pub fn check_file(file: &Path, hash: Option<&str>) -> Result<(), TrainingError> {
    let found = NetworkInfo::read(file)?.hash;
    if hash.is_some_and(|hash| hash != found) {
        return Err(StoreError::damaged(file, "it is not the file that its report.json names").into());
    }
    Ok(())
}

/// Returns the path of a generation's folder in a run directory. The folder need not exist.
pub fn generation_dir(run: &Path, generation: u32) -> PathBuf {
    run.join(format!("generation-{generation:04}"))
}

/// Returns the path of a generation's network in a run directory. The file need not exist.
pub fn network_path(run: &Path, generation: u32) -> PathBuf {
    generation_dir(run, generation).join("network.safetensors")
}

/// Returns the report of a generation in a run directory. Returns `None` if the generation is not
/// complete.
///
/// # Errors
/// The report cannot be read.
pub fn read_report(run: &Path, generation: u32) -> Result<Option<GenerationReport>, TrainingError> {
    let path = generation_dir(run, generation).join("report.json");
    Ok(if path.exists() { Some(read_json(&path)?) } else { None })
}

/// Returns the reports of all complete generations in a run directory, from 0.
///
/// # Errors
/// A report cannot be read.
pub fn read_reports(run: &Path) -> Result<Vec<GenerationReport>, TrainingError> {
    (0..).map_while(|generation| read_report(run, generation).transpose()).collect()
}
