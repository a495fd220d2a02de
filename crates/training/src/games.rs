//! Plays a generation's games: shards that are already there are verified and kept, the others played.

use crate::budget;
use crate::progress::Progress;
use crate::run::Run;
use crate::{TrainConfig, TrainingError};
use catapult_encoding::Encode;
use catapult_endings::Tables;
use catapult_mcts::SEARCH_DEFAULTS;
use catapult_network::{EvaluatorSettings, Network, NetworkEvaluator, device, file_hash};
use catapult_records::{RecordError, Shard, find_shards, read_shard, set_aside, write_shard};
use catapult_rules::Variant;
use catapult_selfplay::{
    Counters, SelfPlayConfig, ShardSettings, play_shard, play_shard_overlapped, shard_seed,
};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A shard on disk.
#[derive(Debug)]
pub struct StoredShard {
    /// Its file.
    pub path: PathBuf,
    /// Its games.
    pub shard: Shard,
}

/// The metadata's key of what a shard asked for, in runs with a budget.
const ASKED: &str = "asked";

impl StoredShard {
    /// Positions that its searches asked for, where the run has a budget.
    pub(crate) fn asked(&self) -> Option<u64> {
        asked(&self.shard)
    }
}

fn asked(shard: &Shard) -> Option<u64> {
    shard.metadata.get(ASKED)?.parse().ok()
}

/// Which shard of which generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShardId {
    /// The generation whose network learns from it.
    pub generation: u32,
    /// Its number in the generation, from 0.
    pub shard: u32,
}

impl ShardId {
    /// Its file's name before the hash.
    pub fn name(self) -> String {
        format!("shard-{:04}", self.shard)
    }

    /// The games it plays.
    pub fn games(self, config: &TrainConfig) -> u64 {
        let (games, shards) = (config.games.per_generation, u64::from(config.games.shards));
        games / shards + u64::from(u64::from(self.shard) < games % shards)
    }
}

/// Plays one shard with the network in a file and writes it to `dir`.
pub fn play_to_file<P: Encode>(
    config: &TrainConfig,
    arms: &[(Variant, P::Rules)],
    id: ShardId,
    network: &Path,
    dir: &Path,
    counters: &Counters,
    stop: &AtomicBool,
) -> Result<PathBuf, TrainingError> {
    let device = device::choose(&config.machine.device)?;
    let hash = file_hash(network)?;
    let network = Network::load(network, &P::LAYOUT)?;
    let mut evaluator = NetworkEvaluator::<P>::new(&network, EvaluatorSettings::on(device))?;
    let tables = config.selfplay.endings.as_deref().map(Tables::new);
    let endings = tables.as_ref().map(Tables::digest).transpose()?;
    let selfplay =
        SelfPlayConfig { simulations: config.simulations(id.generation), ..config.selfplay.clone() };
    let settings = ShardSettings {
        selfplay: &selfplay,
        search: &config.search,
        games: id.games(config),
        slots: config.machine.slots(device),
        seed: shard_seed(config.seed, id.generation, id.shard),
        network: &hash,
        endings: tables.as_ref(),
    };
    let mut play = |counters: &Counters| {
        if device.is_cuda() {
            play_shard_overlapped(arms, &settings, &mut evaluator, counters, stop)
        } else {
            play_shard(arms, &settings, &mut evaluator, counters, stop)
        }
    };
    let mut metadata = metadata(config, id, &hash, endings.as_deref());
    let games = if config.budget.is_some() {
        let (games, asked) = budget::asked(counters, play);
        metadata.insert(ASKED.to_owned(), asked.to_string());
        games?
    } else {
        play(counters)?
    };
    Ok(write_shard(dir, &id.name(), &games, &metadata)?)
}

