//! Packs. A pack is one small file from which a run continues elsewhere. It contains all reports
//! and the inputs of the next generations, but no other networks and games.
//!
//! A pack is a tar file, compressed with zstd:
//!
//! ```text
//! config.toml, matches/, and other files of the run's folder
//! generation-*/report.json                       of all generations
//! generation-0000/network.safetensors            plays final matches
//! generation-0007/{state,network}.safetensors    of the last generation; with a lag, more networks
//! generation-0005/games/ ... generation-0008/    of the replay window, and those played since
//! ```
//!
//! Derived files (`metrics.jsonl`, `tensorboard/`) are left out. After unpacking, the command that
//! trained the original run ends with the same bytes. Games before the packed ones are never needed
//! again. The replay window grows by at most the training samples played, so its start never moves
//! back.

use crate::TrainingError;
use crate::archive::{entries_of, extract, files_of, may_be_archive, write_archive};
use crate::games::ShardId;
use crate::run::{Run, check_file, generation_dir, network_path};
use catapult_records::{find_shards, read_shard};
use catapult_rows::first_generation;
use catapult_store::{StoreError, lock, make_folder};
use std::fs;
use std::path::{Path, PathBuf};

/// Content of a pack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packed {
    /// Number of the last complete generation. Training continues after it.
    pub generation: u32,
    /// Number of the first generation whose games are included.
    pub games_from: u32,
    /// Number of files in the pack.
    pub files: usize,
    /// Size of the pack in bytes.
    pub bytes: u64,
}

/// Packs the run in the folder `dir` into the file `file`. The function reads networks, state and
/// games first to verify them, because the pack may be the only copy that is kept.
///
/// # Errors
/// The folder is not a run, is in use or has no complete generation. `file` exists and is not an
/// archive. A file is missing or damaged, or cannot be read or written.
pub fn pack(dir: &Path, file: &Path) -> Result<Packed, TrainingError> {
    if !Run::exists(&dir.into())? {
        return Err(TrainingError::NotBegun(dir.display().to_string()));
    }
    // The folder of the pack may not exist yet.
    let existing = |file: PathBuf| file.ancestors().skip(1).find_map(|folder| folder.canonicalize().ok());
    let folder = std::path::absolute(file).ok().and_then(existing);
    if folder.is_some_and(|folder| dir.canonicalize().is_ok_and(|dir| folder.starts_with(dir))) {
        // The next pack would contain this one.
        let reason = format!("{}: it is inside the run; choose another place", file.display());
        return Err(TrainingError::Other(reason));
    }
    if file.is_file() && !may_be_archive(file)? {
        let reason = format!("{}: it exists and is not an archive; choose another place", file.display());
        return Err(TrainingError::Other(reason));
    }
    let _lock = lock(dir)?;
    let contents = Contents::verified(dir)?;
    if let Some(shard) = &contents.missing {
        let reason = format!("{}: {shard} is missing; resume the run first", dir.display());
        return Err(TrainingError::Other(reason));
    }
    let files = contents.files(dir)?;
    let bytes = write_archive(dir, &files, file)?;
    Ok(contents.packed(files.len(), bytes))
}

/// Unpacks the pack `file` into the folder `dir`, atomically, and verifies the files.
///
/// # Errors
/// `dir` exists and is not empty. `file` is not a pack, or is damaged or incomplete.
pub fn unpack(file: &Path, dir: &Path) -> Result<Packed, TrainingError> {
    let bytes = fs::metadata(file).map_err(|e| StoreError::file(file, e))?.len();
    if dir.exists() && !entries_of(dir)?.is_empty() {
        return Err(TrainingError::Taken(dir.to_owned()));
    }
    make_folder(dir, |whole| {
        let files = extract(file, whole)?;
        let contents = Contents::verified(whole)?;
        match &contents.missing {
            None => Ok(contents.packed(files, bytes)),
            Some(shard) => Err(TrainingError::Other(format!("{}: {shard} is missing", file.display()))),
        }
    })
}

