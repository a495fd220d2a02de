//! Units of a study's work. A unit is a deterministic function of the study's file, its networks
//! and the unit's name. Any order and any number of threads therefore give the same files.

use crate::StudyError;
use crate::agents::{NetworkFile, Networks};
use crate::config::StudyConfig;
use crate::folder::{Folder, unit_path};
use crate::progress::{StudyProgress, Work};
use catapult_arena::PlayerSpec;
use catapult_endings::Tables;
use catapult_measures::data::Cell;
use catapult_network::{Device, usable_threads};
use catapult_rules::Variant;
use catapult_selfplay::Counters;
use catapult_store::{Tally, Unit, find_or_make_all, publish_cached, read_cached};
use catapult_training::units::Kind;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Assumed number of plies of a game before any game has been played.
pub(crate) const PLIES: f64 = 120.0;

/// A unit of a study's work: a piece of work that one thread builds into one file.
pub(crate) trait StageUnit: Send + Sync {
    /// Returns the unit's name, such as `games/chess.rules-1.last.64/shard-0000`.
    fn name(&self) -> String;

    /// Returns the expected cost of the unit if a game takes `plies` plies.
    fn cost(&self, plies: f64) -> Cost;

    /// Returns the unit's file in a study's folder. `None` if it does not exist. The file is not
    /// verified.
    fn file(&self, study: &Path) -> Option<PathBuf> {
        Some(unit_path(study, &self.name())).filter(|path| path.exists())
    }

    /// Returns true if the unit's file exists, is whole and has the unit's cache key.
    fn is_whole(&self, stage: &Stage<'_>) -> Result<bool, StudyError>;

    /// Returns true if something is published under the unit's name. This is cheaper than
    /// [`is_whole`](StageUnit::is_whole).
    fn is_there(&self, stage: &Stage<'_>) -> Result<bool, StudyError> {
        self.is_whole(stage)
    }

    /// Builds and publishes the unit. Meanwhile, `counters` count its games and evaluations.
    fn build(&self, stage: &Stage<'_>, counters: &Counters) -> Result<(), StudyError>;
}

/// Expected cost of a unit.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Cost {
    /// Name of the agent whose network is evaluated.
    pub agent: String,
    /// Number of games.
    pub games: u64,
    /// Number of evaluations by networks.
    pub evaluations: u64,
    /// Moves of an opponent without a network: arm, opponent and expected number of its moves.
    /// `None` if only networks play.
    pub moves: Option<(Variant, PlayerSpec, f64)>,
}

/// A stage of a study: units of one kind.
pub(crate) struct StagePlan {
    /// Title in plans and progress reports.
    pub title: &'static str,
    /// Kind of work of the units, for schedulers that distribute units to machines.
    pub kind: Kind,
    /// The units of the stage.
    pub units: Vec<Box<dyn StageUnit>>,
}

impl StagePlan {
    pub(crate) fn new<U: StageUnit + 'static>(title: &'static str, kind: Kind, units: Vec<U>) -> StagePlan {
        let units = units.into_iter().map(|unit| Box::new(unit) as Box<dyn StageUnit>).collect();
        StagePlan { title, kind, units }
    }

    /// Returns true if the stage's units need all games of the study: analyses and probes take
    /// positions from them.
    pub(crate) fn needs_games(&self) -> bool {
        self.kind == Kind::Analysis
    }
}

/// Inputs of a study's units, shared by all stages.
pub(crate) struct Stage<'a> {
    pub config: &'a StudyConfig,
    pub folder: &'a Folder,
    pub networks: &'a Networks,
    /// Endgame tablebases. `None` if the study plays no endings.
    pub tables: Option<Tables>,
    pub progress: &'a dyn StudyProgress,
    pub stop: &'a AtomicBool,
}

/// A unit together with its inputs.
struct Staged<'a> {
    unit: &'a dyn StageUnit,
    stage: &'a Stage<'a>,
    counters: &'a Counters,
}

impl Unit for Staged<'_> {
    type Output = ();
    type Error = StudyError;

    fn expected(&self) -> u64 {
        self.unit.cost(PLIES).evaluations
    }

    fn find(&self) -> Result<Option<()>, StudyError> {
        Ok(self.unit.is_whole(self.stage)?.then_some(()))
    }

    fn make(&self) -> Result<(), StudyError> {
        self.unit.build(self.stage, self.counters)
    }
}

impl Stage<'_> {
    /// Returns the device on which networks of the study play: the CPU if all of them are sparse.
    pub(crate) fn device(&self) -> Result<Device, StudyError> {
        let device = self.config.machine.device.choose()?;
        let is_used = self.networks.iter().any(|(_, _, file)| device.playing(&file.architecture).is_cuda());
        Ok(if is_used { device } else { Device::Cpu })
    }

    /// Verifies or builds the units of a stage on the study's threads. If networks play on a GPU,
    /// one thread builds one unit at a time.
    ///
    /// # Errors
    /// Returns [`StudyError::Stopped`] soon after the study is stopped. Complete units remain, and
    /// the same call resumes.
    pub(crate) fn build(&self, plan: &StagePlan) -> Result<(), StudyError> {
        if plan.units.is_empty() {
            return Ok(());
        }
        let threads = if self.device()?.is_cuda() { 1 } else { usable_threads(self.config.machine.threads) };
        let counters = Arc::new(Counters::default());
        let units: Vec<Staged<'_>> = plan
            .units
            .iter()
            .map(|unit| Staged { unit: &**unit, stage: self, counters: &counters })
            .collect();
        let tally = Arc::new(Tally::of(&units));
        let work =
            Work { name: plan.title.to_owned(), tally: Arc::clone(&tally), counters: Arc::clone(&counters) };
        self.progress.stage(&work);
        let done = |number: usize, is_found| tally.count(units[number].expected(), is_found);
        let result = find_or_make_all(&units, threads, self.stop, done).map(drop);
        self.progress.stage_done(&work);
        result
    }

    /// Returns the file of a cell's network.
    pub(crate) fn network(&self, cell: &Cell) -> Result<&NetworkFile, StudyError> {
        self.networks.file(&cell.network, cell.checkpoint)
    }

    /// Returns the result stored in the file of a unit. Returns `None` if the file does not exist,
    /// is damaged or has another cache key.
    pub(crate) fn kept<T: PartialEq + DeserializeOwned, M: DeserializeOwned>(
        &self,
        unit: &str,
        cache_key: &T,
    ) -> Result<Option<M>, StudyError> {
        let path = unit_path(self.folder.dir(), unit);
        Ok(read_cached(&self.folder.location, &path, cache_key, &|text| self.progress.warn(text))?)
    }

    /// Stores a result in the file of a unit, together with its cache key.
    pub(crate) fn keep<T, M>(&self, unit: &str, cache_key: &T, made: M) -> Result<(), StudyError>
    where
        T: PartialEq + Serialize + DeserializeOwned,
        M: Serialize + DeserializeOwned,
    {
        publish_cached(&self.folder.location, &unit_path(self.folder.dir(), unit), cache_key, made)?;
        Ok(())
    }
}
