//! Units of a study's work: functions of the study's file, its networks and their own names, so that any order and any number of
//! threads gives the same files.

use crate::StudyError;
use crate::agents::Networks;
use crate::config::StudyConfig;
use crate::folder::Folder;
use crate::progress::{StudyProgress, Work};
use catapult_network::device;
use catapult_selfplay::Counters;
use catapult_store::{Tally, Unit, Workers, publish_kept, read_kept};
use catapult_training::units::Kind;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What the units of a study are made with.
pub struct Stage<'a> {
    /// The study.
    pub config: &'a StudyConfig,
    /// Its folder.
    pub folder: &'a Folder,
    /// Its networks.
    pub networks: &'a Networks,
    /// Watches.
    pub progress: &'a dyn StudyProgress,
    /// Ends the work.
    pub stop: &'a AtomicBool,
}

/// A unit of a study: what [`Unit`] says, on a stage.
pub(crate) trait StageUnit: Sync {
    /// What is made.
    type Made: Send;

    /// What kind of work it is.
    const KIND: Kind;

    /// Its name.
    fn name(&self) -> String;

    /// Evaluations that it takes, about.
    fn expected(&self) -> u64;

    /// What was made before and is whole.
    fn find(&self, stage: &Stage<'_>) -> Result<Option<Self::Made>, StudyError>;

    /// Whether there is something, which may turn out to be damaged or stale when it is found.
    fn is_there(&self, stage: &Stage<'_>) -> Result<bool, StudyError> {
        Ok(self.find(stage)?.is_some())
    }

    /// Makes and publishes it, and gives what is published; `counters` grow with it.
    fn make(&self, stage: &Stage<'_>, counters: &Counters) -> Result<Self::Made, StudyError>;
}

/// Is shown all units of a study, whatever their types.
pub(crate) trait Visitor {
    /// Is shown some, and says whether it wants to see more.
    fn visit<U: StageUnit>(&mut self, stage: &Stage<'_>, units: &[U]) -> Result<bool, StudyError>;
}

/// A unit on its stage.
struct Staged<'a, U> {
    unit: &'a U,
    stage: &'a Stage<'a>,
    counters: &'a Counters,
}

impl<U: StageUnit> Unit for Staged<'_, U> {
    type Made = U::Made;
    type Error = StudyError;

    fn name(&self) -> String {
        self.unit.name()
    }

    fn expected(&self) -> u64 {
        self.unit.expected()
    }

    fn find(&self) -> Result<Option<U::Made>, StudyError> {
        self.unit.find(self.stage)
    }

    fn make(&self) -> Result<U::Made, StudyError> {
        self.unit.make(self.stage, self.counters)
    }
}

impl Stage<'_> {
    /// Finds or makes units, verified, and lets go of what they made.
    pub(crate) fn make<U: StageUnit>(&self, name: &str, units: &[U]) -> Result<(), StudyError> {
        self.work(name, units, |workers, units, tally| workers.work(units, tally, |_, _| ()))
    }

    /// The same, and gives what they made, in their order.
    pub(crate) fn all<U: StageUnit>(&self, name: &str, units: &[U]) -> Result<Vec<U::Made>, StudyError> {
        if units.is_empty() {
            return Ok(Vec::new());
        }
        self.work(name, units, |workers, units, tally| workers.all(units, tally, |_, _| ()))
    }

    /// Lets the study's threads work on units, which is told. A GPU takes them one by one.
    fn work<U: StageUnit, R>(
        &self,
        name: &str,
        units: &[U],
        work: impl FnOnce(Workers<'_>, &[Staged<'_, U>], &Tally) -> Result<R, StudyError>,
    ) -> Result<R, StudyError> {
        let is_cuda = device::choose(&self.config.machine.device)?.is_cuda();
        let threads = if is_cuda { 1 } else { self.config.machine.playing_threads() };
        let counters = Arc::new(Counters::default());
        let units: Vec<_> =
            units.iter().map(|unit| Staged { unit, stage: self, counters: &counters }).collect();
        let tally = Arc::new(Tally::of(&units));
        let told = Work { name: name.to_owned(), tally: Arc::clone(&tally), counters: Arc::clone(&counters) };
        self.progress.stage(&told);
        let result = work(Workers { threads, stop: self.stop }, &units, &tally);
        self.progress.stage_done();
        result
    }

    /// What was made on these terms and lies in a file.
    pub(crate) fn kept<T: PartialEq + DeserializeOwned, M: DeserializeOwned>(
        &self,
        path: &Path,
        terms: &T,
    ) -> Result<Option<M>, StudyError> {
        Ok(read_kept(self.folder.location(), path, terms, &|text| self.progress.warn(text))?)
    }

    /// Keeps what was made on these terms in a file, and gives what is kept there.
    pub(crate) fn keep<T, M>(&self, path: &Path, terms: &T, made: M) -> Result<M, StudyError>
    where
        T: PartialEq + Serialize + DeserializeOwned,
        M: Serialize + DeserializeOwned,
    {
        Ok(publish_kept(self.folder.location(), path, terms, made)?)
    }
}