/// Parts of a run that go into a pack.
struct Contents {
    /// Number of the last complete generation.
    last: u32,
    /// Number of the first generation whose games are needed.
    first: u32,
    /// Number of the first generation, except 0, whose network is needed. This network plays the
    /// next generation's games.
    player: u32,
    /// Number of the last generation that may have games already, although it is not complete.
    ahead: u32,
    /// First missing shard of the replay window. A pack does not have the network that could play
    /// its games again.
    missing: Option<String>,
}

impl Contents {
    /// Returns the parts of the run in the folder `dir` that go into a pack. Verifies all networks,
    /// training states and shards among them by reading them.
    fn verified(dir: &Path) -> Result<Contents, TrainingError> {
        let run = Run::join(dir)?;
        let (config, reports) = (run.config(), run.reports()?);
        let Some(last) = reports.last().map(|report| report.generation) else {
            let text = format!("{}: no generation is complete; there is nothing to pack", dir.display());
            return Err(TrainingError::Other(text));
        };
        let rows: Vec<u64> = reports.iter().filter_map(|r| r.learning.as_ref()).map(|l| l.new_rows).collect();
        let first = if last == 0 {
            1
        } else {
            first_generation(&config.replay_window(), config.games.lag, last, &rows)
        };
        let ahead = config.last_with_games(last + 1);
        let missing = |generation| -> Result<Option<String>, TrainingError> {
            let found = find_shards(&run.games(generation))?;
            let mut names =
                (0..run.config_of(generation).games.shards).map(|shard| ShardId { generation, shard }.name());
            let missing = names.find(|name| found.iter().all(|file| file.name != *name));
            Ok(missing.map(|name| format!("generation-{generation:04}/{name}")))
        };
        let missing = (first..=last).map(missing).find_map(Result::transpose).transpose()?;
        let contents = Contents { last, first, player: config.player(last + 1), ahead, missing };
        for report in &reports {
            let generation = report.generation;
            if generation == 0 || generation >= contents.player {
                check_file(&network_path(dir, generation), Some(&report.network))?;
            }
            if generation == last {
                check_file(&contents.state(dir), report.state.as_deref())?;
            }
        }
        for shard in contents.shards(dir)? {
            read_shard(&shard)?;
        }
        Ok(contents)
    }

    fn packed(&self, files: usize, bytes: u64) -> Packed {
        Packed { generation: self.last, games_from: self.first, files, bytes }
    }

    fn state(&self, dir: &Path) -> PathBuf {
        generation_dir(dir, self.last).join("state.safetensors")
    }

    fn shards(&self, dir: &Path) -> Result<Vec<PathBuf>, TrainingError> {
        let mut shards = Vec::new();
        for generation in self.first..=self.ahead {
            let games = generation_dir(dir, generation).join("games");
            shards.extend(find_shards(&games)?.into_iter().map(|shard| shard.path));
        }
        Ok(shards)
    }

    /// Returns the paths of all files of the pack, sorted and relative to `dir`.
    fn files(&self, dir: &Path) -> Result<Vec<PathBuf>, TrainingError> {
        let reports = (0..=self.last).map(|generation| generation_dir(dir, generation).join("report.json"));
        let networks = std::iter::once(0).chain(self.player..=self.last);
        let mut files: Vec<PathBuf> = reports
            .chain(networks.map(|generation| network_path(dir, generation)))
            .chain([self.state(dir)])
            .collect();
        files.extend(self.shards(dir)?);
        for entry in entries_of(dir)? {
            let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let made_anew = ["lock", "metrics.jsonl", "tensorboard"].contains(&name.as_str());
            if !made_anew && !name.starts_with("generation-") {
                files.extend(files_of(&entry)?);
            }
        }
        let mut names: Vec<PathBuf> =
            files.iter().filter_map(|path| path.strip_prefix(dir).ok()).map(Path::to_owned).collect();
        names.sort();
        names.dedup();
        Ok(names)
    }
}
