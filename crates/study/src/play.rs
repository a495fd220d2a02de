//! Plays the games of a study: each network against itself, arm by arm and level by level.

use crate::StudyError;
use crate::agents::{NetworkFile, Networks};
use crate::config::{GamesConfig, StudyConfig};
use crate::data::{Cell, CellGames};
use crate::folder::{Folder, games_dir};
use crate::games::setup_plies;
use crate::progress::{Progress, Work};
use crate::units::{each, seed_of};
use catapult_arena::breaking_ties;
use catapult_encoding::Encode;
use catapult_mcts::{SEARCH_DEFAULTS, SearchConfig};
use catapult_network::{EvaluatorSettings, Network, NetworkEvaluator, device};
use catapult_records::{GameRecord, RecordError, Shard, find_shards, read_shard, set_aside, write_shard};
use catapult_rules::{Variant, with_variant};
use catapult_selfplay::{Counters, SelfPlayConfig, ShardSettings, play_shard, play_shard_overlapped};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Plies of a game where none has been played yet.
pub(crate) const PLIES: f64 = 120.0;

/// Games under way at once in a shard on a CPU, and on a GPU.
const SLOTS: [usize; 2] = [32, 2048];

/// A part of a cell's games: a unit of work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamesUnit {
    /// Who plays what.
    pub cell: Cell,
    /// Its number in the cell, from 0.
    pub shard: u32,
    /// Games.
    pub games: u64,
}

impl GamesUnit {
    /// All units of a study's games, in the order of the file.
    pub fn all(config: &StudyConfig) -> Vec<GamesUnit> {
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

    /// Evaluations that it takes, games being so long.
    pub fn evaluations(&self, plies: f64) -> u64 {
        (self.games as f64 * plies * f64::from(self.cell.simulations)) as u64
    }

    /// Its file in a study's folder, if there is one; not verified.
    pub(crate) fn path(&self, study: &Path) -> Option<PathBuf> {
        let shards = find_shards(&games_dir(study, &self.cell)).ok()?;
        shards.into_iter().find(|shard| shard.name == self.file_name()).map(|shard| shard.path)
    }

    fn file_name(&self) -> String {
        format!("shard-{:04}", self.shard)
    }

    fn seed(&self, config: &StudyConfig) -> u64 {
        seed_of(config.seed, &format!("games {} {}", self.cell, self.shard))
    }
}

/// What the units of a study are played with.
pub struct Stage<'a> {
    /// The study.
    pub config: &'a StudyConfig,
    /// Its folder.
    pub folder: &'a Folder,
    /// Its networks.
    pub networks: &'a Networks,
    /// Watches.
    pub progress: &'a dyn Progress,
    /// Ends the work.
    pub stop: &'a AtomicBool,
}

