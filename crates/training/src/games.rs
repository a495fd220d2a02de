//! Games of a generation, in shards. Existing shards are verified and used. Missing shards are
//! played.

use crate::progress::Watch;
use crate::run::{Run, network_path};
use crate::{TrainConfig, TrainingError};
use catapult_encoding::layout;
use catapult_endings::Tables;
use catapult_mcts::SEARCH_DEFAULTS;
use catapult_network::{Device, EvaluatorSettings, Network, NetworkEvaluator, file_hash, usable_threads};
use catapult_records::{GameRecord, Shard, ShardKey, WantedShard, read_shard, write_shard};
use catapult_rules::{Variant, with_variants};
use catapult_seeds::Stream;
use catapult_selfplay::{Counters, Played, SelfPlayConfig, ShardSettings, play_shard, play_shard_overlapped};
use catapult_store::{BadSetting, Unit, find_or_make_all};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Metadata key of the number of evaluations that a shard's searches requested. Only shards of runs
/// with a budget have it.
pub(crate) const ASKED: &str = "asked";

/// Metadata key of the numeric kernel that computed a shard's evaluations.
pub const KERNEL: &str = "arithmetic";

/// Metadata key of the version of the program that played a shard. It is not in the cache key: only
/// `search_defaults` separates the games of two versions.
pub const VERSION: &str = "catapult";

/// Identity of a shard within a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShardId {
    /// Number of the generation to which the shard belongs. Its network is the first that learns
    /// from the shard.
    pub generation: u32,
    /// Number of the shard in its generation, from 0.
    pub shard: u32,
}

impl ShardId {
    /// Returns the shard's name, such as `shard-0002`. It is the file name without hash and
    /// extension.
    pub fn name(self) -> String {
        format!("shard-{:04}", self.shard)
    }

    /// Returns the number of games in the shard, according to the run's config.
    pub fn games(self, config: &TrainConfig) -> u64 {
        let (games, shards) = (config.games.per_generation, u64::from(config.games.shards));
        games / shards + u64::from(u64::from(self.shard) < games % shards)
    }
}

/// Plays the shard `id` of a run with the network in the file `network`. Writes the shard to the
/// folder `dir` and returns its path.
///
/// # Errors
/// [`TrainingError::Stopped`] soon after `stop` becomes true. Another error if the network cannot
/// be read or run, or the shard cannot be written.
pub fn play_to_file(
    config: &TrainConfig,
    id: ShardId,
    network: &Path,
    dir: &Path,
    counters: &Counters,
    stop: &AtomicBool,
) -> Result<PathBuf, TrainingError> {
    let tables = config.selfplay.endings.as_deref().map(Tables::new);
    let (games, metadata) = play(config, id, network, tables.as_ref(), counters, stop)?;
    Ok(write_shard(dir, &id.name(), &games, &metadata)?)
}

/// Plays the shard `id` with the network in the file `network`. Returns the games and the metadata
/// to store with them.
fn play(
    config: &TrainConfig,
    id: ShardId,
    network: &Path,
    tables: Option<&Tables>,
    counters: &Counters,
    stop: &AtomicBool,
) -> Result<(Vec<GameRecord>, BTreeMap<String, String>), TrainingError> {
    let device = config.playing_device()?;
    let hash = file_hash(network)?;
    let endings = tables.map(Tables::digest).transpose()?;
    let selfplay =
        SelfPlayConfig { simulations: config.simulations(id.generation), ..config.selfplay.clone() };
    let settings = ShardSettings {
        selfplay: &selfplay,
        search: &config.search,
        games: id.games(config),
        slots: config.machine.slots(device),
        seed: Stream::Shard { generation: id.generation, number: id.shard }.seed(config.seed),
        network: &hash,
        endings: tables,
    };
    // All variants of a run have one layout.
    let network = Network::load(network, &layout(config.variants()[0]))?;
    let Played { games, asked } =
        play_shard_of(config.variants(), &settings, &network, device, counters, stop)?;
    let mut metadata = metadata(config, id, &hash, endings.as_deref());
    metadata.insert(KERNEL.to_owned(), EvaluatorSettings::on(device).kernel());
    metadata.insert(VERSION.to_owned(), env!("CARGO_PKG_VERSION").to_owned());
    if config.budget.is_some() {
        metadata.insert(ASKED.to_owned(), asked.to_string());
    }
    Ok((games, metadata))
}

