//! A run in one small file, to go on elsewhere: what the next generations need and what was reported, not every network and
//! game there was.
//!
//! A pack is a tar archive under zstd, with a checksum of the whole:
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

use crate::run::{generation_dir, network_path, read_reports};
use crate::{TrainConfig, TrainingError};
use catapult_network::NetworkInfo;
use catapult_records::{find_shards, read_shard};
use catapult_rows::first_generation;
use catapult_store::{UNFINISHED, lock};
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

/// zstd's own default; networks and records hardly shrink under any.
const LEVEL: i32 = 3;

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
    let contents = Contents::of(dir)?;
    contents.verify(dir)?;
    let files = contents.files(dir)?;
    catapult_store::write_atomically_with(file, |out| {
        let mut compressed = zstd::Encoder::new(out, LEVEL)?;
        compressed.include_checksum(true)?;
        let mut archive = tar::Builder::new(compressed);
        archive.mode(tar::HeaderMode::Deterministic);
        for name in &files {
            archive.append_path_with_name(dir.join(name), name)?;
        }
        archive.into_inner()?.finish().map(drop)
    })
    .map_err(|e| TrainingError::file(file, e))?;
    let bytes = fs::metadata(file).map_err(|e| TrainingError::file(file, e))?.len();
    Ok(contents.packed(files.len(), bytes))
}

/// Makes a run's folder of a pack; it is there whole and verified, or not at all.
///
/// # Errors
/// A folder that is there and not empty; a pack that is damaged, cut short or no pack.
pub fn unpack(file: &Path, dir: &Path) -> Result<Packed, TrainingError> {
    let not_a_folder = |e| TrainingError::file(dir, e);
    if dir.exists() && dir.read_dir().map_err(not_a_folder)?.next().is_some() {
        return Err(TrainingError::Taken(dir.to_owned()));
    }
    let bytes = fs::metadata(file).map_err(|e| TrainingError::file(file, e))?.len();
    let name = dir.file_name().ok_or_else(|| TrainingError::Taken(dir.to_owned()))?;
    let whole = dir.with_file_name(format!("{UNFINISHED}{}", name.to_string_lossy()));
    let remove = || if whole.exists() { fs::remove_dir_all(&whole) } else { Ok(()) };
    // What an unpacking that was killed has left.
    remove().map_err(|e| TrainingError::file(&whole, e))?;
    let unpacked = extract(file, &whole).and_then(|files| {
        let contents = Contents::of(&whole)?;
        contents.verify(&whole)?;
        fs::rename(&whole, dir).map_err(not_a_folder)?;
        Ok(contents.packed(files, bytes))
    });
    if unpacked.is_err() {
        // The first error is the one to tell.
        let _ = remove();
    }
    unpacked
}

/// Writes the files of a pack into a new folder; gives their number.
fn extract(file: &Path, dir: &Path) -> Result<usize, TrainingError> {
    let damaged = |e: io::Error| TrainingError::damaged(file, e);
    let open = File::open(file).map_err(|e| TrainingError::file(file, e))?;
    fs::create_dir_all(dir).map_err(|e| TrainingError::file(dir, e))?;
    let mut decoder = zstd::Decoder::new(open).map_err(damaged)?;
    let mut files = 0;
    let mut archive = tar::Archive::new(&mut decoder);
    for entry in archive.entries().map_err(damaged)? {
        let mut entry = entry.map_err(damaged)?;
        let name = entry.path().map_err(damaged)?.into_owned();
        let plain = name.components().all(|part| matches!(part, Component::Normal(_)));
        if !plain || !entry.header().entry_type().is_file() {
            return Err(damaged(io::Error::other(format!("{}: no file of a run", name.display()))));
        }
        let path = dir.join(&name);
        let folder = path.parent().unwrap_or(dir);
        fs::create_dir_all(folder).map_err(|e| TrainingError::file(folder, e))?;
        let mut out = File::create_new(&path).map_err(|e| TrainingError::file(&path, e))?;
        io::copy(&mut entry, &mut out).map_err(damaged)?;
        out.sync_all().map_err(|e| TrainingError::file(&path, e))?;
        files += 1;
    }
    // To the end, where the checksum is.
    io::copy(&mut decoder, &mut io::sink()).map_err(damaged)?;
    Ok(files)
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
        for entry in entries(dir)? {
            let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let made_anew = ["lock", "metrics.jsonl", "tensorboard"].contains(&name.as_str());
            if !made_anew && !name.starts_with(UNFINISHED) && !name.starts_with("generation-") {
                add_all(entry, &mut files)?;
            }
        }
        let mut names: Vec<PathBuf> =
            files.iter().filter_map(|path| path.strip_prefix(dir).ok()).map(Path::to_owned).collect();
        names.sort();
        names.dedup();
        Ok(names)
    }
}

fn entries(dir: &Path) -> Result<Vec<PathBuf>, TrainingError> {
    let read = || dir.read_dir()?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>();
    read().map_err(|e| TrainingError::file(dir, e))
}

/// A file, or all files of a folder.
fn add_all(path: PathBuf, files: &mut Vec<PathBuf>) -> Result<(), TrainingError> {
    if !path.is_dir() {
        files.push(path);
        return Ok(());
    }
    entries(&path)?.into_iter().try_for_each(|entry| add_all(entry, files))
}