impl Stage<'_> {
    /// Does units on the study's threads, largest first, and says how far that is. A GPU takes them one by one.
    pub(crate) fn work<U: Sync>(
        &self,
        name: &str,
        units: &[U],
        expected: impl Fn(&U) -> u64 + Sync,
        unit: impl Fn(&U, &Work) -> Result<IsFound, StudyError> + Sync,
    ) -> Result<(), StudyError> {
        let work = Arc::new(Work {
            name: name.to_owned(),
            units: units.len() as u64,
            expected: units.iter().map(&expected).sum(),
            ..Default::default()
        });
        let is_cuda = device::choose(&self.config.machine.device)?.is_cuda();
        let threads = if is_cuda { 1 } else { self.config.machine.playing_threads() };
        let mut order: Vec<&U> = units.iter().collect();
        order.sort_by_key(|unit| std::cmp::Reverse(expected(unit)));
        self.progress.stage(&work);
        let result = each(threads, &order, |one| {
            if self.stop.load(Ordering::Relaxed) {
                return Err(StudyError::Stopped);
            }
            work.finish(expected(one), unit(one, &work)? == IsFound::Yes);
            Ok(())
        });
        self.progress.stage_done();
        result
    }

    /// Plays the games that are not there yet; those that are there are verified.
    ///
    /// # Errors
    /// [`StudyError::Stopped`] soon after a stop: whole shards stay, and the same call goes on from there.
    pub fn play(&self) -> Result<(), StudyError> {
        let units = GamesUnit::all(self.config);
        let expected = |unit: &GamesUnit| unit.evaluations(PLIES);
        self.work("shards of games", &units, expected, |unit, work| {
            if self.find(unit)?.is_some() {
                return Ok(IsFound::Yes);
            }
            let cell = &unit.cell;
            let file = self.networks.file(&cell.network, cell.checkpoint)?;
            let games = with_variant!(cell.arm, |P, rules| {
                self.games_of::<P>(unit, (cell.arm, rules), file, &work.counters)
            })?;
            let dir = self.folder.games(cell);
            std::fs::create_dir_all(&dir).map_err(|error| StudyError::file(&dir, error))?;
            write_shard(&dir, &unit.file_name(), &games, &self.metadata(unit, file))?;
            Ok(IsFound::No)
        })
    }

    fn games_of<P: Encode>(
        &self,
        unit: &GamesUnit,
        arm: (Variant, P::Rules),
        file: &NetworkFile,
        counters: &Counters,
    ) -> Result<Vec<GameRecord>, StudyError> {
        let device = device::choose(&self.config.machine.device)?;
        let network = Network::load(&file.path, &P::LAYOUT)?;
        let mut evaluator = NetworkEvaluator::<P>::new(&network, EvaluatorSettings::on(device))?;
        let GamesConfig { sampled_plies, ply_cap, .. } = self.config.games;
        let selfplay = SelfPlayConfig {
            simulations: unit.cell.simulations,
            full_search_share: 1.0,
            // A set-up is no part of the opening.
            sampled_plies: sampled_plies + setup_plies(arm.0) as u32,
            fork_share: 0.0,
            ply_cap,
            no_progress_cap: 100,
            ..Default::default()
        };
        let search = breaking_ties(SearchConfig::default());
        let settings = ShardSettings {
            selfplay: &selfplay,
            search: &search,
            games: unit.games,
            slots: SLOTS[usize::from(device.is_cuda())],
            seed: unit.seed(self.config),
            network: &file.hash,
            endings: None,
        };
        let played = if device.is_cuda() {
            play_shard_overlapped::<P>(&[arm], &settings, &mut evaluator, counters, self.stop)
        } else {
            play_shard::<P>(&[arm], &settings, &mut evaluator, counters, self.stop)
        };
        Ok(played.map_err(catapult_training::TrainingError::from)?)
    }

    /// The games of all cells, read and verified.
    ///
    /// # Errors
    /// A shard that is not there, whole and of this study: [`Stage::play`] mends that.
    pub fn read(&self) -> Result<Vec<CellGames>, StudyError> {
        let mut cells: Vec<CellGames> = Vec::new();
        for unit in GamesUnit::all(self.config) {
            let shard = self.find(&unit)?.ok_or_else(|| StudyError::Cell {
                cell: Box::new(unit.cell.clone()),
                reason: format!("{} is missing", unit.file_name()),
            })?;
            if unit.shard == 0 {
                cells.push(CellGames { cell: unit.cell.clone(), games: Vec::new() });
            }
            // The first unit of a cell is its shard 0.
            if let Some(cell) = cells.last_mut() {
                let before = cell.games.len() as u64;
                cell.games.extend(
                    shard.games.into_iter().map(|game| GameRecord { game: before + game.game, ..game }),
                );
            }
        }
        Ok(cells)
    }

    /// A unit's shard if it is there, undamaged and of this study; what is there but not so is set aside.
    fn find(&self, unit: &GamesUnit) -> Result<Option<Shard>, StudyError> {
        let file = self.networks.file(&unit.cell.network, unit.cell.checkpoint)?;
        let name = unit.file_name();
        let shards = find_shards(&self.folder.games(&unit.cell))?;
        let paths: Vec<PathBuf> =
            shards.into_iter().filter(|shard| shard.name == name).map(|shard| shard.path).collect();
        let mut found = None;
        for path in paths {
            let reason = match read_shard(&path) {
                Ok(shard)
                    if shard.metadata == self.metadata(unit, file)
                        && shard.games.len() as u64 == unit.games =>
                {
                    found = Some(shard);
                    continue;
                }
                Ok(_) => format!("{}: it was played by another network, study or version", path.display()),
                Err(error @ RecordError::Io { .. }) => return Err(error.into()),
                Err(error) => error.to_string(),
            };
            let aside = set_aside(&path)?;
            self.progress
                .warn(&format!("{reason}; set aside as {}, its games are played again", aside.display()));
        }
        Ok(found)
    }

    /// What a shard's file says of itself; anything else gives other games.
    fn metadata(&self, unit: &GamesUnit, file: &NetworkFile) -> BTreeMap<String, String> {
        let GamesUnit { cell, shard, .. } = unit;
        let GamesConfig { sampled_plies, ply_cap, .. } = self.config.games;
        let entries = [
            ("catapult", env!("CARGO_PKG_VERSION").to_owned()),
            ("study", self.folder.registered_hash().to_owned()),
            ("variant", cell.arm.to_string()),
            ("agent", cell.network.to_string()),
            ("checkpoint", cell.checkpoint.to_string()),
            ("simulations", cell.simulations.to_string()),
            ("sampled_plies", sampled_plies.to_string()),
            ("ply_cap", ply_cap.to_string()),
            ("search_defaults", SEARCH_DEFAULTS.to_string()),
            ("seed", unit.seed(self.config).to_string()),
            ("shard", shard.to_string()),
            ("network", file.hash.clone()),
        ];
        entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }
}

/// Whether a unit was there already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IsFound {
    Yes,
    No,
}