/// Plays the games of a shard with a network. The variants must share a board. On a GPU, all threads
/// of the current rayon pool take part. On a CPU, and for a sparse network, the calling thread plays
/// alone.
///
/// The signature contains no game type. Self-play is thus compiled once here and not in every crate
/// that calls this function.
///
/// # Errors
/// [`TrainingError::Stopped`] soon after `stop` becomes true. Another error if the network cannot
/// be run.
pub fn play_shard_of(
    variants: &[Variant],
    settings: &ShardSettings<'_>,
    network: &Network,
    device: Device,
    counters: &Counters,
    stop: &AtomicBool,
) -> Result<Played, TrainingError> {
    let device = device.playing(&network.architecture);
    with_variants!(variants, |P, arms| {
        let mut evaluator = NetworkEvaluator::<P>::new(network, EvaluatorSettings::on(device))?;
        Ok(if device.is_cuda() {
            play_shard_overlapped(&arms, settings, &mut evaluator, counters, stop)?
        } else {
            play_shard(&arms, settings, &mut evaluator, counters, stop)?
        })
    })
}

/// Returns the cache key of a shard: the metadata that determines its games. `network` and
/// `endings` are hashes of the network and of the endgame tablebases.
fn metadata(
    config: &TrainConfig,
    id: ShardId,
    network: &str,
    endings: Option<&str>,
) -> BTreeMap<String, String> {
    let mut all = BTreeMap::from([
        ("variant".to_owned(), config.variant_names()),
        ("seed".to_owned(), config.seed.to_string()),
        ("generation".to_owned(), id.generation.to_string()),
        ("shard".to_owned(), id.shard.to_string()),
        ("simulations".to_owned(), config.simulations(id.generation).to_string()),
        ("network".to_owned(), network.to_owned()),
        ("search_defaults".to_owned(), SEARCH_DEFAULTS.to_string()),
    ]);
    all.extend(endings.map(|hash| ("endings".to_owned(), hash.to_owned())));
    all.extend(config.selfplay.forbidden.map(|kind| ("forbidden".to_owned(), kind.to_string())));
    if endings.is_some() && config.selfplay.forbidden.is_some() {
        // Earlier versions also used tables with catapults.
        all.insert("endings_used".to_owned(), "without catapults".to_owned());
    }
    all
}

/// Generation whose games are read or played, with the inputs and callbacks for playing them.
struct Generation<'a> {
    run: &'a Run,
    /// Config that applies to the generation.
    config: &'a TrainConfig,
    number: u32,
    network: PathBuf,
    tables: Option<Tables>,
    /// Hashes of the network and of the endgame tablebases, which an existing shard must match.
    /// `None` accepts any shard.
    played_by: Option<(String, Option<String>)>,
    counters: &'a Counters,
    watch: Watch<'a>,
}

/// Shard of a generation, as a unit of work.
struct ShardUnit<'a> {
    of: &'a Generation<'a>,
    id: ShardId,
}

impl Generation<'_> {
    fn units(&self) -> Vec<ShardUnit<'_>> {
        let unit = |shard| ShardUnit { of: self, id: ShardId { generation: self.number, shard } };
        (0..self.config.games.shards).map(unit).collect()
    }
}

impl Unit for ShardUnit<'_> {
    type Output = (PathBuf, Shard);
    type Error = TrainingError;

    fn expected(&self) -> u64 {
        self.id.games(self.of.config)
    }

    fn find(&self) -> Result<Option<(PathBuf, Shard)>, TrainingError> {
        let Generation { counters, watch, .. } = self.of;
        let found = self.wanted().find(&|text| watch.progress.warn(text))?;
        if let Some((_, shard)) = &found {
            let plies = shard.games.iter().map(|game| game.moves.len() as u64).sum();
            counters.games.fetch_add(shard.games.len() as u64, Ordering::Relaxed);
            counters.plies.fetch_add(plies, Ordering::Relaxed);
        }
        Ok(found)
    }

    fn make(&self) -> Result<(PathBuf, Shard), TrainingError> {
        let Generation { run, config, network, tables, counters, watch, .. } = self.of;
        if !network.exists() {
            let games = run.games(self.id.generation);
            let (dir, shard, network) = (games.display(), self.id.shard, network.display());
            return Err(TrainingError::Other(format!(
                "{dir}: shard {shard} must be replayed, but {network} is missing (archives omit early \
                 networks); copy the shard or the network from the original run"
            )));
        }
        let (games, metadata) = play(config, self.id, network, tables.as_ref(), counters, watch.stop)?;
        let path = self.wanted().write(&games, &metadata)?;
        let shard = read_shard(&path)?;
        Ok((path, shard))
    }
}

