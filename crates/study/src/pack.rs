//! Archives of a study or an ablation, from which it can be resumed on another machine.
//!
//! The file is an [archive](catapult_training::write_archive) of
//!
//! ```text
//! study.toml or plan.toml, registered.json, looks.json, matches/, analyses/, endings/, results
//! trunks/<seed>/           every file of an ablation's common runs
//! agents/<agent>-<seed>/   complete run: its config, reports and the networks that play
//!                          unfinished run: the files it needs to resume
//! games/<cell>/            every shard, unless games are left out
//! ```
//!
//! Unpack the archive and run the command of the study to resume. Games that were left out are
//! played again. A machine with the same kernel plays the same games.

use crate::StudyError;
use crate::config::{AblationConfig, StudyConfig, read_text};
use crate::folder::{PLAN_FILE, STUDY_FILE, agent_dir};
use crate::stages::stages;
use catapult_network::NetworkInfo;
use catapult_records::{mark_name, read_shard};
use catapult_store::lock;
use catapult_training::run::{generation_dir, network_path, read_reports};
use catapult_training::units::Kind;
use catapult_training::{TrainConfig, entries_of, files_of, packed_files, read_archive, write_archive};
use std::path::{Path, PathBuf};

/// Names of the files that mark the folder and the archive of a study: the study's file, or an
/// ablation's plan.
pub const FILES: [&str; 2] = [STUDY_FILE, PLAN_FILE];

/// Entries of a study's folder whose files are chosen one by one or left out: the lock, runs and
/// units. All files of other entries are packed.
const APART: [&str; 7] = ["lock", "agents", "games", "matches", "endings", "analyses", "probes"];

/// Number of runs, shards and files in an archive, and its size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PackedStudy {
    /// Number of complete training runs, then number of unfinished ones.
    pub agents: [usize; 2],
    /// Number of shards of the study's games.
    pub shards: usize,
    /// Number of files in the archive, of all kinds.
    pub files: usize,
    /// Size of the archive in bytes.
    pub bytes: u64,
}

/// Verifies a study and packs it into `file`. Games are included if `with_games` is true. The
/// archive is often the only copy that remains, so damaged files are rejected.
///
/// # Errors
/// The folder is not a study's or is in use. A file is damaged, or cannot be read or written.
pub fn pack(dir: &Path, file: &Path, with_games: bool) -> Result<PackedStudy, StudyError> {
    let config = read_config(dir)?;
    let _lock = lock(dir)?;
    let contents = Contents::of(dir, &config, with_games)?;
    let bytes = write_archive(dir, &contents.names(dir), file)?;
    Ok(contents.packed(bytes))
}

/// Unpacks an archive into the new folder `dir`. The folder appears whole and verified, or not at
/// all.
///
/// # Errors
/// The folder exists and is not empty. The archive is damaged, truncated or not a study's.
pub fn unpack(file: &Path, dir: &Path) -> Result<PackedStudy, StudyError> {
    let bytes = file.metadata().map_err(|error| StudyError::file(file, error))?.len();
    read_archive(file, dir, |dir, _| {
        let config = read_config(dir)?;
        Ok(Contents::of(dir, &config, true)?.packed(bytes))
    })
}

fn read_config(dir: &Path) -> Result<StudyConfig, StudyError> {
    let refused = |reason| StudyError::NotAStudy { dir: dir.to_owned(), reason };
    let path = dir.join(STUDY_FILE);
    if path.exists() {
        return StudyConfig::parse(&read_text(&path)?).map_err(|reason| StudyError::damaged(&path, reason));
    }
    let path = dir.join(PLAN_FILE);
    if !path.exists() {
        return Err(refused(format!("holds no {STUDY_FILE} and no {PLAN_FILE}, so it is no study")));
    }
    let plan =
        AblationConfig::parse(&read_text(&path)?).map_err(|reason| StudyError::damaged(&path, reason))?;
    // The game is not in the plan, but in the configs of its runs.
    let runs = ["trunks", "agents"].map(|runs| dir.join(runs));
    let runs: Vec<PathBuf> = runs.iter().filter_map(|runs| entries_of(runs).ok()).flatten().collect();
    let config = runs.iter().map(|run| run.join("config.toml")).find(|config| config.exists());
    let config = config.ok_or_else(|| refused("has no run yet, so there is nothing to pack".to_owned()))?;
    Ok(plan.study(TrainConfig::read(&config, &[])?.variants()[0]))
}

