//! A run in one small file, to go on elsewhere: what the next generations need and what was reported, not every network and
//! game there was.
//!
//! A pack is an [archive](crate::write_archive):
//!
//! ```text
//! config.toml, matches/, and whatever else lies in the run's folder
//! generation-*/report.json                       all of them
//! generation-0000/network.safetensors            an opponent of the matches at the end
//! generation-0007/{state,network}.safetensors    of the last complete generation; networks as far back as games lag
//! generation-0005/games/ ... generation-0008/    as far back as the replay window reaches, and what has been played since
//! ```
//!
//! What the program makes anew (`metrics.jsonl`, `tensorboard/`) is left out. Unpacked, the same command goes on to the same
//! bytes as the run itself would have: the window never reaches further back again than it did, since it grows by no more
//! rows than are played.

use crate::archive::{entries_of, files_of, read_archive, write_archive};
use crate::run::{generation_dir, network_path, read_reports};
use crate::{TrainConfig, TrainingError};
use catapult_network::NetworkInfo;
use catapult_records::{find_shards, read_shard};
use catapult_rows::first_generation;
use catapult_store::lock;
use std::fs;
use std::path::{Path, PathBuf};

/// What a pack holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packed {
    /// The last complete generation: the next command goes on behind it.
    pub generation: u32,
    /// The first generation whose games are there.
    pub games_from: u32,
    /// Its files.
    pub files: usize,
    /// Bytes of the pack.
    pub bytes: u64,
}

/// Packs a run. It is verified first, since what is packed is often all that stays.
///
/// # Errors
/// A folder that is no run, is in use, or has no complete generation; a file that is damaged or can't be read or written.
pub fn pack(dir: &Path, file: &Path) -> Result<Packed, TrainingError> {
    if !dir.join("config.toml").exists() {
        return Err(TrainingError::NotARun(dir.to_owned()));
    }
    let _lock = lock(dir)?;
    let (contents, files) = needed(dir)?;
    let bytes = write_archive(dir, &files, file)?;
    Ok(contents.packed(files.len(), bytes))
}

/// Makes a run's folder of a pack; it is there whole and verified, or not at all.
///
/// # Errors
/// A folder that is there and not empty; a pack that is damaged, cut short or no pack.
pub fn unpack(file: &Path, dir: &Path) -> Result<Packed, TrainingError> {
    let bytes = fs::metadata(file).map_err(|e| TrainingError::file(file, e))?.len();
    read_archive(file, dir, |dir, files| {
        let contents = Contents::of(dir)?;
        contents.verify(dir)?;
        Ok(contents.packed(files, bytes))
    })
}

/// The names of the files that a run needs to go on elsewhere, verified.
///
/// # Errors
/// As [`pack`].
pub fn packed_files(dir: &Path) -> Result<Vec<PathBuf>, TrainingError> {
    Ok(needed(dir)?.1)
}

fn needed(dir: &Path) -> Result<(Contents, Vec<PathBuf>), TrainingError> {
    let contents = Contents::of(dir)?;
    contents.verify(dir)?;
    let files = contents.files(dir)?;
    Ok((contents, files))
}

/// What of a run goes into a pack.
struct Contents {
    /// The last complete generation.
    last: u32,
    /// The first whose games are needed.
    first: u32,
    /// The first, but for generation 0, whose network is: that which plays next.
    player: u32,
}

impl Contents {
    fn of(dir: &Path) -> Result<Contents, TrainingError> {
        let config = TrainConfig::read(&dir.join("config.toml"), &[])?;
        let reports = read_reports(dir)?;
        let Some(last) = reports.last().map(|report| report.generation) else {
            return Err(TrainingError::Incomplete(dir.to_owned()));
        };
        let rows: Vec<u64> = reports.iter().filter_map(|r| r.learning.as_ref()).map(|l| l.new_rows).collect();
        let first = if last == 0 { 1 } else { first_generation(&config.replay_window(), last, &rows) };
        Ok(Contents { last, first, player: config.player(last + 1) })
    }

    fn packed(&self, files: usize, bytes: u64) -> Packed {
        Packed { generation: self.last, games_from: self.first, files, bytes }
    }

    /// Reads every network, state and record of it.
    fn verify(&self, dir: &Path) -> Result<(), TrainingError> {
        for report in read_reports(dir)? {
            let network = network_path(dir, report.generation);
            let needed = report.generation == 0 || report.generation >= self.player;
            if needed && NetworkInfo::read(&network)?.hash != report.network {
                return Err(TrainingError::damaged(
                    &network,
                    "it is not the network that its report.json names",
                ));
            }
        }
        NetworkInfo::read(&self.state(dir))?;
        for shard in self.shards(dir)? {
            read_shard(&shard)?;
        }
        Ok(())
    }

    fn state(&self, dir: &Path) -> PathBuf {
        generation_dir(dir, self.last).join("state.safetensors")
    }

    fn shards(&self, dir: &Path) -> Result<Vec<PathBuf>, TrainingError> {
        let mut shards = Vec::new();
        // Those after the last whose player is there may have been begun.
        for generation in self.first..=self.last + 1 + (self.last - self.player) {
            let games = generation_dir(dir, generation).join("games");
            if games.exists() {
                shards.extend(find_shards(&games)?.into_iter().map(|shard| shard.path));
            }
        }
        Ok(shards)
    }

    /// The names of all files in the folder, sorted.
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