impl ShardUnit<'_> {
    fn wanted(&self) -> WantedShard {
        let Generation { run, config, played_by, .. } = self.of;
        let key = |(network, endings): &(String, Option<String>)| ShardKey {
            games: self.id.games(config),
            metadata: metadata(config, self.id, network, endings.as_deref()),
            results: if config.budget.is_some() { &[ASKED] } else { &[] },
            notes: &[KERNEL, VERSION],
        };
        WantedShard {
            location: run.location().clone(),
            dir: run.games(self.id.generation),
            name: self.id.name(),
            key: played_by.as_ref().map(key),
        }
    }
}

/// Reads or plays all shards of a generation and returns them in order, with the paths of their
/// files. A damaged file is renamed, and its shard is played again.
pub(crate) fn play_generation(
    run: &Run,
    number: u32,
    counters: &Counters,
    watch: Watch<'_>,
) -> Result<Vec<(PathBuf, Shard)>, TrainingError> {
    let generation = generation_to_play(run, number, counters, watch)?;
    let units = generation.units();
    let work = |threads| find_or_make_all(&units, threads, watch.stop, |_, _| watch.progress.shard_done());
    let config = run.config();
    let threads = usable_threads(config.machine.threads);
    if !config.playing_device()?.is_cuda() {
        return work(threads);
    }
    on_all_threads(threads, || work(1))
}

/// Plays one shard of a generation unless it exists. Returns true if this call played the shard.
pub(crate) fn play_one(run: &Run, id: ShardId, watch: Watch<'_>) -> Result<bool, TrainingError> {
    let counters = Counters::default();
    let generation = generation_to_play(run, id.generation, &counters, watch)?;
    let unit = ShardUnit { of: &generation, id };
    if unit.wanted().is_published()? || unit.find()?.is_some() {
        return Ok(false);
    }
    // On a CPU, one of the threads plays alone.
    on_all_threads(usable_threads(run.config().machine.threads), || unit.make())?;
    Ok(true)
}

/// Runs `work` in a pool of `threads` threads.
pub(crate) fn on_all_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<T, TrainingError> + Send,
) -> Result<T, TrainingError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| TrainingError::Threads(error.to_string()))?.install(work)
}

/// Returns generation `number`, prepared for playing. The network of the previous generation plays
/// it, or an older network if `games.lag` is not 0.
fn generation_to_play<'a>(
    run: &'a Run,
    number: u32,
    counters: &'a Counters,
    watch: Watch<'a>,
) -> Result<Generation<'a>, TrainingError> {
    let config = run.config();
    let network = run.bring_network(config.player(number))?;
    let tables = open_tables(config, &run.dir().join("config.toml"))?;
    let endings = tables.as_ref().map(Tables::digest).transpose()?;
    let played_by = Some((file_hash(&network)?, endings));
    Ok(Generation { run, config, number, network, tables, played_by, counters, watch })
}

/// Opens the endgame tablebases of a config. Returns `None` if the config has none. Errors name
/// `file`, the config's file or the folder of its run.
///
/// # Errors
/// The folder does not exist or contains no tablebases, or a table is damaged.
pub(crate) fn open_tables(config: &TrainConfig, file: &Path) -> Result<Option<Tables>, TrainingError> {
    let Some(dir) = config.selfplay.endings.as_deref() else { return Ok(None) };
    let refused =
        |why: &str| TrainingError::config(file, BadSetting::new("selfplay.endings", dir.display(), why));
    if matches!(dir.try_exists(), Ok(false)) {
        return Err(refused("this folder does not exist"));
    }
    let tables = Tables::new(dir);
    if tables.list()?.is_empty() {
        return Err(refused("this folder has no endgame tablebases"));
    }
    Ok(Some(tables))
}

/// Reads all shards of a complete generation like [`play_generation`]. Damaged and missing shards are
/// played again. Intact shards are accepted, even if their cache key differs.
pub(crate) fn read_generation(
    run: &Run,
    number: u32,
    watch: Watch<'_>,
) -> Result<Vec<(PathBuf, Shard)>, TrainingError> {
    let config = run.config_of(number);
    // Needed only to play a shard again. The file may be missing.
    let network = network_path(run.dir(), config.player(number));
    let tables = config.selfplay.endings.as_deref().map(Tables::new);
    let (counters, played_by) = (&Counters::default(), None);
    let generation = Generation { run, config, number, network, tables, played_by, counters, watch };
    find_or_make_all(&generation.units(), 1, watch.stop, |_, _| ())
}