/// The verified files that an archive will contain.
#[derive(Default)]
struct Contents {
    /// Numbers of runs and shards.
    packed: PackedStudy,
    files: Vec<PathBuf>,
}

impl Contents {
    fn of(dir: &Path, config: &StudyConfig, with_games: bool) -> Result<Contents, StudyError> {
        let mut contents = Contents::default();
        for agent in config.agents.iter().filter(|agent| agent.train.is_some()) {
            for &seed in &agent.seeds {
                contents.add_run(&agent_dir(dir, &agent.network(seed)), agent.early)?;
            }
        }
        for unit in stages(config).iter().flat_map(|stage| &stage.units) {
            let is_packed = with_games || unit.kind() != Kind::Games;
            match unit.file(dir).filter(|_| is_packed) {
                Some(shard) if unit.kind() == Kind::Games => contents.add_shard(shard)?,
                Some(file) => {
                    let more = unit.more_files(dir).into_iter().filter(|file| file.exists());
                    contents.files.extend(std::iter::once(file).chain(more));
                }
                None => {}
            }
        }
        for entry in entries_of(dir)? {
            let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if !APART.contains(&name.as_str()) {
                contents.files.extend(files_of(&entry)?);
            }
        }
        Ok(contents)
    }

    /// Adds the run of an agent's network, unless no generation is complete.
    fn add_run(&mut self, run: &Path, early: Option<u32>) -> Result<(), StudyError> {
        let path = run.join("config.toml");
        let reports = read_reports(run)?;
        if !path.exists() || reports.is_empty() {
            return Ok(());
        }
        let config = TrainConfig::read(&path, &[])?;
        let Some(last) = config.ends_with(&reports) else {
            self.packed.agents[1] += 1;
            self.files.extend(packed_files(run)?.into_iter().map(|name| run.join(name)));
            return Ok(());
        };
        self.packed.agents[0] += 1;
        self.files.push(path);
        self.files.extend(Some(run.join("fork.json")).filter(|fork| fork.exists()));
        for report in &reports {
            self.files.push(generation_dir(run, report.generation).join("report.json"));
            if report.generation == last || Some(report.generation) == early {
                let network = network_path(run, report.generation);
                if NetworkInfo::read(&network)?.hash != report.network {
                    let reason = "it is not the network that its report.json names";
                    return Err(StudyError::damaged(&network, reason));
                }
                self.files.push(network);
            }
        }
        Ok(())
    }

    fn add_shard(&mut self, file: PathBuf) -> Result<(), StudyError> {
        read_shard(&file)?;
        self.packed.shards += 1;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let mark = name.rsplit_once('-').map(|(name, _)| file.with_file_name(mark_name(name)));
        self.files.extend(mark.filter(|mark| mark.exists()));
        self.files.push(file);
        Ok(())
    }

    /// Returns the paths of the files relative to `dir`, sorted and without duplicates.
    fn names(&self, dir: &Path) -> Vec<PathBuf> {
        let names = self.files.iter().filter_map(|path| path.strip_prefix(dir).ok());
        let mut names: Vec<PathBuf> = names.map(Path::to_owned).collect();
        names.sort();
        names.dedup();
        names
    }

    fn packed(&self, bytes: u64) -> PackedStudy {
        PackedStudy { files: self.files.len(), bytes, ..self.packed }
    }
}