/// What a shard's file says of itself; another config, network or processor's arithmetic gives other games.
fn metadata(
    config: &TrainConfig,
    id: ShardId,
    network: &str,
    endings: Option<&str>,
) -> BTreeMap<String, String> {
    let mut all = BTreeMap::from([
        ("catapult".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ("variant".to_owned(), config.variant_names()),
        ("seed".to_owned(), config.seed.to_string()),
        ("generation".to_owned(), id.generation.to_string()),
        ("shard".to_owned(), id.shard.to_string()),
        ("simulations".to_owned(), config.simulations(id.generation).to_string()),
        ("network".to_owned(), network.to_owned()),
    ]);
    all.extend(endings.map(|hash| ("endings".to_owned(), hash.to_owned())));
    if config.search.considered.is_none() {
        // The only setting that the config leaves to the program.
        all.insert("search_defaults".to_owned(), SEARCH_DEFAULTS.to_string());
    }
    all
}

/// The file of a shard, if it is there.
pub fn find_shard(dir: &Path, id: ShardId) -> Result<Option<PathBuf>, TrainingError> {
    Ok(find_shards(dir)?.into_iter().find(|file| file.name == id.name()).map(|file| file.path))
}

/// Reads or plays all shards of a generation, in order. A damaged file is set aside and its shard played again.
pub(crate) fn play_generation<P: Encode>(
    run: &Run,
    arms: &[(Variant, P::Rules)],
    generation: u32,
    counters: &Arc<Counters>,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<Vec<StoredShard>, TrainingError> {
    let config = run.config();
    let dir = run.games(generation);
    std::fs::create_dir_all(&dir).map_err(|e| TrainingError::file(&dir, e))?;
    let shards = config.games.shards;
    let network = run.network(generation - 1);
    let hash = file_hash(&network)?;
    let tables = config.selfplay.endings.as_deref().map(Tables::new);
    tables.as_ref().map(Tables::check_all).transpose()?;
    let endings = tables.as_ref().map(Tables::digest).transpose()?;
    let read_or_play = |shard: u32| {
        let id = ShardId { generation, shard };
        let fits = |shard: &Shard| {
            let mut expected = metadata(config, id, &hash, endings.as_deref());
            if let Some(asked) = asked(shard).filter(|_| config.budget.is_some()) {
                expected.insert(ASKED.to_owned(), asked.to_string());
            }
            shard.metadata == expected
                && asked(shard).is_some() == config.budget.is_some()
                && shard.games.len() as u64 == id.games(config)
        };
        let stored = match read_or_set_aside(&dir, id, fits, progress)? {
            Some(stored) => {
                let plies = stored.shard.games.iter().map(|game| game.moves.len() as u64).sum();
                counters.games.fetch_add(stored.shard.games.len() as u64, Ordering::Relaxed);
                counters.plies.fetch_add(plies, Ordering::Relaxed);
                stored
            }
            None => {
                let path = play_to_file::<P>(config, arms, id, &network, &dir, counters, stop)?;
                StoredShard { shard: read_shard(&path)?, path }
            }
        };
        progress.shard_done(shard, shards);
        Ok(stored)
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(config.machine.playing_threads())
        .build()
        .map_err(|error| TrainingError::Threads(error.to_string()))?;
    let one_by_one = device::choose(&config.machine.device)?.is_cuda();
    pool.install(|| {
        if one_by_one {
            // All threads grow the trees of one shard, whose large batches fill the GPU.
            (0..shards).map(read_or_play).collect()
        } else {
            (0..shards).into_par_iter().with_max_len(1).map(read_or_play).collect()
        }
    })
}

/// Reads all shards of a complete generation. What has been damaged or lost since is played again; what is whole is taken
/// as it is, also where another version of the program played it.
pub(crate) fn read_generation<P: Encode>(
    run: &Run,
    arms: &[(Variant, P::Rules)],
    generation: u32,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<Vec<StoredShard>, TrainingError> {
    let (config, dir) = (run.config_of(generation), run.games(generation));
    std::fs::create_dir_all(&dir).map_err(|e| TrainingError::file(&dir, e))?;
    let read_or_play = |shard: u32| {
        let id = ShardId { generation, shard };
        if let Some(stored) = read_or_set_aside(&dir, id, |_| true, progress)? {
            return Ok(stored);
        }
        let network = run.network(generation - 1);
        if !network.exists() {
            return Err(TrainingError::NotReplayable { dir: dir.clone(), shard, network });
        }
        let path = play_to_file::<P>(config, arms, id, &network, &dir, &Counters::default(), stop)?;
        Ok(StoredShard { shard: read_shard(&path)?, path })
    };
    (0..config.games.shards).map(read_or_play).collect()
}

/// Reads a shard that is there, undamaged and fits; what is there but not so is renamed.
fn read_or_set_aside(
    dir: &Path,
    id: ShardId,
    fits: impl Fn(&Shard) -> bool,
    progress: &dyn Progress,
) -> Result<Option<StoredShard>, TrainingError> {
    let Some(path) = find_shard(dir, id)? else { return Ok(None) };
    let reason = match read_shard(&path) {
        Ok(shard) if fits(&shard) => return Ok(Some(StoredShard { path, shard })),
        Ok(_) => format!("{}: it was played by another network, config or version", path.display()),
        Err(error @ RecordError::Io { .. }) => return Err(error.into()),
        Err(error) => error.to_string(),
    };
    let aside = set_aside(&path)?;
    progress.warn(&format!("{reason}; set aside as {}, the shard is played again", aside.display()));
    Ok(None)
}
