//! Self-play games of a study: each network in each arm at each level.

use crate::StudyError;
use crate::config::{GamesConfig, StudyConfig};
use crate::folder::games_dir;
use crate::units::{Cost, Stage, StageUnit};
use catapult_arena::breaking_ties;
use catapult_encoding::layout;
use catapult_mcts::{SEARCH_DEFAULTS, SearchConfig};
use catapult_measures::data::Cell;
use catapult_network::{EvaluatorSettings, Network};
use catapult_records::{GameRecord, ShardKey, WantedShard, find_shards};
use catapult_seeds::Stream;
use catapult_selfplay::{Counters, SelfPlayConfig, ShardSettings};
use catapult_training::{KERNEL, VERSION, play_shard_of};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Half-move clock, in plies, at which games end by the fifty-move rule.
pub(crate) const NO_PROGRESS_CAP: u32 = 100;

/// Number of concurrent games of a shard: on a CPU, then on a GPU.
const SLOTS: [usize; 2] = [32, 2048];

/// A shard of a cell's games: a unit of work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GamesUnit {
    /// Network, arm, checkpoint and level of the games.
    pub cell: Cell,
    /// Number of the shard in the cell, from 0.
    pub shard: u32,
    /// Number of games in the shard.
    pub games: u64,
}

impl GamesUnit {
    /// Returns all shards of a study, in the order of its cells.
    pub(crate) fn all(config: &StudyConfig) -> Vec<GamesUnit> {
        let per_shard = config.games.per_shard;
        let of_cell = |(cell, games): (Cell, u64)| {
            (0..games.div_ceil(per_shard)).map(move |shard| GamesUnit {
                cell: cell.clone(),
                shard: shard as u32,
                games: per_shard.min(games - shard * per_shard),
            })
        };
        config.played_cells().into_iter().flat_map(of_cell).collect()
    }

    fn file_name(&self) -> String {
        format!("shard-{:04}", self.shard)
    }

    fn seed(&self, config: &StudyConfig) -> u64 {
        Stream::CellGames(&self.cell, self.shard).seed(config.seed)
    }
}

impl StageUnit for GamesUnit {
    fn name(&self) -> String {
        format!("games/{}/{}", self.cell, self.file_name())
    }

    fn cost(&self, plies: f64) -> Cost {
        Cost {
            agent: self.cell.network.agent.clone(),
            games: self.games,
            evaluations: (self.games as f64 * plies * f64::from(self.cell.simulations)) as u64,
            moves: None,
        }
    }

    fn file(&self, study: &Path) -> Option<PathBuf> {
        let shards = find_shards(&games_dir(study, &self.cell)).ok()?;
        shards.into_iter().find(|shard| shard.name == self.file_name()).map(|shard| shard.path)
    }

    fn is_whole(&self, stage: &Stage<'_>) -> Result<bool, StudyError> {
        Ok(stage.wanted(self)?.find(&|text| stage.progress.warn(text))?.is_some())
    }

    fn is_there(&self, stage: &Stage<'_>) -> Result<bool, StudyError> {
        Ok(stage.wanted(self)?.is_published()?)
    }

    fn build(&self, stage: &Stage<'_>, counters: &Counters) -> Result<(), StudyError> {
        let (config, file) = (stage.config, stage.network(&self.cell)?);
        // A sparse network plays on the CPU.
        let device = config.machine.device.choose()?.playing(&file.architecture);
        let selfplay = SelfPlayConfig {
            simulations: self.cell.simulations,
            full_search_share: 1.0,
            sampled_plies: config.games.sampled_plies_of(self.cell.arm.rules),
            fork_share: 0.0,
            ply_cap: config.games.ply_cap,
            no_progress_cap: NO_PROGRESS_CAP,
            forbidden: self.cell.arm.without,
            ..Default::default()
        };
        let search = breaking_ties(SearchConfig::default());
        let settings = ShardSettings {
            selfplay: &selfplay,
            search: &search,
            games: self.games,
            slots: SLOTS[usize::from(device.is_cuda())],
            seed: self.seed(config),
            network: &file.hash,
            endings: None,
        };
        let arms = [self.cell.arm.rules];
        let network = Network::load(file.to_load()?, &layout(self.cell.arm.rules))?;
        let games = play_shard_of(&arms, &settings, &network, device, counters, stage.stop)?.games;
        let mut metadata = stage.metadata(self)?;
        metadata.insert(KERNEL.to_owned(), EvaluatorSettings::on(device).kernel());
        metadata.insert(VERSION.to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        stage.wanted(self)?.write(&games, &metadata)?;
        Ok(())
    }
}

impl Stage<'_> {
    /// Returns the verified games of a cell, numbered from 0 across its shards. A damaged or
    /// missing shard is played again.
    ///
    /// # Errors
    /// A shard cannot be read or played.
    pub(crate) fn cell_games(&self, cell: &Cell) -> Result<Vec<GameRecord>, StudyError> {
        let mut games: Vec<GameRecord> = Vec::new();
        for unit in GamesUnit::all(self.config).iter().filter(|unit| unit.cell == *cell) {
            let find = || self.wanted(unit)?.find(&|text| self.progress.warn(text)).map_err(StudyError::from);
            let found = match find()? {
                Some((_, shard)) => shard,
                None => {
                    unit.build(self, &Counters::default())?;
                    find()?.ok_or_else(|| StudyError::unit(unit.name(), "its games were deleted"))?.1
                }
            };
            let before = games.len() as u64;
            games.extend(found.games.into_iter().map(|game| GameRecord { game: before + game.game, ..game }));
        }
        Ok(games)
    }

    /// Returns the description by which a unit's shard is found: its place, name and cache key.
    fn wanted(&self, unit: &GamesUnit) -> Result<WantedShard, StudyError> {
        Ok(WantedShard {
            location: self.folder.location.clone(),
            dir: games_dir(self.folder.dir(), &unit.cell),
            name: unit.file_name(),
            key: Some(ShardKey {
                games: unit.games,
                metadata: self.metadata(unit)?,
                results: &[],
                notes: &[KERNEL, VERSION],
            }),
        })
    }

    /// Returns the cache key of a unit's shard: the metadata that determine its games.
    fn metadata(&self, unit: &GamesUnit) -> Result<BTreeMap<String, String>, StudyError> {
        let GamesUnit { cell, shard, .. } = unit;
        let GamesConfig { sampled_plies, ply_cap, .. } = self.config.games;
        let entries = [
            ("study", self.folder.registered.hash.clone()),
            ("variant", cell.arm.rules.to_string()),
            ("agent", cell.network.to_string()),
            ("checkpoint", cell.checkpoint.to_string()),
            ("simulations", cell.simulations.to_string()),
            ("sampled_plies", sampled_plies.to_string()),
            ("ply_cap", ply_cap.to_string()),
            ("search_defaults", SEARCH_DEFAULTS.to_string()),
            ("seed", unit.seed(self.config).to_string()),
            ("shard", shard.to_string()),
            ("network", self.network(cell)?.hash.clone()),
        ];
        let forbidden = cell.arm.without.map(|kind| ("forbidden", kind.to_string()));
        Ok(entries.into_iter().chain(forbidden).map(|(key, value)| (key.to_owned(), value)).collect())
    }
}
